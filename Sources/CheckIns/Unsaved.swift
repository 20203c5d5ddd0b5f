import Model

/// The people and places of whom the stored snapshot does not have yet how things stand. The
/// snapshot moves forward in rounds: a round writes all that had changed when it began, a piece at
/// a time, and then the snapshot holds at the revision at which the round began. What changes
/// meanwhile belongs to the next round.
struct Unsaved {
  private var people = ChangedSlots()
  private var places = ChangedSlots()
  private var roundRevision: UInt64?

  var count: Int { people.count + places.count }

  mutating func add(person: Presence.Slot) { people.add(person) }
  mutating func add(place: Presence.Slot) { places.add(place) }

  /// The next ones to write.
  /// - Parameter revision: how far the log has come, should a round begin.
  mutating func take(
    _ count: Int, at revision: UInt64
  ) -> (people: [Presence.Slot], places: [Presence.Slot]) {
    if roundRevision == nil, self.count > 0 {
      people.beginRound()
      places.beginRound()
      roundRevision = revision
    }
    let people = people.take(count)
    return (people, places.take(count - people.count))
  }

  /// The revision at which the snapshot holds now, where a round has just ended.
  mutating func finishRound() -> UInt64? {
    guard people.isRoundDone, places.isRoundDone, let revision = roundRevision else { return nil }
    roundRevision = nil
    return revision
  }
}

/// Slots that have changed: those that the round has still to write, and those of the next one.
/// Sets of bits, taken in the order of the slots: neighbours share a page, which is then found and
/// written once.
private struct ChangedSlots {
  private var current = SlotSet()
  private var next = SlotSet()
  /// Below this word the round has nothing left.
  private var firstWord = 0

  var count: Int { current.count + next.count }
  var isRoundDone: Bool { current.count == 0 }

  mutating func add(_ slot: Presence.Slot) { next.insert(Int(slot)) }

  mutating func beginRound() {
    swap(&current, &next)
    firstWord = 0
  }

  mutating func take(_ count: Int) -> [Presence.Slot] {
    var taken: [Presence.Slot] = []
    while current.count > 0, taken.count < count {
      if let slot = current.removeFirst(inWord: firstWord) {
        taken.append(Presence.Slot(slot))
      } else {
        firstWord += 1
      }
    }
    return taken
  }
}

/// A set of small numbers, one bit for each.
private struct SlotSet {
  private var words: [UInt64] = []
  private(set) var count = 0

  mutating func insert(_ number: Int) {
    let word = number / 64
    if word >= words.count {
      words += Array(repeating: 0, count: max(word + 1 - words.count, words.count))
    }
    let bit: UInt64 = 1 << UInt64(number % 64)
    guard words[word] & bit == 0 else { return }
    words[word] |= bit
    count += 1
  }

  /// The smallest number of a word, which is not in the set any more; nil: the word has none.
  mutating func removeFirst(inWord word: Int) -> Int? {
    guard words[word] != 0 else { return nil }
    let bit = words[word].trailingZeroBitCount
    words[word] &= words[word] - 1
    count -= 1
    return word * 64 + bit
  }
}
