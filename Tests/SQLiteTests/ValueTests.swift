import Model
import SQLite
import Testing

/// One value, how it is bound, and whether what is read is the same.
struct Kept: CustomTestStringConvertible, Sendable {
  let testDescription: String
  let bind: @Sendable (Statement) throws(SQLiteError) -> Void
  let isSame: @Sendable (Statement) -> Bool

  init<V: Bindable & Equatable & Sendable>(
    _ value: V, _ read: @escaping @Sendable (Statement) -> V
  ) {
    let text = "\(value)"
    testDescription = "\(V.self) \(text.count > 40 ? "\(text.prefix(40))…" : text)"
    bind = { statement throws(SQLiteError) in try statement.run(value) }
    isSame = { read($0) == value }
  }

  static let all: [Kept] = numbers + texts + blobs

  static let numbers: [Kept] = [
    Kept(Int64.min) { $0.int64(0) },
    Kept(Int64.max) { $0.int64(0) },
    Kept(Int.min) { $0.int(0) },
    Kept(-1) { $0.int(0) },
    Kept(0) { $0.int(0) },
    Kept(Int32.min) { Int32($0.int(0)) },
    Kept(UInt32.max) { UInt32($0.int(0)) },
    Kept(UInt64(Int64.max)) { $0.uint64(0) },
    Kept(true) { $0.bool(0) },
    Kept(false) { $0.bool(0) },
    Kept(0.1) { $0.double(0) },
    Kept(-Double.greatestFiniteMagnitude) { $0.double(0) },
    Kept(Double.leastNonzeroMagnitude) { $0.double(0) },
    Kept(Double.infinity) { $0.double(0) },
    Kept(Int?.none) { $0.isNull(0) ? nil : 0 },
    Kept(Int?.some(7)) { $0.isNull(0) ? nil : $0.int(0) },
  ]

  static let texts: [Kept] =
    [
      "", "a", "a\0b", "\0", "Ωmega", "한글", "👨‍👩‍👧‍👦", "𝄞",
      String(repeating: "é", count: 100),
      String(repeating: "𐍈", count: 100_000),
    ].map { Kept($0) { $0.text(0) } } + [
      Kept(String?.none) { $0.isNull(0) ? nil : $0.text(0) },
      Kept(String?.some("")) { $0.isNull(0) ? nil : $0.text(0) },
    ]

  static let blobs: [Kept] =
    [
      [], [0], [0, 255, 0], Array("text".utf8), [UInt8](repeating: 9, count: 31),
      [UInt8](repeating: 9, count: 33), [UInt8](repeating: 7, count: 1 << 20),
    ].map { Kept($0) { $0.blob(0) } } + [
      Kept([UInt8]?.none) { $0.isNull(0) ? nil : $0.blob(0) },
      Kept([UInt8]?.some([])) { $0.isNull(0) ? nil : $0.blob(0) },
      Kept(ID?.some(ID(high: .max, low: 1))) { $0.id(0) },
      Kept(ID?.none) { $0.id(0) },
    ]
}

@Suite struct ValueTests {
  let database: Database

  init() throws {
    database = try Database(path: ":memory:")
    try database.execute("CREATE TABLE kept (value)")
  }

  @Test("A value comes back as it was bound", arguments: Kept.all)
  func comesBack(kept: Kept) throws {
    try kept.bind(try database.prepare("INSERT INTO kept VALUES (?)"))
    let select = try database.prepare("SELECT value FROM kept")
    #expect(try select.first { row in kept.isSame(row) } == true)
  }

  @Test("What SQLite would turn into something else is refused, and nothing is written")
  func refused() throws {
    let insert = try database.prepare("INSERT INTO kept VALUES (?)")
    #expect(throws: SQLiteError.self) { try insert.run(UInt64(Int64.max) + 1) }
    #expect(throws: SQLiteError.self) { try insert.run(Double.nan) }
    #expect(throws: SQLiteError.self) { try insert.run(Double?.some(.nan)) }
    #expect(try count() == 0)
    try insert.run(1)
    #expect(try count() == 1)
  }

  @Test("Many values of one statement keep apart, also beyond the room for small ones")
  func manyValues() throws {
    try database.execute("CREATE TABLE row (a, b, c, d)")
    let insert = try database.prepare("INSERT INTO row VALUES (?, ?, ?, ?)")
    let long = [UInt8](repeating: 3, count: 100)
    for number in 0..<10 {
      let id = ID(high: UInt64(number), low: 9)
      try insert.run(long, id, "text \(number)", [UInt8(number)])
    }
    var number: UInt64 = 0
    try database.prepare("SELECT * FROM row").forEach { row in
      #expect(row.blob(0) == long)
      #expect(row.id(1) == ID(high: number, low: 9))
      #expect(row.text(2) == "text \(number)")
      #expect(row.blob(3) == [UInt8(number)])
      number += 1
      return true
    }
    #expect(number == 10)
  }

  @Test("Borrowed bytes are kept, and are a blob of their own type")
  func borrowed() throws {
    let insert = try database.prepare("INSERT INTO kept VALUES (?)")
    try ([1, 2, 3] as [UInt8]).withUnsafeBytes { try insert.run($0) }
    try insert.run(UnsafeRawBufferPointer(start: nil, count: 0))
    var found: [String] = []
    try database.prepare("SELECT typeof(value) || length(value) FROM kept").forEach { row in
      found.append(row.text(0))
      return true
    }
    #expect(found == ["blob3", "blob0"])
  }

  private func count() throws -> Int? {
    try database.prepare("SELECT count(*) FROM kept").first { row in row.int(0) }
  }
}
