import CSQLite

/// What SQLite refused, and why.
package struct SQLiteError: Error, Equatable, Sendable, CustomStringConvertible {
  /// What an error means for whoever has to go on.
  package enum Kind: Sendable {
    /// Somebody else has the database open, or in use.
    case busy
    /// No room left on the disk, or beyond the largest size that was set.
    case full
    /// The disk or the file system failed.
    case ioError
    /// The file is damaged, or is no database.
    case corrupt
    /// A rule of the schema was broken.
    case constraint
    /// Anything else: see `code`.
    case other
  }

  /// The extended result code, see https://www.sqlite.org/rescode.html.
  package let code: Int32
  /// SQLite's own sentence.
  package let message: String
  /// The statement, as it was written; never a value of anybody's.
  package let sql: String

  package init(code: Int32, message: String, sql: String) {
    self.code = code
    self.message = message
    self.sql = sql
  }

  /// The kind of the primary code: its lower eight bits.
  package var kind: Kind {
    switch code & 0xFF {
    case SQLITE_BUSY, SQLITE_LOCKED: .busy
    case SQLITE_FULL: .full
    case SQLITE_IOERR: .ioError
    case SQLITE_CORRUPT, SQLITE_NOTADB: .corrupt
    case SQLITE_CONSTRAINT: .constraint
    default: .other
    }
  }

  /// Of an error of `Database.commit`: whether the transaction is certainly not on disk. With the
  /// other kinds, the log may already have it whole (an fsync that failed, say), and only opening
  /// the file anew tells.
  package var isCertainlyNotDone: Bool {
    switch kind {
    case .busy, .full, .constraint: true
    case .ioError, .corrupt, .other: false
    }
  }

  /// "database or disk is full (13): INSERT INTO …".
  package var description: String { "\(message) (\(code)): \(sql)" }
}
