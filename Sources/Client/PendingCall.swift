import Model
package import Wire

/// A call on its way: what it asks, when it is over, and what came of it. Answers are matched to it
/// by the id of any of its attempts, for a repeated write has one outcome only.
package final class PendingCall {
  package let method: Method
  /// Names the write, the same in all attempts; nil on reads.
  let idempotencyKey: ID?
  let body: [UInt8]
  let deadlineMs: Int
  let timeoutMs: Int
  /// Header ids of the attempts so far.
  var ids: [UInt64] = []
  /// When to try again; nil: it waits for an answer, or to be sent.
  var retryAtMs: Int?
  var isQueued = true
  /// Nil while it is on its way.
  package internal(set) var outcome: Result<Reply, CallError>?

  init(
    method: Method, idempotencyKey: ID?, body: [UInt8], nowMs: Int, timeoutMs: Int
  ) {
    self.method = method
    self.idempotencyKey = idempotencyKey
    self.body = body
    self.timeoutMs = timeoutMs
    deadlineMs = nowMs + timeoutMs
  }

  /// Whether doing it again is harmless.
  var isRepeatable: Bool { !method.isWrite || idempotencyKey != nil }

  /// When to try again after this refusal; nil: it stands.
  func retryTime(after status: Status, nowMs: Int) -> Int? {
    let pauses = [100, 800]
    guard ids.count <= pauses.count else { return nil }
    switch status.code {
    case .unavailable where status.reason == Reason.notCaughtUp.rawValue: return nil
    case .unavailable where status.reason == Reason.outcomeUnknown.rawValue && !isRepeatable:
      return nil
    case .unavailable, .resourceExhausted: break
    default: return nil
    }
    let time = nowMs + max(pauses[ids.count - 1], Int(status.retryAfterMs))
    return time < deadlineMs ? time : nil
  }
}

/// What came back from a call that succeeded.
package struct Reply: Sendable {
  package let body: [UInt8]
  /// The state that it was answered from.
  package let asOf: Revisions
  /// A stored response, for a repeated write.
  package let isReplayed: Bool
}
