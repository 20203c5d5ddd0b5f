package import Model

/// The elements of one repeated field, encoded as they are added. For the long lists that are asked
/// for most: a C struct for each element would cost many times what its bytes do.
///
/// Protobuf lets the fields of a message stand in any order, so they go behind the rest of it; see
/// "Encoding" of the protobuf documentation for the format.
package struct EncodedElements {
  package private(set) var bytes: [UInt8] = []
  private let tag: UInt8

  /// - Parameter field: the number of the repeated field, at most 15.
  package init(field: Int) {
    precondition(1...15 ~= field, "the tag is one byte")
    tag = Self.tag(field, wireType: 2)
  }

  package mutating func removeAll() { bytes.removeAll(keepingCapacity: true) }

  /// Adds an element that is encoded already, but for its last field.
  /// - Parameters:
  ///   - element: its other fields.
  ///   - field: the number of the last one, at most 15; it is a whole number, and not written if 0.
  package mutating func append(_ element: [UInt8], field: Int, _ value: UInt64) {
    let valueSize = value == 0 ? 0 : 1 + Self.varintSize(value)
    bytes.append(tag)
    appendVarint(UInt64(element.count + valueSize))
    bytes.append(contentsOf: element)
    guard value != 0 else { return }
    bytes.append(Self.tag(field, wireType: 0))
    appendVarint(value)
  }

  /// Adds an element that has an id as its first field, and a whole number as `field`.
  package mutating func append(_ id: ID, field: Int, _ value: UInt64) {
    let valueSize = value == 0 ? 0 : 1 + Self.varintSize(value)
    bytes.append(tag)
    appendVarint(UInt64(18 + valueSize))
    bytes.append(Self.tag(1, wireType: 2))
    bytes.append(16)
    id.withBytes { bytes.append(contentsOf: $0) }
    guard value != 0 else { return }
    bytes.append(Self.tag(field, wireType: 0))
    appendVarint(value)
  }

  private static func tag(_ field: Int, wireType: UInt8) -> UInt8 { UInt8(field) << 3 | wireType }

  private static func varintSize(_ value: UInt64) -> Int {
    max(1, (70 - value.leadingZeroBitCount) / 7)
  }

  private mutating func appendVarint(_ value: UInt64) {
    var rest = value
    while rest >= 0x80 {
      bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
      rest >>= 7
    }
    bytes.append(UInt8(truncatingIfNeeded: rest))
  }
}
