package import Wire

/// Why a text is no JSON, and where.
package struct JSONError: Error, Equatable {
  /// Both counted from 1; columns in characters.
  package var line: Int
  package var column: Int
  /// For example "a value is missing"; without a full stop.
  package var message: String
}

/// Reads JSON text (RFC 8259), names and numbers as they stand there.
package struct JSONReader {
  private let bytes: [UInt8]
  private var index = 0
  private var depth = 0

  /// Deeper is no message of the contract, and would need a stack of any size.
  private static let maxDepth = 100

  /// The one value that the text is. A byte order mark before it is passed over.
  package static func value(of bytes: [UInt8]) throws(JSONError) -> JSONValue {
    var reader = JSONReader(bytes: bytes)
    if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { reader.index = 3 }
    let value = try reader.value()
    reader.skipBlanks()
    guard reader.index == bytes.count else {
      throw reader.error("there is something behind the end of the JSON")
    }
    return value
  }

  private init(bytes: [UInt8]) { self.bytes = bytes }

  private mutating func value() throws(JSONError) -> JSONValue {
    skipBlanks()
    guard let byte = peek() else { throw error("the JSON ends too early") }
    switch byte {
    case UInt8(ascii: "{"): return try nested { (reader) throws(JSONError) in try reader.object() }
    case UInt8(ascii: "["): return try nested { (reader) throws(JSONError) in try reader.array() }
    case UInt8(ascii: "\""): return .text(try string())
    case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"): return try number()
    default: break
    }
    for (word, value) in [("null", JSONValue.null), ("true", .bool(true)), ("false", .bool(false))]
    where bytes[index...].starts(with: word.utf8) {
      index += word.utf8.count
      return value
    }
    throw error("a value is expected here")
  }

  private mutating func nested(
    _ body: (inout JSONReader) throws(JSONError) -> JSONValue
  ) throws(JSONError) -> JSONValue {
    guard depth < JSONReader.maxDepth else { throw error("the JSON is nested too deep") }
    depth += 1
    let value = try body(&self)
    depth -= 1
    return value
  }

  private mutating func object() throws(JSONError) -> JSONValue {
    index += 1
    var members: [JSONValue.Member] = []
    skipBlanks()
    if take(UInt8(ascii: "}")) { return .object(members) }
    while true {
      skipBlanks()
      guard peek() == UInt8(ascii: "\"") else { throw error("a name in quotes is expected here") }
      let name = try string()
      skipBlanks()
      guard take(UInt8(ascii: ":")) else { throw error("a colon is expected here") }
      members.append(JSONValue.Member(name, try value()))
      skipBlanks()
      if take(UInt8(ascii: "}")) { return .object(members) }
      guard take(UInt8(ascii: ",")) else { throw error("a comma or } is expected here") }
    }
  }

  private mutating func array() throws(JSONError) -> JSONValue {
    index += 1
    var values: [JSONValue] = []
    skipBlanks()
    if take(UInt8(ascii: "]")) { return .array(values) }
    while true {
      values.append(try value())
      skipBlanks()
      if take(UInt8(ascii: "]")) { return .array(values) }
      guard take(UInt8(ascii: ",")) else { throw error("a comma or ] is expected here") }
    }
  }

  private mutating func number() throws(JSONError) -> JSONValue {
    let start = index
    while let byte = peek(), JSONReader.isOfNumber(byte) { index += 1 }
    let text = String(decoding: bytes[start..<index], as: UTF8.self)
    let digits = text.drop { $0 == "-" }
    let isWellFormed =
      digits.first?.isNumber == true && digits.last?.isNumber == true
      && !(digits.hasPrefix("0") && digits.dropFirst().first?.isNumber == true)
    if isWellFormed {
      if let whole = Int64(text) { return .integer(whole) }
      if let whole = UInt64(text) { return .number(whole) }
      if let value = Double(text), value.isFinite { return .double(value) }
    }
    index = start
    throw error("'\(text)' is no number")
  }

  private mutating func string() throws(JSONError) -> String {
    let start = index
    index += 1
    var text: [UInt8] = []
    while let byte = peek() {
      index += 1
      switch byte {
      case UInt8(ascii: "\""):
        guard let valid = String(validating: text, as: UTF8.self) else {
          index = start
          throw error("the text is not in UTF-8")
        }
        return valid
      case UInt8(ascii: "\\"): text.append(contentsOf: String(try escape()).utf8)
      case 0..<0x20:
        index -= 1
        throw error("a control character stands in a text; write it as an escape")
      default: text.append(byte)
      }
    }
    index = start
    throw error("the quotes that begin here are not closed")
  }

  private mutating func escape() throws(JSONError) -> Unicode.Scalar {
    guard let letter = peek() else { throw error("the JSON ends too early") }
    index += 1
    switch letter {
    case UInt8(ascii: "n"): return "\n"
    case UInt8(ascii: "t"): return "\t"
    case UInt8(ascii: "r"): return "\r"
    case UInt8(ascii: "b"): return "\u{8}"
    case UInt8(ascii: "f"): return "\u{C}"
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): return Unicode.Scalar(letter)
    case UInt8(ascii: "u"):
      let first = try hexadecimal()
      if let scalar = Unicode.Scalar(first) { return scalar }
      // Half of a pair (RFC 8259, section 7): the other half has to follow.
      if first < 0xDC00, take(UInt8(ascii: "\\")), take(UInt8(ascii: "u")) {
        let second = try hexadecimal()
        let value = 0x10000 + (first - 0xD800) << 10 + (second &- 0xDC00)
        if (0xDC00..<0xE000).contains(second), let scalar = Unicode.Scalar(value) { return scalar }
      }
      throw error("half of a surrogate pair is no character")
    default:
      index -= 1
      throw error("there is no such escape")
    }
  }

  private mutating func hexadecimal() throws(JSONError) -> UInt32 {
    let digits = bytes[index...].prefix(4)
    guard digits.count == 4, digits.allSatisfy({ Character(Unicode.Scalar($0)).isHexDigit }),
      let value = UInt32(String(decoding: digits, as: UTF8.self), radix: 16)
    else { throw error("four hexadecimal digits are expected here") }
    index += 4
    return value
  }

  private static func isOfNumber(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "+"),
      UInt8(ascii: "."), UInt8(ascii: "e"), UInt8(ascii: "E"):
      true
    default: false
    }
  }

  private func peek() -> UInt8? { index < bytes.count ? bytes[index] : nil }

  private mutating func take(_ byte: UInt8) -> Bool {
    guard peek() == byte else { return false }
    index += 1
    return true
  }

  private mutating func skipBlanks() {
    while let byte = peek(), byte == 32 || byte == 9 || byte == 10 || byte == 13 { index += 1 }
  }

  private func error(_ message: String) -> JSONError {
    let before = bytes.prefix(index)
    let lineStart = before.lastIndex(of: 10).map { $0 + 1 } ?? 0
    return JSONError(
      line: before.count { $0 == 10 } + 1,
      column: String(decoding: before[lineStart...], as: UTF8.self).count + 1, message: message)
  }
}
