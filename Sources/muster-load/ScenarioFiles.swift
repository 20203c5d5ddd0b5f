import Foundation
import LoadDriver
import Terminal

/// The scenarios that come with the program: in the source tree, or where it is installed.
enum ScenarioFiles {
  private static let suffix = "load"

  static let list: LoadAction = { _, around in
    let folder = try ScenarioFiles.folder(around)
    var table = Table(columns: [Table.Column("scenario"), Table.Column("what it is for")])
    let files = try FileManager.default.contentsOfDirectory(
      at: folder, includingPropertiesForKeys: nil)
    for file in files.sorted(by: { $0.path < $1.path }) where file.pathExtension == suffix {
      let scenario = try read(file.path(percentEncoded: false))
      table.rows.append([file.deletingPathExtension().lastPathComponent, scenario.summary])
    }
    around.console.write(table.text(width: nil, color: around.console.hasColor))
    around.console.write("\nThey are in \(folder.path(percentEncoded: false))\n")
    return 0
  }

  /// What a scenario says, which is named or is a file; no options where there is none.
  static func options(_ name: String?, _ around: LoadSurroundings) throws -> Invocation {
    guard let name else { return Invocation() }
    var path = name
    if !name.contains("/"), !FileManager.default.fileExists(atPath: name) {
      let known = try folder(around).appending(path: "\(name).\(suffix)")
      path = known.path(percentEncoded: false)
      guard FileManager.default.fileExists(atPath: path) else {
        throw UsageError(
          "there is no scenario '\(name)'", hint: "'muster-load scenarios' lists them")
      }
    }
    do {
      return try LoadProgram.table.parse(try read(path).words)
    } catch let error as UsageError {
      throw UsageError("\(path): \(error.message)", hint: error.hint)
    }
  }

  private static func read(_ path: String) throws -> Scenario {
    do {
      return Scenario(try String(contentsOfFile: path, encoding: .utf8))
    } catch {
      throw UsageError("cannot read \(path)")
    }
  }

  private static func folder(_ around: LoadSurroundings) throws -> URL {
    let programs = try around.programsFolder
    let installed = programs.deletingLastPathComponent().appending(path: "share/muster/load")
    // Built in the tree, the programs are a few folders below its root.
    var candidates = [installed]
    var above = programs
    for _ in 0..<4 {
      above.deleteLastPathComponent()
      candidates.append(above.appending(path: "deploy/load"))
    }
    let found = candidates.first {
      FileManager.default.fileExists(atPath: $0.path(percentEncoded: false))
    }
    guard let found else {
      throw LoadFailure("the scenarios are not installed", hint: "name a file with --scenario")
    }
    return found
  }
}
