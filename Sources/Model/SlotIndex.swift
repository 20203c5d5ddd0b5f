/// Finds slots by a hash of what they stand for: open addressing with linear probing (Knuth, The
/// Art of Computer Programming, volume 3, section 6.4). It keeps neither keys nor values, so a
/// million take 16 MiB, and whoever asks compares with what the slot says.
package struct SlotIndex {
  /// The upper half of a hash, and below it a slot + 1; 0: nothing.
  private var entries: [UInt64] = [0, 0, 0, 0]
  package private(set) var count = 0
  private var mask: Int { entries.count - 1 }

  package init() {}

  /// Makes room, where it is known how many will come.
  package mutating func reserve(_ count: Int) {
    var size = entries.count
    while size < 2 * count { size *= 2 }
    if size > entries.count { grow(to: size) }
  }

  /// The slot of this hash that is the one that is meant.
  package func find(_ hash: UInt64, where isMeant: (Presence.Slot) -> Bool) -> Presence.Slot? {
    position(hash, where: isMeant).map { slot(at: $0) }
  }

  /// Adds a slot that is not there yet.
  package mutating func add(_ slot: Presence.Slot, _ hash: UInt64) {
    if 2 * (count + 1) > entries.count { grow(to: 2 * entries.count) }
    insert(hash & ~0xFFFF_FFFF | UInt64(slot) + 1)
    count += 1
  }

  /// Removes a slot, if it is there.
  package mutating func remove(_ slot: Presence.Slot, _ hash: UInt64) {
    guard var free = position(hash, where: { $0 == slot }) else { return }
    count -= 1
    // What follows in the same run moves up, unless that is before where it belongs.
    var next = free
    while true {
      next = (next + 1) & mask
      let entry = entries[next]
      guard entry != 0 else { break }
      if (next - home(entry)) & mask >= (next - free) & mask {
        entries[free] = entry
        free = next
      }
    }
    entries[free] = 0
  }

  private func position(_ hash: UInt64, where isMeant: (Presence.Slot) -> Bool) -> Int? {
    var position = home(hash)
    while entries[position] != 0 {
      if entries[position] >> 32 == hash >> 32, isMeant(slot(at: position)) { return position }
      position = (position + 1) & mask
    }
    return nil
  }

  private func slot(at position: Int) -> Presence.Slot {
    Presence.Slot(truncatingIfNeeded: entries[position] & 0xFFFF_FFFF) - 1
  }

  /// Where an entry would stand in an empty table.
  private func home(_ entry: UInt64) -> Int { Int(entry >> 32) & mask }

  private mutating func insert(_ entry: UInt64) {
    var position = home(entry)
    while entries[position] != 0 { position = (position + 1) & mask }
    entries[position] = entry
  }

  private mutating func grow(to size: Int) {
    let old = entries
    entries = Array(repeating: 0, count: size)
    for entry in old where entry != 0 { insert(entry) }
  }
}

extension ID {
  /// For a `SlotIndex`.
  var slotHash: UInt64 { high.slotHash(with: low) }
}

extension UInt64 {
  /// For a `SlotIndex`: what differs in two numbers is mixed into the upper half.
  package func slotHash(with other: UInt64) -> UInt64 {
    let both = self ^ other &* 0x9E37_79B9_7F4A_7C15
    let mixed = (both ^ both >> 32) &* 0xBF58_476D_1CE4_E5B9
    return mixed ^ mixed << 32
  }
}
