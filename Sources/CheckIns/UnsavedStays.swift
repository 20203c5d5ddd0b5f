import Model

/// The people whose stay the stored snapshot does not have yet. The snapshot moves forward in
/// rounds: a round writes all that had changed when it began, a piece at a time, and then the
/// snapshot holds at the revision at which the round began. What changes meanwhile belongs to the
/// next round.
struct UnsavedStays {
  private var current: [Presence.Slot] = []
  private var roundRevision: UInt64?
  private var next: Set<Presence.Slot> = []

  var count: Int { current.count + next.count }

  mutating func add(_ person: Presence.Slot) { next.insert(person) }

  /// The next ones to write.
  /// - Parameter revision: how far the log has come, should a round begin.
  mutating func take(_ count: Int, at revision: UInt64) -> ArraySlice<Presence.Slot> {
    if roundRevision == nil {
      guard !next.isEmpty else { return [] }
      current = Array(next)
      next = []
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
