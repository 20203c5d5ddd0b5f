import Testing
import Wire

@testable import Places

@Suite("Searching by name")
struct NameSearchTests {
  @Test(
    "Letter case, accents and compatibility forms are put aside on both sides",
    arguments: [
      ("Zürich", "zurich", true), ("Zurich", "ZÜRICH", true), ("İstanbul", "istanbul", true),
      ("Istanbul", "İST", true), ("한국", "한", true), ("한국", "국", true), ("한국", "중", false),
      ("ﬁnish line", "fin", true), ("Finish", "ﬁ", true), ("Straße", "STRASSE", true),
      ("Ｃａｆé", "cafe", true), ("Łódź", "lod", false), ("Łódź", "łodz", true),
      ("Νέα Σμύρνη", "σμυρνη", true), ("Αθήνας", "ΑΘΗΝΑΣ", true), ("☕️ bar", "☕", true),
      ("a\"b OR c", "\"b OR", true), ("100%", "0%", true), ("100", "1%0", false),
      ("ab", "abc", false),
      ("ab", "ab", true), ("a", "a", true), ("a", "A", true), ("a*b", "a*", true),
      ("ab", "a*", false),
      ("東京駅", "京", true), ("東京駅", "京駅", true), ("東京駅", "東京駅", true), ("x", "", true),
      ("the old mill by the river", "old mill by the riv", true),
      ("the river by the old mill", "old mill by the riv", false),
    ])
  func folding(name: String, part: String, isFound: Bool) throws {
    let index = try makeIndex()
    try index.put(place(1, name))
    #expect(try index.numbers(PlaceFilter(nameContains: part)) == (isFound ? [1] : []))
  }

  /// More places than are gathered, so that each way to a page is taken.
  @Test(
    "Every way finds the same: a part of any length, rare and common, by name and by distance",
    arguments: [
      "", "e", "q", "ga", "zz", "y", "gat", "gate 1", "zzy", "zz top", "9", "99", "nowhere",
    ])
  func allWays(part: String) throws {
    let index = try makeIndex()
    let middle = GeoPoint(latitude: 50, longitude: 0)
    let circle = PlaceCircle(center: middle, radiusM: 20_000)
    try index.database.begin()
    for number in 0..<6_000 {
      // Rare ones last, where a walk comes latest.
      let name = number % 1_000 == 999 ? "zz Top \(number)" : "Gate \(number)"
      let offset = Double(number % 60) / 100 * (number % 2 == 0 ? 1 : -1)
      try index.put(place(number, name, GeoPoint(latitude: 50, longitude: offset)))
    }
    try index.database.commit()
    var expectedCount = 0
    for order in [PlaceOrder.name, .distance] {
      for filter in [
        PlaceFilter(nameContains: part, within: circle),
        PlaceFilter(nameContains: part, within: PlaceCircle(center: middle, radiusM: 1e8)),
      ] {
        guard let circle = filter.circle else { continue }
        var expected: [PlaceKey] = []
        for number in 0..<6_000 {
          let location = try #require(try index.location(id(number)))
          let point = try #require(location.point)
          let distanceM = Sphere.distanceM(circle.center, point)
          let folded = Text.folded(location.name)
          let isPart = part.isEmpty || folded.contains(part)
          guard isPart && distanceM <= circle.radiusM else { continue }
          expected.append(PlaceKey(id: id(number), name: location.name, distanceM: distanceM))
        }
        expected.sort { $0.precedes($1, in: order) }
        let numbers = try index.numbers(filter, by: order, limit: 400)
        #expect(numbers == expected.map { Int($0.id.low) }, "\(order) \(circle.radiusM)")
        expectedCount += expected.count
      }
    }
    #expect((expectedCount == 0) == ["q", "y", "zzy", "nowhere"].contains(part))
  }
}
