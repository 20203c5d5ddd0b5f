import CSQLite
import Glibc

/// Why the file of a database cannot be opened or written, and what to do: SQLite says neither.
enum OpenFailure {
  /// Whether an error is of that kind.
  static func isMeant(by code: Int32) -> Bool {
    [SQLITE_CANTOPEN, SQLITE_READONLY].contains(code & 0xFF)
  }

  /// - Parameter systemError: what SQLite's last call of the system failed with; 0: it says none,
  ///   and the file is looked at.
  static func sentence(_ systemError: Int32, path: String) -> String {
    let folder = folder(of: path)
    var number = systemError
    if number == 0 && !mayUse(mayUse(path, F_OK) ? path : folder, R_OK | W_OK) {
      number = errno
    }
    switch number {
    case 0: return "the system gives no reason"
    case ENOENT: return "there is no folder \(folder); make it"
    case ENOTDIR: return "\(folder) is no folder; name another one"
    case EISDIR: return "\(path) is a folder; name another file"
    case EACCES, EPERM:
      return "user \(geteuid()) may not read and write there; give \(folder) to that user"
    case EROFS: return "the file system of \(folder) is read-only; mount it writable"
    case ENOSPC, EDQUOT: return "no room is left in \(folder); make some"
    case EMFILE, ENFILE: return "too many files are open; raise the limit (ulimit -n)"
    default: return String(cString: strerror(number))
    }
  }

  /// As the user whose rights the process has, who need not be the one who started it.
  private static func mayUse(_ path: String, _ mode: Int32) -> Bool {
    faccessat(AT_FDCWD, path, mode, AT_EACCESS) == 0
  }

  private static func folder(of path: String) -> String {
    guard let slash = path.lastIndex(of: "/") else { return "." }
    return slash == path.startIndex ? "/" : String(path[..<slash])
  }
}
