/// Attempts that no answer came to, by their ids. Those are given out in order and mostly answered
/// soon, so each has a place in a ring; one that is still there when the ring comes round moves
/// aside.
struct AttemptTable {
  private var ring: [(id: UInt64, call: PendingCall)?] = Array(repeating: nil, count: 4_096)
  private var late: [UInt64: PendingCall] = [:]

  private func place(_ id: UInt64) -> Int { Int(id & UInt64(ring.count - 1)) }

  mutating func add(_ call: PendingCall, id: UInt64) {
    let place = place(id)
    if let old = ring[place] { late[old.id] = old.call }
    ring[place] = (id, call)
  }

  /// The call of an attempt, which is over now; nil: there is none.
  @discardableResult
  mutating func remove(_ id: UInt64) -> PendingCall? {
    let place = place(id)
    if let found = ring[place], found.id == id {
      ring[place] = nil
      return found.call
    }
    return late.isEmpty ? nil : late.removeValue(forKey: id)
  }

  /// All of them, in the order in which they were sent.
  var all: [(id: UInt64, call: PendingCall)] {
    (ring.compactMap { $0 } + late.map { ($0.key, $0.value) }).sorted { $0.id < $1.id }
  }
}

/// The ids of a call's attempts that no answer came to: nearly always one.
struct AttemptIDs {
  private var latest: UInt64?
  private var earlier: [UInt64] = []

  var isEmpty: Bool { latest == nil && earlier.isEmpty }
  var all: [UInt64] { earlier + (latest.map { [$0] } ?? []) }

  mutating func append(_ id: UInt64) {
    if let latest { earlier.append(latest) }
    latest = id
  }

  mutating func remove(_ id: UInt64) {
    if latest == id { latest = nil } else { earlier.removeAll { $0 == id } }
  }
}
