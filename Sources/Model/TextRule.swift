/// How long one text of the contract may be, and whether it may be blank.
///
/// Characters are counted as a reader counts them, by grapheme clusters, in the composed form.
package struct TextRule: Sendable {
  /// What a sentence calls the text, for example "The first name".
  package let name: String
  /// nil: only the bytes are limited.
  package let maxCharacters: Int?
  package let maxBytes: Int
  /// False: white space alone will not do either.
  package let mayBeBlank: Bool

  package init(_ name: String, maxCharacters: Int?, maxBytes: Int, mayBeBlank: Bool) {
    self.name = name
    self.maxCharacters = maxCharacters
    self.maxBytes = maxBytes
    self.mayBeBlank = mayBeBlank
  }

  /// A sentence that says what is wrong with the text; nil where nothing is.
  package func check(_ text: String) -> String? {
    if !mayBeBlank, TextRule.isBlank(text) { return "\(name) may not be blank." }
    let bytes = text.utf8.count
    if let maxCharacters, bytes > maxCharacters {
      let characters = text.count
      if characters > maxCharacters {
        return "\(name) has \(characters) characters; at most \(maxCharacters) are allowed."
      }
    }
    if bytes > maxBytes { return "\(name) has \(bytes) bytes; at most \(maxBytes) are allowed." }
    return nil
  }

  /// Whether there is nothing to see in it: empty, or white space alone.
  package static func isBlank(_ text: String) -> Bool { text.allSatisfy(\.isWhitespace) }
}

extension TextRule {
  package static let userID = TextRule(
    "The user id", maxCharacters: nil, maxBytes: 128, mayBeBlank: true)
  package static let firstName = TextRule(
    "The first name", maxCharacters: 50, maxBytes: 2_000, mayBeBlank: false)
  package static let lastName = TextRule(
    "The last name", maxCharacters: 50, maxBytes: 2_000, mayBeBlank: true)
  package static let companyName = TextRule(
    "The company name", maxCharacters: 50, maxBytes: 2_000, mayBeBlank: true)
  package static let bio = TextRule(
    "The bio", maxCharacters: 100, maxBytes: 5_000, mayBeBlank: true)

  package static let locationName = TextRule(
    "The name", maxCharacters: 100, maxBytes: 3_000, mayBeBlank: false)
  package static let description = TextRule(
    "The description", maxCharacters: 1_000, maxBytes: 8_000, mayBeBlank: true)
  package static let address = TextRule(
    "The address", maxCharacters: 200, maxBytes: 4_000, mayBeBlank: true)
  package static let websiteURL = TextRule(
    "The website", maxCharacters: nil, maxBytes: 500, mayBeBlank: true)
  package static let phoneNumber = TextRule(
    "The phone number", maxCharacters: 32, maxBytes: 32, mayBeBlank: true)
  package static let externalID = TextRule(
    "The external id", maxCharacters: nil, maxBytes: 100, mayBeBlank: true)
  package static let nameContains = TextRule(
    "The part of a name", maxCharacters: 100, maxBytes: 3_000, mayBeBlank: true)
}
