import CMessages
import Model

/// Copies what protobuf-c has unpacked into Swift values, and notes what is wrong with its form.
///
/// It knows where in the request it is, so that each violation has its field's path.
package final class Reader {
  /// A field on the way to where the reader is; `index` is negative where it is not repeated.
  private struct Step {
    let field: StaticString
    let index: Int
  }

  // Nobody holds on to these while another touches them, and the check would cost more than they
  // do.
  @exclusivity(unchecked) private var path: [Step] = []
  @exclusivity(unchecked) private var violations: [FieldViolation] = []

  init() { path.reserveCapacity(8) }

  /// Notes a violation of the field, or of one element of it. The first 20 are kept.
  func violate(_ field: StaticString, index: Int = -1, _ description: String) {
    if violations.count >= Limits.violations { return }
    var text = ""
    for step in path + [Step(field: field, index: index)] {
      if !text.isEmpty { text += "." }
      text += step.field.description
      if step.index >= 0 { text += "[\(step.index)]" }
    }
    violations.append(FieldViolation(field: text, description: description))
  }

  /// What has been noted so far; from here on `others` is.
  func takeViolations(restoring others: [FieldViolation] = []) -> [FieldViolation] {
    defer { violations = others }
    return violations
  }

  /// Begins to note anew, for a part whose violations are its own; gives what there was.
  func setViolationsAside() -> [FieldViolation] { takeViolations() }

  /// Reads what is inside the field: violations in there have its name in front.
  func inside<R>(_ field: StaticString, index: Int = -1, _ body: () -> R) -> R {
    path.append(Step(field: field, index: index))
    defer { path.removeLast() }
    return body()
  }
}

// What generated code reads with.
extension Reader {
  func text(
    _ data: ProtobufCBinaryData, _ field: StaticString, index: Int = -1, lineBreaks: Bool = false
  ) -> String {
    let bytes = UnsafeBufferPointer(start: data.data, count: data.len)
    switch Text.read(bytes, lineBreaks: lineBreaks) {
    case .success(let text): return text
    case .failure(let fault):
      violate(field, index: index, fault.description)
      return ""
    }
  }

  func texts(
    _ count: Int, _ list: UnsafeMutablePointer<ProtobufCBinaryData>?, _ field: StaticString
  ) -> [String] {
    UnsafeBufferPointer(start: list, count: count).enumerated().map { index, data in
      text(data, field, index: index)
    }
  }

  /// An id, which is 16 bytes; nil where it is empty.
  func id(_ data: ProtobufCBinaryData, _ field: StaticString) -> ID? {
    data.len == 0 ? nil : elementID(data, field)
  }

  /// An id that may not be empty; nil, with a violation, where it is anything but 16 bytes.
  func elementID(_ data: ProtobufCBinaryData, _ field: StaticString, index: Int = -1) -> ID? {
    if let id = ID(bytes: UnsafeRawBufferPointer(start: data.data, count: data.len)) { return id }
    violate(field, index: index, "An id has 16 bytes; this one has \(data.len).")
    return nil
  }

  func ids(
    _ count: Int, _ list: UnsafeMutablePointer<ProtobufCBinaryData>?, _ field: StaticString
  ) -> [ID] {
    UnsafeBufferPointer(start: list, count: count).enumerated().compactMap { index, data in
      elementID(data, field, index: index)
    }
  }

  func bytes(_ data: ProtobufCBinaryData, _ field: StaticString) -> [UInt8] {
    Array(UnsafeBufferPointer(start: data.data, count: data.len))
  }

  /// The SHA-256 of an image: 32 bytes, or none.
  func hash(_ data: ProtobufCBinaryData, _ field: StaticString) -> [UInt8] {
    if data.len == 0 || data.len == 32 { return bytes(data, field) }
    violate(field, "The id of an image has 32 bytes; this one has \(data.len).")
    return []
  }

  func finite(_ value: Double, _ field: StaticString) -> Double {
    if value.isFinite { return value }
    violate(field, "This must be a finite number.")
    return 0
  }

  /// A known value of the enum; nil, with a violation, from any other.
  func enumeration<E: RawRepresentable<Int32>>(_ value: UInt32, _ field: StaticString) -> E? {
    let number = Int32(bitPattern: value)
    if let known = E(rawValue: number) { return known }
    violate(field, "\(number) is no known value.")
    return nil
  }

  func message<C, M: Message>(_ message: UnsafeMutablePointer<C>?, _ field: StaticString) -> M? {
    guard let message else { return nil }
    return inside(field) { M(reading: UnsafeRawPointer(message), self) }
  }

  func messages<C, M: Message>(
    _ count: Int, _ list: UnsafeMutablePointer<UnsafeMutablePointer<C>?>?, _ field: StaticString
  ) -> [M] {
    UnsafeBufferPointer(start: list, count: count).enumerated().compactMap { index, message in
      guard let message else { return nil }
      return inside(field, index: index) { M(reading: UnsafeRawPointer(message), self) }
    }
  }
}
