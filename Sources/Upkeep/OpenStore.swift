import Glibc
import SQLite
import ServiceKit

/// A store that is being checked: the file itself, or a copy that its running service has made.
final class OpenStore {
  let kind: StoreKind
  /// Nil where it cannot be opened; `fault` says why.
  let database: Database?
  let fault: StoreCheck.Fault?
  private let schema: Int
  /// - Parameter copyOf: nil: the service may not run.
  /// - Throws: `UpkeepError`, `SystemError`; what `copyOf` throws.
  init(
    _ store: Installation.Store, copyOf: ((Installation.Store) throws -> String)?
  ) throws {
    kind = store.kind
    var opened: (database: Database, schema: Int)?
    var fault: StoreCheck.Fault?
    do {
      do {
        opened = try StoreFile(path: store.file, kind: kind).open()
      } catch let error as SQLiteError where error.kind == .busy {
        guard let copyOf else {
          throw UpkeepError(
            .conflict, "the service \(store.name) is running on \(store.file)",
            hint: "stop it first, or look without --repair")
        }
        let made = try copyOf(store)
        // Under this name it is no longer the service's to remove, and once it is open nothing
        // needs the name: however this ends, nothing is left of it.
        let taken = "\(made).\(getpid())"
        try Files.rename(made, to: taken)
        defer { Files.removeStore(taken) }
        opened = try StoreFile(path: taken, kind: kind).open()
      }
    } catch let error as SQLiteError {
      fault = StoreCheck.Fault(
        what: "the store cannot be opened: \(error.message)", outcome: .lost)
    } catch let error as MigrationError {
      var outcome = StoreCheck.Outcome.lost
      if case .newer = error { outcome = .unknown }
      fault = StoreCheck.Fault(what: "\(error)", outcome: outcome)
    }
    database = opened?.database
    schema = opened?.schema ?? 0
    self.fault = fault
  }

  var name: String { kind.log.text }

  func close() { database?.close() }

  /// Nil where the log cannot be read.
  var lastRevision: UInt64? {
    guard let database, let log = try? LogCheck(database) else { return nil }
    return log.lastRevision
  }

  /// Makes a finding right, or leaves everything as it is.
  func repair(_ finding: Finding) throws {
    guard let database, let repair = finding.repair else { return }
    try database.begin()
    do {
      try repair(database)
    } catch {
      try database.rollback()
      throw error
    }
    try database.commit()
  }

  /// Everything that is wrong. What lies deeper is looked at only where what it stands on is sound.
  func findings() -> [Finding] {
    guard let database else { return [] }
    do {
      let faults = try database.integrityFaults(limit: 100)
      if !faults.isEmpty { return damage(faults) }
      // An older schema is brought to the newest one when the service starts, and checked then.
      guard schema == kind.migrations.count else { return [] }
      let shape = try Schema(of: database).findings(kind)
      if !shape.isEmpty { return shape }
      return try log(LogCheck(database)) + kind.check(database)
    } catch {
      return [Finding("the store cannot be read: \(error)")]
    }
  }

  /// Indexes are made anew from their tables; what is wrong with a table itself stays wrong.
  private func damage(_ faults: [String]) -> [Finding] {
    let ofIndexes = ["missing from index", "entries in index", "non-unique entry in index"]
    let isInIndexes = faults.allSatisfy { fault in ofIndexes.contains { fault.contains($0) } }
    return Finding.of(
      faults, "the file is damaged", name: { $0 },
      repair: isInIndexes ? { database in try database.execute("REINDEX") } : nil)
  }

  /// Whoever follows a log that has a gap begins anew from a snapshot: the state is whole.
  private func log(_ log: LogCheck) -> [Finding] {
    let falls = log.fallsAt.map { [Finding("time falls in the log at change \($0)")] } ?? []
    guard let last = log.gaps.last else { return falls }
    return falls
      + Finding.of(
        log.gaps, "the log lacks changes",
        name: { $0.count == 1 ? "\($0.lowerBound)" : "\($0.lowerBound) to \($0.upperBound)" },
        repair: { database in try EntityCheck.begin(database, after: last.upperBound) })
  }
}

/// The tables and indexes of a database.
private struct Schema {
  private var statements: [String: String] = [:]
  private var indexes: Set<String> = []

  init(of database: Database) throws(SQLiteError) {
    var statements: [String: String] = [:]
    var indexes: Set<String> = []
    try database.prepare("SELECT name, sql, type FROM sqlite_schema WHERE sql IS NOT NULL").forEach
    {
      row in
      statements[row.text(0)] = row.text(1)
      if row.text(2) == "index" { indexes.insert(row.text(0)) }
      return true
    }
    self.statements = statements
    self.indexes = indexes
  }

  /// What a new database of the kind has and this one has not.
  func findings(_ kind: StoreKind) throws -> [Finding] {
    let fresh = try Database(path: ":memory:")
    defer { fresh.close() }
    try fresh.migrate(applicationID: kind.applicationID, kind.migrations)
    let right = try Schema(of: fresh)
    let missing = right.statements.filter { statements[$0.key] == nil }
    let lost = missing.filter { !right.indexes.contains($0.key) }
    let others = right.statements.keys.filter {
      statements[$0] != nil && statements[$0] != right.statements[$0]
    }
    let indexes = missing.filter { right.indexes.contains($0.key) }
    return Finding.of(lost.keys.sorted(), "tables are missing", name: { $0 })
      + Finding.of(others.sorted(), "tables are not of this schema", name: { $0 })
      + Finding.of(
        indexes.keys.sorted(), "indexes are missing", name: { $0 },
        repair: { database in
          for sql in indexes.values { try database.execute(sql) }
        })
  }
}
