package import Model
package import SQLite
package import Wire

/// The log of a service whose changes are whole entities: profiles, or locations. Numbered without
/// gaps, kept with what each entity had become, read by everybody who follows.
///
/// All that writes happens inside the service's transaction. What is in memory follows at once;
/// after a rollback, `rolledBack` makes it follow the database again.
package final class ChangeLog {
  /// Goes into the first migration of a service with such a log, together with `LogBounds.schema`.
  /// No body: the entity is deleted, by this change or by a later one that erased what it was.
  package static let schema = """
    CREATE TABLE log (
      revision INTEGER PRIMARY KEY,
      time_ms INTEGER NOT NULL,
      entity BLOB NOT NULL,
      body BLOB
    ) STRICT;
    CREATE INDEX log_by_entity ON log (entity, revision);
    """

  package let name: LogName
  /// The newest revision; 0: nothing has ever happened.
  package private(set) var lastRevision: UInt64 = 0
  /// When the newest change was made.
  package private(set) var lastTimeMs: Int64 = 0
  package let bounds: LogBounds

  private var appended: [Entry] = []
  private let statements: Statements
  private let encoder = Encoder()
  private let decoder = Decoder()

  private struct Entry {
    var entity: ID
    var change: Change
  }

  /// The database has both schemas.
  package init(_ database: Database, _ name: LogName) throws(SQLiteError) {
    precondition(name != .checkIns, "check-ins have a log of their own kind")
    self.name = name
    bounds = try LogBounds(database)
    statements = try Statements(database)
    try reload()
  }

  /// The time of a change made now: never before that of the change before it, though the clock may
  /// have been set back.
  package func nextTimeMs(_ now: Moment) -> Int64 { max(now.wallMs, lastTimeMs) }

  /// Adds a change.
  /// - Parameters:
  ///   - entity: what it is about.
  ///   - timeMs: from `nextTimeMs`.
  /// - Returns: its revision, which is `lastRevision` + 1: a put says so itself already.
  @discardableResult
  package func append(
    _ what: Change.What, entity: ID, timeMs: Int64
  ) throws(SQLiteError) -> UInt64 {
    precondition(timeMs >= lastTimeMs, "time never falls within a log")
    let change = Change(revision: lastRevision + 1, timeMs: timeMs, what: what)
    let body: [UInt8]? = what == deletion(entity) ? nil : encoder.bytes(change)
    try statements.insert.run(change.revision, timeMs, entity, body)
    lastRevision = change.revision
    lastTimeMs = timeMs
    appended.append(Entry(entity: entity, change: change))
    return change.revision
  }

  /// Forgets what an entity ever was: all its changes are told as its deletion from now on. For
  /// people, whose names must not outlive them; places have no need of it.
  package func erase(_ entity: ID) throws(SQLiteError) {
    try statements.erase.run(entity)
    for index in appended.indices where appended[index].entity == entity {
      appended[index].change.what = deletion(entity)
    }
  }

  /// The changes since the last time, for the feed. Called when they are on disk.
  package func takeAppended() -> [Change] {
    defer { appended.removeAll(keepingCapacity: true) }
    return appended.map(\.change)
  }

  /// The transaction was rolled back.
  package func rolledBack() throws(SQLiteError) {
    appended.removeAll(keepingCapacity: true)
    try bounds.reload()
    try reload()
  }

  private func reload() throws(SQLiteError) {
    let last = try statements.last.first { row in (row.uint64(0), row.int64(1)) }
    lastRevision = max(last?.0 ?? 0, bounds.lastBase)
    lastTimeMs = last?.1 ?? 0
  }

  private func deletion(_ entity: ID) -> Change.What {
    name == .profiles ? .profileDeleted(entity) : .locationDeleted(entity)
  }
}

// MARK: - Reading

extension ChangeLog {
  /// The changes after a revision, oldest first: at most `limit` of them (0: 1 000; never more than
  /// 10 000), and no more than fit into 512 KiB.
  /// - Throws: a `Refusal` as of `LogBounds.check`, `SQLiteError`, or `CorruptLog`.
  package func changes(after revision: UInt64, limit: Int) throws -> ListChangesResponse {
    try bounds.check(after: revision, last: lastRevision)
    let limit = limit == 0 ? Limits.defaultListedChanges : min(limit, Limits.listedChanges)
    var response = ListChangesResponse(lastRevision: lastRevision)
    var bytes = 0
    var failure: CorruptLog?
    try statements.after.forEach(revision, limit) { row in
      // A deletion without a body has some 30 bytes; each entry's own tag and length take up to 4.
      bytes += max(32, row.withBlob(3) { $0.count }) + 4
      if bytes > Limits.pageBytes, !response.changes.isEmpty { return false }
      do throws(CorruptLog) {
        response.changes.append(try read(row))
        return true
      } catch {
        failure = error
        return false
      }
    }
    if let failure { throw failure }
    return response
  }

