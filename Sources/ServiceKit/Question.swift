package import Model
package import Wire

/// Sums up what a list was asked for, so that a page token works for the same question only. The
/// same on every machine and after every restart. `page_size` and `page_token` stay out of it.
package struct Question {
  private var state = FNV1a()

  /// The hash that goes into the token.
  package var hash: UInt64 { state.value }

  package init(_ method: Method) { add(method.fullName) }

  /// Texts are added with their length, so that two of them cannot be cut in another place.
  package mutating func add(_ text: String) {
    add(UInt64(text.utf8.count))
    state.add(text.utf8)
  }

  package mutating func add(_ number: UInt64) { state.add(bigEndianBytes(number)) }

  package mutating func add(_ number: Int64) { add(UInt64(bitPattern: number)) }

  package mutating func add(_ flag: Bool) { add(flag ? 1 as UInt64 : 0) }

  package mutating func add(_ number: Double) { add(number.bitPattern) }

  /// No id is not the id of zeros.
  package mutating func add(_ id: ID?) {
    add(id != nil)
    if let id { id.withBytes { state.add($0) } }
  }

  package mutating func add(_ point: GeoPoint?) {
    add(point != nil)
    if let point {
      add(point.latitude)
      add(point.longitude)
    }
  }
}
