import Model
import ServiceKit
import Wire

extension CheckInService {
  func registerWrites(_ handlers: inout Handlers) {
    handlers.write(
      .checkIn, of: .all, needsUser: { $0.profileID == nil },
      check: { (request: CheckInRequest, form) in
        form.needed("location_id", request.locationID)
        Self.check(request.expect, &form)
      }, isVoid: { [unowned self] in try isGone($0.status) }, checkIn)
    handlers.write(
      .checkOut, of: [.checkIns, .profiles], needsUser: { $0.profileID == nil },
      check: { (request: CheckOutRequest, form) in Self.check(request.expect, &form) }, checkOut)
    handlers.write(
      .batchCheckIn, of: .all, check: Self.checkBatch,
      isVoid: { [unowned self] in try $0.outcomes.contains { try isGone($0.status) } },
      batchCheckIn)
    handlers.write(
      .checkOutEveryone, of: [.checkIns, .locations],
      check: { (request: CheckOutEveryoneRequest, form) in
        form.needed("location_id", request.locationID)
      }, checkOutEveryone)
  }

  /// Whether it tells of somebody who has been deleted. A kept response has ids and no names, as
  /// the log has, and so it is enough to ask when it is to be given again: an index of everybody
  /// in every batch would be a page of the disk for each of them.
  private func isGone(_ status: CheckInStatus?) throws -> Bool {
    guard let status, let id = status.profileID else { return false }
    guard let person = presence.person(id) else { return true }
    // After a restore an id may stand for somebody new.
    return try store.history.entry(status.revision).map { $0.person != person } ?? false
  }

  private static func check(_ expectation: Expectation?, _ form: inout Form) {
    guard let expectation else { return }
    switch expectation.what {
    case nil: form.refuse("expect", "Says nothing; name what must hold, or leave it out.")
    case .checkedOut(false):
      form.refuse(
        "expect.checked_out", "Must be true; to expect somebody somewhere, name the place.")
    case .locationID, .checkedOut, .revision: break
    }
  }

  // MARK: - One profile

  private func checkIn(
    _ request: CheckInRequest, _ context: inout CallContext
  ) throws -> CheckInResponse {
    let person = try person(request.profileID, context)
    let place = try place(request.locationID, context)
    try check(request.expect, person) { CheckInResponse(status: $0, previousLocationID: $1) }
    return try move(person, to: place, ttlS: request.ttlS, &context)
  }

  /// Arrives, or stays with another end.
  private func move(
    _ person: Presence.Slot, to place: Presence.Slot, ttlS: UInt32, _ context: inout CallContext
  ) throws -> CheckInResponse {
    let before = presence.stay(of: person)
    let previous = before.place.map { presence.id(ofPlace: $0) }
    let user = context.caller.user
    guard before.place != place else {
      let expireMs = end(ttlS, context.now)
      if ttlS != 0 && expireMs != before.expireMs {
        try change(person, to: place, .renewed, by: user, expireMs: expireMs, at: context.now)
      } else {
        try keepUnchanged(person, &context)
      }
      context.asOf = Revisions(checkIns: lastRevision)
      return CheckInResponse(
        status: status(of: person), previousLocationID: previous, changed: false)
    }
    let capacity = capacities[Int(place)]
    guard capacity == 0 || presence.count(place) < Int(capacity) else {
      let most = capacity == 1 ? "1 person fits" : "\(capacity) people fit"
      throw Refusal(.locationFull, "The place is full: \(most).")
    }
    context.isKeptInLog = true
    try change(
      person, to: place, .requested, by: user, expireMs: end(ttlS, context.now), key: context.key,
      at: context.now)
    context.asOf = Revisions(checkIns: lastRevision)
    return CheckInResponse(status: status(of: person), previousLocationID: previous, changed: true)
  }

  private func checkOut(
    _ request: CheckOutRequest, _ context: inout CallContext
  ) throws -> CheckOutResponse {
    let person = try person(request.profileID, context)
    try check(request.expect, person) { CheckOutResponse(status: $0, previousLocationID: $1) }
    return try leave(person, &context)
  }

  private func leave(
    _ person: Presence.Slot, _ context: inout CallContext
  ) throws -> CheckOutResponse {
    let previous = presence.stay(of: person).place.map { presence.id(ofPlace: $0) }
    if previous == nil {
      try keepUnchanged(person, &context)
    } else {
      context.isKeptInLog = true
      try change(
        person, to: nil, .requested, by: context.caller.user, key: context.key, at: context.now)
    }
    context.asOf = Revisions(checkIns: lastRevision)
    return CheckOutResponse(
      status: status(of: person), previousLocationID: previous, changed: previous != nil)
  }

  /// Nothing is changed, and with a key that is remembered.
  private func keepUnchanged(_ person: Presence.Slot, _ context: inout CallContext) throws {
    context.isKeptInLog = true
    if let key = context.key { try keep(unchanged: person, key, at: context.now) }
  }

  /// - Throws: `STATUS_CHANGED`, with what holds.
  private func check<P: Message>(
    _ expectation: Expectation?, _ person: Presence.Slot, _ body: (CheckInStatus, ID?) -> P
  ) throws {
    guard let what = expectation?.what else { return }
    let stay = presence.stay(of: person)
    let place = stay.place.map { presence.id(ofPlace: $0) }
    let holds =
      switch what {
      case .locationID(let id): place == id
      case .checkedOut: place == nil
      case .revision(let revision): stay.revision == revision
      }
    guard !holds else { return }
    var refusal = Refusal(.statusChanged, "Something else is true by now; the response says what.")
    refusal.body = Encoder().bytes(body(status(of: person), place))
    throw refusal
  }

