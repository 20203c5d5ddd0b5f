import Model
import Wire
import ZeroMQ

/// Calls that are wrong in their header. They cannot succeed, and what is wrong with their body is
/// told too, so that a caller hears of everything at once.
extension ServiceCore {
  /// Ends a call whose header is wrong, or has it looked at by whoever knows its body.
  func refuseForm(
    _ call: CallHandle, _ violations: [FieldViolation], _ body: Frame, _ now: Moment
  ) {
    headerViolations = violations
    defer { headerViolations = [] }
    do {
      if let handler = calls[call].header.method.flatMap({ handlers[$0] }) {
        runningBody = body
        try handler.run(self, call, body.bytes, now)
        if handler.kind == .forwarded { return }
      }
      refuse(call, Refusal(violations: violations), now)
    } catch let refusal as Refusal {
      refuse(call, refusal, now)
    } catch {
      preconditionFailure("a call that is wrong in its header got past its form: \(error)")
    }
  }

  /// Has the owner of `log` look at the body of a call that is wrong in its header. What goes out
  /// is not the caller's header, and is wrong too, whatever the caller's mistake was: so nobody can
  /// carry the call out.
  /// - Throws: what is wrong with the header alone, where the owner cannot be asked.
  func forwardForm(_ call: CallHandle, to log: LogName, _ now: Moment) throws(Refusal) {
    let known = headerViolations
    let alone = Refusal(violations: known)
    do {
      try checkStanding(of: call)
      try checkLimits(call)
      try notePassedOn(runningBody.count, to: log)
    } catch {
      throw alone
    }
    let timeoutMs = min(Limits.namesTimeoutMs, timeLeftMs(of: call, at: now) * 3 / 4)
    guard let method = calls[call].header.method, isConnected(to: log) else { throw alone }
    let id = pending.add(
      .other { [self] in refuse(call, Self.refusal(known, and: $0?.header.status), self.now) },
      to: log, deadlineUs: now.monotonicUs + Int64(timeoutMs) * 1_000)
    let header = RequestHeader(id: id, method: method, timeoutMs: .max)
    encoder.encode(header) { headerFrame.allocate($0) }
    guard outlet.ask(log, header: headerFrame, body: runningBody) else {
      pending.remove(id)
      throw alone
    }
  }

  /// What is wrong with a header, and what the owner of a log has said of the body.
  private static func refusal(_ known: [FieldViolation], and status: Status?) -> Refusal {
    var refusal = Refusal(violations: known)
    guard let status, status.code == .invalidArgument else { return refusal }
    guard status.reason == Reason.invalidFields.rawValue else {
      refusal.status = status  // The body cannot be read at all.
      return refusal
    }
    let others = status.fieldViolations.filter { !$0.field.hasPrefix("header.") }
    return Refusal(violations: Array((known + others).prefix(Limits.violations)))
  }
}
