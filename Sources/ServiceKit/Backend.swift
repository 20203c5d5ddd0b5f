package import ZeroMQ
import Model
package import Wire

/// A service behind this one: whether it can be reached, and how far its log is followed.
final class Backend {
  var follower: Follower
  /// Its socket is connected.
  var isConnected = false
  /// Since when it has been so, or has not, in monotonic microseconds.
  var changedUs: Int64
  /// The question after whose answer nothing is missing that the log had when it was connected.
  var connectedQuestion = 1
  /// What the service was told last.
  var wasReachable = false
  /// How much has been passed on to it since it last answered anything. Where it stands still, that
  /// waits in this process, longer than the calls that brought it.
  var unansweredByteCount = 0
  /// The stream of its questions about deletes is up, or asked for.
  var isAttended = false

  init(follower: Follower, changedUs: Int64) {
    self.follower = follower
    self.changedUs = changedUs
  }

  /// Not connected, and for longer than a start or a restart takes.
  func isGone(at now: Moment) -> Bool {
    !isConnected && now.monotonicUs - changedUs > Limits.attendanceGraceMs * 1_000
  }

  /// Connected, heard of lately (its feed speaks once a second), and nothing of its log is missing
  /// that it had when it was connected.
  func isReachable(at now: Moment) -> Bool {
    isConnected && follower.heardUs > now.monotonicUs - Limits.silentMs * 1_000
      && follower.confirmedQuestion >= connectedQuestion
  }
}

/// Following other logs, and calls to the services that own them.
extension ServiceCore {
  /// A connection to the owner of `log` is up: what was missed is read.
  package func connected(to log: LogName, at now: Moment) {
    guard let backend = backends[log] else { return }
    stir(now)
    backend.isConnected = true
    backend.changedUs = now.monotonicUs
    backend.unansweredByteCount = 0
    backend.connectedQuestion = backend.follower.nextQuestion
    self.log.info("connected", ["to": .text(log.text)])
    catchUp(log, backend, now)
    attend(log, now)
  }

  /// The feed of `log` comes from now on: what it told before is read.
  package func hears(_ log: LogName, at now: Moment) {
    guard let backend = backends[log] else { return }
    stir(now)
    catchUp(log, backend, now)
  }

  /// The connection is lost: calls under way fail at once.
  package func disconnected(from log: LogName, at now: Moment) {
    guard isConnected(to: log) else { return }
    stir(now)
    backends[log]?.isConnected = false
    backends[log]?.changedUs = now.monotonicUs
    attendanceEnded(log)
    backends[log]?.follower.failed()
    self.log.warning("connection lost", ["to": .text(log.text)])
    for purpose in pending.removeAll(where: { owner, _ in owner == log }) {
      fail(purpose, of: log, isLost: true, now)
    }
    tellReachability(log, now)
  }

  func unreachable(_ log: LogName) -> Refusal {
    Refusal(
      .serviceUnreachable, "\(log.text) cannot be reached now.", retryAfterMs: 1_000)
  }

  /// Whether a connection to the owner of `log` is up: before, nothing may be sent there.
  package func isConnected(to log: LogName) -> Bool { backends[log]?.isConnected ?? false }

  /// Whether the owner of `log` can be asked now.
  package func isReachable(_ log: LogName, at now: Moment) -> Bool {
    backends[log]?.isReachable(at: now) ?? false
  }

  private func tellReachability(_ log: LogName, _ now: Moment) {
    guard let backend = backends[log] else { return }
    let isReachable = backend.isReachable(at: now)
    guard isReachable != backend.wasReachable else { return }
    backends[log]?.wasReachable = isReachable
    service.backendChanged(log, isReachable: isReachable, at: now)
  }

  // MARK: - Calls to other services

  /// Makes a call. The closure gets the response, or nil where none comes in time.
  package func ask<Q: Message>(
    _ log: LogName, _ method: Method, _ request: Q, timeoutMs: Int, at now: Moment,
    then: @escaping (PendingResponse?) -> Void
  ) {
    if !ask(log, method, request, .other(then), timeoutMs: timeoutMs, now) { then(nil) }
  }