  /// When a stay that begins now ends; 0: never.
  private func end(_ ttlS: UInt32, _ now: Moment) -> Int64 {
    let ttlS = ttlS == 0 ? settings.ttlS : ttlS
    return ttlS == 0 || ttlS == Limits.endlessTtlS ? 0 : now.wallMs + Int64(ttlS) * 1_000
  }

  // MARK: - Many

  private static func checkBatch(_ request: BatchCheckInRequest, _ form: inout Form) throws {
    if request.items.count > Limits.batchItems {
      form.refuse("items", "At most \(Limits.batchItems) at once.")
    }
  }

  private func batchCheckIn(
    _ request: BatchCheckInRequest, _ context: inout CallContext
  ) throws -> BatchCheckInResponse {
    // Before anything is changed, every id is either known or known not to exist.
    for item in request.items {
      let isNew = item.profileID.map { presence.person($0) == nil } ?? false
      if isNew && context.canAsk(.profiles) { throw CatchUp(.profiles) }
      let isNewPlace = item.locationID.map { presence.place($0) == nil } ?? false
      if isNewPlace && context.canAsk(.locations) { throw CatchUp(.locations) }
    }
    var outcomes: [BatchCheckInOutcome] = []
    for (index, item) in request.items.enumerated() {
      do {
        outcomes.append(try outcome(of: item, index, &context))
      } catch let refusal as Refusal {
        outcomes.append(BatchCheckInOutcome(error: refusal.status))
      }
    }
    // The response is kept whole: it is more than one entry of the log tells.
    context.isKeptInLog = false
    context.asOf = Revisions(checkIns: lastRevision)
    return BatchCheckInResponse(outcomes: outcomes)
  }

  private func outcome(
    of item: BatchCheckInItem, _ index: Int, _ context: inout CallContext
  ) throws -> BatchCheckInOutcome {
    guard item.violations.isEmpty else { throw Refusal(violations: item.violations) }
    guard let id = item.profileID else {
      throw Refusal(violations: [
        FieldViolation(field: "items[\(index)].profile_id", description: "Must be given.")
      ])
    }
    let key = context.key
    context.key = nil
    defer { context.key = key }
    let person = try person(id, context)
    guard let location = item.locationID else {
      let left = try leave(person, &context)
      return BatchCheckInOutcome(
        status: left.status, previousLocationID: left.previousLocationID, changed: left.changed)
    }
    let arrived = try move(
      person, to: try place(location, context), ttlS: item.ttlS, &context)
    return BatchCheckInOutcome(
      status: arrived.status, previousLocationID: arrived.previousLocationID,
      changed: arrived.changed)
  }

  private func checkOutEveryone(
    _ request: CheckOutEveryoneRequest, _ context: inout CallContext
  ) throws -> CheckOutEveryoneResponse {
    let place = try place(request.locationID, context)
    let members = presence.members(ofPlace: place)
    // The last ones first: what goes from the end of a list moves nobody.
    for person in members.reversed() {
      try change(person, to: nil, .everyoneOut, by: context.caller.user, at: context.now)
    }
    context.asOf = Revisions(checkIns: lastRevision)
    return CheckOutEveryoneResponse(checkedOut: UInt32(members.count))
  }

  // MARK: - Finding people and places

  /// The person with this profile, or the caller; who may be touched by the caller.
  func person(_ id: ID?, _ context: CallContext) throws -> Presence.Slot {
    guard let id else {
      let user = try context.caller.identified()
      guard let person = person(ofUser: user) else {
        try ask(.profiles, context)
        throw Refusal(.noProfile, "You have no profile yet; create one first.")
      }
      return person
    }
    guard let person = presence.person(id) else {
      try ask(.profiles, context)
      // What does not exist is not the caller's own either.
      try context.caller.check(mayTouchProfileOf: "", orAs: .atDesk)
      throw Refusal(.profileNotFound, "There is no profile \(id).")
    }
    let owner = userOfPerson[Int(person)] ?? ""
    try context.caller.check(mayTouchProfileOf: owner, orAs: .atDesk)
    return person
  }

  func place(_ id: ID?, _ context: CallContext) throws -> Presence.Slot {
    guard let id, let place = presence.place(id) else {
      try ask(.locations, context)
      throw Refusal(
        .locationNotFound, "There is no place \(id.map { "\($0)" } ?? "without an id").")
    }
    return place
  }

  /// What is not known here may be known to its owner: asks once.
  private func ask(_ log: LogName, _ context: CallContext) throws {
    if context.unreachable.contains(log) {
      throw Refusal(
        .serviceUnreachable, "\(log.text) cannot be asked now whether this exists.",
        retryAfterMs: 1_000)
    }
    if context.canAsk(log) { throw CatchUp(log) }
  }

  func status(of person: Presence.Slot) -> CheckInStatus {
    let known = presence[person: person]
    return CheckInStatus(
      profileID: known.id, state: known.place == nil ? .checkedOut : .checkedIn,
      locationID: known.place.map { presence.id(ofPlace: $0) }, sinceMs: known.sinceMs,
      expireTimeMs: known.place == nil ? 0 : known.expireMs, revision: known.revision)
  }
}
