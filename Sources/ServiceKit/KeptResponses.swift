package import Model
package import SQLite
package import Wire

/// A response that a write was given, kept for whoever repeats the write with the same key.
package struct KeptResponse: Equatable, Sendable {
  /// Fingerprint of the method and the body that the key was used for.
  package var request: UInt64
  package var asOf: Revisions
  /// The encoded response; nil: it told of somebody who has been deleted since.
  package var body: [UInt8]?

  package init(request: UInt64, asOf: Revisions, body: [UInt8]?) {
    self.request = request
    self.asOf = asOf
    self.body = body
  }
}

/// The responses of writes with an idempotency key. Everything here happens inside the transaction
/// of the write itself, so that a response is kept exactly where the write was done.
package final class KeptResponses {
  /// Goes into the first migration of a service that keeps responses here. Fingerprints only: a
  /// stolen file tells neither keys nor users nor what was asked.
  package static let schema = """
    CREATE TABLE kept_response (
      number INTEGER PRIMARY KEY,
      key BLOB NOT NULL UNIQUE,
      request INTEGER NOT NULL,
      time_ms INTEGER NOT NULL,
      as_of_profiles INTEGER NOT NULL,
      as_of_locations INTEGER NOT NULL,
      as_of_check_ins INTEGER NOT NULL,
      body BLOB
    ) STRICT;
    CREATE TABLE kept_response_profile (
      profile BLOB NOT NULL,
      number INTEGER NOT NULL,
      PRIMARY KEY (profile, number)
    ) STRICT, WITHOUT ROWID;
    """

  /// Something has been erased, and the write-ahead log may still have what it was. At the start
  /// nobody knows what an earlier process left there.
  package private(set) var mayLeaveTraces = true

  private var keys = Keys()
  private let database: Database
  private let selectKept: Statement
  private let insert: Statement
  private let insertProfile: Statement
  private let eraseBodies: Statement
  private let eraseProfile: Statement
  private let pruneOldest: Statement
  private let pruneProfiles: Statement
  private let selectOldest: Statement
  private let deleteNewest: Statement

  /// The database has the schema.
  package init(_ database: Database) throws(SQLiteError) {
    self.database = database
    selectKept = try database.prepare(
      """
      SELECT request, as_of_profiles, as_of_locations, as_of_check_ins, body
      FROM kept_response WHERE key = ?
      """)
    insert = try database.prepare(
      """
      INSERT OR REPLACE INTO kept_response
        (key, request, time_ms, as_of_profiles, as_of_locations, as_of_check_ins, body)
      VALUES (?, ?, ?, ?, ?, ?, ?)
      """)
    insertProfile = try database.prepare(
      "INSERT OR IGNORE INTO kept_response_profile VALUES (?, ?)")
    eraseBodies = try database.prepare(
      """
      UPDATE kept_response SET body = NULL
      WHERE number IN (SELECT number FROM kept_response_profile WHERE profile = ?)
      """)
    eraseProfile = try database.prepare("DELETE FROM kept_response_profile WHERE profile = ?")
    pruneOldest = try database.prepare(
      """
      DELETE FROM kept_response WHERE time_ms < ? AND number IN
        (SELECT number FROM kept_response ORDER BY number LIMIT ?)
      """)
    selectOldest = try database.prepare("SELECT min(number) FROM kept_response")
    pruneProfiles = try database.prepare("DELETE FROM kept_response_profile WHERE number < ?")
    deleteNewest = try database.prepare("DELETE FROM kept_response WHERE number = ?")
    try database.prepare("SELECT key, time_ms FROM kept_response ORDER BY number").forEach { row in
      if let key = row.id(0) { keys.add(key, timeMs: row.int64(1)) }
      return true
    }
  }

  /// The keys that the table can have, by a part of each, so that a key that is used for the first
  /// time, as nearly all are, is not looked for on disk. Those of a day at least, of two at most.
  private struct Keys {
    private var newer: Set<UInt64> = []
    private var older: Set<UInt64> = []
    /// When `newer` began.
    private var beganMs: Int64 = 0

    func contains(_ key: ID) -> Bool { newer.contains(key.low) || older.contains(key.low) }

    mutating func add(_ key: ID, timeMs: Int64) {
      if timeMs - beganMs >= Limits.idempotencyMs {
        older = newer
        newer = []
        beganMs = timeMs
      }
      newer.insert(key.low)
    }
  }

  /// What a key was answered with; nil: it was not used, or too long ago.
  /// - Parameter key: the fingerprint of the user and the key.
  package func find(_ key: ID) throws(SQLiteError) -> KeptResponse? {
    guard keys.contains(key) else { return nil }
    return try selectKept.first(key) { row in
      KeptResponse(
        request: UInt64(bitPattern: row.int64(0)),
        asOf: Revisions(
          profiles: row.uint64(1), locations: row.uint64(2), checkIns: row.uint64(3)),
        body: row.isNull(4) ? nil : row.blob(4))
    }
  }

  /// Keeps a response under a key that `find` does not know.
  /// - Parameters:
  ///   - profiles: whom it tells of: their deletion erases the body.
  ///   - timeMs: when, since 1970; never before the one kept last.
  package func keep(
    _ response: KeptResponse, key: ID, telling profiles: [ID], timeMs: Int64
  ) throws(SQLiteError) {
    // As a bit pattern, since SQLite's integers are signed and a fingerprint uses every bit.
    try insert.run(
      key, Int64(bitPattern: response.request), timeMs, response.asOf.profiles,
      response.asOf.locations, response.asOf.checkIns, response.body)
    keys.add(key, timeMs: timeMs)
    let number = database.lastInsertRowID
    for profile in profiles { try insertProfile.run(profile, number) }
  }

  /// A profile is deleted: forgets the responses that tell of it, and remembers their keys.
  package func erase(_ profile: ID) throws(SQLiteError) {
    mayLeaveTraces = true
    try eraseBodies.run(profile)
    try eraseProfile.run(profile)
  }

  /// Empties the write-ahead log of all that was erased. Outside a transaction.
  package func removeTraces() throws(SQLiteError) {
    try database.checkpoint()
    mayLeaveTraces = false
  }

  /// Writes something that changes nothing: on a disk that is full, it or the commit fails.
  package func proveThatItWrites() throws(SQLiteError) {
    let nobody = ID(high: 0, low: 0)
    try insert.run(nobody, 0, 0, 0, 0, 0, nil as [UInt8]?)
    try deleteNewest.run(database.lastInsertRowID)
  }

  /// Forgets the oldest ones.
  /// - Parameters:
  ///   - olderThanMs: kept before this time; `Limits.idempotencyMs` before now.
  ///   - limit: at most so many, so that nobody waits for it long.
  /// - Returns: whether there may be more.
  package func prune(olderThanMs: Int64, limit: Int) throws(SQLiteError) -> Bool {
    try pruneOldest.run(olderThanMs, limit)
    let count = database.changes
    // Whose response is gone by age, without its profile having been deleted.
    if count > 0 {
      let oldest = try selectOldest.first { $0.isNull(0) ? nil : $0.int64(0) } ?? nil
      try pruneProfiles.run(oldest ?? Int64.max)
    }
    return count == limit
  }
}
