import CZeroMQ
import Glibc

/// The half of a key pair that may be known: 32 bytes, held in line, so that looking one up
/// allocates nothing.
package struct PublicKey: Hashable, Sendable, CustomStringConvertible {
  private let first, second, third, fourth: UInt64

  /// Characters of the text form: Z85 (https://rfc.zeromq.org/spec/32).
  package static let textCharacters = 40
  static let byteCount = 32

  /// Nil where these are not 32 bytes.
  package init?(_ bytes: some Collection<UInt8>) {
    guard bytes.count == PublicKey.byteCount else { return nil }
    func word(_ index: Int) -> UInt64 {
      bytes.dropFirst(8 * index).prefix(8).reduce(0) { $0 << 8 | UInt64($1) }
    }
    (first, second, third, fourth) = (word(0), word(1), word(2), word(3))
  }

  /// A key from its text form.
  package init?(text: String) { self.init(characters: text) }

  /// The same from C's characters, up to a NUL.
  init?(characters: UnsafePointer<CChar>) {
    guard strnlen(characters, PublicKey.textCharacters + 1) == PublicKey.textCharacters else {
      return nil
    }
    let key = withUnsafeTemporaryAllocation(of: UInt8.self, capacity: PublicKey.byteCount) {
      zmq_z85_decode($0.baseAddress, characters) == nil ? nil : PublicKey($0)
    }
    guard let key else { return nil }
    self = key
  }

  /// The 32 bytes.
  package var bytes: [UInt8] {
    [first, second, third, fourth].flatMap { word in
      (0..<8).map { UInt8(truncatingIfNeeded: word >> (56 - 8 * $0)) }
    }
  }

  /// The text form.
  package var description: String { Z85.text(bytes) }
}

/// The text form of 32 bytes.
enum Z85 {
  static func text(_ bytes: [UInt8]) -> String {
    precondition(bytes.count == PublicKey.byteCount)
    return withUnsafeTemporaryAllocation(
      of: CChar.self, capacity: PublicKey.textCharacters + 1
    ) { text in
      zmq_z85_encode(text.baseAddress, bytes, bytes.count)
      return text.baseAddress.map { String(cString: $0) } ?? ""
    }
  }

  /// Nil where it is none.
  static func bytes(_ text: String) -> [UInt8]? {
    guard text.utf8.count == PublicKey.textCharacters else { return nil }
    var bytes = [UInt8](repeating: 0, count: PublicKey.byteCount)
    return zmq_z85_decode(&bytes, text) == nil ? nil : bytes
  }
}
