import CSQLite
import Glibc

/// One connection to an SQLite database. Stays on one thread, which the missing Sendable keeps it
/// to.
package final class Database {
  /// The file, or ":memory:".
  package let path: String
  /// Nil once closed.
  private(set) var handle: OpaquePointer?
  /// Those that were compiled here. Virtual tables have some of their own, which they end
  /// themselves.
  private var statements: Set<OpaquePointer> = []
  /// A file that others made is left as it is until `migrate` has found that it is ours.
  private var isWaitingForMigration = false
  // These three run with every batch, so they are prepared once.
  private var beginStatement: OpaquePointer?
  private var commitStatement: OpaquePointer?
  private var rollbackStatement: OpaquePointer?

  /// Opens the file, and creates it where there is none. `vfs` names another implementation of
  /// files than the system's. Throws `busy` where somebody else has it open.
  package init(
    path: String, vfs: String? = nil, settings: DatabaseSettings = DatabaseSettings()
  ) throws(SQLiteError) {
    self.path = path
    // Each connection has one thread here, so SQLite's own locks would guard nothing.
    let flags =
      SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE
    let result = sqlite3_open_v2(path, &handle, flags, vfs)
    guard result == SQLITE_OK else { throw error(result, "open \(path)") }
    // What it may not write, SQLite opens to be read, and then fails in its locks.
    guard sqlite3_db_readonly(handle, "main") == 0 else {
      throw error(SQLITE_READONLY, "open \(path)")
    }
    try configure(settings)
  }

  deinit { close() }

  /// Closes it, once. Statements that are still about end here, and may not be used any more.
  package func close() {
    guard let open = handle else { return }
    handle = nil
    for statement in statements { sqlite3_finalize(statement) }
    statements = []
    let result = sqlite3_close(open)
    precondition(result == SQLITE_OK, "a database with open statements")
  }

  /// Carries out one statement or several that give no rows, or whose rows do not matter.
  package func execute(_ sql: String) throws(SQLiteError) {
    let result = sqlite3_exec(openHandle, sql, nil, nil, nil)
    if result != SQLITE_OK { throw error(result, sql) }
  }

  /// Compiles one statement, to be kept and run many times.
  package func prepare(_ sql: String) throws(SQLiteError) -> Statement {
    Statement(self, try compile(sql), sql)
  }

  /// How many rows the last INSERT, UPDATE or DELETE changed.
  package var changes: Int { Int(sqlite3_changes64(openHandle)) }

  /// The row id of the last INSERT.
  package var lastInsertRowID: Int64 { sqlite3_last_insert_rowid(openHandle) }

  /// Moves what is in the write-ahead log into the database and starts the log anew.
  package func checkpoint() throws(SQLiteError) {
    let result = sqlite3_wal_checkpoint_v2(openHandle, nil, SQLITE_CHECKPOINT_TRUNCATE, nil, nil)
    if result != SQLITE_OK { throw error(result, "checkpoint") }
  }

  /// What is wrong with the pages, tables and indexes, in SQLite's words; empty: nothing is.
  package func integrityFaults(limit: Int) throws(SQLiteError) -> [String] {
    var faults: [String] = []
    try prepare("PRAGMA integrity_check(\(limit))").forEach { row in
      faults.append(row.text(0))
      return true
    }
    return faults == ["ok"] ? [] : faults
  }
}

// MARK: - Transactions

extension Database {
  /// Whether a transaction is open.
  package var isInTransaction: Bool { sqlite3_get_autocommit(openHandle) == 0 }

  /// Begins to write. No two at a time.
  package func begin() throws(SQLiteError) {
    precondition(!isWaitingForMigration, "migrate first: the file was not made by this program")
    try runOnce(&beginStatement, "BEGIN IMMEDIATE")
  }

  /// Makes all since `begin` durable. If it throws, no transaction is open any more, and
  /// `SQLiteError.isCertainlyNotDone` tells whether what was written is certainly gone.
  package func commit() throws(SQLiteError) {
    do {
      try runOnce(&commitStatement, "COMMIT")
    } catch {
      // The first error is the one that tells what happened.
      if isInTransaction { try? rollback() }
      precondition(!isInTransaction, "a transaction that does not end")
      throw error
    }
  }

  /// Undoes all since `begin`. Nothing to do where an error has already done it (a full disk can).
  package func rollback() throws(SQLiteError) {
    guard isInTransaction else { return }
    try runOnce(&rollbackStatement, "ROLLBACK")
  }

  /// Runs `body` between `begin` and `commit`; if it throws, what it wrote is undone.
  package func transaction<R>(_ body: () throws(SQLiteError) -> R) throws(SQLiteError) -> R {
    try begin()
    let result: R
    do {
      result = try body()
    } catch {
      try rollback()
      throw error
    }
    try commit()
    return result
  }

  /// Runs `body` inside an open transaction; if it throws, what it wrote is undone and the
  /// transaction goes on (unless `isInTransaction` says that the error has ended it as a whole).
  package func savepoint<R>(_ body: () throws(SQLiteError) -> R) throws(SQLiteError) -> R {
    precondition(isInTransaction)
    try execute("SAVEPOINT inner")
    do {
      let result = try body()
      try execute("RELEASE inner")
      return result
    } catch {
      if isInTransaction { try execute("ROLLBACK TO inner; RELEASE inner") }
      throw error
    }
  }
}

// MARK: - Inside

extension Database {
  /// SQLite's handle. A closed database may not be used: that is our own mistake.
  var openHandle: OpaquePointer {
    guard let handle else { preconditionFailure("the database is closed") }
    return handle
  }

