import SQLite
import ServiceKit

/// The tables of the check-in service.
///
/// The log is the truth and the one thing on the write path: it is appended in key order, and
/// nothing else is touched. What people did is found through memory; `person.place` and what
/// follows it, and `place.last_entry`, are a snapshot of the state, written behind. A history is a
/// chain through the log.
enum CheckInSchema {
  /// "MuCI" in ASCII, so that file(1) and a wrong `--data` can tell.
  static let applicationID: Int32 = 0x4D75_4349

  static func migrations(secret: [UInt8]) -> [Migration] {
    [
      Migration(version: 1) { database throws(SQLiteError) in
        try database.execute(KeptResponses.schema)
        try database.execute(LogBounds.schema)
        try database.execute(tables)
        try database.prepare("INSERT INTO progress VALUES (1, 0, 0, 0, 0, ?)").run(secret)
      },
      Migration(version: 2) { database throws(SQLiteError) in
        try database.execute(chains)
        try link(database)
      },
    ]
  }

  /// Histories become chains through the log, where they were two indexes of it. Writes with a key
  /// that change nothing get a table of their own, appended like the log: what they were answered
  /// with is how things stood.
  private static let chains = """
    ALTER TABLE log ADD COLUMN person_before INTEGER NOT NULL DEFAULT 0;
    ALTER TABLE log ADD COLUMN from_before INTEGER NOT NULL DEFAULT 0;
    ALTER TABLE log ADD COLUMN to_before INTEGER NOT NULL DEFAULT 0;
    ALTER TABLE person ADD COLUMN last_entry INTEGER NOT NULL DEFAULT 0;
    ALTER TABLE place ADD COLUMN last_entry INTEGER NOT NULL DEFAULT 0;
    DROP TABLE person_history;
    DROP TABLE place_history;
    ALTER TABLE progress DROP COLUMN indexed_revision;
    CREATE TABLE unchanged (
      number INTEGER PRIMARY KEY,
      time_ms INTEGER NOT NULL,
      key BLOB NOT NULL,
      request INTEGER NOT NULL,
      person INTEGER NOT NULL,
      place INTEGER,
      since_ms INTEGER NOT NULL,
      revision INTEGER NOT NULL,
      expire_ms INTEGER NOT NULL,
      as_of INTEGER NOT NULL
    ) STRICT;
    """

  /// Links the entries that are in the log already: says of each which one was before it.
  static func link(_ database: Database) throws(SQLiteError) {
    let select = try database.prepare(
      """
      SELECT revision, person, from_place, to_place FROM log
      WHERE revision > ? ORDER BY revision LIMIT 1000
      """)
    let update = try database.prepare(
      "UPDATE log SET person_before = ?, from_before = ?, to_before = ? WHERE revision = ?")
    var people: [Int64: Int64] = [:]
    var places: [Int64: Int64] = [:]
    var last: Int64 = 0
    while true {
      var entries: [(revision: Int64, person: Int64, from: Int64?, to: Int64?)] = []
      try select.forEach(last) { row in
        let from = row.isNull(2) ? nil : row.int64(2)
        let to = row.isNull(3) ? nil : row.int64(3)
        entries.append((row.int64(0), row.int64(1), from, to))
        return true
      }
      guard let newest = entries.last else { break }
      for entry in entries {
        let before = [entry.from, entry.to].map { place in place.flatMap { places[$0] } ?? 0 }
        try update.run(people[entry.person] ?? 0, before[0], before[1], entry.revision)
        people[entry.person] = entry.revision
        for place in [entry.from, entry.to] { if let place { places[place] = entry.revision } }
      }
      last = newest.revision
    }
    for (table, lasts) in [("person", people), ("place", places)] {
      let update = try database.prepare("UPDATE \(table) SET last_entry = ? WHERE number = ?")
      for (number, revision) in lasts { try update.run(revision, number) }
    }
  }

  /// Numbers of people and places are their slots in memory: from 0 on, without gaps, never given
  /// again. A person without a user, and a place that is not known, have been deleted; the log
  /// names them still.
  private static let tables = """
    CREATE TABLE person (
      number INTEGER PRIMARY KEY,
      id BLOB NOT NULL,
      user TEXT,
      place INTEGER,
      since_ms INTEGER NOT NULL DEFAULT 0,
      revision INTEGER NOT NULL DEFAULT 0,
      expire_ms INTEGER NOT NULL DEFAULT 0
    ) STRICT;
    CREATE TABLE place (
      number INTEGER PRIMARY KEY,
      id BLOB NOT NULL,
      capacity INTEGER NOT NULL,
      is_known INTEGER NOT NULL
    ) STRICT;
    CREATE TABLE actor (number INTEGER PRIMARY KEY, user TEXT NOT NULL) STRICT;
    CREATE TABLE log (
      revision INTEGER PRIMARY KEY,
      time_ms INTEGER NOT NULL,
      person INTEGER NOT NULL,
      from_place INTEGER,
      to_place INTEGER,
      reason INTEGER NOT NULL,
      actor INTEGER,
      expire_ms INTEGER NOT NULL,
      key BLOB,
      request INTEGER
    ) STRICT;
    CREATE TABLE person_history (
      person INTEGER NOT NULL, revision INTEGER NOT NULL, PRIMARY KEY (person, revision)
    ) WITHOUT ROWID, STRICT;
    CREATE TABLE place_history (
      place INTEGER NOT NULL, revision INTEGER NOT NULL, PRIMARY KEY (place, revision)
    ) WITHOUT ROWID, STRICT;
    CREATE TABLE progress (
      only INTEGER PRIMARY KEY CHECK (only = 1),
      snapshot_revision INTEGER NOT NULL,
      indexed_revision INTEGER NOT NULL,
      profiles_revision INTEGER NOT NULL,
      locations_revision INTEGER NOT NULL,
      secret BLOB NOT NULL
    ) STRICT;
    """
}
