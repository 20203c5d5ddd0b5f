import Glibc
import SQLite
import Testing

@Suite struct StatementTests {
  let database: Database

  init() throws {
    database = try Database(path: ":memory:")
    try database.execute(
      """
      CREATE TABLE person (
        number INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, age INTEGER CHECK (age < 200));
      CREATE TABLE visit (
        person INTEGER NOT NULL REFERENCES person (number) DEFERRABLE INITIALLY DEFERRED);
      INSERT INTO person VALUES (1, 'Ada', 36), (2, 'Bo', 20), (3, 'Cy', 50);
      """)
  }

  @Test(
    "A broken rule is a constraint error with SQLite's sentence, its statement and no value",
    arguments: [
      ("INSERT INTO person VALUES (?, 'Di', 1)", 1, "UNIQUE constraint failed: person.number"),
      ("INSERT INTO person VALUES (?, 'Ada', 1)", 4, "UNIQUE constraint failed: person.name"),
      ("INSERT INTO person VALUES (?, NULL, 1)", 4, "NOT NULL constraint failed: person.name"),
      ("INSERT INTO person VALUES (4, 'Di', ?)", 200, "CHECK constraint failed: age < 200"),
    ])
  func constraint(sql: String, value: Int, message: String) throws {
    let statement = try database.prepare(sql)
    let error = try #require(throws: SQLiteError.self) { try statement.run(value) }
    #expect(error.kind == .constraint)
    #expect(error.message == message)
    #expect(error.sql == sql)
    #expect(error.code & 0xFF == 19 && error.code > 0xFF, "the code is the extended one")
    #expect(error.isCertainlyNotDone)
    // The statement can be run again after that.
    #expect(throws: SQLiteError.self) { try statement.run(value) }
  }

  @Test("A statement that cannot be compiled tells which one, and why")
  func syntax() throws {
    let error = try #require(throws: SQLiteError.self) { _ = try database.prepare("SELEC 1") }
    #expect(error.description == "near \"SELEC\": syntax error (1): SELEC 1")
    #expect(error.kind == .other)
  }

  @Test("First gives one row or nil and leaves the statement ready")
  func first() throws {
    let statement = try database.prepare("SELECT name FROM person WHERE age > ? ORDER BY age")
    #expect(try statement.first(30) { row in row.text(0) } == "Ada")
    #expect(try statement.first(40) { row in row.text(0) } == "Cy")
    #expect(try statement.first(90) { row in row.text(0) } == nil)
  }

  @Test("ForEach ends where it is told to, and a thrown error passes through")
  func forEach() throws {
    let statement = try database.prepare("SELECT name FROM person ORDER BY number")
    var names: [String] = []
    try statement.forEach { row in
      names.append(row.text(0))
      return names.count < 2
    }
    #expect(names == ["Ada", "Bo"])
    let stop = SQLiteError(code: 9, message: "stop", sql: "")
    #expect(throws: stop) { try statement.forEach { _ throws(SQLiteError) in throw stop } }
    try statement.forEach { row in
      names.append(row.text(0))
      return true
    }
    #expect(names.count == 5)
  }

  @Test("A statement that gives rows while it writes writes all of them")
  func returning() throws {
    let update = try database.prepare("UPDATE person SET age = age + ? RETURNING number")
    try update.run(1)
    #expect(database.changes == 3)
    #expect(try ages() == [37, 21, 51])
  }

  @Test("A savepoint that throws is undone alone")
  func savepoint() throws {
    let insert = try database.prepare("INSERT INTO person VALUES (?, ?, 1)")
    try database.transaction { () throws(SQLiteError) in
      try database.savepoint { () throws(SQLiteError) in try insert.run(4, "Di") }
      let result = Result { () throws(SQLiteError) in
        try database.savepoint { () throws(SQLiteError) in
          try insert.run(5, "Eo")
          try insert.run(6, "Ada")
        }
      }
      if case .success = result { Issue.record("the name is taken") }
      try insert.run(7, "Fa")
    }
    #expect(database.lastInsertRowID == 7)
    #expect(try ages().count == 5)
    #expect(!database.isInTransaction)
  }

  @Test("A commit that fails leaves no transaction open, and nothing of it")
  func failedCommit() throws {
    try database.begin()
    try database.execute("INSERT INTO visit VALUES (99)")
    let error = try #require(throws: SQLiteError.self) { try database.commit() }
    #expect(error.kind == .constraint && error.isCertainlyNotDone)
    #expect(!database.isInTransaction)
    try database.transaction { () throws(SQLiteError) in
      try database.execute("INSERT INTO visit VALUES (1)")
    }
    let visits = try database.prepare("SELECT count(*) FROM visit")
    #expect(try visits.first { row in row.int(0) } == 1)
  }

  @Test("A transaction whose body throws is undone")
  func failedTransaction() throws {
    #expect(throws: SQLiteError.self) {
      try database.transaction { () throws(SQLiteError) in
        try database.execute("DELETE FROM person")
        try database.execute("INSERT INTO nowhere VALUES (1)")
      }
    }
    #expect(try ages().count == 3)
    #expect(!database.isInTransaction)
  }

  @Test("A statement that is run inside itself stops the process: it is our own mistake")
  func insideItself() async {
    await #expect(processExitsWith: .failure) {
      let database = try Database(path: ":memory:")
      let statement = try database.prepare("SELECT ?")
      _ = try statement.first(1) { _ throws(SQLiteError) in try statement.run(2) }
    }
  }

  @Test("So is a number of values that is not the statement's", arguments: [0, 1, 3])
  func wrongCount(count: Int) async {
    await #expect(processExitsWith: .failure) { [count] in
      let statement = try Database(path: ":memory:").prepare("SELECT ?, ?")
      switch count {
      case 0: try statement.run()
      case 1: try statement.run(1)
      default: try statement.run(1, 2, 3)
      }
      exit(EXIT_SUCCESS)
    }
  }

  private func ages() throws -> [Int] {
    var ages: [Int] = []
    try database.prepare("SELECT age FROM person ORDER BY number").forEach { row in
      ages.append(row.int(0))
      return true
    }
    return ages
  }
}
