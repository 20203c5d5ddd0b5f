import Model
package import Wire
package import ZeroMQ

/// How a program calls Muster: any number of calls and streams in flight, by one of several
/// gateways.
///
/// Calls go by one endpoint as long as it answers. When its connection is lost, when it is about to
/// stop, or when it is silent while others are not, the calls on their way go on at another one,
/// where repeating them is harmless; writes carry the same idempotency key wherever they are tried.
/// Refusals that may be repeated are, after `retry_after_ms` and a pause that grows, within the
/// call's time and a budget. What a user wrote, that user's later calls ask to see, at whichever
/// gateway.
///
/// Nothing happens but while one of its functions, or a `step` of its loop, runs. Stays on one
/// thread.
package final class Client {
  package let endpoints: [String]
  /// Whom calls are for that name no other user; empty: nobody, and then writes carry no key and
  /// are never repeated.
  package let user: String
  /// Milliseconds that a call may take, where it names no other.
  package let timeoutMs: Int
  /// What it shares with other clients of the thread.
  package let loop: ClientLoop

  var links: [Link] = []
  /// The link that calls go by.
  var current = 0
  var nextID: UInt64 = 1
  var attempts = AttemptTable()
  var streamsByID: [UInt64: Stream] = [:]
  /// What waits to be sent, in order.
  var queue = SendQueue()
  var timers = TimerQueue()
  var budget = RetryBudget()
  var random = SystemRandomNumberGenerator()
  /// How far the logs had come with the writes of each user.
  var ownWrites: [String: Revisions] = [:]

  let encoder = Encoder()
  let decoder = Decoder()
  let header = Frame()
  let body = Frame()

  /// Calls that have no outcome yet.
  package var inFlight: Int { startedCalls - endedCalls }
  var startedCalls = 0
  var endedCalls = 0

  /// Connects to all of them, in the background: nothing is wrong yet if nobody listens there.
  /// - Parameter curve: how to shake hands by TCP. It is then the key that says who calls.
  /// - Throws: `CallError` where one of them is no endpoint.
  package init(
    endpoints: [String], user: String, timeoutMs: Int = Int(Limits.defaultTimeoutMs),
    curve: CurveClient? = nil, loop: ClientLoop? = nil
  ) throws(CallError) {
    precondition(!endpoints.isEmpty)
    self.endpoints = endpoints
    self.user = user
    self.timeoutMs = timeoutMs
    if let loop { self.loop = loop } else { self.loop = try ClientLoop() }
    for endpoint in endpoints {
      do throws(ZeroMQError) {
        links.append(try Link(endpoint, self.loop, curve))
      } catch {
        // Those that were made are closed by `deinit`, which a throwing initializer runs too.
        throw CallError(error, endpoint)
      }
    }
    self.loop.add(self)
  }

  /// Ends the connections; calls on their way are forgotten.
  deinit {
    for link in links { link.close() }
    loop.removeGone()
  }

  /// Asks, and waits for the answer.
  package func call<R: Request>(_ request: R) throws(CallError) -> R.Response {
    try finish(start(request), as: R.Response.self)
  }

  /// Sends a request on its way. `finish` waits for its answer, or `then` is told it, from within a
  /// later `step`. Requests reach a server in the order in which they are started.
  /// - Parameters:
  ///   - user: whom it is for; nil: the client's own user.
  ///   - hasKey: whether a write carries an idempotency key. One without is never repeated.
  @discardableResult
  package func start<R: Request>(
    _ request: R, user: String? = nil, timeoutMs: Int? = nil, hasKey: Bool = true,
    then: ((Result<Reply, CallError>) -> Void)? = nil
  ) throws(CallError) -> PendingCall {
    try start(
      R.method, body: encoder.bytes(request), user: user, timeoutMs: timeoutMs, hasKey: hasKey,
      then: then)
  }

  /// Sends a request on its way whose body is encoded already.
  @discardableResult
  package func start(
    _ method: Method, body: [UInt8], user: String? = nil, timeoutMs: Int? = nil,
    hasKey: Bool = true,
    then: ((Result<Reply, CallError>) -> Void)? = nil
  ) throws(CallError) -> PendingCall {
    guard body.count <= Limits.frameBytes else {
      throw CallError(
        Status(
          .malformedRequest,
          "The request has \(body.count) bytes, and \(Limits.frameBytes) is the most."))
    }
    let user = user ?? self.user
    let key =
      hasKey && method.isWrite && !user.isEmpty
      ? ID(milliseconds: ClientLoop.wallMs, random: (random.next(), random.next())) : nil
    let call = PendingCall(
      self, method: method, user: user, idempotencyKey: key, body: body, nowMs: ClientLoop.nowMs,
      timeoutMs: timeoutMs ?? self.timeoutMs, then: then)
    startedCalls += 1
    budget.earn()
    timers.add(call, atMs: call.deadlineMs)
    queue.append(.call(call))
    try transporting { () throws(ZeroMQError) in try self.sendQueued() }
    return call
  }

  /// Waits until the call has its outcome, at the latest until a little after its deadline.
  package func finish(_ call: PendingCall) throws(CallError) -> Reply {
    while true {
      if let outcome = call.outcome { return try outcome.get() }
      try loop.step(untilMs: .max)
    }
  }

  /// Waits for the call's outcome and reads it.
  package func finish<M: Message>(_ call: PendingCall, as type: M.Type) throws(CallError) -> M {
    try read(finish(call), as: type)
  }

  /// The message in a reply; throws where it is none of that type.
  package func read<M: Message>(_ reply: Reply, as type: M.Type) throws(CallError) -> M {
    var violations: [FieldViolation] = []
    let message = reply.body.withUnsafeBytes { bytes in
      // What is malformed is told below.
      try? decoder.decode(type, from: bytes, violations: &violations)
    }
    guard let message else {
      let from = endpoints.joined(separator: ", ")
      throw CallError(Status(.internal, "The answer from \(from) is not a \(M.name)."))
    }
    return message
  }

  func transporting(_ body: () throws(ZeroMQError) -> Void) throws(CallError) {
    do throws(ZeroMQError) {
      try body()
    } catch {
      throw CallError(error, endpoints.joined(separator: ", "))
    }
  }

  var chance: Double { Double.random(in: 0...1, using: &random) }
}

/// What waits to be sent, first in, first out.
struct SendQueue {
  enum Item {
    case call(PendingCall)
    case stream(Stream)
  }

  private var items: [Item] = []
  private var start = 0

  var first: Item? { start < items.count ? items[start] : nil }

  mutating func append(_ item: Item) { items.append(item) }

  mutating func removeFirst() {
    start += 1
    if start == items.count {
      items.removeAll(keepingCapacity: true)
      start = 0
    } else if start >= 1_024, start * 2 > items.count {
      items.removeFirst(start)
      start = 0
    }
  }
}
