import SQLite
import ServiceKit

/// The tables of `profiles.db`.
enum ProfileSchema {
  /// "Mups": what marks the file as this service's.
  static let applicationID: Int32 = 0x4D75_7073

  /// The steps of the schema; one that has been released is never changed.
  /// - Parameter secret: what a new database fingerprints idempotency keys with.
  static func migrations(secret: [UInt8]) -> [Migration] {
    [
      Migration(version: 1) { database throws(SQLiteError) in
        try database.execute(profile)
        try database.execute(LogBounds.schema)
        try database.execute(ChangeLog.schema)
        try database.execute(KeptResponses.schema)
        try database.execute(ImageStore.schema)
        try database.execute("CREATE TABLE meta (secret BLOB NOT NULL) STRICT")
        try database.prepare("INSERT INTO meta VALUES (?)").run(secret)
      }
    ]
  }

  /// Texts compare by their bytes, and so by code points. Without row ids the table is the index by
  /// id, and the index by name ends with the id by itself: three trees instead of five.
  private static let profile = """
    CREATE TABLE profile (
      id BLOB NOT NULL PRIMARY KEY,
      user_id TEXT NOT NULL UNIQUE,
      first_name TEXT NOT NULL,
      last_name TEXT NOT NULL,
      company_name TEXT NOT NULL,
      bio TEXT NOT NULL,
      avatar_id BLOB NOT NULL,
      create_time_ms INTEGER NOT NULL,
      update_time_ms INTEGER NOT NULL,
      revision INTEGER NOT NULL
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX profile_by_name ON profile (last_name, first_name, id);
    """
}
