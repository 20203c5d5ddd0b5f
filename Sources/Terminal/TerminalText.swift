import Wire

/// Text from elsewhere, made harmless for a terminal.
package enum TerminalText {
  /// The text on one line, with everything that a terminal could act on shown as an escape:
  /// control characters, escape sequences with them, and what turns the direction of text. A
  /// backslash stays as it is: this is for eyes, not for reading back.
  package static func visible(_ text: String) -> String {
    guard text.utf8.contains(where: { $0 == 9 || $0 == 10 || $0 == 13 }) else {
      return Text.shown(text)
    }
    var lines = ""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\n": lines += "\\n"
      case "\t": lines += "\\t"
      case "\r": lines += "\\r"
      default: lines.unicodeScalars.append(scalar)
      }
    }
    return Text.shown(lines)
  }
}