  /// For how long the caller of a call still waits; 0 where the call has ended.
  package func timeLeftMs(of call: CallHandle, at now: Moment) -> Int {
    guard calls.contains(call) else { return 0 }
    return Int(max(0, calls[call].deadlineUs - now.monotonicUs) / 1_000)
  }

  /// The body of a response that is a success; nil: it is none, or cannot be read.
  package func decode<P: Message>(_: P.Type, _ response: PendingResponse) -> P? {
    guard (response.header.status?.code ?? .ok) == .ok else { return nil }
    var violations: [FieldViolation] = []
    do {
      return try decoder.decode(P.self, from: response.body, violations: &violations)
    } catch {
      log.error("a response could not be read", ["error": .error(error)])
      return nil
    }
  }

  /// False: the service cannot be reached now.
  func ask<Q: Message>(
    _ log: LogName, _ method: Method, _ request: Q, _ purpose: PendingCalls.Purpose,
    timeoutMs: Int?, _ now: Moment
  ) -> Bool {
    guard isConnected(to: log) else { return false }
    let deadlineUs = timeoutMs.map { now.monotonicUs + Int64($0) * 1_000 } ?? .max
    let id = pending.add(purpose, to: log, deadlineUs: deadlineUs)
    let header = RequestHeader(id: id, method: method, timeoutMs: UInt32(timeoutMs ?? 0))
    encoder.encode(header) { headerFrame.allocate($0) }
    encoder.encode(request) { bodyFrame.allocate($0) }
    guard outlet.ask(log, header: headerFrame, body: bodyFrame) else {
      pending.remove(id)
      return false
    }
    return true
  }

  /// Passes a call on: its header rewritten, its body untouched.
  /// - Throws: `Refusal`, where the service cannot be reached.
  package func forward(
    _ call: CallHandle, to log: LogName, body: Frame? = nil, _ now: Moment
  ) throws {
    guard headerViolations.isEmpty else { return try forwardForm(call, to: log, now) }
    try checkStanding(of: call)
    guard let method = calls[call].header.method else { return }
    guard isConnected(to: log) else { throw unreachable(log) }
    try notePassedOn((body ?? runningBody).count, to: log)
    let leftMs = (calls[call].deadlineUs - now.monotonicUs) / 1_000
    let id = pending.add(
      .forwarded(call), to: log,
      deadlineUs: calls[call].deadlineUs + Limits.forwardMarginMs * 2_000)
    var header = calls[call].header
    header.id = id
    // Whoever carries it out says in time that it could not.
    header.timeoutMs = UInt32(max(1, leftMs - min(Limits.forwardMarginMs, leftMs / 10)))
    encoder.encode(header) { headerFrame.allocate($0) }
    guard outlet.ask(log, header: headerFrame, body: body ?? runningBody) else {
      pending.remove(id)
      throw unreachable(log)
    }
    calls[call].isUnderWay = method.isWrite
  }

  /// Counts what is passed on to the owner of `log`.
  /// - Throws: `OVERLOADED`, where too much waits for it.
  func notePassedOn(_ bodyByteCount: Int, to log: LogName) throws(Refusal) {
    let byteCount = (backends[log]?.unansweredByteCount ?? 0) + bodyByteCount + 512
    guard byteCount <= Limits.unansweredBytes else {
      throw Refusal(
        .overloaded, "\(log.text) answers nothing, and much waits for it.", retryAfterMs: 1_000)
    }
    backends[log]?.unansweredByteCount = byteCount
  }

