import Model
import SQLite
import Wire

/// Finds the log's entries by person and by place. The indexes are made behind the log; what they
/// do not have yet is found by reading the log's end.
final class HistoryIndex {
  /// Entries up to here are in the indexes.
  private(set) var indexedRevision: UInt64

  private let insertPerson: Statement
  private let insertPlace: Statement
  private let updateIndexed: Statement
  private let selectNew: Statement
  private let selectIndexed: Statement
  private let selectTail: [Key.Kind: Statement]
  private let selectOld: [Key.Kind: Statement]
  private let selectRemovable: Statement
  private let deletePerson: Statement
  private let deletePlace: Statement
  private let selectTime: Statement

  /// Whose history is asked for.
  struct Key {
    enum Kind { case person, place }
    var kind: Kind
    var slot: Presence.Slot
  }

  init(_ database: Database) throws {
    insertPerson = try database.prepare("INSERT OR IGNORE INTO person_history VALUES (?, ?)")
    insertPlace = try database.prepare("INSERT OR IGNORE INTO place_history VALUES (?, ?)")
    updateIndexed = try database.prepare("UPDATE progress SET indexed_revision = ?")
    selectNew = try database.prepare(
      """
      SELECT revision, person, from_place, to_place FROM log WHERE revision > ?
      ORDER BY revision LIMIT ?
      """)
    selectIndexed = try database.prepare("SELECT indexed_revision FROM progress")
    let order = "AND revision < ? AND revision > ? ORDER BY revision DESC"
    selectTail = [
      .person: try database.prepare(
        "SELECT \(LogEntry.columns) FROM log WHERE person = ?1 \(order)"),
      .place: try database.prepare(
        "SELECT \(LogEntry.columns) FROM log WHERE (from_place = ?1 OR to_place = ?1) \(order)"),
    ]
    let columns = LogEntry.columns.split(separator: ", ").map { "log.\($0)" }
      .joined(separator: ", ")
    selectOld = try Dictionary(
      uniqueKeysWithValues: [(Key.Kind.person, "person"), (.place, "place")].map { kind, name in
        (
          kind,
          try database.prepare(
            """
            SELECT \(columns) FROM \(name)_history AS history
            JOIN log ON log.revision = history.revision
            WHERE history.\(name) = ? AND history.revision < ? AND history.revision > ?
            ORDER BY history.revision DESC
            """)
        )
      })
    selectRemovable = try database.prepare(
      "SELECT \(LogEntry.columns) FROM log WHERE revision <= ?")
    deletePerson = try database.prepare(
      "DELETE FROM person_history WHERE person = ? AND revision = ?")
    deletePlace = try database.prepare("DELETE FROM place_history WHERE place = ? AND revision = ?")
    selectTime = try database.prepare(
      "SELECT revision, time_ms FROM log WHERE revision >= ? ORDER BY revision LIMIT 1")
    indexedRevision = 0
    try reload()
  }

  /// Reads again how far the indexes go; after a transaction was rolled back.
  func reload() throws {
    indexedRevision = try selectIndexed.first { $0.uint64(0) } ?? 0
  }

  /// Takes some more entries into the indexes.
  /// - Returns: whether there may be more.
  func extend(entries: Int) throws -> Bool {
    var people: [(slot: Int64, revision: Int64)] = []
    var places: [(slot: Int64, revision: Int64)] = []
    try selectNew.forEach(indexedRevision, entries) { row in
      let revision = row.int64(0)
      people.append((row.int64(1), revision))
      for place in [2, 3] where !row.isNull(place) { places.append((row.int64(place), revision)) }
      return true
    }
    guard let last = people.last?.revision else { return false }
    // In the order of the indexes: neighbours share a page, which is then found and written once.
    for one in people.sorted(by: <) { try insertPerson.run(one.slot, one.revision) }
    for one in places.sorted(by: <) { try insertPlace.run(one.slot, one.revision) }
    try updateIndexed.run(last)
    indexedRevision = UInt64(last)
    return people.count == entries
  }

  /// The entries of one person or place between two revisions, both left out; newest first.
  func entries(
    of key: Key, before: UInt64, after: UInt64, _ body: (LogEntry) -> Bool
  ) throws {
    var goesOn = true
    let tail = max(after, indexedRevision)
    try selectTail[key.kind]?.forEach(key.slot, before, tail) { row in
      goesOn = body(LogEntry(row))
      return goesOn
    }
    guard goesOn else { return }
    try selectOld[key.kind]?.forEach(key.slot, min(before, indexedRevision + 1), after) { row in
      body(LogEntry(row))
    }
  }

  /// The entries up to a revision are about to be deleted from the log.
  func remove(through revision: UInt64) throws {
    try selectRemovable.forEach(revision) { row throws(SQLiteError) in
      let entry = LogEntry(row)
      try deletePerson.run(entry.person, entry.revision)
      for place in [entry.from, entry.to] {
        if let place { try deletePlace.run(place, entry.revision) }
      }
      return true
    }
  }

  /// The last revision before a time: times do not fall, so it is found by halving.
  func lastRevision(beforeMs timeMs: Int64, last: UInt64) throws -> UInt64 {
    var low: UInt64 = 0
    var high = last
    // Everything up to `low` is earlier, everything after `high` is not.
    while low < high {
      let middle = low + (high - low + 1) / 2
      let found = try selectTime.first(middle) { ($0.uint64(0), $0.int64(1)) }
      if let found, found.1 < timeMs {
        low = found.0
      } else {
        high = middle - 1
      }
    }
    return low
  }
}
