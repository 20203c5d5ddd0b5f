/// Base64 as RFC 4648, section 4, has it: with padding, and on one line.
package enum Base64 {
  private static let digits = Array(
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)
  private static let padding = UInt8(ascii: "=")

  /// The bytes as text.
  package static func text(_ bytes: UnsafeBufferPointer<UInt8>) -> String {
    let count = (bytes.count + 2) / 3 * 4
    return String(unsafeUninitializedCapacity: count) { text in
      var end = 0
      for start in stride(from: 0, to: bytes.count, by: 3) {
        let group = bytes[start..<min(start + 3, bytes.count)]
        var bits: UInt32 = 0
        for byte in group { bits = bits << 8 | UInt32(byte) }
        bits <<= UInt32(8 * (3 - group.count))
        for place in 0..<4 {
          let digit = digits[Int(bits >> UInt32(18 - 6 * place) & 63)]
          text[end + place] = place <= group.count ? digit : padding
        }
        end += 4
      }
      return count
    }
  }

  /// nil from anything that `text` does not make.
  static func bytes(_ text: String) -> [UInt8]? {
    let text = Array(text.utf8)
    guard text.count.isMultiple(of: 4) else { return nil }
    let padded = text.suffix(2).reversed().prefix { $0 == padding }.count
    var bytes: [UInt8] = []
    bytes.reserveCapacity(text.count / 4 * 3)
    var bits: UInt32 = 0
    var bitCount: UInt32 = 0
    for character in text.dropLast(padded) {
      guard let digit = values[Int(character)] else { return nil }
      bits = bits << 6 | digit
      bitCount += 6
      if bitCount >= 8 {
        bitCount -= 8
        bytes.append(UInt8(truncatingIfNeeded: bits >> bitCount))
        bits &= 1 << bitCount - 1
      }
    }
    // What the last digit has beyond the last byte is zero, so that bytes have one text.
    return bits == 0 ? bytes : nil
  }

  private static let values: [UInt32?] = (0...UInt8.max).map { character in
    digits.firstIndex(of: character).map { UInt32($0) }
  }
}