  /// Takes a response of the owner of `log`. The content of `body` may be taken.
  package func receive(
    from log: LogName, header bytes: UnsafeRawBufferPointer, body: Frame, at now: Moment
  ) {
    var violations: [FieldViolation] = []
    guard
      let header = try? decoder.decode(ResponseHeader.self, from: bytes, violations: &violations)
    else {
      self.log.error("a response could not be read", ["from": .text(log.text)])
      metrics.add(malformedResponses)
      return
    }
    backends[log]?.unansweredByteCount = 0
    guard let purpose = pending.purpose(of: header.id) else {
      metrics.add(lateResponses)
      return
    }
    stir(now)
    if !header.more { pending.remove(header.id) }
    // It is this process's key that the service no longer allows, and not the caller's: what is
    // known of the log grows old as if the service said nothing.
    let isRevoked = header.status?.reason == Reason.keyRevoked.rawValue
    if !isRevoked { backends[log]?.follower.heard(at: now) }
    switch purpose {
    case .forwarded(let call):
      guard calls.contains(call) else { return metrics.add(lateResponses) }
      if isRevoked { return refuse(call, unreachable(log), now) }
      service.forwarded(calls[call].header, header, connection: calls[call].connection)
      pass(call, header, body, now)
    case .follower: receiveForFollower(log, header, body.bytes, now)
    case .attendance: receiveQuestion(log, header, body.bytes, now)
    case .other(let then): then(PendingResponse(header: header, body: body.bytes))
    }
    tellReachability(log, now)
  }

  /// A call to another service that came to nothing.
  private func fail(
    _ purpose: PendingCalls.Purpose, of log: LogName, isLost: Bool, _ now: Moment
  ) {
    switch purpose {
    case .forwarded(let call):
      // Where time is up, the call's own end comes in the same sweep.
      guard isLost, calls.contains(call) else { return }
      let refusal =
        calls[call].isUnderWay
        ? Refusal(
          .outcomeUnknown, "\(log.text) was lost; repeat the call with its key.",
          retryAfterMs: 1_000)
        : unreachable(log)
      refuse(call, refusal, now)
    case .follower: backends[log]?.follower.failed()
    case .attendance: backends[log]?.isAttended = false
    case .other(let then): then(nil)
    }
  }

  func expirePending(_ now: Moment) {
    for (log, _) in backends.entries {
      let expired = pending.removeAll { owner, deadlineUs in
        owner == log && deadlineUs <= now.monotonicUs
      }
      for purpose in expired { fail(purpose, of: log, isLost: false, now) }
    }
  }

  // MARK: - Following

  /// Takes what the owner of `log` has published.
  package func receivePublished(
    of log: LogName, _ body: UnsafeRawBufferPointer, at now: Moment
  ) {
    stir(now)
    var violations: [FieldViolation] = []
    guard
      let published = try? decoder.decode(
        ChangesPublished.self, from: body, violations: &violations)
    else {
      self.log.error("a publication could not be read", ["from": .text(log.text)])
      return
    }
    if !keepEarly(published, of: log, now) { take(published, of: log, now) }
    tellReachability(log, now)
  }

  private func receiveForFollower(
    _ log: LogName, _ header: ResponseHeader, _ body: UnsafeRawBufferPointer, _ now: Moment
  ) {
    if let status = header.status, status.code != .ok {
      self.log.warning(
        "a log could not be read", ["of": .text(log.text), "reason": .text(status.reason)])
      perform(
        backends[log]?.follower.refused(status.reason, at: now).map { [$0] } ?? [], of: log, now)
      return
    }
    var violations: [FieldViolation] = []
    do {
      if backends[log]?.follower.isReadingSnapshot == true {
        let page = try decoder.decode(
          GetSnapshotResponse.self, from: body, violations: &violations)
        perform(backends[log]?.follower.receive(page, at: now) ?? [], of: log, now)
      } else {
        let changes = try decoder.decode(
          ListChangesResponse.self, from: body, violations: &violations)
        perform(backends[log]?.follower.receive(changes, at: now) ?? [], of: log, now)
      }
    } catch {
      self.log.error("a log could not be read", ["of": .text(log.text), "error": .error(error)])
      backends[log]?.follower.failed()
    }
  }

