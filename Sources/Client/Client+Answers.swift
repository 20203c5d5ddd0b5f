import Model
import Wire
import ZeroMQ

/// What comes back, and what is made of it.
extension Client {
  private static let backoff = Backoff(firstMs: 200, mostMs: 5_000)
  /// A call that was refused this often is not tried again.
  private static let mostRefusals = 5

  /// Takes one message. False: there is none.
  func receive(from link: Link, nowMs: Int) throws(ZeroMQError) -> Bool {
    guard let frames = try link.receive(header, body, nowMs: nowMs) else { return false }
    if frames == 2 { take(from: link, nowMs: nowMs) }
    return true
  }

  /// Gives the answer in the two frames to the call or stream that waits for it.
  private func take(from link: Link, nowMs: Int) {
    var violations: [FieldViolation] = []
    // What is no header has no id, and so nobody waits for it.
    guard
      let answer = try? decoder.decode(
        ResponseHeader.self, from: header.bytes, violations: &violations)
    else { return }
    if answer.status?.reason == Reason.draining.rawValue { link.isDraining = true }
    if let call = attempts.remove(answer.id) {
      call.ids.remove(answer.id)
      take(answer, for: call, nowMs: nowMs)
    } else if let stream = streamsByID[answer.id] {
      stream.heardMs = nowMs
      take(answer, for: stream)
    }
  }

  private func take(_ answer: ResponseHeader, for call: PendingCall, nowMs: Int) {
    guard let status = answer.status, status.code != .ok else {
      if call.method.isWrite { ownWrites[call.user, default: Revisions()].raise(to: answer.asOf) }
      let reply = Reply(
        body: [UInt8](body.bytes), asOf: answer.asOf, isReplayed: answer.replayed)
      return end(call, .success(reply))
    }
    guard let time = retryTime(of: call, after: status, nowMs: nowMs) else {
      return end(call, .failure(CallError(status, body: [UInt8](body.bytes))))
    }
    // Another attempt of it may still be answered.
    guard call.isAwaited, call.ids.isEmpty else { return }
    if time <= nowMs { return enqueue(call) }
    call.retryAtMs = time
    timers.add(call, atMs: time)
  }

  private func take(_ answer: ResponseHeader, for stream: Stream) {
    if let status = answer.status, status.code != .ok {
      streamsByID[answer.id] = nil
      return stream.tell(.refused(status))
    }
    let reply = Reply(body: [UInt8](body.bytes), asOf: answer.asOf, isReplayed: false)
    if !answer.more { streamsByID[answer.id] = nil }
    stream.tell(.reply(reply))
    if !answer.more, !stream.isOver { stream.tell(.lost) }
  }

  /// When to try again after this refusal; nil: it stands.
  private func retryTime(of call: PendingCall, after status: Status, nowMs: Int) -> Int? {
    switch status.code {
    case .unavailable where status.reason == Reason.notCaughtUp.rawValue: return nil
    case .unavailable where status.reason == Reason.outcomeUnknown.rawValue && !call.isRepeatable:
      return nil
    case .unavailable, .resourceExhausted: break
    default: return nil
    }
    call.refusals += 1
    guard call.refusals < Client.mostRefusals, budget.spend() else { return nil }
    // One that is about to stop says nothing of the others.
    if status.reason == Reason.draining.rawValue, links.contains(where: \.isGood) { return nowMs }
    let pause = Client.backoff.pauseMs(failures: call.refusals, chance: chance)
    let time = nowMs + max(pause, Int(status.retryAfterMs))
    return time < call.deadlineMs ? time : nil
  }

  /// A time of this call's has come.
  func wake(_ call: PendingCall, nowMs: Int) {
    if nowMs >= call.deadlineMs {
      let end = call.deadlineMs + Client.graceMs
      if call.isAwaited, nowMs < end { return timers.add(call, atMs: end) }
      self.end(call, .failure(unanswered(call)))
    } else if let time = call.retryAtMs {
      if nowMs >= time { enqueue(call) }
    } else if call.isAwaited, let link = call.link, links.count > 1 {
      link.missAnswer(sentMs: call.sentMs, nowMs: nowMs)
      if !link.isGood, links.contains(where: \.isGood) {
        enqueue(call)
      } else {
        timers.add(call, atMs: nowMs + Client.attemptMs / 4)
      }
    }
  }

  func end(_ call: PendingCall, _ outcome: Result<Reply, CallError>) {
    if !call.ids.isEmpty { for id in call.ids.all { attempts.remove(id) } }
    endedCalls += 1
    call.end(outcome)
  }

  func unanswered(_ call: PendingCall) -> CallError {
    let seconds = Double(call.timeoutMs) / 1000
    let time = seconds == seconds.rounded() ? "\(Int(seconds))" : "\(seconds)"
    let servers = endpoints.joined(separator: ", ")
    if let complaint {
      return turnedAway(call, "no answer from \(servers) within \(time) s", complaint)
    }
    if call.attempts > 0 {
      let name = call.method.fullName.split(separator: "/").last ?? ""
      let what = "no answer to \(name) from \(servers) within \(time) s"
      guard !call.method.isWrite else {
        return CallError(Status(.outcomeUnknown, "\(what): it may or may not have been done"))
      }
      let isThere = links.contains { $0.state == .up }
      let why = isThere ? "it is there, but slow or stuck" : "it is gone: is the gateway running?"
      return CallError(Status(.serviceUnreachable, "\(what): \(why)"))
    }
    let what = "no answer from \(servers) within \(time) s"
    return CallError(Status(.serviceUnreachable, "\(what): is the gateway running?"))
  }

  /// Why nobody lets this client in; nil: somebody does, or nobody is there.
  private var complaint: Complaint? {
    links.contains { $0.state == .up } ? nil : links.lazy.compactMap(\.complaint).first
  }

  /// What somebody is told who has waited for long enough for the first word of a watch; nil: to
  /// wait longer may help.
  package var whyNothingComes: CallError? {
    complaint.map {
      let servers = endpoints.joined(separator: ", ")
      return CallError(Status($0.reason, "no answer from \(servers): \($0.sentence)"))
    }
  }

  private func turnedAway(
    _ call: PendingCall, _ what: String, _ complaint: Complaint
  ) -> CallError {
    if call.attempts > 0, call.method.isWrite {
      return CallError(Status(.outcomeUnknown, "\(what): it may or may not have been done"))
    }
    return CallError(Status(complaint.reason, "\(what): \(complaint.sentence)"))
  }
}

extension Revisions {
  /// Each log's number becomes the larger of the two.
  fileprivate mutating func raise(to other: Revisions) {
    profiles = max(profiles, other.profiles)
    locations = max(locations, other.locations)
    checkIns = max(checkIns, other.checkIns)
  }
}
