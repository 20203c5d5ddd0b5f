import Model
import ServiceKit
import Wire

/// Counts and status: read from the view, at memory speed, without a profile.
extension GatewayService {
  func registerState(_ handlers: inout Handlers) {
    handlers.readLater(
      .getCounts, of: .checkIns, check: { try CountsPage.check($0, &$1) }, getCounts)
    handlers.readLater(
      .getStatus, of: [.checkIns, .profiles], needsUser: { $0.profileID == nil }
    ) { [unowned self] (request: GetStatusRequest, core, call, context) in
      try needCertainty()
      // Whose a profile is the check-in service knows; and who is not in the view may still exist.
      guard context.caller.mayActAs(.atDesk), let id = request.profileID,
        let slot = presence.person(id), !isDeleted(id)
      else { return try core.forward(call, to: .checkIns, context.now) }
      let person = presence[person: slot]
      let status = CheckInStatus(
        profileID: id, state: person.place == nil ? .checkedOut : .checkedIn,
        locationID: person.place.map { presence.id(ofPlace: $0) }, sinceMs: person.sinceMs,
        expireTimeMs: person.place == nil ? 0 : person.expireMs, revision: person.revision)
      core.reply(
        call, GetStatusResponse(status: status), asOf: revisions.only(.checkIns), context.now)
    }
  }

  private func getCounts(
    _ request: GetCountsRequest, _ core: ServiceCore, _ call: CallHandle,
    _ context: inout CallContext
  ) throws {
    try needCertainty()
    let asOf = revisions.only(.checkIns)
    guard CountsPage.isWhole(request, presence) else {
      return core.reply(
        call, try CountsPage.read(request, presence), asOf: asOf, context.now)
    }
    if kept.counts == nil { kept.keepCounts(CountsPage.whole(presence, core.encoder)) }
    if let counts = kept.counts { core.reply(call, sharing: counts, asOf: asOf, context.now) }
  }

  /// What is asked is known now, or the answer is that it cannot be.
  func needCertainty() throws(Refusal) {
    try needState(of: [.checkIns])
    guard isReachable(.checkIns) else {
      throw Refusal(
        .serviceUnreachable, "check-ins cannot be reached now, so this is not known.",
        retryAfterMs: 1_000)
    }
  }
}
