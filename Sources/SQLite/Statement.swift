import CSQLite
package import Model

/// A compiled statement, kept by whoever prepared it and run many times. Between runs it holds
/// neither a lock nor a value.
package final class Statement {
  /// Keeps the connection open for as long as there are statements.
  private let database: Database
  private let pointer: OpaquePointer
  private let sql: String
  private let parameterCount: Int32
  /// Whether it is being run: no run may begin inside another one of the same statement.
  private var isRunning = false
  /// Room for small values during one run, so that binding them needs no memory of SQLite's.
  private let scratch: UnsafeMutableRawBufferPointer
  private var scratchUsed = 0

  init(_ database: Database, _ pointer: OpaquePointer, _ sql: String) {
    self.database = database
    self.pointer = pointer
    self.sql = sql
    parameterCount = sqlite3_bind_parameter_count(pointer)
    scratch = .allocate(byteCount: Int(min(parameterCount, 64)) * 32, alignment: 8)
  }

  deinit {
    database.end(pointer)
    scratch.deallocate()
  }

  /// Runs it to the end with a value for each `?`. Rows that it gives are passed over.
  package func run<each V: Bindable>(_ values: repeat each V) throws(SQLiteError) {
    var position: Int32 = 0
    start()
    defer { finish() }
    repeat try bindNext(each values, &position)
    try checkCount(position)
    while try step() {}
  }

  /// Runs it up to its first row and gives that to `row`; nil where there is none.
  package func first<R, each V: Bindable>(
    _ values: repeat each V, row: (Statement) throws(SQLiteError) -> R
  ) throws(SQLiteError) -> R? {
    var position: Int32 = 0
    start()
    defer { finish() }
    repeat try bindNext(each values, &position)
    try checkCount(position)
    return try step() ? row(self) : nil
  }

  /// Runs it and gives each of its rows to `row`, until that says false.
  package func forEach<each V: Bindable>(
    _ values: repeat each V, row: (Statement) throws(SQLiteError) -> Bool
  ) throws(SQLiteError) {
    var position: Int32 = 0
    start()
    defer { finish() }
    repeat try bindNext(each values, &position)
    try checkCount(position)
    while try step() {
      if try !row(self) { return }
    }
  }
}

// MARK: - A run

extension Statement {
  func start() {
    precondition(!isRunning, "a statement inside itself: \(sql)")
    precondition(database.handle != nil, "the database is closed")
    isRunning = true
  }

  func finish() {
    // The result only repeats what the last step said.
    sqlite3_reset(pointer)
    sqlite3_clear_bindings(pointer)
    scratchUsed = 0
    isRunning = false
  }

  func bindNext<V: Bindable>(_ value: V, _ position: inout Int32) throws(SQLiteError) {
    position += 1
    try value.bind(to: self, at: position)
  }

  func checkCount(_ position: Int32) throws(SQLiteError) {
    precondition(position == parameterCount, "\(parameterCount) values are needed: \(sql)")
  }

  /// Goes on to the next row; false: there is none.
  func step() throws(SQLiteError) -> Bool {
    let result = sqlite3_step(pointer)
    switch result {
    case SQLITE_ROW: return true
    case SQLITE_DONE: return false
    default: throw database.error(result, sql)
    }
  }
}

// MARK: - Binding

extension Statement {
  package func bindNull(at position: Int32) throws(SQLiteError) {
    try check(sqlite3_bind_null(pointer, position))
  }

  package func bind(_ value: Int64, at position: Int32) throws(SQLiteError) {
    try check(sqlite3_bind_int64(pointer, position, value))
  }

  package func bind(_ value: Double, at position: Int32) throws(SQLiteError) {
    try check(sqlite3_bind_double(pointer, position, value))
  }

  /// Copies `bytes`, into the scratch if there is room.
  package func bind(copying bytes: UnsafeRawBufferPointer, at position: Int32) throws(SQLiteError) {
    if let kept = keep(bytes) {
      try bind(borrowing: kept, at: position)
    } else {
      try check(
        muster_sqlite3_bind_blob_copied(
          pointer, position, bytes.baseAddress, UInt64(bytes.count)))
    }
  }

