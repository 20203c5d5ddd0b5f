package import Model
package import Wire

extension Presence {
  /// What an entry of the check-in log has changed.
  package struct Move {
    package var person: Slot
    /// The same where somebody stays, to another end.
    package var from: Slot?
    package var to: Slot?
    package var reason: ChangeReason
    /// Since when the person was where the move began, and is where it ended.
    package var fromSinceMs: Int64
    package var sinceMs: Int64
  }

  /// Makes an entry of the check-in log be true here.
  /// - Returns: nil where it is about nobody.
  @discardableResult
  package func apply(_ entry: CheckInChange) -> Move? {
    guard let id = entry.profileID else { return nil }
    let person = person(id) ?? addPerson(id)
    let place = entry.toLocationID.map { self.place($0) ?? addPlace($0) }
    let old = stay(of: person)
    let stays = entry.reason == .renewed
    set(
      person,
      Stay(
        place: place, sinceMs: stays ? old.sinceMs : entry.timeMs,
        revision: stays ? old.revision : entry.revision, expireMs: entry.expireTimeMs))
    return Move(
      person: person, from: old.place, to: place, reason: entry.reason, fromSinceMs: old.sinceMs,
      sinceMs: entry.timeMs)
  }
}
