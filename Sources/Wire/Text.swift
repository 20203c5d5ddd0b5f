import CUtf8proc

/// Texts as the contract has them: valid UTF-8 in NFC, without what hides or reorders other text.
package enum Text {
  /// What makes a text unfit.
  enum Fault: Error {
    case notUTF8
    case control(Unicode.Scalar)
    case bidirectional(Unicode.Scalar)
  }

  /// The text in NFC, or what is wrong with it.
  static func read(
    _ bytes: UnsafeBufferPointer<UInt8>, lineBreaks: Bool = false
  ) -> Result<String, Fault> {
    if isPrintableASCII(bytes) { return .success(String(decoding: bytes, as: UTF8.self)) }
    guard let text = String(validating: bytes, as: UTF8.self) else { return .failure(.notUTF8) }
    for scalar in text.unicodeScalars {
      if isControl(scalar), !(lineBreaks && scalar == "\n") { return .failure(.control(scalar)) }
      if isBidirectional(scalar) { return .failure(.bidirectional(scalar)) }
    }
    return .success(nfc(text))
  }

  /// A text that did not come off the wire, as it would have; nil where it could not have.
  package static func asOnWire(_ text: String) -> String? {
    var text = text
    switch text.withUTF8({ read($0) }) {
    case .success(let text): return text
    case .failure: return nil
    }
  }

  /// No branch in the loop, so that it is compiled to vector instructions.
  private static func isPrintableASCII(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
    var others: UInt8 = 0
    for byte in bytes { others |= byte &- 0x20 < 0x5F ? 0 : 1 }
    return others == 0
  }

  /// The category Cc: C0, delete and C1.
  static func isControl(_ scalar: Unicode.Scalar) -> Bool {
    scalar.value < 0x20 || 0x7F...0x9F ~= scalar.value
  }

  /// Embeddings, overrides and isolates, which make a text look like another one.
  static func isBidirectional(_ scalar: Unicode.Scalar) -> Bool {
    0x202A...0x202E ~= scalar.value || 0x2066...0x2069 ~= scalar.value
  }

  /// The text in Unicode's composed form NFC. What comes off the wire is in it already.
  package static func nfc(_ text: String) -> String {
    // Below U+0300 nothing composes with what stands before it, and nothing decomposes.
    if text.unicodeScalars.allSatisfy({ $0.value < 0x300 }) { return text }
    return mapped(withMarksInOrder(text), UTF8PROC_STABLE.rawValue | UTF8PROC_COMPOSE.rawValue)
  }

  /// The text as searches compare it: NFKD without marks, case-folded.
  package static func folded(_ text: String) -> String {
    let options =
      UTF8PROC_STABLE.rawValue | UTF8PROC_DECOMPOSE.rawValue | UTF8PROC_COMPAT.rawValue
      | UTF8PROC_STRIPMARK.rawValue
    // Marks first: case folding makes a letter of one of them, the iota under a vowel ("ᾳ").
    return mapped(mapped(withMarksInOrder(text), options), options | UTF8PROC_CASEFOLD.rawValue)
  }

  /// utf8proc orders marks by swapping neighbours, which takes minutes for a megabyte of them. Long
  /// runs, which no language has, are put in canonical order here, where n log n steps do.
  private static func withMarksInOrder(_ text: String) -> String {
    let longestUsual = 30  // as in Unicode's stream-safe format, UAX #15, section 13
    var run = 0
    let isUsual = text.unicodeScalars.allSatisfy { scalar in
      run = scalar.value < 0x300 || combiningClass(scalar) == 0 ? 0 : run + 1
      return run <= longestUsual
    }
    if isUsual { return text }
    var ordered = String.UnicodeScalarView()
    var marks: [(order: UInt8, index: Int, scalar: Unicode.Scalar)] = []
    func endRun() {
      marks.sort { ($0.order, $0.index) < ($1.order, $1.index) }
      ordered.append(contentsOf: marks.map(\.scalar))
      marks.removeAll(keepingCapacity: true)
    }
    for scalar in text.unicodeScalars {
      let order = combiningClass(scalar)
      if order == 0 {
        endRun()
        ordered.append(scalar)
      } else {
        marks.append((order, marks.count, scalar))
      }
    }
    endRun()
    return String(ordered)
  }

  private static func combiningClass(_ scalar: Unicode.Scalar) -> UInt8 {
    scalar.properties.canonicalCombiningClass.rawValue
  }

  private static func mapped(_ text: String, _ options: UInt32) -> String {
    if text.isEmpty { return "" }
    var text = text
    return text.withUTF8 { bytes in
      var result: UnsafeMutablePointer<UInt8>?
      defer { free(result) }
      let count = utf8proc_map(
        bytes.baseAddress, bytes.count, &result, utf8proc_option_t(rawValue: options))
      // It fails on invalid UTF-8, which a String never is, and where there is no memory.
      precondition(count >= 0, "utf8proc maps a valid text")
      return String(decoding: UnsafeBufferPointer(start: result, count: count), as: UTF8.self)
    }
  }
}

extension Text.Fault: CustomStringConvertible {
  /// A sentence for the field's violation.
  var description: String {
    switch self {
    case .notUTF8: "This is not valid UTF-8."
    case .control(let scalar): "The control character \(Self.name(scalar)) is not allowed here."
    case .bidirectional(let scalar):
      "The bidirectional control \(Self.name(scalar)) is not allowed here."
    }
  }

  /// As Unicode writes it, for example "U+202E".
  private static func name(_ scalar: Unicode.Scalar) -> String {
    let hex = String(scalar.value, radix: 16, uppercase: true)
    return "U+" + String(repeating: "0", count: max(0, 4 - hex.count)) + hex
  }
}