  func perform(_ actions: [Follower.Action], of log: LogName, _ now: Moment) {
    for action in actions {
      switch action {
      case .ask(let request): askForFollower(log, .listChanges, request, now)
      case .askSnapshot(let request): askForFollower(log, .getSnapshot, request, now)
      case .apply(let changes, let revision):
        guard inBatch(now, { try service.apply(changes, of: log, through: revision, at: now) })
        else { return }
      case .applySnapshot(let page):
        guard inBatch(now, { try service.applySnapshot(page, of: log, at: now) }) else { return }
      }
    }
  }

  private func askForFollower<Q: Message>(
    _ log: LogName, _ method: Method, _ request: Q, _ now: Moment
  ) {
    if !ask(log, method, request, .follower, timeoutMs: Limits.followTimeoutMs, now) {
      backends[log]?.follower.failed()
    }
  }

  /// Asks the owner of `log` what is new.
  func catchUp(_ log: LogName, _ backend: Backend, _ now: Moment) {
    guard backend.isConnected, let action = backends[log]?.follower.catchUp(at: now) else { return }
    perform([action], of: log, now)
  }

  /// A batch was given up: what followers had handed over in it has to be read again. Answers that
  /// are under way would go on from there.
  func restartFollowers() {
    pending.removeFollowers()
    for (log, _) in backends.entries {
      let position = service.revisions[log]
      backends[log]?.follower.restart(at: position == 0 ? nil : position)
    }
  }

  /// Lets a call wait until the owner of `log` has said that nothing is missing.
  func waitForOwner(_ call: CallHandle, _ body: Frame, _ log: LogName, _ now: Moment) {
    guard let backend = backends[log], !backend.isGone(at: now) else {
      calls[call].unreachable.insert(log.set)
      return run(call, body, now)
    }
    park(call, body, .catchUp(log, question: backend.follower.nextQuestion))
    catchUp(log, backend, now)
  }

  /// Calls that wait for an owner that does not come run on without.
  private func wakeWithout(_ log: LogName) {
    for call in waitingForOthers where calls.contains(call) {
      guard calls[call].waiting.isCatchUp(with: log) else { continue }
      calls[call].unreachable.insert(log.set)
      calls[call].waiting = .nothing
      runnable.append(call)
    }
  }

  /// Runs the calls that wait for what has come.
  func wakeWaiting(_ now: Moment) {
    guard !waitingForOthers.isEmpty else { return }
    let revisions = service.revisions
    waitingForOthers.removeAll { call in
      guard calls.contains(call) else { return true }
      switch calls[call].waiting {
      case .revisions(let wanted):
        guard wanted.beyond(revisions) == Revisions() else { return false }
      case .catchUp(let log, let question):
        guard let backend = backends[log], backend.follower.confirmedQuestion >= question else {
          return false
        }
        calls[call].confirmed.insert(log.set)
      case .nothing, .commit, .occupants: return true
      }
      runnable.append(call)
      return true
    }
  }

  /// Asks owners that have been silent, and tells the service of those that came or went.
  func tendBackends(_ now: Moment) {
    for (log, backend) in backends.entries {
      let silentUs = now.monotonicUs - max(backend.follower.heardUs, backend.follower.triedUs)
      if backend.isConnected && silentUs > Limits.feedIntervalMs * 2_000 {
        catchUp(log, backend, now)
      }
      if backend.isConnected && !backend.isAttended { attend(log, now) }
      if backend.isGone(at: now) { wakeWithout(log) }
      tellReachability(log, now)
    }
    attendance.forget { !calls.contains($0) }
    for call in attendance.takeUnanswerable(at: now) { refuse(call, unreachable(.checkIns), now) }
  }
}

extension Waiting {
  func isCatchUp(with log: LogName) -> Bool {
    if case .catchUp(log, _) = self { true } else { false }
  }

  /// Waits for something that another service has to say.
  var isForOthers: Bool {
    switch self {
    case .revisions, .catchUp: true
    case .nothing, .commit, .occupants: false
    }
  }
}
