import Glibc
import SQLite
import Testing

@Suite struct DatabaseTests {
  let folder = TemporaryFolder()
  var path: String { folder.file("test.db") }

  @Test(
    "What is opened is durable, checked and wiped, whether in a file or in memory",
    arguments: [true, false])
  func settings(isFile: Bool) throws {
    let database = try Database(path: isFile ? path : ":memory:")
    func pragma(_ name: String) throws -> String? {
      try database.prepare("PRAGMA \(name)").first { row in row.text(0) }
    }
    #expect(try pragma("journal_mode") == (isFile ? "wal" : "memory"))
    #expect(try pragma("synchronous") == "2")
    #expect(try pragma("foreign_keys") == "1")
    #expect(try pragma("secure_delete") == "1")
    #expect(try pragma("wal_autocheckpoint") == "500")
  }

  @Test("A file that somebody has open cannot be opened again, and can be when it is closed")
  func exclusive() throws {
    let first = try Database(path: path)
    let error = try #require(throws: SQLiteError.self) { _ = try Database(path: path) }
    #expect(error.kind == .busy)
    #expect(error.message == "another process has \(path) open")
    first.close()
    let second = try Database(path: path)
    try second.execute("CREATE TABLE t (x)")
  }

  @Test("Nor by another process")
  func exclusiveAmongProcesses() async throws {
    let database = try Database(path: path)
    try database.execute("CREATE TABLE t (x)")
    await #expect(processExitsWith: .success) { [path = path as String] in
      let error = try #require(throws: SQLiteError.self) { _ = try Database(path: path) }
      #expect(error.kind == .busy)
    }
  }

  @Test("Where it is not exclusive, a second writer is told that the first one is busy")
  func busy() throws {
    var settings = DatabaseSettings()
    settings.isExclusive = false
    let first = try Database(path: path, settings: settings)
    let second = try Database(path: path, settings: settings)
    try first.execute("CREATE TABLE t (x)")
    try first.begin()
    let error = try #require(throws: SQLiteError.self) { try second.begin() }
    #expect(error.kind == .busy && error.isCertainlyNotDone)
    try first.commit()
    try second.begin()
    try second.rollback()
  }

  @Test("A full database says so, undoes the transaction and takes smaller ones")
  func full() throws {
    let database = try Database(path: path)
    try database.execute("CREATE TABLE t (x); PRAGMA max_page_count = 20")
    let insert = try database.prepare("INSERT INTO t VALUES (?)")
    let kilobyte = [UInt8](repeating: 1, count: 1_024)
    let error = try #require(throws: SQLiteError.self) {
      try database.transaction { () throws(SQLiteError) in
        for _ in 0..<100 { try insert.run(kilobyte) }
      }
    }
    #expect(error.kind == .full && error.isCertainlyNotDone)
    #expect(!database.isInTransaction)
    try database.transaction { () throws(SQLiteError) in try insert.run(kilobyte) }
    #expect(try count(database) == 1)
  }

  @Test("A commit whose write fails ends the transaction, and does not say that it is not done")
  func failedWrite() async {
    await #expect(processExitsWith: .success) { [path = path as String] in
      let database = try Database(path: path)
      try database.execute("CREATE TABLE t (x)")
      try database.begin()
      try database.execute("INSERT INTO t VALUES (zeroblob(100000))")
      // No file may grow: writing fails as it does where the disk has a fault.
      signal(SIGXFSZ, SIG_IGN)
      var limit = rlimit(rlim_cur: 4_096, rlim_max: 4_096)
      #expect(setrlimit(__rlimit_resource_t(1), &limit) == 0)
      let error = try #require(throws: SQLiteError.self) { try database.commit() }
      #expect(error.kind == .ioError && !error.isCertainlyNotDone)
      #expect(!database.isInTransaction)
    }
  }

  @Test("What was committed is there after the process was killed, what was not is not")
  func killed() async throws {
    await #expect(processExitsWith: .signal(SIGKILL)) { [path = path as String] in
      let database = try Database(path: path)
      try database.execute("CREATE TABLE t (x)")
      try database.transaction { () throws(SQLiteError) in
        try database.execute("INSERT INTO t VALUES (1)")
      }
      try database.begin()
      try database.execute("INSERT INTO t VALUES (2)")
      kill(getpid(), SIGKILL)
    }
    #expect(try count(try Database(path: path)) == 1)
  }

  @Test("What is no database is refused, and stays as it is")
  func noDatabase() throws {
    let text = String(repeating: "this is no database. ", count: 100)
    let stream = try #require(fopen(path, "w"))
    fputs(text, stream)
    fclose(stream)
    let error = try #require(throws: SQLiteError.self) { _ = try Database(path: path) }
    #expect(error.kind == .corrupt)
    #expect(folder.bytes(of: "test.db") == Array(text.utf8))
  }

  @Test("A database closes with statements about, and they go later")
  func closesFirst() throws {
    let database = try Database(path: path)
    let statement = try database.prepare("SELECT 1")
    try statement.run()
    database.close()
    database.close()
    try withExtendedLifetime(statement) {
      _ = try Database(path: path)
    }
  }

  @Test("A checkpoint empties the write-ahead log into the database")
  func checkpoint() throws {
    var settings = DatabaseSettings()
    settings.walAutocheckpointPages = 0
    let database = try Database(path: path, settings: settings)
    try database.execute("CREATE TABLE t (x)")
    try database.execute("INSERT INTO t VALUES (zeroblob(10000))")
    #expect(folder.bytes(of: "test.db-wal").count > 10_000)
    try database.checkpoint()
    #expect(folder.bytes(of: "test.db-wal").isEmpty)
    #expect(folder.bytes(of: "test.db").count > 10_000)
    #expect(try count(database) == 1)
  }

  private func count(_ database: Database) throws -> Int? {
    try database.prepare("SELECT count(*) FROM t").first { row in row.int(0) }
  }
}
