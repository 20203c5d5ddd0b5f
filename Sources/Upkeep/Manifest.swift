import ServiceKit
import Terminal
package import Wire

/// What a backup says of itself: the file `manifest.json` in its folder, written last.
package struct Manifest: Equatable {
  package static let fileName = "manifest.json"

  /// The program that made it: "0.1.0".
  package var version: String
  /// When it was complete, since 1970.
  package var timeMs: Int64
  package var entries: [Entry]

  /// The copy of one store.
  package struct Entry: Equatable {
    /// The service's name.
    package var service: String
    /// In the backup's folder.
    package var file: String
    package var schema: Int
    /// How far its log had come.
    package var revision: UInt64
    package var byteCount: UInt64
    /// In hexadecimal digits.
    package var sha256: String
  }

  package var json: JSONValue {
    .object([
      .init("muster", .text(version)),
      .init("time_ms", .integer(timeMs)),
      .init(
        "stores",
        .array(
          entries.map { entry in
            .object([
              .init("service", .text(entry.service)), .init("file", .text(entry.file)),
              .init("schema", .integer(Int64(entry.schema))),
              .init("revision", .number(entry.revision)),
              .init("bytes", .number(entry.byteCount)), .init("sha256", .text(entry.sha256)),
            ])
          })),
    ])
  }

  /// Reads the manifest of a backup.
  /// - Throws: `UpkeepError`, where there is none or it does not say what it has to.
  package init(ofBackup folder: String) throws {
    let path = "\(folder)/\(Self.fileName)"
    let value: JSONValue
    do {
      value = try JSONReader.value(of: Files.content(of: path))
    } catch let error as SystemError {
      throw UpkeepError(
        .usage, "\(folder) is no backup: \(error)", hint: "name a folder of 'muster backup'")
    } catch let error as JSONError {
      throw Self.damaged(path, "line \(error.line): \(error.message)")
    }
    guard case .text(let version)? = value["muster"], case .integer(let timeMs)? = value["time_ms"],
      case .array(let stores)? = value["stores"]
    else { throw Self.damaged(path, "it lacks 'muster', 'time_ms' or 'stores'") }
    self.version = version
    self.timeMs = timeMs
    entries = try stores.map { store in
      guard let entry = Entry(store) else {
        throw Self.damaged(path, "a store lacks something, or names a file elsewhere")
      }
      return entry
    }
  }

  init(version: String, timeMs: Int64, entries: [Entry]) {
    self.version = version
    self.timeMs = timeMs
    self.entries = entries
  }

  private static func damaged(_ path: String, _ why: String) -> UpkeepError {
    UpkeepError(.conflict, "\(path) is damaged: \(why)", hint: "use another backup")
  }
}

extension Manifest.Entry {
  fileprivate init?(_ value: JSONValue) {
    guard case .text(let service)? = value["service"], case .text(let file)? = value["file"],
      case .integer(let schema)? = value["schema"],
      case .integer(let revision)? = value["revision"],
      case .integer(let byteCount)? = value["bytes"], case .text(let sha256)? = value["sha256"],
      // Only what lies in the backup's own folder.
      !file.contains("/"), schema >= 0, revision >= 0, byteCount >= 0
    else { return nil }
    self.init(
      service: service, file: file, schema: Int(schema), revision: UInt64(revision),
      byteCount: UInt64(byteCount), sha256: sha256)
  }
}
