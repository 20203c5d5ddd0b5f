import Model
package import ServiceKit
import Wire

/// Writes with an idempotency key, which have one effect and one response however often they come.
extension CheckInService {
  /// A check-in or check-out is told again from its entry in the log, or, where it changed nothing,
  /// from how things stood.
  package func keptResponse(_ key: WriteKey) throws -> KeptResponse? {
    switch keys.use(of: key) {
    case .entry(let revision):
      guard let entry = try store.history.entry(revision), let kept = entry.key,
        kept.key == key.key
      else { return nil }
      let stay = Presence.Stay(
        place: entry.to, sinceMs: entry.timeMs, revision: revision, expireMs: entry.expireMs)
      return response(
        to: kept, of: entry.person, stay, from: entry.from, asOf: revision, changed: true)
    case .unchanged(let number):
      guard let write = try store.unchanged(number), write.key.key == key.key else { return nil }
      return response(
        to: write.key, of: write.person, write.stay, from: write.stay.place,
        asOf: write.asOf, changed: false)
    case nil: return nil
    }
  }

  private func response(
    to key: WriteKey, of person: Presence.Slot, _ stay: Presence.Stay, from: Presence.Slot?,
    asOf revision: UInt64, changed: Bool
  ) -> KeptResponse {
    let asOf = Revisions(checkIns: revision)
    guard userOfPerson[Int(person)] != nil else {
      return KeptResponse(request: key.request, asOf: asOf, body: nil)
    }
    let status = CheckInStatus(
      profileID: presence[person: person].id,
      state: stay.place == nil ? .checkedOut : .checkedIn,
      locationID: stay.place.map { presence.id(ofPlace: $0) }, sinceMs: stay.sinceMs,
      expireTimeMs: stay.place == nil ? 0 : stay.expireMs, revision: stay.revision)
    let previous = from.map { presence.id(ofPlace: $0) }
    let encoder = Encoder()
    let body =
      stay.place == nil
      ? encoder.bytes(
        CheckOutResponse(status: status, previousLocationID: previous, changed: changed))
      : encoder.bytes(
        CheckInResponse(status: status, previousLocationID: previous, changed: changed))
    return KeptResponse(request: key.request, asOf: asOf, body: body)
  }
}
