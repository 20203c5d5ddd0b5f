import Client
import SQLite
import Terminal
import Upkeep
import Wire

/// `backup` and `restore`: what an operator does with the stores of the services.
enum StoreCommands {
  static let backup = Command<Action>(
    "backup", "Copy the stores of all services, also while they run",
    details: "Each copy is one moment of its store, is verified, and is on disk when the command "
      + "ends; a folder of the name that was asked for is a whole backup. It holds what people "
      + "have told of themselves, also those who are deleted later. A service that the settings "
      + "have no section for is on another machine, and is backed up there.",
    arguments: [Argument("DIR", file: true, "The folder to make")],
    options: StoreOptions.place + [
      Option("dated", "Make a folder in DIR, made too, that is named after the time"),
      Option("keep", value: "N", "With --dated: then remove all but the newest N of them"),
    ],
    examples: [
      "muster backup monday", "muster backup --dated --keep 14 /var/backups/muster",
      "muster backup --data data ~/backup",
    ], action: runBackup)

  static let restore = Command<Action>(
    "restore", "Put a backup in the place of what is there",
    details:
      "The services have to be stopped; gateways may go on. The backup is verified first, and "
      + "what was there is kept beside it. The logs go on above every number that they have ever "
      + "given out, so that whoever follows or watches begins anew with what is true now.",
    arguments: [Argument("DIR", file: true, "The backup")],
    options: StoreOptions.place + [
      Option(
        "only", value: "SERVICE", choices: ["profiles", "locations", "check-ins"], repeatable: true,
        "Only this service's store"),
      CommonOptions.yes,
    ],
    examples: ["muster restore /var/backups/muster/2026-11-30T021500Z"], action: runRestore)

  private static let runBackup: Action = { session, typed in
    guard let said = typed.argument("DIR") else { return }
    let folder = said.count > 1 && said.hasSuffix("/") ? String(said.dropLast()) : said
    let installation = try StoreOptions.installation(typed)
    let isDated = typed.flag("dated")
    let keep = try typed.option("keep").map { text in
      guard isDated, let count = Int(text), count > 0 else {
        throw UsageError("--keep is '\(text)'", hint: "write a number above 0, and --dated")
      }
      return count
    }
    let made = try upkeep {
      try Backup(
        of: installation, into: isDated ? Backup.newPlace(in: folder) : folder,
        version: Program.version, copyOf: { try StoreCopyCall($0, session).path() })
    }
    try session.show(rows(of: made), columns)
    session.note("Backed up and verified: \(made.folder)")
    if let keep {
      for old in try upkeep({ try Backup.prune(folder, keeping: keep) }) {
        session.note("Removed: \(old)")
      }
    }
  }

  private static let runRestore: Action = { session, typed in
    guard let folder = typed.argument("DIR") else { return }
    let installation = try StoreOptions.installation(typed)
    let backup = try upkeep { try Backup(folder) }
    let restore = try upkeep {
      try Restore(backup, into: installation, only: Set(typed.options("only")))
    }
    try session.confirm("Put \(folder) in the place of what is there?", typed)
    let done = try upkeep { try restore.run() }
    try session.show(
      done.map { store in
        .object([
          .init("service", .text(store.service)), .init("revision", .number(store.revision)),
          .init("aside", .text(store.aside ?? "")),
        ])
      }, [Column("service"), Column("revision", nil, .number), Column("aside", "WHAT WAS THERE")])
    session.note("Restored. Start the services, and look with 'muster health'.")
  }

  private static let columns = [
    Column("service"), Column("revision", nil, .number), Column("bytes", nil, .number),
    Column("file"), Column("schema", wide: true), Column("sha256", wide: true),
  ]

  private static func rows(of backup: Backup) -> [JSONValue] {
    backup.manifest.entries.map { entry in
      .object([
        .init("service", .text(entry.service)), .init("revision", .number(entry.revision)),
        .init("bytes", .number(entry.byteCount)), .init("file", .text(entry.file)),
        .init("schema", .integer(Int64(entry.schema))), .init("sha256", .text(entry.sha256)),
      ])
    }
  }
}

/// How commands name the stores that they work on.
enum StoreOptions {
  private static let settings = "/etc/muster/muster.conf"

  static let place = [
    Option("data", value: "DIR", "The stores in this data folder of 'muster up'"),
    Option(
      "config", value: "FILE", "The stores that this settings file names; \(settings) by default"),
  ]

  static func installation(_ typed: Invocation) throws -> Installation {
    guard let plan = try plan(typed) else { return try upkeep { try Installation(file(typed)) } }
    return Installation { (plan.folder(of: $0), plan.endpoint(of: $0)) }
  }

  /// Where a process answers; by ipc, if it does.
  static func endpoint(of process: String, _ typed: Invocation) throws -> String {
    if let plan = try plan(typed) { return plan.endpoint(of: process) }
    return try upkeep { try file(typed).endpoint(of: process) }
  }

  private static func plan(_ typed: Invocation) throws -> UpPlan? {
    guard let folder = typed.option("data") else { return nil }
    guard typed.option("config") == nil else {
      throw UsageError("--data and --config both say where the stores are", hint: "say one of them")
    }
    return try UpPlan(data: folder, listen: [], programsFolder: "")
  }

  private static func file(_ typed: Invocation) throws -> SettingsFile {
    try SettingsFile(typed.option("config") ?? settings)
  }
}

/// Tells what stands in the way of something with the stores as commands tell it.
func upkeep<R>(_ body: () throws -> R) throws -> R {
  do {
    return try body()
  } catch let error as UpkeepError {
    throw Failure(
      error.kind == .usage ? .usage : .conflict, error.message, hint: error.hint)
  } catch let error as MigrationError {
    throw Failure(.conflict, "\(error)", hint: advice(error))
  } catch let error as Failure {
    throw error
  } catch let error as CallError {
    throw Failure(error)
  } catch {
    throw Failure(.serverError, "\(error)")
  }
}

private func advice(_ error: MigrationError) -> String {
  switch error {
  case .newer:
    "install the version again that wrote it, or restore a backup that this one has made"
  case .foreign: "name the folder or settings that are used, with --data or --config"
  case .failed: "make room where there is none, or report it; the store is as it was"
  case .unreadable: "'muster check' says more"
  }
}
