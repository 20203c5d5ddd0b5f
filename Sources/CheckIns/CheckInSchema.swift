import SQLite
import ServiceKit

/// The tables of the check-in service.
///
/// The log is the truth and the one thing on the write path: it is appended in key order, and
/// nothing else is touched. What people did is found through memory; `person.place` and what
/// follows it is a snapshot of the state, written behind; the histories are indexes of the log,
/// made behind.
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
      }
    ]
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
