import Glibc

/// A file that is open for reading, and what it was when it was looked at. Closed with the object.
final class OpenFile {
  let path: String
  private let descriptor: Int32

  /// - Throws: why it cannot be opened.
  init(_ path: String) throws(KeyFileError) {
    self.path = path
    // A pipe would be waited for.
    descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard descriptor >= 0 else { throw KeyFileError(path, errno: errno) }
  }

  deinit { close(descriptor) }

  func status() throws(KeyFileError) -> stat {
    var status = stat()
    guard fstat(descriptor, &status) == 0 else { throw KeyFileError(path, errno: errno) }
    guard status.st_mode & S_IFMT == S_IFREG else { throw KeyFileError("\(path): is no file") }
    return status
  }

  /// All of it, where it is no more than `mostBytes`.
  func read(mostBytes: Int) throws(KeyFileError) -> [UInt8] {
    var content: [UInt8] = []
    var part = [UInt8](repeating: 0, count: 65_536)
    while true {
      let count = Glibc.read(descriptor, &part, part.count)
      if count == 0 { return content }
      if count < 0 {
        if errno == EINTR { continue }
        throw KeyFileError(path, errno: errno)
      }
      content += part[..<count]
      guard content.count <= mostBytes else {
        throw KeyFileError("\(path): has more than \(mostBytes) bytes")
      }
    }
  }
}
