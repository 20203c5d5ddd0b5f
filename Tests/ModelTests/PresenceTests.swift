import Model
import Testing

@Suite struct PresenceTests {
  @Test("E2, C1, C2: after any moves counts equal lists, and everybody is at one place at most")
  func randomMoves() {
    var random = SystemRandomNumberGenerator()
    let seed = UInt64.random(in: .min ... .max, using: &random)
    var generator = SeededGenerator(state: seed)
    let presence = Presence()
    // The same, but that lists are made at the end.
    let loaded = Presence(isLoading: true)
    for person in 0..<40 { _ = loaded.addPerson(ID(high: 1, low: UInt64(person))) }
    for place in 0..<6 { _ = loaded.addPlace(ID(high: 2, low: UInt64(place))) }
    let people = (0..<40).map { presence.addPerson(ID(high: 1, low: UInt64($0))) }
    let places = (0..<6).map { presence.addPlace(ID(high: 2, low: UInt64($0))) }
    var model: [Presence.Slot: Presence.Stay] = [:]
    var timeMs: Int64 = 1_000
    for revision in 1...2_000 {
      timeMs += Int64(Int.random(in: 0...1, using: &generator))
      let person = people.randomElement(using: &generator) ?? 0
      let isOut = Int.random(in: 0..<4, using: &generator) == 0
      let stay = Presence.Stay(
        place: isOut ? nil : places.randomElement(using: &generator), sinceMs: timeMs,
        revision: UInt64(revision), expireMs: 0)
      presence.set(person, stay)
      loaded.set(person, stay)
      model[person] = stay
      for place in places {
        let expected = model.filter { $0.value.place == place }
          .sorted {
            ($0.value.sinceMs, presence[person: $0.key].id)
              < ($1.value.sinceMs, presence[person: $1.key].id)
          }.map(\.key)
        #expect(presence.members(ofPlace: place) == expected, "seed \(seed)")
      }
      let occupied = places.filter { place in model.values.contains { $0.place == place } }
      #expect(presence.occupied == occupied, "seed \(seed)")
      #expect(presence.total == model.values.filter { $0.place != nil }.count, "seed \(seed)")
    }
    loaded.finishLoading()
    #expect(loaded.occupied == presence.occupied && loaded.total == presence.total)
    for place in places {
      let members = loaded.members(ofPlace: place)
      #expect(members == presence.members(ofPlace: place), "seed \(seed)")
    }
  }

  @Test("D1: the list begins anew behind any of its positions")
  func paging() {
    let presence = Presence()
    let place = presence.addPlace(ID(high: 9, low: 9))
    for number in 0..<10 {
      let person = presence.addPerson(ID(high: 0, low: UInt64(9 - number)))
      presence.set(
        person,
        Presence.Stay(
          place: place, sinceMs: Int64(number / 2), revision: UInt64(number + 1), expireMs: 0))
    }
    let members = presence.members(ofPlace: place)
    for (position, member) in members.enumerated() {
      let person = presence[person: member]
      #expect(presence.rank(after: person.sinceMs, person.id, at: place) == position + 1)
    }
  }
}

/// SplitMix64 (Steele, Lea and Flood, 2014): the same numbers from the same seed.
struct SeededGenerator: RandomNumberGenerator {
  var state: UInt64

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }
}
