import Model
import Testing

@Suite struct SuggestionTests {
  @Test("The nearest names are suggested, and nothing for what is like none of them")
  func suggestions() {
    let names = ["status", "stats", "history", "here", "everywhere"]
    #expect(Suggestion.nearest(to: "statsu", among: names, limit: 1) == ["status"])
    #expect(Suggestion.nearest(to: "hist", among: names, limit: 3) == ["history"])
    #expect(Suggestion.nearest(to: "hree", among: names, limit: 1) == ["here"])
    #expect(Suggestion.nearest(to: "zzz", among: names, limit: 3) == [])
    #expect(Suggestion.editDistance(Array("ab"), Array("ba")) == 1)
    #expect(Suggestion.editDistance(Array("kitten"), Array("sitting")) == 3)
    #expect(Suggestion.editDistance(Array(""), Array("abc")) == 3)
  }
}
