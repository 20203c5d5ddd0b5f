import Glibc

/// The list of allowed keys as it was read last, and its file, which may change at any time.
package struct AllowedKeysFile {
  package let path: String
  /// The list that holds. One that is wrong takes nothing away, and adds nothing.
  package private(set) var keys: AllowedKeys
  private var seen: Look
  /// Another state of it that has been noticed, and not read.
  private var noticed: Look?

  /// What `stat` tells of a file that has not changed.
  private struct Look: Equatable {
    var device: dev_t = 0
    var inode: ino_t = 0
    var size: off_t = 0
    var changedS = [0, 0]
    var changedNs = [0, 0]

    init() {}

    init(_ status: stat) {
      device = status.st_dev
      inode = status.st_ino
      size = status.st_size
      changedS = [status.st_mtim.tv_sec, status.st_ctim.tv_sec]
      changedNs = [status.st_mtim.tv_nsec, status.st_ctim.tv_nsec]
    }
  }

  /// The most that is read.
  private static let mostBytes = 16_777_216
  private static let mostTries = 5

  /// - Throws: what is wrong with it.
  package init(_ path: String) throws(KeyFileError) {
    self.path = path
    keys = AllowedKeys()
    seen = Look()
    try read()
  }

  /// What has become of the file since it was read last.
  package enum Change: Equatable, Sendable {
    case none
    /// It is another one, or was written to, and may be written to still: an editor may empty a
    /// file before it fills it.
    case unsettled
    /// The same, and nothing has happened to it between two looks.
    case settled
  }

  /// Looks at it.
  package mutating func look() -> Change {
    var status = stat()
    let now = stat(path, &status) == 0 ? Look(status) : Look()
    guard now != seen else { return .none }
    defer { noticed = now }
    return now == noticed ? .settled : .unsettled
  }

  /// Reads it again.
  /// - Throws: what is wrong with it; then `keys` are what they were, and it has not changed until
  ///   it is written to again.
  package mutating func read() throws(KeyFileError) {
    for _ in 0..<Self.mostTries where try tryToRead() { return }
    seen = Look()
    throw KeyFileError("\(path): is written to all the time")
  }

  /// False: it was written to while it was read, and half of it would be another list.
  private mutating func tryToRead() throws(KeyFileError) -> Bool {
    seen = Look()
    let file = try OpenFile(path)
    let status = try file.status()
    seen = Look(status)
    guard status.st_mode & 0o002 == 0 else {
      throw KeyFileError("\(path): anybody may write to it, and so allow keys; chmod o-w it")
    }
    let bytes = try file.read(mostBytes: Self.mostBytes)
    guard Look(try file.status()) == seen else { return false }
    keys = try AllowedKeys(bytes, file: path)
    return true
  }
}
