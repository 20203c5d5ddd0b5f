import Glibc

/// Small files that a person owns: contexts, and lists of keys.
package enum TextFile {
  /// Nil: it is not there.
  /// - Throws: why it cannot be read.
  package static func read(_ path: String) throws(KeyFileError) -> String? {
    guard access(path, F_OK) == 0 || errno != ENOENT else { return nil }
    let bytes = try OpenFile(path).read(mostBytes: 16_777_216)
    guard let text = String(validating: bytes, as: UTF8.self) else {
      throw KeyFileError("\(path): is not UTF-8 text")
    }
    return text
  }

  /// Puts another content in the place of a file's, whole: whoever reads it meanwhile reads all of
  /// one or all of the other. Its mode and owner stay; a new one is for its owner alone, or for all
  /// to read.
  package static func write(
    _ text: String, to path: String, forAll: Bool = false
  ) throws(KeyFileError) {
    let new = "\(path).new-\(getpid())"
    let descriptor = open(new, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0o600)
    guard descriptor >= 0 else { throw KeyFileError(path, errno: errno) }
    defer { close(descriptor) }
    var old = stat()
    let isThere = stat(path, &old) == 0
    let bytes = Array(text.utf8)
    let isWritten =
      Glibc.write(descriptor, bytes, bytes.count) == bytes.count
      && (!isThere || fchown(descriptor, old.st_uid, old.st_gid) == 0)
      && fchmod(descriptor, isThere ? old.st_mode & 0o7777 : forAll ? 0o644 : 0o600) == 0
      && fsync(descriptor) == 0
    guard isWritten, rename(new, path) == 0 else {
      let number = errno
      unlink(new)
      throw KeyFileError(path, errno: number)
    }
  }

  /// Makes a folder, and those that it lies in.
  package static func makeFolders(_ path: String) throws(KeyFileError) {
    var part = path.hasPrefix("/") ? "" : "."
    for name in path.split(separator: "/") {
      part += "/\(name)"
      guard mkdir(part, 0o700) == 0 || errno == EEXIST else {
        throw KeyFileError(part, errno: errno)
      }
    }
  }
}