  /// Does not copy: `bytes` must stay until the run has ended.
  package func bind(
    borrowing bytes: UnsafeRawBufferPointer, at position: Int32
  ) throws(SQLiteError) {
    guard let start = bytes.baseAddress, !bytes.isEmpty else {
      // A null pointer would be NULL, and not a blob of no bytes.
      return try check(sqlite3_bind_zeroblob(pointer, position, 0))
    }
    // Without a destructor SQLite neither copies nor frees.
    try check(sqlite3_bind_blob64(pointer, position, start, UInt64(bytes.count), nil))
  }

  /// Copies the text, into the scratch if there is room.
  package func bind(_ value: String, at position: Int32) throws(SQLiteError) {
    var value = value
    let result = value.withUTF8 { text in
      let bytes = UnsafeRawBufferPointer(text)
      guard let kept = keep(bytes), let start = kept.baseAddress else {
        return bindTextCopied(bytes, position)
      }
      let characters = start.assumingMemoryBound(to: CChar.self)
      let count = UInt64(kept.count)
      return sqlite3_bind_text64(pointer, position, characters, count, nil, UInt8(SQLITE_UTF8))
    }
    try check(result)
  }

  /// What SQLite cannot hold as it is, is refused: it would come back as something else.
  func refuse(_ why: String) -> SQLiteError {
    SQLiteError(code: SQLITE_MISMATCH, message: why, sql: sql)
  }

  private func bindTextCopied(_ bytes: UnsafeRawBufferPointer, _ position: Int32) -> Int32 {
    let count = UInt64(bytes.count)
    if let start = bytes.baseAddress {
      return muster_sqlite3_bind_text_copied(pointer, position, start, count)
    }
    // A null pointer would be NULL, and not an empty text.
    return withUnsafeBytes(of: UInt8(0)) {
      muster_sqlite3_bind_text_copied(pointer, position, $0.baseAddress, 0)
    }
  }

  private func keep(_ bytes: UnsafeRawBufferPointer) -> UnsafeRawBufferPointer? {
    guard !bytes.isEmpty, bytes.count <= scratch.count - scratchUsed else { return nil }
    let room = UnsafeMutableRawBufferPointer(rebasing: scratch[scratchUsed...].prefix(bytes.count))
    room.copyMemory(from: bytes)
    scratchUsed += bytes.count
    return UnsafeRawBufferPointer(room)
  }

  private func check(_ result: Int32) throws(SQLiteError) {
    if result != SQLITE_OK { throw database.error(result, sql) }
  }
}

// MARK: - The current row

extension Statement {
  /// Whether the column is NULL. The other readers turn NULL into 0 or nothing, as SQLite does.
  package func isNull(_ column: Int) -> Bool {
    sqlite3_column_type(pointer, Int32(column)) == SQLITE_NULL
  }

  package func int(_ column: Int) -> Int { Int(int64(column)) }

  package func int64(_ column: Int) -> Int64 { sqlite3_column_int64(pointer, Int32(column)) }

  /// What was bound as `UInt64`. A negative number in its place is our own mistake.
  package func uint64(_ column: Int) -> UInt64 { UInt64(int64(column)) }

  package func double(_ column: Int) -> Double { sqlite3_column_double(pointer, Int32(column)) }

  package func bool(_ column: Int) -> Bool { int64(column) != 0 }

  package func text(_ column: Int) -> String {
    // The text first, then its length, in this order: https://www.sqlite.org/c3ref/column_blob.html
    guard let start = sqlite3_column_text(pointer, Int32(column)) else { return "" }
    let count = Int(sqlite3_column_bytes(pointer, Int32(column)))
    return String(decoding: UnsafeBufferPointer(start: start, count: count), as: UTF8.self)
  }

  package func blob(_ column: Int) -> [UInt8] { withBlob(column) { Array($0) } }

  /// Nil for NULL and for anything that has not 16 bytes.
  package func id(_ column: Int) -> ID? {
    let start = sqlite3_column_blob(pointer, Int32(column))
    let count = Int(sqlite3_column_bytes(pointer, Int32(column)))
    return ID(bytes: UnsafeRawBufferPointer(start: start, count: count))
  }

  /// Calls `body` with the bytes, which are valid in it only.
  package func withBlob<R, E: Error>(
    _ column: Int, _ body: (UnsafeRawBufferPointer) throws(E) -> R
  ) throws(E) -> R {
    let start = sqlite3_column_blob(pointer, Int32(column))
    let count = Int(sqlite3_column_bytes(pointer, Int32(column)))
    return try body(UnsafeRawBufferPointer(start: start, count: count))
  }
}
