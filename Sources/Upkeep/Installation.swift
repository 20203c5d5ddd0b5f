package import ServiceKit
import CheckIns
import Locations
import Profiles

/// The stores of one Muster, and where the services that own them answer.
package struct Installation {
  /// One service's store.
  package struct Store {
    package let kind: StoreKind
    /// The folder that `--data` of the service names.
    package let folder: String
    /// Where the service answers while it runs; by ipc, if it does.
    package let rpc: String

    package init(kind: StoreKind, folder: String, rpc: String) {
      self.kind = kind
      self.folder = folder
      self.rpc = rpc
    }

    /// The database.
    package var file: String { "\(folder)/\(kind.fileName)" }
    /// The service's name.
    package var name: String { kind.log.text }
  }

  /// The check-in store first: it follows the others, and what it has taken over from them is then
  /// in their copies too, which are later.
  package let stores: [Store]

  /// - Parameter place: the data folder and the endpoint of a service, by its name; nil: it runs on
  ///   another machine.
  package init(_ place: (_ service: String) throws -> (folder: String, rpc: String)?) rethrows {
    stores = try [StoreKind.checkIns, .locations, .profiles].compactMap { kind in
      guard let (folder, rpc) = try place(kind.log.text) else { return nil }
      return Store(kind: kind, folder: folder, rpc: rpc)
    }
  }

  /// As a settings file of the programs has it. A service without a section is on another machine.
  /// - Throws: `UpkeepError`, where the file does not say it.
  package init(_ settings: SettingsFile) throws {
    try self.init { service in
      guard settings.has(service) else { return nil }
      return (try settings.needed("data", of: service), try settings.endpoint(of: service))
    }
    guard !stores.isEmpty else {
      throw UpkeepError(
        .usage, "\(settings.path) has a section of no service",
        hint: "name another file with --config, or a folder of 'muster up' with --data")
    }
  }
}

/// The settings file of the programs, for whoever looks after them.
package struct SettingsFile {
  package let path: String
  private let file: IniFile

  /// - Throws: `UpkeepError`, where it cannot be read.
  package init(_ path: String) throws {
    self.path = path
    do { file = IniFile(try Files.content(of: path)) } catch {
      throw UpkeepError(
        .usage, "the settings cannot be read: \(error)",
        hint: "name them with --config, or a folder of 'muster up' with --data")
    }
    if let problem = file.problems.first {
      throw UpkeepError(.usage, "\(path):\(problem)", hint: "mend the file")
    }
  }

  /// Whether it has a section for a process, by the name that health has for it.
  package func has(_ process: String) -> Bool { file.hasSection(Self.program(process)) }

  /// What it says of a process.
  /// - Throws: `UpkeepError`, where it says nothing.
  package func needed(_ name: String, of process: String) throws -> String {
    let program = Self.program(process)
    guard let value = file.values(name, of: program).last, !value.isEmpty else {
      throw UpkeepError(
        .usage, "\(path) does not say \(name) in [\(program)]",
        hint: "add it, or name a folder of 'muster up' with --data")
    }
    return value
  }

  /// Where a process answers: by ipc, if it does, since nobody needs a key there.
  /// - Throws: `UpkeepError`, where it says nothing.
  package func endpoint(of process: String) throws -> String {
    let said = Setting.split(file.values("rpc", of: Self.program(process)))
    let byIPC = said.first { $0.hasPrefix("ipc://") }
    return try byIPC ?? said.first ?? needed("rpc", of: process)
  }

  private static func program(_ process: String) -> String {
    "muster-" + process.replacing("-", with: "")
  }
}

/// Why something was not done with the stores. Nothing has been changed, where it does not say so.
package struct UpkeepError: Error, Equatable, CustomStringConvertible {
  /// What kind of thing stands in the way.
  package enum Kind: Sendable {
    /// What was asked for makes no sense here.
    case usage
    /// What is there is not as it would have to be: a process runs, a folder exists, a file is
    /// damaged.
    case conflict
  }

  package let kind: Kind
  /// One sentence, without a full stop.
  package let message: String
  /// What to do.
  package let hint: String

  package init(_ kind: Kind, _ message: String, hint: String) {
    self.kind = kind
    self.message = message
    self.hint = hint
  }

  package var description: String { "\(message): \(hint)" }
}
