import Testing

@testable import Model

@Suite struct TextRuleTests {
  @Test(
    "B3: characters are counted as a reader counts them",
    arguments: ["a", "é", "한", "👨‍👩‍👧‍👦", "🇩🇪"])
  func characters(character: String) {
    #expect(TextRule.bio.check(String(repeating: character, count: 100)) == nil)
    #expect(
      TextRule.bio.check(String(repeating: character, count: 101))
        == "The bio has 101 characters; at most 100 are allowed.")
  }

  @Test("B3: white space alone is blank", arguments: ["", " ", "\n\t", "\u{A0}\u{2003}\u{3000}"])
  func blank(text: String) {
    #expect(TextRule.firstName.check(text) == "The first name may not be blank.")
    #expect(TextRule.lastName.check(text) == nil)
  }

  @Test("One character of very many bytes is too long")
  func bytes() {
    let text = "a" + String(repeating: "\u{301}", count: 1_000)
    #expect(text.count == 1)
    #expect(
      TextRule.firstName.check(text)
        == "The first name has 2001 bytes; at most 2000 are allowed.")
    #expect(TextRule.userID.check(String(repeating: "a", count: 128)) == nil)
    #expect(TextRule.userID.check(String(repeating: "a", count: 129)) != nil)
  }
}
