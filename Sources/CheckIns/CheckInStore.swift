import Model
package import SQLite
package import ServiceKit
import Wire

/// The check-in service's database. Throws `SQLiteError` throughout.
package final class CheckInStore {
  package let keptResponses: KeptResponses
  /// What fingerprints of idempotency keys are made with.
  package let secret: [UInt8]
  let bounds: LogBounds
  let database: Database
  let history: History

  private let insertEntry: Statement
  private let insertUnchanged: Statement
  private let selectUnchanged: Statement
  private let deleteUnchanged: Statement
  private let insertPerson: Statement
  private let forgetPerson: Statement
  private let insertPlace: Statement
  private let updatePlace: Statement
  private let insertActor: Statement
  private let forgetActor: Statement
  private let deleteActor: Statement
  private let updateStay: Statement
  private let updateLastOfPlace: Statement
  private let updateSnapshot: Statement
  private let updatePosition: [LogName: Statement]
  private let selectEntries: Statement

  /// Opens the database, and creates or migrates its tables.
  /// - Parameter random: makes the secret of a new database.
  package init(_ database: Database, random: some RandomNumberGenerator) throws {
    self.database = database
    var random = random
    try database.migrate(
      applicationID: CheckInSchema.applicationID,
      CheckInSchema.migrations(secret: Fingerprint.makeSecret(using: &random)))
    secret = try database.prepare("SELECT secret FROM progress").first { $0.blob(0) } ?? []
    keptResponses = try KeptResponses(database)
    bounds = try LogBounds(database)
    history = try History(database)
    insertEntry = try database.prepare(
      "INSERT INTO log VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)")
    insertUnchanged = try database.prepare(
      "INSERT INTO unchanged VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)")
    selectUnchanged = try database.prepare(
      "SELECT \(UnchangedWrite.columns) FROM unchanged WHERE number = ?")
    deleteUnchanged = try database.prepare(
      """
      DELETE FROM unchanged WHERE time_ms < ? AND number IN
        (SELECT number FROM unchanged ORDER BY number LIMIT ?)
      """)
    insertPerson = try database.prepare("INSERT INTO person (number, id, user) VALUES (?, ?, ?)")
    forgetPerson = try database.prepare("UPDATE person SET user = NULL WHERE number = ?")
    insertPlace = try database.prepare(
      "INSERT INTO place (number, id, capacity, is_known) VALUES (?, ?, ?, 1)")
    updatePlace = try database.prepare(
      "UPDATE place SET capacity = ?, is_known = ? WHERE number = ?")
    insertActor = try database.prepare("INSERT INTO actor (user) VALUES (?)")
    // The row stays: SQLite would give its number, which the log has, to whoever comes next.
    forgetActor = try database.prepare("UPDATE actor SET user = '' WHERE number = ?")
    deleteActor = try database.prepare("DELETE FROM actor WHERE number = ?")
    updateStay = try database.prepare(
      """
      UPDATE person SET place = ?, since_ms = ?, revision = ?, expire_ms = ?, last_entry = ?
      WHERE number = ?
      """)
    updateLastOfPlace = try database.prepare("UPDATE place SET last_entry = ? WHERE number = ?")
    updateSnapshot = try database.prepare("UPDATE progress SET snapshot_revision = ?")
    updatePosition = [
      .profiles: try database.prepare("UPDATE progress SET profiles_revision = ?"),
      .locations: try database.prepare("UPDATE progress SET locations_revision = ?"),
    ]
    selectEntries = try database.prepare(
      "SELECT \(LogEntry.columns) FROM log WHERE revision > ? ORDER BY revision LIMIT ?")
  }

  // MARK: - What a batch writes

  func append(_ entry: LogEntry) throws {
    try insertEntry.run(
      entry.revision, entry.timeMs, entry.person, entry.from, entry.to, entry.reason.rawValue,
      entry.actor, entry.expireMs, entry.key?.key,
      entry.key.map { Int64(bitPattern: $0.request) }, entry.personBefore, entry.fromBefore,
      entry.toBefore)
  }

  func append(_ write: UnchangedWrite) throws {
    try insertUnchanged.run(
      write.number, write.timeMs, write.key.key, Int64(bitPattern: write.key.request),
      write.person, write.stay.place, write.stay.sinceMs, write.stay.revision,
      write.stay.expireMs, write.asOf)
  }

  func add(person: Presence.Slot, _ id: ID, user: String) throws {
    try insertPerson.run(person, id, user)
  }

  /// The person's user is told nowhere any more.
  func forget(person: Presence.Slot) throws { try forgetPerson.run(person) }

  func add(place: Presence.Slot, _ id: ID, capacity: UInt32) throws {
    try insertPlace.run(place, id, capacity)
  }

  func set(place: Presence.Slot, capacity: UInt32, isKnown: Bool) throws {
    try updatePlace.run(capacity, isKnown, place)
  }

  /// Gives a user a number for the log.
  func addActor(_ user: String) throws -> Int64 {
    try insertActor.run(user)
    return database.lastInsertRowID
  }

  /// The log does not tell any more who that was.
  func forget(actor: Int64) throws { try forgetActor.run(actor) }

  /// Writes something that changes nothing: on a disk that is full, the commit fails.
  func proveThatItWrites() throws { try deleteActor.run(addActor("")) }

  func setPosition(_ log: LogName, _ revision: UInt64) throws {
    try updatePosition[log]?.run(revision)
  }

  // MARK: - The snapshot of the state

  func save(_ stay: Presence.Stay, lastEntry: UInt64, of person: Presence.Slot) throws {
    try updateStay.run(
      stay.place, stay.sinceMs, stay.revision, stay.expireMs, lastEntry, person)
  }

  func save(lastEntry: UInt64, of place: Presence.Slot) throws {
    try updateLastOfPlace.run(lastEntry, place)
  }

  /// Everything up to a revision is in the snapshot.
  func setSnapshotRevision(_ revision: UInt64) throws { try updateSnapshot.run(revision) }

  // MARK: - Reading

  /// The entries after a revision, oldest first.
  func entries(
    after revision: UInt64, limit: Int = .max, _ body: (LogEntry) throws(SQLiteError) -> Bool
  ) throws(SQLiteError) {
    try selectEntries.forEach(revision, limit) { row throws(SQLiteError) in
      try body(LogEntry(row))
    }
  }

  /// The keys of the entries after a revision, up to another one, oldest first.
  func forEachKey(
    after revision: UInt64, through last: UInt64,
    _ body: (_ key: WriteKey, _ revision: UInt64, _ timeMs: Int64) -> Void
  ) throws {
    try database.prepare(
      """
      SELECT revision, time_ms, key, request FROM log
      WHERE revision > ? AND revision <= ? AND key IS NOT NULL ORDER BY revision
      """
    ).forEach(revision, last) { row in
      if let key = row.id(2) {
        body(
          WriteKey(key: key, request: UInt64(bitPattern: row.int64(3))), row.uint64(0),
          row.int64(1))
      }
      return true
    }
  }

  func unchanged(_ number: UInt64) throws -> UnchangedWrite? {
    try selectUnchanged.first(number) { UnchangedWrite($0) } ?? nil
  }

  /// All writes with a key that have changed nothing, oldest first.
  func forEachUnchanged(_ body: (UnchangedWrite) -> Void) throws {
    try database.prepare("SELECT \(UnchangedWrite.columns) FROM unchanged ORDER BY number")
      .forEach { row in
        if let write = UnchangedWrite(row) { body(write) }
        return true
      }
  }

  /// Deletes those that were made before a time, a number of them at most.
  /// - Returns: whether there may be more.
  func removeUnchanged(olderThanMs: Int64, limit: Int) throws -> Bool {
    try deleteUnchanged.run(olderThanMs, limit)
    return database.changes == limit
  }

  /// How far the logs that are followed had been applied.
  func position(_ log: LogName) throws -> UInt64 {
    let column = log == .profiles ? "profiles_revision" : "locations_revision"
    return try database.prepare("SELECT \(column) FROM progress").first { $0.uint64(0) } ?? 0
  }

  /// Deletes entries that are older than the operator wants to keep, and that neither the snapshot
  /// nor a repeated call needs. Chains of histories end where they reach what is gone.
  /// - Returns: whether there may be more.
  func compact(olderThanMs: Int64, through limit: UInt64, entries: Int) throws -> Bool {
    var last: (person: LogEntry, count: Int)?
    try selectEntries.forEach(0, entries) { row in
      let entry = LogEntry(row)
      guard entry.timeMs < olderThanMs, entry.revision <= limit else { return false }
      last = (entry, (last?.count ?? 0) + 1)
      return true
    }
    guard let last else { return false }
    try database.prepare("DELETE FROM log WHERE revision <= ?").run(last.person.revision)
    try bounds.compact(through: last.person.revision)
    return last.count == entries
  }
}
