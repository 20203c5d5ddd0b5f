package import Model
package import ServiceKit
package import Wire
package import ZeroMQ

/// A service without its sockets: calls go in as bytes, and what it sends comes out as messages.
/// Time stands still unless a test moves it.
package final class Harness: Outlet {
  /// Set by `start`, which a test calls before anything else.
  package private(set) var core: ServiceCore!
  package var now = Moment(wallMs: 1_700_000_000_000, monotonicUs: 1_000_000_000)
  /// What the feed has told.
  package var published: [ChangesPublished] = []
  /// Responses of streams: all but the last of their call. Those of the attendant go to it.
  package var streamed: [Response] = []
  /// Whom an owner asks about deletes, once `attend` has been called.
  package let attendant = Attendant()
  /// What it has asked of other services, and nobody has answered.
  package var asked: [Asked] = []
  /// The services behind this one that answer by themselves.
  package var owners: [LogName: Owner] = [:]
  /// Who sends, as the sockets would say.
  package var sender = Sender.plain
  /// Peers that are gone: nothing can be sent to them.
  package var gonePeers: Set<UInt8> = []
  /// Peers that do not read: nothing more can be sent to them now.
  package var fullPeers: Set<UInt8> = []

  private var connected: Set<LogName> = []
  private var responses: [CallName: Response] = [:]
  private var lastCall: UInt64 = 0
  private var attendances: Set<UInt64> = []
  private let encoder = Encoder()
  private let decoder = Decoder()

  private struct CallName: Hashable {
    var peer: Int
    var id: UInt64
  }

  /// A response as it was sent.
  package struct Response {
    package var header: ResponseHeader
    package var body: [UInt8]

    package init(header: ResponseHeader, body: [UInt8]) {
      self.header = header
      self.body = body
    }
  }

  /// A call to another service.
  package struct Asked {
    package var log: LogName
    package var header: RequestHeader
    package var body: [UInt8]

    package init(log: LogName, header: RequestHeader, body: [UInt8]) {
      self.log = log
      self.header = header
      self.body = body
    }
  }

  package init() {}

  /// Starts a service; what was connected and under way before is over.
  package func start(
    _ service: any Service, store: ServiceCore.Store? = nil, follows: [LogName] = [],
    options: ServiceCore.Options = ServiceCore.Options()
  ) {
    core = ServiceCore(
      service, store: store, follows: follows, options: options, outlet: self,
      connections: Connections(), log: .none, clock: { [unowned self] in now })
    connected = []
    asked = []
  }

  // MARK: - Time

  /// Lets time pass by both clocks, with rounds on the way.
  package func pass(ms: Int64) {
    var left = ms
    while left > 0 {
      let step = min(left, 500)
      now.wallMs += step
      now.monotonicUs += step * 1_000
      left -= step
      for owner in owners.values where connected.contains(owner.log) { publish(owner.log) }
      finish()
    }
  }

  /// Ends the round, and lets others answer until nothing is asked any more.
  package func finish() {
    core.finish(at: now)
    answer()
    if attendant.answers, let question = attendant.questions.first { answer(question) }
  }

  /// Work that waits for idle times, all of it.
  package func workBehind() {
    while core.hasWorkBehind || core.nextRoundUs(at: now) <= now.monotonicUs {
      core.workBehind(at: now)
      core.finish(at: now)
    }
  }

  // MARK: - Calls

  /// Sends a request, without ending the round.
  /// - Returns: the call's id.
  @discardableResult
  package func send<Q: Request>(
    _ request: Q, _ header: RequestHeader = RequestHeader(), from peer: UInt8 = 1
  ) -> UInt64 {
    var header = header
    header.method = Q.method
    return send(body: encoder.bytes(request), header, from: peer)
  }

  /// Sends bytes as the body of a request, without ending the round.
  @discardableResult
  package func send(body: [UInt8], _ header: RequestHeader, from peer: UInt8 = 1) -> UInt64 {
    var header = header
    if header.id == 0 {
      lastCall += 1
      header.id = lastCall
    }
    if header.method == .attendDeletes { attendances.insert(header.id) }
    let body = Frame(body)
    let headerBytes = encoder.bytes(header)
    [0, 0, 0, 0, peer].withUnsafeBytes { routingID in
      headerBytes.withUnsafeBytes {
        core.receive(
          from: routingID, sender: sender, hasDelimiter: true, header: $0, body: body, at: now)
      }
    }
    return header.id
  }

  /// Takes the last response of a call; nil: none came yet.
  package func take(_ id: UInt64, from peer: UInt8 = 1) -> Response? {
    responses.removeValue(forKey: CallName(peer: connection(of: peer), id: id))
  }

  /// Takes the response to a request; nil: none came yet.
  package func take<Q: Request>(_: Q.Type, _ id: UInt64, from peer: UInt8 = 1) -> Reply<Q.Response>?
  {
    take(id, from: peer).map { Reply($0, decode(Q.Response.self, $0.body)) }
  }

  /// Makes a call in a round of its own; nil: no response came.
  package func tryCall<Q: Request>(
    _ request: Q, as user: String = "", _ roles: Roles = [], key: ID? = nil,
    atLeast: Revisions = Revisions(), timeoutMs: UInt32 = 0, from peer: UInt8 = 1
  ) -> Reply<Q.Response>? {
    let id = send(
      request,
      RequestHeader(
        timeoutMs: timeoutMs, idempotencyKey: key, atLeast: atLeast, actingUser: user,
        actingRoles: roles), from: peer)
    finish()
    return take(Q.self, id, from: peer)
  }

  /// Makes a call in a round of its own, a millisecond after the one before.
  /// - Throws: where no response came.
  package func call<Q: Request>(
    _ request: Q, as user: String = "", _ roles: Roles = [], key: ID? = nil,
    atLeast: Revisions = Revisions(), timeoutMs: UInt32 = 0, from peer: UInt8 = 1
  ) throws -> Reply<Q.Response> {
    now.wallMs += 1
    now.monotonicUs += 1_000
    let reply = tryCall(
      request, as: user, roles, key: key, atLeast: atLeast, timeoutMs: timeoutMs, from: peer)
    guard let reply else { throw Unanswered(method: Q.method.fullName) }
    return reply
  }

  /// The response of a call that succeeds.
  /// - Throws: where it does not.
  package func ask<Q: Request>(
    _ request: Q, as user: String = "", _ roles: Roles = [], key: ID? = nil,
    atLeast: Revisions = Revisions()
  ) throws -> Q.Response {
    let reply = try call(request, as: user, roles, key: key, atLeast: atLeast)
    guard reply.code == .ok else { throw Refused(sentence: "\(Q.method.fullName): \(reply)") }
    return reply.response
  }

  // MARK: - The services behind it

  /// The connection to the owner of a log is up.
  package func connect(_ log: LogName) {
    connected.insert(log)
    core.connected(to: log, at: now)
    finish()
  }

  /// The connection is lost, and with it what was asked.
  package func disconnect(_ log: LogName) {
    connected.remove(log)
    asked.removeAll { $0.log == log }
    core.disconnected(from: log, at: now)
    finish()
  }

  /// An owner's feed tells what it has not told yet, or only where it stands; the round goes on.
  package func publish(_ log: LogName) {
    guard let owner = owners[log], let told = owner.publication() else { return }
    publish(told, of: log)
  }

  /// The feed of a log tells this; the round goes on.
  package func publish(_ told: ChangesPublished, of log: LogName) {
    encoder.bytes(told).withUnsafeBytes { core.receivePublished(of: log, $0, at: now) }
  }

  /// Another service answers what it was asked; the round goes on.
  package func respond(to asked: Asked, _ response: Response) {
    var header = response.header
    header.id = asked.header.id
    let body = Frame(response.body)
    encoder.bytes(header).withUnsafeBytes {
      core.receive(from: asked.log, header: $0, body: body, at: now)
    }
  }

  /// Owners answer what they have been asked, until nothing is asked that they answer.
  private func answer() {
    while true {
      let open = asked
      asked = []
      var hasAnswered = false
      for question in open {
        guard let response = owners[question.log]?.answer(question) else {
          asked.append(question)
          continue
        }
        hasAnswered = true
        respond(to: question, response)
      }
      guard hasAnswered else { return }
      core.finish(at: now)
    }
  }

  // MARK: - What it sends

  package func respond(
    to connection: Int, delimiter: Bool, header: Frame, body: Frame
  ) -> Bool {
    let peer = core.connections.routingID(connection).last ?? 0
    guard !gonePeers.contains(peer) else { return false }
    if fullPeers.contains(peer) {
      core.connections.hold(connection, hasDelimiter: delimiter, header: header, body: body)
      return true
    }
    deliver(connection, header, body)
    return true
  }

  /// A peer reads again, all that has waited for it.
  package func drain(_ peer: UInt8) {
    fullPeers.remove(peer)
    let connection = connection(of: peer)
    core.connections.drain(connection) { response in
      deliver(connection, response.header, response.body)
      return true
    }
  }

  private func deliver(_ connection: Int, _ header: Frame, _ body: Frame) {
    let response = Response(
      header: decode(ResponseHeader.self, Array(header.bytes)), body: Array(body.bytes))
    if response.header.more {
      if attendances.contains(response.header.id) {
        attendant.note(decode(AttendDeletesResponse.self, response.body))
      } else {
        streamed.append(response)
      }
    } else {
      let name = CallName(peer: connection, id: response.header.id)
      precondition(responses[name] == nil, "two responses to one call")
      responses[name] = response
    }
    // As a socket does.
    header.clear()
    body.clear()
  }

  package func publish(_ body: Frame) {
    published.append(decode(ChangesPublished.self, Array(body.bytes)))
    body.clear()
  }

  package func ask(_ log: LogName, header: Frame, body: Frame) -> Bool {
    guard connected.contains(log) else { return false }
    asked.append(
      Asked(
        log: log, header: decode(RequestHeader.self, Array(header.bytes), mayBeWrong: true),
        body: Array(body.bytes)))
    header.clear()
    body.clear()
    return true
  }

  // MARK: - Bytes

  /// A message that the service has made: that it can be read is taken for granted here.
  /// - Parameter mayBeWrong: its fields need not keep their rules.
  package func decode<M: Message>(_: M.Type, _ bytes: [UInt8], mayBeWrong: Bool = false) -> M {
    var violations: [FieldViolation] = []
    do {
      let message = try bytes.withUnsafeBytes {
        try decoder.decode(M.self, from: $0, violations: &violations)
      }
      precondition(mayBeWrong || violations.isEmpty, "\(M.name) was sent with \(violations)")
      return message
    } catch {
      preconditionFailure("\(M.name) was sent malformed: \(error)")
    }
  }

  private func connection(of peer: UInt8) -> Int {
    [0, 0, 0, 0, peer].withUnsafeBytes { core.connections.find($0) }
  }
}

/// A response, decoded.
package struct Reply<P>: CustomStringConvertible {
  package var header: ResponseHeader
  package var response: P
  package var code: Code { header.status?.code ?? .ok }
  package var reason: String { header.status?.reason ?? "" }
  /// The fields that were refused.
  package var fields: [String] { header.status?.fieldViolations.map(\.field) ?? [] }

  init(_ response: Harness.Response, _ body: P) {
    header = response.header
    self.response = body
  }

  package var description: String {
    code == .ok ? "\(response)" : "\(reason): \(header.status?.message ?? "") \(fields)"
  }
}

/// No response came.
package struct Unanswered: Error { let method: String }

/// A call that was to succeed did not.
package struct Refused: Error { let sentence: String }
