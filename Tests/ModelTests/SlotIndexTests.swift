import Testing

@testable import Model

@Suite("Finding slots by a hash") struct SlotIndexTests {
  @Test("after any adding and removing everybody is found who is there, and nobody else")
  func random() {
    // Few different hashes, so that runs are long, cross the end and are torn.
    for bits in [2, 5, 40] as [UInt64] {
      var random = SeededNumbers(state: bits)
      var index = SlotIndex()
      var there: [Presence.Slot: UInt64] = [:]
      for step in 0..<4_000 {
        let slot = Presence.Slot(random.next() % 300)
        let hash = (UInt64(slot) &* 0x9E37_79B9_7F4A_7C15) << (64 - bits)
        if there[slot] != nil || step > 3_500 {
          index.remove(slot, hash)
          there[slot] = nil
        } else {
          index.add(slot, hash)
          there[slot] = hash
        }
        #expect(index.count == there.count)
        if step % 50 == 0 {
          for slot in 0..<300 as Range<Presence.Slot> {
            let hash = (UInt64(slot) &* 0x9E37_79B9_7F4A_7C15) << (64 - bits)
            #expect(index.find(hash) { $0 == slot } == (there[slot] == nil ? nil : slot))
          }
        }
      }
    }
  }

  @Test("ids that differ in one half only, or count up, spread")
  func spread() {
    for ids in [
      (0..<10_000).map { ID(high: 7, low: $0) }, (0..<10_000).map { ID(high: $0, low: 7) },
      (0..<10_000).map { ID(high: 7, low: $0 << 40) },
    ] {
      let homes = Set(ids.map { $0.slotHash >> 32 & 0x7FFF })
      // Thrown at random 10 000 meet some 8 600 of 32 768.
      #expect(homes.count > 8_000)
    }
  }
}

/// SplitMix64 (Steele, Lea, Flood 2014).
private struct SeededNumbers {
  var state: UInt64

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var value = state
    value = (value ^ (value >> 30)) &* 0xBF58_476D_1CE4_E5B9
    value = (value ^ (value >> 27)) &* 0x94D0_49BB_1331_11EB
    return value ^ (value >> 31)
  }
}
