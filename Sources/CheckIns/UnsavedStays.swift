import Model

/// The people whose stay the stored snapshot does not have yet. The snapshot moves forward in
/// rounds: a round writes all that had changed when it began, a piece at a time, and then the
/// snapshot holds at the revision at which the round began. What changes meanwhile belongs to the
/// next round.
struct UnsavedStays {
  private var current: [Presence.Slot] = []
  private var roundRevision: UInt64?
  private var next: [Presence.Slot] = []
  /// Who is in `next`, by slot: each write asks, and a hash would cost more than the rest.
  private var isInNext: [Bool] = []

  var count: Int { current.count + next.count }

  mutating func add(_ person: Presence.Slot) {
    let index = Int(person)
    if index >= isInNext.count {
      isInNext += Array(repeating: false, count: max(index + 1 - isInNext.count, isInNext.count))
    }
    if isInNext[index] { return }
    isInNext[index] = true
    next.append(person)
  }

  /// The next ones to write.
  /// - Parameter revision: how far the log has come, should a round begin.
  mutating func take(_ count: Int, at revision: UInt64) -> ArraySlice<Presence.Slot> {
    if roundRevision == nil {
      guard !next.isEmpty else { return [] }
      swap(&current, &next)
      for person in current { isInNext[Int(person)] = false }
      roundRevision = revision
    }
    let taken = current.suffix(count)
    current.removeLast(taken.count)
    return taken
  }

  /// The revision at which the snapshot holds now, where a round has just ended.
  mutating func finishRound() -> UInt64? {
    guard current.isEmpty, let revision = roundRevision else { return nil }
    roundRevision = nil
    return revision
  }
}
