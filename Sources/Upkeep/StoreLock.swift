import Glibc
import ServiceKit

/// Holds a database file as SQLite itself does that writes to it, without looking into it: whoever
/// opens it meanwhile finds it in use.
final class StoreLock {
  /// False: somebody else has it open.
  let isHeld: Bool
  private let file: Int32

  /// - Throws: `SystemError`.
  init(_ path: String) throws {
    file = open(path, O_RDWR | O_CLOEXEC)
    guard file >= 0 else { throw SystemError(number: errno, what: path) }
    // The bytes that SQLite locks: https://www.sqlite.org/fileformat.html#the_lock_byte_page
    var lock = flock()
    lock.l_type = Int16(F_WRLCK)
    lock.l_whence = Int16(SEEK_SET)
    lock.l_start = 0x4000_0000
    lock.l_len = 512
    isHeld = fcntl(file, F_SETLK, &lock) == 0
    if !isHeld, errno != EAGAIN, errno != EACCES {
      let number = errno
      close(file)
      throw SystemError(number: number, what: path)
    }
  }

  deinit { close(file) }
}
