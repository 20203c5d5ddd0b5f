import Model
import Wire

/// The steps that handlers of methods consist of.
extension ServiceCore {
  /// Thrown where `at_least` asks for a state that has not come yet.
  struct NotThereYet: Error { var revisions: Revisions }

  /// The steps that every method has in common, in the order in which they decide the answer.
  func admit<Q: Message>(
    _ call: CallHandle, _ bytes: UnsafeRawBufferPointer, logs: LogSet, needsUser: (Q) -> Bool,
    check: (Q, inout Form) throws -> Void, _ now: Moment
  ) throws -> Q {
    let request = try read(call, bytes, check: check)
    try identify(call, needsUser: needsUser(request))
    try needState(calls[call].header.atLeast.only(logs))
    return request
  }

  /// The request, where its form is right.
  func read<Q: Message>(
    _ call: CallHandle, _ bytes: UnsafeRawBufferPointer, check: (Q, inout Form) throws -> Void
  ) throws -> Q {
    var violations = headerViolations
    let request: Q
    do {
      request = try decoder.decode(Q.self, from: bytes, violations: &violations)
    } catch {
      metrics.add(malformedRequests)
      throw Refusal(.malformedRequest, "The body is no \(Q.name).")
    }
    var form = Form(violations: violations)
    try check(request, &form)
    try form.throwIfAny()
    return request
  }

  /// - Throws: `NotThereYet`, where the logs have not come that far.
  func needState(_ wanted: Revisions) throws {
    let missing = wanted.beyond(service.revisions)
    if missing != Revisions() { throw NotThereYet(revisions: missing) }
  }

  /// Who is calling, and what the role may.
  func identify(_ call: CallHandle, needsUser: Bool) throws(Refusal) {
    let header = calls[call].header
    try checkStanding(of: call)
    guard let method = header.method else { return }
    if header.idempotencyKey != nil && header.actingUser.isEmpty
      && handlers[method]?.kind == .write
    {
      throw Refusal(.noIdentity, "An idempotency key needs a user; set acting_user.")
    }
    let caller = caller(of: call)
    if needsUser { _ = try caller.identified() }
    try Access.check(caller, mayCall: method)
  }

  package func caller(of call: CallHandle) -> Caller {
    let header = calls[call].header
    return Caller(
      user: header.actingUser,
      roles: header.actingRoles.isEmpty ? .all : header.actingRoles)
  }

  func context(_ call: CallHandle, _ now: Moment, key: WriteKey? = nil) -> CallContext {
    let inFlight = calls[call]
    return CallContext(
      caller: caller(of: call), now: now, method: inFlight.header.method ?? .getInfo,
      confirmed: inFlight.confirmed, unreachable: inFlight.unreachable,
      occupants: inFlight.occupants, key: key)
  }

  func writeKey(_ call: CallHandle, _ bytes: UnsafeRawBufferPointer) throws -> WriteKey? {
    let header = calls[call].header
    guard let key = header.idempotencyKey, let method = header.method else { return nil }
    return WriteKey(
      key: Fingerprint.key(user: header.actingUser, key: key, secret: secret),
      request: Fingerprint.request(method: method, body: bytes, secret: secret))
  }

  /// The response that was given to the key before.
  func keptResponse<P: Message>(
    _ key: WriteKey?, isVoid: ((P) throws -> Bool)?
  ) throws -> KeptResponse? {
    guard let key else { return nil }
    let own = try service.keptResponse(key)
    guard let kept = try own ?? keptResponses?.find(key.key) else { return nil }
    guard kept.request == key.request else {
      throw Refusal(
        .idempotencyKeyReused, "This idempotency key belongs to a call with another body.")
    }
    let isGone = try kept.body?.withUnsafeBytes { bytes in
      var violations: [FieldViolation] = []
      return try isVoid?(decoder.decode(P.self, from: bytes, violations: &violations)) ?? false
    }
    guard isGone == false else {
      throw Refusal(.profileNotFound, "The profile that this call was about has been deleted.")
    }
    return kept
  }

  func keep<P: Message>(_ response: P, _ asOf: Revisions, _ context: CallContext) throws {
    guard let key = context.key, !context.isKeptInLog else { return }
    lastKeptMs = max(lastKeptMs, context.now.wallMs)
    try keptResponses?.keep(
      KeptResponse(request: key.request, asOf: asOf, body: encoder.bytes(response)),
      key: key.key, telling: context.tellsOf, timeMs: lastKeptMs)
  }
}
