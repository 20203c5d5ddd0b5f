import Glibc
import Model
package import Wire
import ZeroMQ

/// A program's connection to one endpoint: any number of calls in flight, each with its deadline.
/// Nothing happens but while one of its functions runs. Stays on one thread.
package final class Client {
  package let endpoint: String
  /// Whom the calls are for; empty: nobody, and then writes carry no key and are never repeated.
  package let user: String
  /// Milliseconds that a call may take, where it names no other.
  package let timeoutMs: Int

  private let context: Context
  private let connector: Connector
  private let poller = Poller()
  private let encoder = Encoder()
  private let decoder = Decoder()
  private var random = SystemRandomNumberGenerator()
  private let header = Frame()
  private let body = Frame()

  private var nextID: UInt64 = 1
  /// Calls that have no outcome yet.
  private var pending: [PendingCall] = []
  private var callsByID: [UInt64: PendingCall] = [:]
  /// How far the logs had come with this client's own writes.
  private var atLeast = Revisions()
  private var connection = Connection.never

  private enum Connection { case never, refused, up, lost }

  /// Connects, in the background: nothing is wrong yet if nobody listens there.
  package init(endpoint: String, user: String, timeoutMs: Int) throws(CallError) {
    self.endpoint = endpoint
    self.user = user
    self.timeoutMs = timeoutMs
    do {
      context = try Context()
      connector = try Connector(
        context, .dealer, endpoint,
        .client(reconnectIntervalMs: 20, reconnectIntervalMaxMs: 500), poller)
    } catch {
      throw Client.transportError(error, endpoint)
    }
  }

  /// Ends the connection; calls on their way are forgotten.
  deinit {
    // Closing is the last thing done with it: it cannot fail in a way that matters.
    try? connector.close()
  }

  /// Asks, and waits for the answer.
  package func call<R: Request>(_ request: R) throws(CallError) -> R.Response {
    try finish(start(request), as: R.Response.self)
  }

  /// Sends a request on its way; `finish` waits for its answer. Requests reach the server in the
  /// order in which they are started.
  package func start<R: Request>(_ request: R, timeoutMs: Int? = nil) throws(CallError)
    -> PendingCall
  {
    try start(R.method, body: encoder.bytes(request), timeoutMs: timeoutMs)
  }

  /// Sends a request on its way whose body is encoded already.
  package func start(_ method: Method, body: [UInt8], timeoutMs: Int? = nil) throws(CallError)
    -> PendingCall
  {
    guard body.count <= Limits.frameBytes else {
      throw CallError(
        Status(
          .malformedRequest,
          "The request has \(body.count) bytes, and \(Limits.frameBytes) is the most."))
    }
    let key =
      method.isWrite && !user.isEmpty
      ? ID(milliseconds: wallMs(), random: (random.next(), random.next())) : nil
    let call = PendingCall(
      method: method, idempotencyKey: key, body: body, nowMs: monotonicMs(),
      timeoutMs: timeoutMs ?? self.timeoutMs)
    pending.append(call)
    try guarded { () throws(ZeroMQError) in try self.sendQueued() }
    return call
  }

  /// Waits until the call has its outcome, at the latest until its deadline.
  package func finish(_ call: PendingCall) throws(CallError) -> Reply {
    while true {
      if let outcome = call.outcome { return try outcome.get() }
      try guarded { () throws(ZeroMQError) in try self.step() }
    }
  }

  /// Waits for the call's outcome and reads it.
  package func finish<M: Message>(_ call: PendingCall, as type: M.Type) throws(CallError) -> M {
    let reply = try finish(call)
    var violations: [FieldViolation] = []
    let message = reply.body.withUnsafeBytes { bytes in
      // What is malformed is told below.
      try? decoder.decode(type, from: bytes, violations: &violations)
    }
    guard let message else {
      throw CallError(Status(.internal, "The answer from \(endpoint) is not a \(M.name)."))
    }
    return message
  }
}

// MARK: - One round

extension Client {
  /// Waits for something to happen and lets it: answers, connections, retries and deadlines.
  private func step() throws(ZeroMQError) {
    try sendQueued()
    let now = monotonicMs()
    var wake = now + 1000
    for call in pending {
      wake = min(wake, call.deadlineMs, call.retryAtMs ?? .max)
      // A socket that is up but full says nothing when there is room again.
      if call.isQueued, connection == .up { wake = min(wake, now + 5) }
    }
    try poller.wait(timeoutMs: max(0, wake - now))
    while let event = try connector.nextEvent() { try note(event) }
    while try receiveReply() {}
    passTime(monotonicMs())
  }

  private func note(_ event: MonitorEvent) throws(ZeroMQError) {
    switch event.kind {
    case .handshakeSucceeded:
      connection = .up
    case .handshakeFailed:
      if connection == .never { connection = .refused }
    case .disconnected where connection == .up:
      connection = .lost
      while try receiveReply() {}
      try connector.reconnect()
      // Their answers would have come by this connection: ask again by the next one.
      for call in pending where !call.isQueued && call.retryAtMs == nil {
        if call.isRepeatable {
          call.isQueued = true
        } else {
          end(call, .failure(unanswered(call)))
        }
      }
    default:
      break
    }
  }

