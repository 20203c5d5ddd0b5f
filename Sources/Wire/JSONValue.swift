/// A JSON value whose objects keep their order.
package enum JSONValue: Equatable, Sendable {
  case null
  case bool(Bool)
  case integer(Int64)
  /// Only for what is above `Int64.max`; `number` picks the right one.
  case large(UInt64)
  case double(Double)
  case text(String)
  case array([JSONValue])
  case object([Member])

  /// One name and value of an object.
  package struct Member: Equatable, Sendable {
    package var name: String
    package var value: JSONValue

    package init(_ name: String, _ value: JSONValue) {
      self.name = name
      self.value = value
    }
  }

  /// A whole number.
  package static func number(_ value: UInt64) -> JSONValue {
    Int64(exactly: value).map { .integer($0) } ?? .large(value)
  }

  /// The value of the object's first member of this name; nil where there is none, or no object.
  package subscript(name: String) -> JSONValue? {
    guard case .object(let members) = self else { return nil }
    return members.first { $0.name == name }?.value
  }

  /// What an error message calls it, for example "a number".
  package var kind: String {
    switch self {
    case .null: "null"
    case .bool: "true or false"
    case .integer, .large, .double: "a number"
    case .text: "a text"
    case .array: "a list"
    case .object: "an object"
    }
  }
}

extension JSONValue {
  /// As JSON text: on one line, or `pretty` on many, two spaces a level. Control characters are
  /// escaped. JSON has no infinity and no NaN: these are null.
  package func write(pretty: Bool = false) -> String {
    var text = ""
    write(to: &text, indent: pretty ? 0 : nil)
    return text
  }

  private func write(to text: inout String, indent: Int?) {
    switch self {
    case .null: text += "null"
    case .bool(let value): text += value ? "true" : "false"
    case .integer(let value): text += String(value)
    case .large(let value): text += String(value)
    case .double(let value): text += JSONValue.shown(value)
    case .text(let value): JSONValue.quote(value, to: &text)
    case .array(let values):
      JSONValue.writeList(values, "[", "]", to: &text, indent: indent) { value, text, indent in
        value.write(to: &text, indent: indent)
      }
    case .object(let members):
      JSONValue.writeList(members, "{", "}", to: &text, indent: indent) { member, text, indent in
        JSONValue.quote(member.name, to: &text)
        text += indent == nil ? ":" : ": "
        member.value.write(to: &text, indent: indent)
      }
    }
  }

  private static func writeList<T>(
    _ items: [T], _ open: String, _ close: String, to text: inout String, indent: Int?,
    _ write: (T, inout String, Int?) -> Void
  ) {
    text += open
    for (index, item) in items.enumerated() {
      if index > 0 { text += "," }
      if let indent { text += "\n" + String(repeating: "  ", count: indent + 1) }
      write(item, &text, indent.map { $0 + 1 })
    }
    if let indent, !items.isEmpty { text += "\n" + String(repeating: "  ", count: indent) }
    text += close
  }

  /// The shortest digits that read back as the same number; a whole one without ".0".
  private static func shown(_ value: Double) -> String {
    if !value.isFinite { return "null" }
    if let whole = Int64(exactly: value), whole.magnitude < 1 << 53 {
      return value.sign == .minus && whole == 0 ? "-0.0" : String(whole)
    }
    return value.description
  }

  private static func quote(_ value: String, to text: inout String) {
    text += "\""
    defer { text += "\"" }
    if value.utf8.allSatisfy({ 0x20...0x7E ~= $0 && $0 != 0x22 && $0 != 0x5C }) {
      text += value
      return
    }
    for scalar in value.unicodeScalars {
      switch scalar {
      case "\"": text += "\\\""
      case "\\": text += "\\\\"
      case "\n": text += "\\n"
      case "\r": text += "\\r"
      case "\t": text += "\\t"
      case _ where Text.isUnshowable(scalar):
        let hex = String(scalar.value, radix: 16)
        text += "\\u" + String(repeating: "0", count: 4 - hex.count) + hex
      default: text.unicodeScalars.append(scalar)
      }
    }
  }
}
