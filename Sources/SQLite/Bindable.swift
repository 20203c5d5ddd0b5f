package import Model

/// A value that can stand for a `?` in a statement, and comes back as it was.
package protocol Bindable {
  /// Gives the value to `statement` for one run, at a position counted from 1.
  func bind(to statement: Statement, at position: Int32) throws(SQLiteError)
}

extension Int64: Bindable {
  package func bind(to statement: Statement, at position: Int32) throws(SQLiteError) {
    try statement.bind(self, at: position)
  }
}

extension Int: Bindable {
  package func bind(to statement: Statement, at position: Int32) throws(SQLiteError) {
    try statement.bind(Int64(self), at: position)
  }
}

extension Int32: Bindable {
  package func bind(to statement: Statement, at position: Int32) throws(SQLiteError) {
    try statement.bind(Int64(self), at: position)
  }
}

extension UInt32: Bindable {
  package func bind(to statement: Statement, at position: Int32) throws(SQLiteError) {
    try statement.bind(Int64(self), at: position)
  }
}

extension UInt64: Bindable {
  /// SQLite's integers end at `Int64.max`; what is above is refused.
  package func bind(to statement: Statement, at position: Int32) throws(SQLiteError) {
    guard let value = Int64(exactly: self) else {
      throw statement.refuse("\(self) is above the largest integer of SQLite")
    }
    try statement.bind(value, at: position)
  }
}

extension Bool: Bindable {
  package func bind(to statement: Statement, at position: Int32) throws(SQLiteError) {
    try statement.bind(self ? 1 as Int64 : 0, at: position)
  }
}

extension Double: Bindable {
  /// SQLite turns NaN into NULL, so it is refused.
  package func bind(to statement: Statement, at position: Int32) throws(SQLiteError) {
    if isNaN { throw statement.refuse("NaN cannot be kept") }
    try statement.bind(self, at: position)
  }
}

extension String: Bindable {
  package func bind(to statement: Statement, at position: Int32) throws(SQLiteError) {
    try statement.bind(self, at: position)
  }
}

extension Array: Bindable where Element == UInt8 {
  package func bind(to statement: Statement, at position: Int32) throws(SQLiteError) {
    // Array's own withUnsafeBytes does not pass on the type of what is thrown.
    let result = withUnsafeBytes { bytes in
      Result { () throws(SQLiteError) in try statement.bind(copying: bytes, at: position) }
    }
    try result.get()
  }
}

extension UnsafeRawBufferPointer: Bindable {
  /// Not copied: the bytes must stay while the statement runs, as those of an argument do.
  package func bind(to statement: Statement, at position: Int32) throws(SQLiteError) {
    try statement.bind(borrowing: self, at: position)
  }
}

extension ID: Bindable {
  /// A blob of 16 bytes.
  package func bind(to statement: Statement, at position: Int32) throws(SQLiteError) {
    try withBytes { bytes throws(SQLiteError) in try statement.bind(copying: bytes, at: position) }
  }
}

extension Optional: Bindable where Wrapped: Bindable {
  package func bind(to statement: Statement, at position: Int32) throws(SQLiteError) {
    switch self {
    case .some(let value): try value.bind(to: statement, at: position)
    case .none: try statement.bindNull(at: position)
    }
  }
}
