import Model

/// What one caller may make a process hold.
extension ServiceCore {
  /// That the caller has not too much in flight, nor too much that it has not read.
  func checkLimits(_ call: CallHandle) throws(Refusal) {
    let connection = calls[call].connection
    // What is under way is finished: a delete needs an answer of whoever follows its log.
    if isDraining && !calls[call].header.isOfFollower {
      throw draining
    }
    if !calls[call].header.actingUser.isEmpty || !connections.isFollower(connection) {
      let load = calls.loadOfCaller(call)
      if load.calls > Limits.callsInFlightPerCaller {
        throw Refusal(
          .tooManyCalls, "More than \(Limits.callsInFlightPerCaller) calls are in flight.",
          retryAfterMs: 100)
      }
      if load.bodyByteCount > Limits.bytesInFlightPerCaller {
        throw Refusal(
          .tooManyCalls,
          "The calls in flight hold more than \(Limits.bytesInFlightPerCaller) bytes.",
          retryAfterMs: 100)
      }
    }
    if connections.unsentByteCount(connection) > Limits.unreadResponsesBytes {
      throw unread
    }
    guard let rate = options.callRate, isLimited(call) else { return }
    // Many items in one body are as much work as many calls.
    let tokens = min(rate.burst, 1 + calls[call].bodyByteCount / Limits.bytesPerToken)
    let waitMs = calls.loadOfCaller(call).callTokens.waitMs(for: tokens, rate, at: now)
    guard waitMs == 0 else {
      throw Refusal(
        .rateLimited, "More calls than \(rate.perSecond) a second.", retryAfterMs: waitMs)
    }
    calls.takeCallTokens(tokens, rate, from: call, at: now)
  }

  /// Counts what a call is answered, also a part of it. It is sent in any case, and is missing
  /// from what its caller may ask for next: so one who never reads cannot have much wait for it,
  /// over however many connections.
  func countResponse(_ call: CallHandle, byteCount: Int) {
    guard let rate = options.callRate, byteCount >= Limits.bytesPerToken, isLimited(call)
    else { return }
    calls.takeCallTokens(byteCount / Limits.bytesPerToken, rate, from: call, at: now)
  }

  /// What a call is told for its answer, where too much has come together for its caller.
  func refusalOfResponse(_ call: CallHandle, byteCount: Int) -> Refusal? {
    let unsentByteCount = connections.unsentByteCount(calls[call].connection)
    if unsentByteCount + byteCount > Limits.unreadResponsesBytes { return unread }
    guard let rate = options.callRate, byteCount >= Limits.bytesPerToken, isLimited(call)
    else { return nil }
    // Many calls may have begun before the first of them was answered.
    let waitMs = calls.loadOfCaller(call).callTokens.waitMs(for: rate.burst, rate, at: now)
    guard waitMs > rate.fillMs * 2 else { return nil }
    return Refusal(
      .rateLimited,
      "The answers to calls in flight are longer than \(rate.perSecond) calls a "
        + "second may be.", retryAfterMs: waitMs - rate.fillMs)
  }

  /// Whether the rates hold for a call: its caller has come with a key, and is not trusted to know
  /// what it does. (Other processes of Muster are, and have no rates among them.)
  private func isLimited(_ call: CallHandle) -> Bool {
    if case .known = calls[call].standing { true } else { false }
  }

  /// That the caller may begin one more watch. It is counted when it is opened: what waits for a
  /// state is looked at twice.
  /// - Throws: `TOO_MANY_WATCHES`, `RATE_LIMITED`.
  func checkStreams(of call: CallHandle) throws(Refusal) {
    let load = calls.loadOfCaller(call)
    guard load.streams < Limits.watchesPerCaller else {
      throw Refusal(
        .tooManyWatches, "More than \(Limits.watchesPerCaller) watches are open.",
        retryAfterMs: 1_000)
    }
    guard let rate = options.watchRate, isLimited(call) else { return }
    let waitMs = load.watchTokens.waitMs(for: 1, rate, at: now)
    guard waitMs == 0 else {
      throw Refusal(
        .rateLimited, "More new watches than \(rate.perSecond) a second.", retryAfterMs: waitMs)
    }
  }

  /// Counts a watch that begins.
  func countStream(_ call: CallHandle) {
    guard let rate = options.watchRate, isLimited(call) else { return }
    calls.takeWatchToken(rate, from: call, at: now)
  }

  var draining: Refusal {
    Refusal(.draining, "The server is shutting down.", retryAfterMs: 1_000)
  }

  /// What a caller is told who does not read.
  var unread: Refusal {
    Refusal(.overloaded, "The responses to earlier calls have not been read.", retryAfterMs: 100)
  }
}
