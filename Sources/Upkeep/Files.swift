import Glibc
import ServiceKit

/// What is done with whole files: each function is done, and on disk, when it returns. They throw
/// `SystemError`.
enum Files {
  /// - Throws: `UpkeepError`, where this user may not even know.
  static func exists(_ path: String) throws -> Bool {
    guard access(path, F_OK) != 0 else { return true }
    guard errno != EACCES else {
      throw UpkeepError(
        .conflict, "\(SystemError(number: EACCES, what: path))",
        hint: "run it as root, or as the services' user")
    }
    return false
  }

  /// Nobody but its owner can look into it.
  static func makeFolder(_ path: String) throws {
    guard mkdir(path, 0o700) == 0 else { throw failure(path) }
  }

  /// The names in a folder, sorted.
  static func names(in folder: String) throws -> [String] {
    guard let open = opendir(folder) else { throw failure(folder) }
    defer { closedir(open) }
    var names: [String] = []
    while let entry = readdir(open) {
      let name = withUnsafePointer(to: &entry.pointee.d_name) {
        $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
      }
      if name != "." && name != ".." { names.append(name) }
    }
    return names.sorted()
  }

  static func remove(_ path: String) throws {
    guard unlink(path) == 0 || errno == ENOENT else { throw failure(path) }
  }

  /// Removes a database that is not needed any more, and what stands beside it.
  static func removeStore(_ path: String) {
    for suffix in [""] + besides { unlink(path + suffix) }
  }

  /// What SQLite keeps beside a database, by the ends of its name.
  static let besides = ["-wal", "-shm", "-journal"]

  /// Its name changes; whatever had the new one is gone.
  static func rename(_ path: String, to new: String) throws {
    guard Glibc.rename(path, new) == 0 else { throw failure(path) }
  }

  /// Takes a file to another place, also on another file system.
  static func move(_ path: String, to new: String) throws {
    if Glibc.rename(path, new) == 0 { return }
    guard errno == EXDEV else { throw failure(path) }
    try copy(path, to: new)
    try remove(path)
  }

  /// Copies a file; only the owner can read the copy.
  static func copy(_ path: String, to new: String) throws {
    let target = open(new, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
    guard target >= 0 else { throw failure(new) }
    defer { close(target) }
    try read(path) { piece in try write(piece, to: target, new) }
    guard fsync(target) == 0 else { throw failure(new) }
  }

  static func write(_ bytes: [UInt8], to path: String) throws {
    let target = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
    guard target >= 0 else { throw failure(path) }
    defer { close(target) }
    try write(bytes[...], to: target, path)
    guard fsync(target) == 0 else { throw failure(path) }
  }

  /// All of a small file.
  static func content(of path: String) throws -> [UInt8] {
    var content: [UInt8] = []
    try read(path) { content += $0 }
    return content
  }

  /// How large a file is, and its SHA-256 in hexadecimal digits.
  static func digest(of path: String) throws -> (byteCount: UInt64, sha256: String) {
    let file = open(path, O_RDONLY | O_CLOEXEC)
    guard file >= 0 else { throw failure(path) }
    defer { close(file) }
    var buffer = [UInt8](repeating: 0, count: pieceBytes)
    var byteCount: UInt64 = 0
    let digest = try SHA256.digest(ofPieces: {
      let count = Glibc.read(file, &buffer, buffer.count)
      guard count >= 0 else { throw failure(path) }
      byteCount += UInt64(count)
      return buffer[..<count]
    })
    return (byteCount, digest.map(hexadecimal).joined())
  }

  /// Puts a file, or the names in a folder, on disk.
  static func sync(_ path: String) throws {
    let file = open(path, O_RDONLY | O_CLOEXEC)
    guard file >= 0 else { throw failure(path) }
    defer { close(file) }
    guard fsync(file) == 0 else { throw failure(path) }
  }

  /// The folder that a path is in.
  static func folder(of path: String) -> String {
    guard let slash = path.lastIndex(of: "/") else { return "." }
    return slash == path.startIndex ? "/" : String(path[..<slash])
  }

  /// Makes a file belong to whom the folder belongs, where another user may: root.
  static func give(_ path: String, toOwnerOf folder: String) throws {
    var status = stat()
    guard stat(folder, &status) == 0 else { throw failure(folder) }
    guard geteuid() != status.st_uid else { return }
    guard chown(path, status.st_uid, status.st_gid) == 0 else { throw failure(path) }
  }

  private static let pieceBytes = 1 << 20

  private static func read(_ path: String, _ take: (ArraySlice<UInt8>) throws -> Void) throws {
    let file = open(path, O_RDONLY | O_CLOEXEC)
    guard file >= 0 else { throw failure(path) }
    defer { close(file) }
    var buffer = [UInt8](repeating: 0, count: pieceBytes)
    while true {
      let count = Glibc.read(file, &buffer, buffer.count)
      guard count >= 0 else { throw failure(path) }
      if count == 0 { return }
      try take(buffer[..<count])
    }
  }

  private static func write(
    _ bytes: ArraySlice<UInt8>, to file: Int32, _ path: String
  ) throws {
    var rest = bytes
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { Glibc.write(file, $0.baseAddress, $0.count) }
      guard count > 0 else { throw failure(path) }
      rest = rest.dropFirst(count)
    }
  }

  private static func hexadecimal(_ byte: UInt8) -> String {
    let digits = String(byte, radix: 16)
    return digits.count == 1 ? "0" + digits : digits
  }

  private static func failure(_ path: String) -> SystemError {
    SystemError(number: errno, what: path)
  }
}
