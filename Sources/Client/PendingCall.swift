package import Model
package import Wire

/// A call on its way: what it asks, when it is over, and what came of it. Answers are matched to it
/// by the id of any of its attempts, for a repeated write has one outcome only.
package final class PendingCall: Timed {
  package let method: Method
  /// Names the write, the same in all attempts; nil on reads.
  package let idempotencyKey: ID?
  let user: String
  let body: [UInt8]
  let deadlineMs: Int
  let timeoutMs: Int
  /// Header ids of the attempts that no answer came to.
  var ids = AttemptIDs()
  /// How many attempts were sent so far, and how many of them refused.
  package internal(set) var attempts = 0
  var refusals = 0
  /// The link that the last attempt went by, and when.
  var link: Link?
  var sentMs = 0
  /// When to try again; nil: it waits for an answer, or to be sent.
  var retryAtMs: Int?
  var isQueued = true
  /// Nil while it is on its way.
  package private(set) var outcome: Result<Reply, CallError>?

  /// Only it wakes the call, so it is there then.
  private unowned let client: Client
  private var then: ((Result<Reply, CallError>) -> Void)?

  init(
    _ client: Client, method: Method, user: String, idempotencyKey: ID?, body: [UInt8], nowMs: Int,
    timeoutMs: Int, then: ((Result<Reply, CallError>) -> Void)?
  ) {
    self.client = client
    self.method = method
    self.user = user
    self.idempotencyKey = idempotencyKey
    self.body = body
    self.timeoutMs = timeoutMs
    self.then = then
    deadlineMs = nowMs + timeoutMs
  }

  /// Whether doing it again is harmless.
  var isRepeatable: Bool { !method.isWrite || idempotencyKey != nil }

  /// Whether an answer can still come.
  var isAwaited: Bool { !isQueued && retryAtMs == nil && outcome == nil }

  var isOver: Bool { outcome != nil }

  func wake(nowMs: Int) { client.wake(self, nowMs: nowMs) }

  /// Ends it, once.
  func end(_ outcome: Result<Reply, CallError>) {
    self.outcome = outcome
    let then = self.then
    self.then = nil
    link = nil
    then?(outcome)
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
