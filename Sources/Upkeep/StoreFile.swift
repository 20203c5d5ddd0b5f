import SQLite
import ServiceKit

/// The file of a store that no service has open.
struct StoreFile {
  let path: String
  let kind: StoreKind

  /// What a look into it has shown.
  struct Content: Equatable {
    var schema: Int
    var revision: UInt64
  }

  /// Opens it, and sees that it is this service's and of no newer schema; older ones stay as they
  /// are.
  /// - Throws: `SQLiteError`, where a service has it open its kind is `busy`; `MigrationError`;
  ///   `UpkeepError`, where there is none.
  func open() throws -> (database: Database, schema: Int) {
    guard try Files.exists(path) else {
      throw UpkeepError(
        .usage, "there is no store \(path)", hint: "name the folder or settings that are used")
    }
    let database = try Database(path: path)
    let applicationID = Int32(truncatingIfNeeded: try database.number("PRAGMA application_id"))
    guard applicationID == kind.applicationID else {
      throw MigrationError.foreign(path: path, applicationID: applicationID)
    }
    let schema = Int(try database.number("PRAGMA user_version"))
    guard schema <= kind.migrations.count else {
      throw MigrationError.newer(path: path, version: schema, known: kind.migrations.count)
    }
    return (database, schema)
  }

  /// Verifies that it is whole: every page and index, whose it is, and that its log has no gap.
  /// - Throws: `UpkeepError` (conflict), where it is damaged; `SQLiteError`, `MigrationError`.
  func verify() throws -> Content {
    let (database, schema) = try open()
    defer { database.close() }
    if let fault = try database.integrityFaults(limit: 1).first { throw damaged(fault) }
    let log = try LogCheck(database)
    if let gap = log.gaps.first {
      throw damaged("its log lacks changes \(gap.lowerBound) to \(gap.upperBound)")
    }
    if let revision = log.fallsAt { throw damaged("time falls in its log at change \(revision)") }
    return Content(schema: schema, revision: log.lastRevision)
  }

  private func damaged(_ why: String) -> UpkeepError {
    UpkeepError(
      .conflict, "\(path) is damaged: \(why)",
      hint: "'muster check' says more of a store; of a backup, use another one")
  }
}
