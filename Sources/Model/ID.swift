/// A UUID: what names a profile, a place, an idempotency key or a trace. 16 bytes, in byte order.
@usableFromInline package struct ID: Hashable, Comparable, Sendable, BitwiseCopyable {
  /// The first eight bytes, most significant first.
  @usableFromInline package var high: UInt64
  /// The last eight bytes, most significant first.
  @usableFromInline package var low: UInt64

  @inlinable package init(high: UInt64, low: UInt64) {
    self.high = high
    self.low = low
  }

  /// From exactly 16 bytes; nil from any other number of them.
  @inlinable package init?(bytes: UnsafeRawBufferPointer) {
    guard bytes.count == 16 else { return nil }
    high = UInt64(bigEndian: bytes.loadUnaligned(fromByteOffset: 0, as: UInt64.self))
    low = UInt64(bigEndian: bytes.loadUnaligned(fromByteOffset: 8, as: UInt64.self))
  }

  /// From exactly 16 bytes; nil from any other number of them.
  package init?(bytes: [UInt8]) {
    guard let id = bytes.withUnsafeBytes({ ID(bytes: $0) }) else { return nil }
    self = id
  }

  /// A UUID of version 7 (RFC 9562, section 5.7): the time in milliseconds since 1970 in front, so
  /// that what is made later sorts later and inserts at the end of an index, then 74 random bits.
  package init(milliseconds: Int64, random: (UInt64, UInt64)) {
    high = UInt64(truncatingIfNeeded: milliseconds) << 16 | 0x7000 | (random.0 & 0x0FFF)
    low = 0x8000_0000_0000_0000 | (random.1 & 0x3FFF_FFFF_FFFF_FFFF)
  }

  /// Calls `body` with the 16 bytes.
  @inlinable package func withBytes<R, E: Error>(
    _ body: (UnsafeRawBufferPointer) throws(E) -> R
  ) throws(E) -> R {
    let pair = (high.bigEndian, low.bigEndian)
    return try withUnsafeBytes(of: pair, body)
  }

  /// The 16 bytes.
  package var bytes: [UInt8] { withBytes { Array($0) } }

  @inlinable package static func == (a: ID, b: ID) -> Bool { a.high == b.high && a.low == b.low }

  @inlinable package static func < (a: ID, b: ID) -> Bool {
    a.high != b.high ? a.high < b.high : a.low < b.low
  }
}

extension ID: LosslessStringConvertible {
  /// From the text form, 8-4-4-4-12 hexadecimal digits in either case; nil from anything else.
  @usableFromInline package init?(_ text: String) {
    var value: (high: UInt64, low: UInt64) = (0, 0)
    var digits = 0
    var position = 0
    for byte in text.utf8 {
      defer { position += 1 }
      if position == 8 || position == 13 || position == 18 || position == 23 {
        guard byte == UInt8(ascii: "-") else { return nil }
        continue
      }
      guard let digit = Character(UnicodeScalar(byte)).hexDigitValue, byte < 0x80 else {
        return nil
      }
      if digits < 16 {
        value.high = value.high << 4 | UInt64(digit)
      } else {
        value.low = value.low << 4 | UInt64(digit)
      }
      digits += 1
    }
    guard position == 36 else { return nil }
    self.init(high: value.high, low: value.low)
  }

  /// The text form, in lower case.
  @usableFromInline package var description: String {
    let hex = Array("0123456789abcdef".utf8)
    return withBytes { bytes in
      String(unsafeUninitializedCapacity: 36) { text in
        var end = 0
        for (index, byte) in bytes.enumerated() {
          if index == 4 || index == 6 || index == 8 || index == 10 {
            text[end] = UInt8(ascii: "-")
            end += 1
          }
          text[end] = hex[Int(byte >> 4)]
          text[end + 1] = hex[Int(byte & 0xF)]
          end += 2
        }
        return end
      }
    }
  }
}