  private func passTime(_ now: Int) {
    for call in pending {
      if now >= call.deadlineMs {
        end(call, .failure(unanswered(call)))
      } else if let time = call.retryAtMs, now >= time {
        call.retryAtMs = nil
        call.isQueued = true
      }
    }
  }

  private func sendQueued() throws(ZeroMQError) {
    // Otherwise a check-in queued for a dead server arrives minutes later.
    guard connection == .up else { return }
    let socket = connector.socket
    for call in pending where call.isQueued {
      let id = nextID
      let left = call.deadlineMs - monotonicMs()
      guard left > 0 else { continue }
      let request = RequestHeader(
        id: id, method: call.method, timeoutMs: UInt32(clamping: left),
        idempotencyKey: call.idempotencyKey, atLeast: atLeast, actingUser: user)
      encoder.encode(request) { header.allocate($0) }
      body.assign(call.body)
      switch try socket.send(header, more: true) {
      case .full: return
      case .gone: continue
      case .sent: break
      }
      guard try socket.send(body) == .sent else { continue }
      nextID += 1
      call.isQueued = false
      call.ids.append(id)
      callsByID[id] = call
    }
  }

  /// Takes one message, whatever it is. False: there is none.
  private func receiveReply() throws(ZeroMQError) -> Bool {
    let socket = connector.socket
    guard try socket.receive(into: header) else { return false }
    var last = header
    var frames = 1
    // An empty first frame is a delimiter, which we do not send and need not get.
    if header.isEmpty, header.hasMore { _ = try socket.receive(into: header) }
    while last.hasMore {
      last = frames == 1 ? body : Frame()
      guard try socket.receive(into: last) else { break }
      frames += 1
    }
    if frames == 2 { take() }
    return true
  }

  /// Gives the answer in the two frames to the call that waits for it.
  private func take() {
    var violations: [FieldViolation] = []
    // What is no header has no id, and so nobody waits for it.
    guard
      let answer = try? decoder.decode(
        ResponseHeader.self, from: header.bytes, violations: &violations),
      let call = callsByID[answer.id], call.outcome == nil
    else { return }
    let bytes = [UInt8](body.bytes)
    guard let status = answer.status, status.code != .ok else {
      if call.method.isWrite { atLeast.raise(to: answer.asOf) }
      return end(
        call,
        .success(Reply(body: bytes, asOf: answer.asOf, isReplayed: answer.replayed)))
    }
    if let time = call.retryTime(after: status, nowMs: monotonicMs()) {
      call.retryAtMs = time
    } else {
      end(call, .failure(CallError(status, body: bytes)))
    }
  }

  private func end(_ call: PendingCall, _ outcome: Result<Reply, CallError>) {
    call.outcome = outcome
    for id in call.ids { callsByID[id] = nil }
    pending.removeAll { $0 === call }
  }
}

// MARK: - What went wrong

extension Client {
  private func unanswered(_ call: PendingCall) -> CallError {
    let seconds = Double(call.timeoutMs) / 1000
    let time = seconds == seconds.rounded() ? "\(Int(seconds))" : "\(seconds)"
    if !call.ids.isEmpty {
      let name = call.method.fullName.split(separator: "/").last ?? ""
      let what = "no answer to \(name) from \(endpoint) within \(time) s"
      return call.method.isWrite
        ? CallError(Status(.outcomeUnknown, "\(what): it may or may not have been done"))
        : CallError(Status(.serviceUnreachable, "\(what): it is there, but slow or stuck"))
    }
    let what = "no answer from \(endpoint) within \(time) s"
    let why =
      connection == .refused
      ? "what listens there refuses this client" : "is the gateway running?"
    return CallError(Status(.serviceUnreachable, "\(what): \(why)"))
  }

  private func guarded(_ body: () throws(ZeroMQError) -> Void) throws(CallError) {
    do throws(ZeroMQError) {
      try body()
    } catch {
      throw Client.transportError(error, endpoint)
    }
  }

  private static func transportError(_ error: ZeroMQError, _ endpoint: String) -> CallError {
    switch error.number {
    case EINVAL, EPROTONOSUPPORT, ENODEV:
      CallError(
        Status(
          code: .invalidArgument,
          message: "'\(endpoint)' is no endpoint: write ipc:///path/to/socket or tcp://host:port"))
    case ENAMETOOLONG:
      CallError(
        Status(
          code: .invalidArgument,
          message: "'\(endpoint)' is too long: the path of a socket has at most 107 bytes"))
    default:
      CallError(Status(.internal, "\(endpoint): \(error)"))
    }
  }

  private func monotonicMs() -> Int {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return time.tv_sec * 1000 + time.tv_nsec / 1_000_000
  }

  private func wallMs() -> Int64 {
    var time = timespec()
    clock_gettime(CLOCK_REALTIME, &time)
    return Int64(time.tv_sec) * 1000 + Int64(time.tv_nsec) / 1_000_000
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
