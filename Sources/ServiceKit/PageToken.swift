/// The text that a page ends with: where the next one goes on. Opaque to callers. It holds which
/// question it belongs to and a position, never anything that the server would have to remember,
/// and so outlives a restart.
///
/// base64url without padding of: 8 bytes of the question's hash, the position, 4 bytes of checksum.
/// The checksum is against accidents. Whoever forges a token sees nothing but another page of what
/// it may see anyway; `PositionReader` bears any bytes.
package enum PageToken {
  private static let questionBytes = 8
  private static let checksumBytes = 4

  /// A token for what follows `position` in the answer to `question`.
  package static func make(question: UInt64, position: [UInt8]) -> String {
    var bytes = bigEndianBytes(question) + position
    bytes += bigEndianBytes(FNV1a.hash(bytes)).suffix(checksumBytes)
    return Base64URL.encode(bytes)
  }

  /// The position in a token; nil for no token: the first page.
  /// - Throws: `PAGE_TOKEN_INVALID` for what is no token, or one of another question.
  package static func read(
    _ text: String, question: @autoclosure () -> UInt64
  ) throws(Refusal) -> [UInt8]? {
    if text.isEmpty { return nil }
    guard let bytes = Base64URL.decode(text), bytes.count >= questionBytes + checksumBytes else {
      throw invalid
    }
    let content = bytes.dropLast(checksumBytes)
    guard
      bytes.suffix(checksumBytes).elementsEqual(
        bigEndianBytes(FNV1a.hash(content)).suffix(checksumBytes)),
      content.prefix(questionBytes).elementsEqual(bigEndianBytes(question()))
    else { throw invalid }
    return Array(content.dropFirst(questionBytes))
  }

  /// What a token that cannot be used is answered with. Also thrown where a token's state is gone.
  package static var invalid: Refusal {
    Refusal(.pageTokenInvalid, "The page token does not belong to this question; begin anew.")
  }
}

func bigEndianBytes(_ value: UInt64) -> [UInt8] {
  withUnsafeBytes(of: value.bigEndian) { Array($0) }
}

/// FNV-1a with 64 bits (draft-eastlake-fnv, section 2): the same on every machine, for ever. Not
/// against anybody who wants two texts with one hash.
struct FNV1a {
  private(set) var value: UInt64 = 0xcbf2_9ce4_8422_2325

  mutating func add(_ bytes: some Sequence<UInt8>) {
    for byte in bytes { value = (value ^ UInt64(byte)) &* 0x0000_0100_0000_01b3 }
  }

  static func hash(_ bytes: some Sequence<UInt8>) -> UInt64 {
    var hash = FNV1a()
    hash.add(bytes)
    return hash.value
  }
}

/// base64 with the alphabet for URLs, without padding (RFC 4648, section 5).
enum Base64URL {
  private static let alphabet = Array(
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_".utf8)

  private static let values: [UInt8] = {
    var values = [UInt8](repeating: 0xFF, count: 256)
    for (value, byte) in alphabet.enumerated() { values[Int(byte)] = UInt8(value) }
    return values
  }()

  static func encode(_ bytes: [UInt8]) -> String {
    var text: [UInt8] = []
    text.reserveCapacity((bytes.count * 4 + 2) / 3)
    var bits: UInt32 = 0
    var count = 0
    for byte in bytes {
      bits = bits << 8 | UInt32(byte)
      count += 8
      while count >= 6 {
        count -= 6
        text.append(alphabet[Int(bits >> count & 0x3F)])
      }
    }
    if count > 0 { text.append(alphabet[Int(bits << (6 - count) & 0x3F)]) }
    return String(decoding: text, as: UTF8.self)
  }

  /// Nil for anything that `encode` does not make.
  static func decode(_ text: String) -> [UInt8]? {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(text.utf8.count * 3 / 4)
    var bits: UInt32 = 0
    var count = 0
    for byte in text.utf8 {
      let value = values[Int(byte)]
      guard value != 0xFF else { return nil }
      bits = bits << 6 | UInt32(value)
      count += 6
      if count >= 8 {
        count -= 8
        bytes.append(UInt8(truncatingIfNeeded: bits >> count))
      }
    }
    // A lone digit is no byte, and what is left over must be zeros.
    guard count < 6, bits & (1 << count - 1) == 0 else { return nil }
    return bytes
  }
}
