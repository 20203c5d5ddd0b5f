import Testing
import Wire

@testable import Places

@Suite("Searching by name")
struct NameSearchTests {
  @Test(
    "Letter case, accents and compatibility forms are put aside on both sides",
    arguments: [
      ("Zürich", "zurich", true), ("Zurich", "ZÜRICH", true), ("İstanbul", "istanbul", true),
      ("Istanbul", "İST", true), ("한국", "한", true), ("한국", "국", true),
      ("한국", "중", false), ("ﬁnish line", "fin", true), ("Finish", "ﬁ", true),
      ("Straße", "STRASSE", true), ("Ｃａｆé", "cafe", true), ("Łódź", "lod", false),
      ("Łódź", "łodz", true), ("Νέα Σμύρνη", "σμυρνη", true),
      ("Αθήνας", "ΑΘΗΝΑΣ", true),
      ("ᾳ", "α", true), ("Ἅιδης ᾄδει", "αδει", true), ("ᾳ", "αι", false),
      ("☕️ bar", "☕", true), ("a\"b OR c", "\"b OR", true), ("100%", "0%", true),
      ("100", "1%0", false), ("ab", "abc", false), ("ab", "ab", true), ("a", "a", true),
      ("a", "A", true), ("a*b", "a*", true), ("ab", "a*", false), ("東京駅", "京", true),
      ("東京駅", "京駅", true), ("東京駅", "東京駅", true), ("x", "", true),
      ("the old mill by the river", "old mill by the riv", true),
      ("the river by the old mill", "old mill by the riv", false),
    ])
  func folding(name: String, part: String, isFound: Bool) throws {
    let index = try makeIndex()
    try index.put(place(1, name))
    #expect(try index.numbers(PlaceFilter(nameContains: part)) == (isFound ? [1] : []))
  }

  /// More places than are gathered, so that each way to a page is taken.
  @Test("Every way finds the same: a part of any length, rare and common, by name and by distance")
  func allWays() throws {
    let index = try makeIndex()
    let middle = GeoPoint(latitude: 50, longitude: 0)
    var all: [(key: PlaceKey, folded: String)] = []
    try index.database.begin()
    for number in 0..<6_000 {
      // Rare ones last, where a walk comes latest.
      let name = number % 1_000 == 999 ? "zz Top \(number)" : "Gate \(number)"
      let offset = Double(number % 60) / 100 * (number % 2 == 0 ? 1 : -1)
      let point = GeoPoint(latitude: 50, longitude: offset)
      try index.put(place(number, name, point))
      let distanceM = Sphere.distanceM(middle, point)
      all.append((PlaceKey(id: id(number), name: name, distanceM: distanceM), Text.folded(name)))
    }
    try index.database.commit()
    for part in [
      "", "e", "q", "ga", "zz", "y", "gat", "gate 1", "zzy", "zz top", "9", "99", "nowhere",
    ] {
      for (order, radiusM) in [
        (PlaceOrder.name, 20_000), (.name, 1e8), (.distance, 20_000), (.distance, 1e8),
      ] {
        let circle = PlaceCircle(center: middle, radiusM: radiusM)
        let matching = all.filter {
          $0.key.distanceM <= radiusM && (part.isEmpty || $0.folded.contains(part))
        }
        let expected = matching.map(\.key).sorted { $0.precedes($1, in: order) }
        let numbers = try index.numbers(
          PlaceFilter(nameContains: part, within: circle), by: order, limit: 400)
        #expect(numbers == expected.map { Int($0.id.low) }, "\(part) by \(order), \(radiusM) m")
        if radiusM == 1e8 {
          #expect(expected.isEmpty == ["q", "y", "zzy", "nowhere"].contains(part))
        }
      }
    }
  }
}