  func error(_ code: Int32, _ sql: String) -> SQLiteError {
    // SQLite says of a lock that there is one, and not of what.
    if code & 0xFF == SQLITE_BUSY {
      return SQLiteError(code: code, message: "another process has \(path) open", sql: sql)
    }
    // Where the connection's last error is another one, its sentence is about something else.
    let own = handle.map { sqlite3_extended_errcode($0) == code } ?? false
    let message = (own ? sqlite3_errmsg(handle) : sqlite3_errstr(code)).map { String(cString: $0) }
    guard OpenFailure.isMeant(by: code) else {
      return SQLiteError(code: code, message: message ?? "", sql: sql)
    }
    let why = OpenFailure.sentence(own ? sqlite3_system_errno(handle) : 0, path: path)
    return SQLiteError(code: code, message: "\(message ?? ""): \(why)", sql: sql)
  }

  func compile(_ sql: String) throws(SQLiteError) -> OpaquePointer {
    var statement: OpaquePointer?
    let flags = UInt32(SQLITE_PREPARE_PERSISTENT)
    let result = sqlite3_prepare_v3(openHandle, sql, -1, flags, &statement, nil)
    guard result == SQLITE_OK else { throw error(result, sql) }
    guard let statement else { preconditionFailure("no statement in '\(sql)'") }
    statements.insert(statement)
    return statement
  }

  /// The whole number in the first column of the first row, as a PRAGMA gives it.
  package func number(_ sql: String) throws(SQLiteError) -> Int64 {
    try prepare(sql).first { row in row.int64(0) } ?? 0
  }

  /// Ends a statement, if closing has not done so.
  func end(_ statement: OpaquePointer) {
    if statements.remove(statement) != nil { sqlite3_finalize(statement) }
  }

  private func runOnce(
    _ statement: inout OpaquePointer?, _ sql: String
  ) throws(SQLiteError) {
    let compiled: OpaquePointer
    if let statement {
      compiled = statement
    } else {
      compiled = try compile(sql)
      statement = compiled
    }
    let result = sqlite3_step(compiled)
    if result != SQLITE_DONE {
      let error = error(result, sql)
      sqlite3_reset(compiled)
      throw error
    }
    sqlite3_reset(compiled)
  }

  private func configure(_ settings: DatabaseSettings) throws(SQLiteError) {
    sqlite3_busy_timeout(openHandle, settings.busyTimeoutMs)
    if settings.isExclusive { try set("locking_mode", "EXCLUSIVE", reads: "exclusive") }
    try set("synchronous", "FULL", reads: "2")
    try set("foreign_keys", "ON", reads: "1")
    try set("secure_delete", "ON", reads: "1")
    // Negative: in KiB and not in pages, https://www.sqlite.org/pragma.html#pragma_cache_size
    try set("cache_size", "-\(settings.cacheKiB)", reads: "-\(settings.cacheKiB)")
    let pages = settings.walAutocheckpointPages
    try set("wal_autocheckpoint", "\(pages)", reads: "\(pages)")
    try set("journal_size_limit", "\(settings.walKeptBytes)", reads: "\(settings.walKeptBytes)")
    if path == ":memory:" { return }
    let isEmpty = try number("PRAGMA page_count") == 0
    let mode = try text("PRAGMA journal_mode")
    isWaitingForMigration = !isEmpty && mode != "wal"
    if !isWaitingForMigration { try useWriteAheadLog() }
  }

  /// Takes the file over. In exclusive mode the lock is held from the first access on.
  func useWriteAheadLog() throws(SQLiteError) {
    isWaitingForMigration = false
    guard path != ":memory:" else { return }
    try set("journal_mode", "WAL", reads: "wal")
    try execute("BEGIN IMMEDIATE; ROLLBACK")
    try keepWhatIsThere()
  }

  /// The log also has what a process wrote that was killed before it had synced, and it would be
  /// shown from here on, though a power cut could still take it away. Moving it into the database
  /// syncs both: https://www.sqlite.org/wal.html#checkpointing
  private func keepWhatIsThere() throws(SQLiteError) {
    let result = sqlite3_wal_checkpoint_v2(openHandle, nil, SQLITE_CHECKPOINT_PASSIVE, nil, nil)
    if result == SQLITE_OK { return }
    // On a full disk there is no room to move it to: it is as safe where it is, once synced.
    guard result & 0xFF == SQLITE_FULL, syncLog() else { throw error(result, "checkpoint") }
  }

  /// Syncs the write-ahead log, and that it is there. Its file has no locks that closing could end.
  private func syncLog() -> Bool {
    let folder = path.split(separator: "/", omittingEmptySubsequences: false).dropLast()
    return [path + "-wal", folder.isEmpty ? "." : folder.joined(separator: "/") + "/"].allSatisfy {
      let descriptor = open($0, O_RDONLY | O_CLOEXEC)
      guard descriptor >= 0 else { return false }
      defer { Glibc.close(descriptor) }
      return fsync(descriptor) == 0
    }
  }

  /// Sets a PRAGMA and asserts that it holds: SQLite says nothing where it does not.
  private func set(_ name: String, _ value: String, reads: String) throws(SQLiteError) {
    try execute("PRAGMA \(name)=\(value)")
    let held = try text("PRAGMA \(name)")
    precondition(held == reads, "PRAGMA \(name) is '\(held)' and not '\(reads)'")
  }

  private func text(_ sql: String) throws(SQLiteError) -> String {
    try prepare(sql).first { row in row.text(0) } ?? ""
  }
}
