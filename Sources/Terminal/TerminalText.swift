/// Text from elsewhere, made harmless for a terminal.
package enum TerminalText {
  /// The text with everything that a terminal could act on shown as an escape: control characters,
  /// escape sequences with them, line breaks, and the characters that turn the direction of text.
  /// A backslash stays as it is: this is for eyes, not for reading back.
  package static func visible(_ text: String) -> String {
    guard text.unicodeScalars.contains(where: isUnsafe) else { return text }
    var result = ""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\n": result += "\\n"
      case "\t": result += "\\t"
      case "\r": result += "\\r"
      case _ where !isUnsafe(scalar): result.unicodeScalars.append(scalar)
      case _ where scalar.value <= 0xFF: result += "\\x" + hex(scalar.value, digits: 2)
      default: result += "\\u" + hex(scalar.value, digits: 4)
      }
    }
    return result
  }

  /// JSON text with every such character inside its strings written as JSON's own escape, so that
  /// it means the same and a terminal sees none. Line breaks and blanks between values stay.
  package static func visibleJSON(_ text: String) -> String {
    guard text.unicodeScalars.contains(where: isUnsafeInJSON) else { return text }
    var result = ""
    for scalar in text.unicodeScalars {
      if isUnsafeInJSON(scalar) {
        result += "\\u" + hex(scalar.value, digits: 4)
      } else {
        result.unicodeScalars.append(scalar)
      }
    }
    return result
  }

  static func isUnsafe(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0..<0x20, 0x7F..<0xA0: true  // C0, DEL and C1, where ESC and CSI are
    case 0x2028, 0x2029: true  // line and paragraph separator
    case 0x200E, 0x200F, 0x061C, 0x202A...0x202E, 0x2066...0x2069: true  // direction
    default: false
    }
  }

  private static func isUnsafeInJSON(_ scalar: Unicode.Scalar) -> Bool {
    scalar.value >= 0x7F && isUnsafe(scalar)
  }

  private static func hex(_ value: UInt32, digits: Int) -> String {
    let text = String(value, radix: 16)
    return String(repeating: "0", count: max(0, digits - text.count)) + text
  }
}
