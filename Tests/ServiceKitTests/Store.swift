import Model
import SQLite

/// A database in memory with a schema of its own.
func database(_ schemas: String...) throws -> Database {
  let database = try Database(path: ":memory:")
  try database.migrate(applicationID: 1, [Migration(version: 1, schemas.joined())])
  return database
}

/// An id that a number names.
func id(_ number: UInt64) -> ID { ID(high: 0xABCD, low: number) }

func count(_ table: String, in database: Database) throws -> Int {
  try database.prepare("SELECT count(*) FROM \(table)").first { $0.int(0) } ?? 0
}
