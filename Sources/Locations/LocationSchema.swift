import Places
import SQLite
import ServiceKit

/// The tables of the location service.
enum LocationSchema {
  /// "MuLo" in ASCII, so that file(1) and a wrong `--data` can tell.
  static let applicationID: Int32 = 0x4D75_4C6F

  static func migrations(secret: [UInt8]) -> [Migration] {
    [
      Migration(version: 1) { database throws(SQLiteError) in
        for schema in [
          PlaceIndex.schema, ChangeLog.schema, LogBounds.schema, KeptResponses.schema,
          ImageStore.schema,
        ] {
          try database.execute(schema)
        }
        try database.execute("CREATE TABLE meta (secret BLOB NOT NULL) STRICT")
        try database.prepare("INSERT INTO meta VALUES (?)").run(secret)
      }
    ]
  }
}
