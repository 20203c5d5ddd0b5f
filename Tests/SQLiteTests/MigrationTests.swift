import Glibc
import SQLite
import Testing

/// Three versions of a small schema: the second one moves data.
let migrations = [
  Migration(version: 1, "CREATE TABLE person (name); INSERT INTO person VALUES ('Ada')"),
  Migration(version: 2) { database throws(SQLiteError) in
    try database.execute("ALTER TABLE person ADD COLUMN folded")
    try database.execute("UPDATE person SET folded = lower(name)")
  },
  Migration(version: 3, "CREATE INDEX person_by_folded ON person (folded)"),
]

let application: Int32 = 0x6D75_7374

@Suite struct MigrationTests {
  let folder = TemporaryFolder()
  var path: String { folder.file("test.db") }

  @Test("From every earlier version the schema comes to the last one", arguments: 0...3)
  func fromEvery(version: Int) throws {
    var database = try Database(path: path)
    try database.migrate(applicationID: application, Array(migrations.prefix(version)))
    #expect(try number(database, "PRAGMA user_version") == version)
    database.close()
    database = try Database(path: path)
    try database.migrate(applicationID: application, migrations)
    #expect(try number(database, "PRAGMA user_version") == 3)
    #expect(try number(database, "PRAGMA application_id") == Int(application))
    #expect(try number(database, "SELECT count(*) FROM person WHERE folded = 'ada'") == 1)
    // And once more, which changes nothing.
    try database.migrate(applicationID: application, migrations)
    #expect(try number(database, "SELECT count(*) FROM person") == 1)
  }

  @Test("A step that fails is undone, and the ones before it stay")
  func failing() throws {
    let database = try Database(path: path)
    let broken =
      migrations.prefix(2) + [
        Migration(version: 3, "CREATE TABLE half (x); CREATE TABLE person (y)")
      ]
    let error = try #require(throws: MigrationError.self) {
      try database.migrate(applicationID: application, Array(broken))
    }
    guard case .failed(version: 3, let inner) = error else {
      Issue.record("\(error)")
      return
    }
    #expect(inner.message == "table person already exists")
    #expect(try number(database, "PRAGMA user_version") == 2)
    #expect(try number(database, "SELECT count(*) FROM sqlite_schema WHERE name = 'half'") == 0)
  }

  @Test(
    "A process killed in the middle of a step leaves the version before it, whole",
    arguments: 1...3)
  func killed(version: Int) async throws {
    await #expect(processExitsWith: .signal(SIGKILL)) { [path = path as String, version] in
      var steps = migrations
      let whole = steps[version - 1]
      steps[version - 1] = Migration(version: version) { database throws(SQLiteError) in
        try whole.apply(to: database)
        kill(getpid(), SIGKILL)
      }
      try Database(path: path).migrate(applicationID: application, steps)
    }
    let database = try Database(path: path)
    #expect(try number(database, "PRAGMA user_version") == version - 1)
    try database.migrate(applicationID: application, migrations)
    #expect(try number(database, "SELECT count(*) FROM person WHERE folded = 'ada'") == 1)
  }

  @Test("A newer schema is refused and not touched")
  func newer() throws {
    var database = try Database(path: path)
    try database.migrate(applicationID: application, migrations)
    database.close()
    let before = folder.bytes(of: "test.db")
    database = try Database(path: path)
    let error = try #require(throws: MigrationError.self) {
      try database.migrate(applicationID: application, Array(migrations.prefix(2)))
    }
    #expect(error == .newer(path: path, version: 3, known: 2))
    database.close()
    #expect(folder.bytes(of: "test.db") == before)
  }

  @Test(
    "A file of another program or service is refused and not touched, its journal mode too",
    arguments: [0, application + 1], ["DELETE", "WAL"])
  func foreign(applicationID: Int32, journal: String) throws {
    var settings = DatabaseSettings()
    settings.isExclusive = false
    var database = try Database(path: path, settings: settings)
    try database.execute("CREATE TABLE theirs (x); INSERT INTO theirs VALUES (1)")
    try database.execute("PRAGMA application_id=\(applicationID); PRAGMA journal_mode=\(journal)")
    database.close()
    let before = folder.bytes(of: "test.db")
    database = try Database(path: path)
    let error = try #require(throws: MigrationError.self) {
      try database.migrate(applicationID: application, migrations)
    }
    #expect(error == .foreign(path: path, applicationID: applicationID))
    database.close()
    #expect(folder.bytes(of: "test.db") == before)
  }

  @Test("A copy of our own that is not in WAL mode is taken over")
  func restored() throws {
    var database = try Database(path: path)
    try database.migrate(applicationID: application, migrations)
    try database.execute("VACUUM INTO '\(folder.file("copy.db"))'")
    database.close()
    database = try Database(path: folder.file("copy.db"))
    try database.migrate(applicationID: application, migrations)
    let mode = try database.prepare("PRAGMA journal_mode").first { row in row.text(0) }
    #expect(mode == "wal")
    #expect(try number(database, "SELECT count(*) FROM person") == 1)
  }

  private func number(_ database: Database, _ sql: String) throws -> Int? {
    try database.prepare(sql).first { row in row.int(0) }
  }
}
