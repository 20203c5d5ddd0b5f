import Glibc
package import ZeroMQ

/// The file of a secret key: one line, 40 characters of Z85, for its owner alone.
package enum SecretKeyFile {
  /// Where the service manager puts a process's secrets: see systemd.exec(5), LoadCredential.
  private static let credentials = "CREDENTIALS_DIRECTORY"

  /// Reads the key. What others can read is no secret, and is refused. From then on the process
  /// leaves no core and lets nobody look into its memory.
  /// - Parameter name: a path, or of one of the service manager's credentials its name alone.
  package static func read(_ name: String) throws(KeyFileError) -> CurveKeyPair {
    var path = name
    var isCredential = false
    if !name.contains("/"), let folder = getenv(credentials) {
      path = String(cString: folder) + "/" + name
      isCredential = true
    }
    let file = try OpenFile(path)
    let status = try file.status()
    // A credential lies in a folder of the process's own; its group bits are an ACL's mask.
    let tooMuch: mode_t = isCredential ? 0o007 : 0o077
    guard status.st_mode & tooMuch == 0 else {
      throw KeyFileError("\(path): others can read this secret key; chmod 600 it")
    }
    guard [0, geteuid()].contains(status.st_uid) else {
      throw KeyFileError("\(path): belongs to somebody else, who can read this secret key")
    }
    try keepMemoryPrivate()
    var bytes = try file.read(mostBytes: 1_024)
    defer { for index in bytes.indices { bytes[index] = 0 } }
    let isBlank: (UInt8) -> Bool = { $0 == 0x20 || (0x09...0x0D).contains($0) }
    let text = bytes.drop(while: isBlank).reversed().drop(while: isBlank).reversed()
    guard let pair = CurveKeyPair(secretText: String(decoding: text, as: UTF8.self)) else {
      throw KeyFileError("\(path): is no secret key, which is 40 characters of Z85")
    }
    return pair
  }

  /// Makes a key and the file of it, which may not be there yet.
  package static func make(_ path: String) throws(KeyFileError) -> CurveKeyPair {
    try keepMemoryPrivate()
    let pair = try newPair()
    let descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
    guard descriptor >= 0 else {
      guard errno == EEXIST else { throw KeyFileError(path, errno: errno) }
      var taken = KeyFileError(
        "\(path): is there, and a key is not overwritten; move it away first")
      taken.isTaken = true
      throw taken
    }
    defer { close(descriptor) }
    var line = Array((pair.secretText + "\n").utf8)
    defer { for index in line.indices { line[index] = 0 } }
    guard fchmod(descriptor, 0o600) == 0, write(descriptor, line, line.count) == line.count,
      fsync(descriptor) == 0
    else {
      let number = errno
      unlink(path)
      throw KeyFileError(path, errno: number)
    }
    return pair
  }

  /// One whose public key can be typed: a `#` in front would be a comment, a `-` an option.
  private static func newPair() throws(KeyFileError) -> CurveKeyPair {
    do throws(ZeroMQError) {
      while true {
        let pair = try CurveKeyPair()
        let first = pair.publicKey.description.utf8.first ?? 0
        if first != UInt8(ascii: "#"), first != UInt8(ascii: "-") { return pair }
      }
    } catch { throw KeyFileError("a key cannot be made: \(error)") }
  }

  private static func keepMemoryPrivate() throws(KeyFileError) {
    guard Memory.keepPrivate() else {
      throw KeyFileError("a secret key cannot be held: cores cannot be turned off")
    }
  }
}
