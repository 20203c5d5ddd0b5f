import Glibc
import SQLite
import ServiceKit

/// Brings one store to the newest schema, or tries that on a copy.
package struct MigrationRun {
  package let service: String
  /// What the store had before.
  package let schema: Int
  package let newest: Int
  /// Milliseconds that the steps took.
  package let tookMs: Int64

  /// Runs.
  /// - Parameter copyOf: asks a running service for a copy, and gives the file; nil: the store
  ///   itself is migrated, and its service may not run.
  /// - Throws: `MigrationError`, where the store is newer or another program's; `UpkeepError`,
  ///   `SQLiteError`; what `copyOf` throws.
  package init(
    _ store: Installation.Store, copyOf: ((Installation.Store) throws -> String)?
  ) throws {
    service = store.name
    newest = store.kind.migrations.count
    let trial = "\(store.file).trial-\(getpid())"
    defer { Files.removeStore(trial) }
    var file = StoreFile(path: store.file, kind: store.kind)
    do {
      let (database, schema) = try file.open()
      defer { database.close() }
      if copyOf != nil, schema < newest {
        let copy = try DatabaseCopy(of: database, to: trial)
        while try !copy.step(pages: 10_000) {}
        file = StoreFile(path: trial, kind: store.kind)
      }
    } catch let error as SQLiteError where error.kind == .busy {
      guard let copyOf else {
        throw UpkeepError(
          .conflict, "the service \(store.name) is running on \(store.file)",
          hint: "stop it first, or say --dry-run")
      }
      try Files.rename(copyOf(store), to: trial)
      file = StoreFile(path: trial, kind: store.kind)
    }
    let (database, schema) = try file.open()
    defer { database.close() }
    self.schema = schema
    let began = SystemClock.now().monotonicUs
    try database.migrate(applicationID: store.kind.applicationID, store.kind.migrations)
    tookMs = (SystemClock.now().monotonicUs - began) / 1_000
  }
}
