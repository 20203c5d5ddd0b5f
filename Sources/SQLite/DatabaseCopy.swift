import CSQLite
import Glibc

/// A copy of a database in a file of its own, made a piece at a time by the connection that goes on
/// to write meanwhile: what that one changes, SQLite changes in the copy too, so that the copy is
/// the database as it is when the last piece is written. https://www.sqlite.org/backup.html
package final class DatabaseCopy {
  /// The file; complete once `step` has said so, and removed where that never comes.
  package let path: String
  private let source: Database
  /// Nil once the copy has ended, one way or the other.
  private var target: OpaquePointer?
  private var backup: OpaquePointer?
  private var isComplete = false

  /// Begins. A file that is there already is removed; only this process's user can read the new
  /// one.
  package init(of source: Database, to path: String) throws(SQLiteError) {
    self.source = source
    self.path = path
    unlink(path)
    // SQLite would make it readable for the group. Where this fails, opening says why.
    let descriptor = open(path, O_CREAT | O_EXCL | O_WRONLY | O_CLOEXEC, 0o600)
    if descriptor >= 0 { close(descriptor) }
    let flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE
    var result = sqlite3_open_v2(path, &target, flags, nil)
    if result == SQLITE_OK {
      // A copy that is not complete is of no use, so it needs no journal; whoever keeps it syncs
      // it.
      result = sqlite3_exec(
        target, "PRAGMA journal_mode=OFF; PRAGMA synchronous=OFF; PRAGMA locking_mode=EXCLUSIVE",
        nil, nil, nil)
    }
    guard result == SQLITE_OK else { throw failed(result) }
    backup = sqlite3_backup_init(target, "main", source.openHandle, "main")
    guard backup != nil else { throw failed(sqlite3_extended_errcode(target)) }
  }

  deinit { if !isComplete { abandon() } }

  /// Copies some pages, outside a transaction of the source's. True: the copy is complete.
  package func step(pages: Int) throws(SQLiteError) -> Bool {
    precondition(backup != nil, "the copy has ended")
    let result = sqlite3_backup_step(backup, Int32(pages))
    switch result {
    case SQLITE_OK: return false
    case SQLITE_DONE:
      let ended = sqlite3_backup_finish(backup)
      backup = nil
      guard ended == SQLITE_OK else { throw failed(ended) }
      let closed = sqlite3_close(target)
      guard closed == SQLITE_OK else { throw failed(closed) }
      target = nil
      isComplete = true
      return true
    default: throw failed(result)
    }
  }

  /// What went wrong; nothing is left of the copy.
  private func failed(_ code: Int32) -> SQLiteError {
    let own = target.map { sqlite3_extended_errcode($0) == code } ?? false
    let message = own ? sqlite3_errmsg(target) : sqlite3_errstr(code)
    var text = message.map { String(cString: $0) } ?? ""
    if OpenFailure.isMeant(by: code) {
      text += ": " + OpenFailure.sentence(own ? sqlite3_system_errno(target) : 0, path: path)
    }
    abandon()
    return SQLiteError(code: code, message: text, sql: "copy to \(path)")
  }

  private func abandon() {
    if let backup { sqlite3_backup_finish(backup) }
    backup = nil
    if let target { sqlite3_close(target) }
    target = nil
    unlink(path)
  }
}