  /// What an entity was at a revision, as the newest change up to there tells it; nil: it was not.
  /// - Throws: `SQLiteError`, or `CorruptLog`.
  package func version(of entity: ID, at revision: UInt64) throws -> Change? {
    let found = try statements.version.first(entity, revision) { row in
      Result<Change, CorruptLog> { () throws(CorruptLog) in try read(row) }
    }
    return try found?.get()
  }

  private func read(_ row: Statement) throws(CorruptLog) -> Change {
    let revision = row.uint64(0)
    guard let entity = row.id(2) else { throw CorruptLog(name: name, revision: revision) }
    if row.isNull(3) {
      return Change(revision: revision, timeMs: row.int64(1), what: deletion(entity))
    }
    return try row.withBlob(3) { (bytes) throws(CorruptLog) in
      var violations: [FieldViolation] = []
      do {
        let change = try decoder.decode(Change.self, from: bytes, violations: &violations)
        if violations.isEmpty, change.revision == revision { return change }
      } catch { throw CorruptLog(name: name, revision: revision) }
      throw CorruptLog(name: name, revision: revision)
    }
  }
}

/// A change in the log is not what was written there. The disk has failed, or somebody else has
/// written to the file: the process cannot go on with it.
package struct CorruptLog: Error, Equatable, CustomStringConvertible {
  package let name: LogName
  package let revision: UInt64

  package var description: String {
    "the log of \(name.text) cannot be read at revision \(revision); restore it from a backup"
  }
}

// MARK: - Restoring and compacting

extension ChangeLog {
  /// For a start with `--restored`; see `LogBounds.restore`.
  package func restore(now: Moment) throws -> UInt64 {
    lastRevision = try bounds.restore(now: now, last: lastRevision, lastTimeMs: lastTimeMs)
    return lastRevision
  }

  /// Removes old changes that later ones have made void, a few at a time. Of an entity that lives,
  /// the newest of them stays, so that a snapshot of a revision that is still told finds it there;
  /// of one that was deleted, nothing does. The newest change of all stays too: it has the time.
  /// - Parameters:
  ///   - olderThanMs: made before this time, since 1970.
  ///   - limit: looks at so many changes.
  /// - Returns: whether there may be more to do.
  package func compact(olderThanMs: Int64, limit: Int) throws(SQLiteError) -> Bool {
    var old: [(revision: UInt64, entity: ID, isDeletion: Bool)] = []
    try statements.oldest.forEach(bounds.compactedThrough, limit) { row in
      // Times never fall, so that what comes after one that is young is young too.
      guard row.int64(3) < olderThanMs, let entity = row.id(1) else { return false }
      old.append((row.uint64(0), entity, row.bool(2)))
      return true
    }
    guard let last = old.last else { return false }
    for change in old {
      // Of a deletion not even itself is kept: what it deleted is nowhere.
      let end = change.isDeletion ? change.revision + 1 : change.revision
      try statements.removeBefore.run(change.entity, end)
    }
    try bounds.compact(through: last.revision)
    return old.count == limit
  }
}

extension ChangeLog {
  private struct Statements {
    let insert: Statement
    let erase: Statement
    let last: Statement
    let after: Statement
    let version: Statement
    let oldest: Statement
    let removeBefore: Statement

    init(_ database: Database) throws(SQLiteError) {
      insert = try database.prepare("INSERT INTO log VALUES (?, ?, ?, ?)")
      erase = try database.prepare("UPDATE log SET body = NULL WHERE entity = ?")
      last = try database.prepare(
        "SELECT revision, time_ms FROM log ORDER BY revision DESC LIMIT 1")
      after = try database.prepare(
        """
        SELECT revision, time_ms, entity, body FROM log
        WHERE revision > ? ORDER BY revision LIMIT ?
        """)
      version = try database.prepare(
        """
        SELECT revision, time_ms, entity, body FROM log
        WHERE entity = ? AND revision <= ? ORDER BY revision DESC LIMIT 1
        """)
      oldest = try database.prepare(
        """
        SELECT revision, entity, body IS NULL, time_ms FROM log
        WHERE revision > ? AND revision < (SELECT max(revision) FROM log)
        ORDER BY revision LIMIT ?
        """)
      removeBefore = try database.prepare("DELETE FROM log WHERE entity = ? AND revision < ?")
    }
  }
}
