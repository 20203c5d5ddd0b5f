package import Model

/// Writes where a page ended, for `PageToken.make`; read in the same order by `PositionReader`.
package struct PositionWriter {
  /// What has been written.
  package private(set) var bytes: [UInt8] = []

  package init() {}

  package mutating func write(_ id: ID) { bytes += id.bytes }
  package mutating func write(_ number: UInt64) { bytes += bigEndianBytes(number) }
  package mutating func write(_ number: Int64) { write(UInt64(bitPattern: number)) }
  package mutating func write(_ number: Double) { write(number.bitPattern) }

  package mutating func write(_ text: String) {
    write(UInt64(text.utf8.count))
    bytes += text.utf8
  }
}

/// Reads a position that a caller sent back. Bears any bytes: what does not fit, or is left over,
/// is `PAGE_TOKEN_INVALID`.
package struct PositionReader {
  private var rest: ArraySlice<UInt8>

  package init(_ bytes: [UInt8]) { rest = bytes[...] }

  package mutating func id() throws(Refusal) -> ID {
    guard let id = ID(bytes: Array(try take(16))) else { throw PageToken.invalid }
    return id
  }

  package mutating func uint64() throws(Refusal) -> UInt64 {
    try take(8).reduce(0) { $0 << 8 | UInt64($1) }
  }

  package mutating func int64() throws(Refusal) -> Int64 { Int64(bitPattern: try uint64()) }

  /// Never NaN: a position must compare with others.
  package mutating func double() throws(Refusal) -> Double {
    let number = Double(bitPattern: try uint64())
    guard !number.isNaN else { throw PageToken.invalid }
    return number
  }

  package mutating func text() throws(Refusal) -> String {
    guard let count = Int(exactly: try uint64()),
      let text = String(validating: try take(count), as: UTF8.self)
    else { throw PageToken.invalid }
    return text
  }

  /// To be called last.
  package func end() throws(Refusal) {
    guard rest.isEmpty else { throw PageToken.invalid }
  }

  private mutating func take(_ count: Int) throws(Refusal) -> ArraySlice<UInt8> {
    guard count <= rest.count else { throw PageToken.invalid }
    defer { rest = rest.dropFirst(count) }
    return rest.prefix(count)
  }
}
