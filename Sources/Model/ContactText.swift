/// The form of the texts by which a place can be reached. Their lengths are `TextRule`'s.
package enum ContactText {
  /// Whether a text is `http://` or `https://`, a host, perhaps a port, and the rest.
  ///
  /// The parts are told apart as RFC 3986, section 3.2, does. The rest of the text is taken as
  /// browsers take it (letters of any script, bare `|` and `{`), for such addresses work; but white
  /// space, `<`, `>`, `"` and `\` end a URL wherever one is shown, or make it another one.
  package static func isWebURL(_ value: String) -> Bool {
    guard let slashes = value.firstIndex(of: ":").map({ value[$0...] }), slashes.hasPrefix("://")
    else { return false }
    let scheme = value[..<slashes.startIndex].lowercased()
    guard scheme == "http" || scheme == "https" else { return false }
    let isClean = value.unicodeScalars.allSatisfy {
      !$0.properties.isWhitespace && $0.value > 0x20 && !"<>\"\\".unicodeScalars.contains($0)
    }
    guard isClean else { return false }
    let authority = slashes.dropFirst(3).prefix { !"/?#".contains($0) }
    let afterUser = authority.lastIndex(of: "@").map { authority.index(after: $0) }
    let hostAndPort = authority[(afterUser ?? authority.startIndex)...]
    if hostAndPort.hasPrefix("[") {
      guard let end = hostAndPort.firstIndex(of: "]") else { return false }
      let inside = hostAndPort[hostAndPort.index(after: hostAndPort.startIndex)..<end]
      return inside.contains(":") && inside.allSatisfy { $0.isHexDigit || ":.".contains($0) }
        && isPortOrNothing(hostAndPort[hostAndPort.index(after: end)...])
    }
    let host = hostAndPort.prefix { $0 != ":" }
    return !host.isEmpty && !host.hasPrefix(".") && !host.contains(where: { "[]".contains($0) })
      && isPortOrNothing(hostAndPort[host.endIndex...])
  }

  /// "", ":" or ":8080"; RFC 3986 allows the empty port.
  private static func isPortOrNothing(_ text: Substring) -> Bool {
    guard let colon = text.first else { return true }
    let digits = text.dropFirst()
    return colon == ":" && digits.utf8.allSatisfy(isDigit) && digits.utf8.count <= 5
      && (Int(digits) ?? 0) <= 65_535
  }

  /// Whether a text is digits with space - . / ( ) between, optionally after + or (.
  package static func isPhoneNumber(_ value: String) -> Bool {
    var rest = Substring(value).utf8
    if rest.first == UInt8(ascii: "+") { rest = rest.dropFirst() }
    if rest.first == UInt8(ascii: "(") { rest = rest.dropFirst() }
    guard let first = rest.first, let last = rest.last, isDigit(first), isDigit(last) else {
      return false
    }
    return rest.allSatisfy { isDigit($0) || " -./()".utf8.contains($0) }
  }

  private static func isDigit(_ byte: UInt8) -> Bool {
    (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
  }
}
