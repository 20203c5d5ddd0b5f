package import Model
package import SQLite
package import Wire

/// Holds the state of a service against its log of whole entities. The log is right where they
/// differ, but for its end: a state that is newer than the log tells what the log has lost.
package struct EntityCheck {
  private let database: Database
  private let name: LogName
  private let encoder = Encoder()
  private let decoder = Decoder()

  /// The state's put of an entity; nil: there is none.
  private let put: (ID) throws -> Change?
  private let ids: [ID]
  /// Make an entity of the state what a put says, and take one out.
  private let store: (Database, Change) throws -> Void
  private let remove: (Database, ID) throws -> Void

  /// - Parameters:
  ///   - ids: everything there is in the state.
  ///   - put: what the state says of an entity: its newest revision, and what it is.
  ///   - store: makes an entity of the state what a put says.
  ///   - remove: takes an entity out of the state.
  package init(
    _ database: Database, _ name: LogName, ids: [ID], put: @escaping (ID) throws -> Change?,
    store: @escaping (Database, Change) throws -> Void,
    remove: @escaping (Database, ID) throws -> Void
  ) {
    self.database = database
    self.name = name
    self.ids = ids
    self.put = put
    self.store = store
    self.remove = remove
  }

  /// Everything that is wrong. Throws `SQLiteError`, or what the closures throw.
  package func findings() throws -> [Finding] {
    try unreadable() + differing()
  }

  private func text(_ id: ID) -> String { "\(id)" }

  // MARK: - Entries that cannot be read

  private func unreadable() throws -> [Finding] {
    var broken: [(revision: UInt64, entity: ID)] = []
    try database.prepare("SELECT revision, entity, body FROM log WHERE body IS NOT NULL").forEach {
      row in
      let revision = row.uint64(0)
      guard let entity = row.id(1) else { return true }
      if read(row, 2, revision, entity) == nil { broken.append((revision, entity)) }
      return true
    }
    return Finding.of(
      broken, "changes in the log cannot be read", name: { "\($0.revision)" },
      repair: { database in
        for (revision, entity) in broken { try mend(database, revision, entity) }
      })
  }

  /// A change that the state still has is told by it; of one that later changes have made void,
  /// nothing need be told.
  private func mend(_ database: Database, _ revision: UInt64, _ entity: ID) throws {
    let state = try put(entity)
    if let state, state.revision == revision {
      try database.prepare("UPDATE log SET body = ? WHERE revision = ?")
        .run(encoder.bytes(state), revision)
    } else if state == nil {
      try database.prepare("UPDATE log SET body = NULL WHERE revision = ?").run(revision)
    } else {
      try database.prepare("DELETE FROM log WHERE revision = ?").run(revision)
      try Self.begin(database, after: revision)
    }
  }

  /// Whoever stands before a revision begins anew from a snapshot.
  package static func begin(_ database: Database, after revision: UInt64) throws(SQLiteError) {
    try database.prepare("UPDATE log_compacted SET through = max(through, ?)").run(revision)
  }

  private func read(_ row: Statement, _ column: Int, _ revision: UInt64, _ entity: ID) -> Change? {
    row.withBlob(column) { bytes in
      var violations: [FieldViolation] = []
      // Why it cannot be read does not matter: it was written here.
      guard let change = try? decoder.decode(Change.self, from: bytes, violations: &violations),
        violations.isEmpty, change.revision == revision, change.entity == entity
      else { return nil }
      return change
    }
  }

  // MARK: - The state

  private func differing() throws -> [Finding] {
    var stale: [Change] = []
    var surplus: [ID] = []
    var unlogged: [Change] = []
    var logged: Set<ID> = []
    let newest = try database.prepare(
      "SELECT entity, max(revision), body, body IS NULL FROM log GROUP BY entity")
    var failure: (any Error)?
    try newest.forEach { row in
      guard let entity = row.id(0) else { return true }
      logged.insert(entity)
      do {
        let state = try put(entity)
        let revision = row.uint64(1)
        if let state, state.revision > revision {
          unlogged.append(state)
        } else if row.bool(3) {
          if state != nil { surplus.append(entity) }
        } else if let change = read(row, 2, revision, entity), change.what != state?.what {
          stale.append(change)
        }
        return true
      } catch {
        failure = error
        return false
      }
    }
    if let failure { throw failure }
    for id in ids where !logged.contains(id) {
      if let state = try put(id) { unlogged.append(state) }
    }
    return findings(stale, surplus, unlogged)
  }

  private func findings(
    _ stale: [Change], _ surplus: [ID], _ unlogged: [Change]
  ) -> [Finding] {
    Finding.of(
      stale, "\(name.text) are not what the log says", name: { $0.entity.map(text) ?? "" },
      repair: { database in
        for change in stale { try store(database, change) }
      })
      + Finding.of(
        surplus, "\(name.text) are there that the log says were deleted", name: text,
        repair: { database in
          for id in surplus { try remove(database, id) }
        })
      + Finding.of(
        unlogged, "\(name.text) are there that the log does not know of",
        name: { $0.entity.map(text) ?? "" },
        repair: { database in
          for change in unlogged {
            try database.prepare("INSERT OR REPLACE INTO log VALUES (?, ?, ?, ?)")
              .run(change.revision, change.timeMs, change.entity, encoder.bytes(change))
          }
        })
  }
}

extension Change {
  /// The profile or place that it is about.
  fileprivate var entity: ID? {
    switch what {
    case .profilePut(let profile): profile.id
    case .locationPut(let location): location.id
    case .profileDeleted(let id), .locationDeleted(let id): id
    case .checkIn, nil: nil
    }
  }
}
