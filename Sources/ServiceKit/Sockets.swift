import Glibc
import Keys
import Model
package import ZeroMQ

/// The sockets of one process. Everything that a core sends goes through here.
package final class Sockets: Outlet {
  /// The sockets that lead to a service behind this one.
  struct Link {
    let log: LogName
    var rpc: Connector
    var feed: Connector
  }

  let context: Context
  /// Watches the links.
  let poller = Poller()
  let router: Socket
  private(set) var publisher: Socket?
  private(set) var links: [Link] = []
  let connections: Connections
  private let zap: ZAPHandler
  private var locks: [EndpointLock] = []
  private let routingFrame = Frame()
  private let emptyFrame = Frame()
  /// Responses that go out together; beyond `outgoingCount` emptied ones, to be used again.
  private var outgoing: [Outgoing] = []
  private var outgoingCount = 0
  /// Peers that were found gone meanwhile.
  private var gone: [Int] = []
  private let topic = Array("changes".utf8)

  private let rpc: [Endpoint]
  private let feed: Endpoint?
  private let backends: [LogName: BackendEndpoints]
  private let keys: ProgramKeys
  /// Who may shake hands.
  private var admitted: Set<PublicKey> = []
  /// The feed was closed to be opened again, and the system has not let go of its port yet.
  private var mustOpenFeed = false

  private struct Outgoing {
    var connection = 0
    var hasDelimiter = false
    let header = Frame()
    let body = Frame()
  }

  /// Whoever comes without a key, where none is asked for.
  private static let plainDomain = "muster"
  private static let keyDomain = "muster-keys"

  /// Sockets that are neither bound nor connected.
  /// - Throws: `ZeroMQError`.
  package init(
    rpc: [Endpoint], feed: Endpoint?, backends: [LogName: BackendEndpoints],
    connections: Connections, keys: ProgramKeys = ProgramKeys()
  ) throws {
    self.connections = connections
    (self.rpc, self.feed, self.backends, self.keys) = (rpc, feed, backends, keys)
    context = try Context()
    // The handler has to be there before the first socket is bound.
    zap = try ZAPHandler(context, ZAPTable())
    router = try Socket(context, .router)
    try router.apply(
      .server(zapDomain: Self.plainDomain, sendHighWater: Limits.routerSendMessages))
    if feed != nil { publisher = try makePublisher() }
  }

  /// Binds and connects.
  /// - Throws: `ZeroMQError`, `EndpointLockError`; `HandshakeTestFailed`, and then nobody has been
  ///   let in by TCP.
  func open(admitting allowed: AllowedKeys, at now: Moment) throws {
    try admit(allowed, at: now)
    try bind(router, rpc, old: keys.old)
    if let publisher, let feed { try bind(publisher, [feed]) }
    for (log, endpoints) in backends { links.append(try connect(log, endpoints)) }
  }

  /// Lets these keys shake hands from now on. Who follows the feed makes no call that could be
  /// refused: where a key is taken away, all who follow have to come again, and read what they
  /// missed.
  /// - Throws: `ZeroMQError`.
  func admit(_ allowed: AllowedKeys, at now: Moment) throws {
    let before = admitted
    admitted = allowed.valid(atMs: now.wallMs)
    zap.replace(table(admitted))
    guard let feed, feed.isTCP, !before.isSubset(of: admitted) else { return }
    publisher?.close()
    publisher = try makePublisher()
    mustOpenFeed = true
  }

  /// Opens the feed again as soon as that can be done.
  func openFeed() throws {
    guard mustOpenFeed, let publisher, let feed else { return }
    do {
      try bind(publisher, [feed])
      mustOpenFeed = false
    } catch let error as ZeroMQError where error.number == EADDRINUSE {
      // libzmq closes what is closed in its own time.
    }
  }

  private func makePublisher() throws(ZeroMQError) -> Socket {
    let publisher = try Socket(context, .pub)
    try publisher.apply(
      .server(
        zapDomain: Self.plainDomain, sendHighWater: Limits.feedSendMessages,
        maxMessageSize: Limits.subscriptionBytes))
    return publisher
  }

  private func table(_ allowed: Set<PublicKey>) -> ZAPTable {
    ZAPTable(trustedDomains: [Self.plainDomain], keys: [Self.keyDomain: allowed])
  }

  /// Whether it has to be asked of each call whose it is: where there are keys.
  var hasKeys: Bool { keys.own != nil }

  /// First those that ask for keys: until they have been tried, nobody may have sent anything.
  /// libzmq keeps for each endpoint what was set when it was bound.
  private func bind(
    _ socket: Socket, _ endpoints: [Endpoint], old: ProgramKeys.Old? = nil
  ) throws {
    let isEncrypted: (Endpoint) -> Bool = { [hasKeys] in hasKeys && $0.isTCP }
    var served: [(pair: CurveKeyPair, endpoints: [Endpoint])] = []
    if let own = keys.own { served.append((own, endpoints.filter(isEncrypted))) }
    if let old { served.append((old.pair, old.rpc)) }
    served.removeAll(where: \.endpoints.isEmpty)
    for (pair, _) in served {
      try serving(socket, with: pair) {
        try HandshakeTest(socket, pair.publicKey).run { [self] key in
          zap.replace(table(key.map { admitted.union([$0]) } ?? admitted))
        }
      }
    }
    for (pair, endpoints) in served {
      try serving(socket, with: pair) {
        for endpoint in endpoints { try bind(socket, endpoint) }
      }
    }
    for endpoint in endpoints where !isEncrypted(endpoint) { try bind(socket, endpoint) }
  }

  /// What is bound meanwhile asks for keys, and has this one itself.
  private func serving(_ socket: Socket, with pair: CurveKeyPair, _ bind: () throws -> Void) throws
  {
    try socket.set(.zapDomain, Self.keyDomain)
    try socket.serve(with: pair)
    try bind()
    try socket.serveWithoutKeys()
    try socket.set(.zapDomain, Self.plainDomain)
  }

  private func bind(_ socket: Socket, _ endpoint: Endpoint) throws {
    if let lock = try EndpointLock(endpoint.description) { locks.append(lock) }
    try socket.bind(endpoint.description)
  }

  private func connect(_ log: LogName, _ endpoints: BackendEndpoints) throws -> Link {
    let settings = SocketSettings.client(
      sendHighWater: Limits.backendSendMessages,
      reconnectIntervalMs: Limits.reconnectIntervalMs)
    let rpc = try Connector(
      context, .dealer, endpoints.rpc.description, settings, poller,
      curve: keys.client(for: endpoints.rpc, endpoints.serverKeys))
    let feed = try Connector(
      context, .sub, endpoints.feed.description, settings, poller,
      curve: keys.client(for: endpoints.feed, endpoints.serverKeys), topic: topic)
    return Link(log: log, rpc: rpc, feed: feed)
  }

  // MARK: - Outlet

  /// Every send may wake libzmq's thread, which then has one message to carry: so some are sent
  /// together. Not all of a round, or whoever reads them would be idle meanwhile.
  package func respondSoon(
    to connection: Int, delimiter: Bool, header: Frame, body: Frame
  ) -> Bool {
    if outgoingCount == outgoing.count { outgoing.append(Outgoing()) }
    outgoing[outgoingCount].connection = connection
    outgoing[outgoingCount].hasDelimiter = delimiter
    outgoing[outgoingCount].header.move(from: header)
    outgoing[outgoingCount].body.move(from: body)
    connections.noteLeaving(connection)
    outgoingCount += 1
    if outgoingCount == Limits.responsesTogether { sendOutgoing() }
    return true
  }

  private func sendOutgoing() {
    let count = outgoingCount
    outgoingCount = 0
    for index in 0..<count {
      let response = outgoing[index]
      connections.noteLeft(response.connection)
      let isThere = respond(
        to: response.connection, delimiter: response.hasDelimiter, header: response.header,
        body: response.body)
      if !isThere { gone.append(response.connection) }
    }
  }

  /// Sends what waits for the end of the round.
  /// - Returns: the peers that are gone.
  func flush() -> [Int] {
    sendOutgoing()
    guard !gone.isEmpty else { return [] }
    defer { gone = [] }
    return gone
  }

  package func respond(
    to connection: Int, delimiter: Bool, header: Frame, body: Frame
  ) -> Bool {
    // In the order in which they were made.
    if outgoingCount > 0 { sendOutgoing() }
    if connections.stalled.contains(connection) {
      // Order within a connection is kept: what came before waits too.
      connections.hold(connection, hasDelimiter: delimiter, header: header, body: body)
      return true
    }
    switch send(to: connection, delimiter: delimiter, header: header, body: body) {
    case .sent: return true
    case .full:
      connections.hold(connection, hasDelimiter: delimiter, header: header, body: body)
      return true
    case .gone: return false
    }
  }

  /// A message is taken whole or not at all: only its first frame can find its peer full or gone.
  private func send(
    to connection: Int, delimiter: Bool, header: Frame, body: Frame
  ) -> SendResult {
    routingFrame.assign(connections.routingID(connection))
    let result = sending { () throws(ZeroMQError) in try router.send(routingFrame, more: true) }
    guard result == .sent else { return result }
    if delimiter {
      emptyFrame.clear()
      _ = sending { () throws(ZeroMQError) in try router.send(emptyFrame, more: true) }
    }
    _ = sending { () throws(ZeroMQError) in try router.send(header, more: true) }
    return sending { () throws(ZeroMQError) in try router.send(body, more: false) }
  }

  package func publish(_ body: Frame) {
    guard let publisher else { return }
    routingFrame.assign(topic)
    // A publisher drops for subscribers that are full; they notice by the numbers.
    _ = sending { () throws(ZeroMQError) in try publisher.send(routingFrame, more: true) }
    _ = sending { () throws(ZeroMQError) in try publisher.send(body, more: false) }
  }

  package func ask(_ log: LogName, header: Frame, body: Frame) -> Bool {
    guard let rpc = links.first(where: { $0.log == log })?.rpc.socket else { return false }
    let result = sending { () throws(ZeroMQError) in try rpc.send(header, more: true) }
    guard result == .sent else { return false }
    return sending { () throws(ZeroMQError) in try rpc.send(body, more: false) } == .sent
  }

  /// libzmq has no other errors for a socket that is right; one that it has is our own mistake.
  private func sending(_ body: () throws(ZeroMQError) -> SendResult) -> SendResult {
    do { return try body() } catch { preconditionFailure("\(error)") }
  }

  /// Tries again to send what peers could not take.
  func sendHeld(at now: Moment) {
    for connection in connections.dueForSending(at: now) {
      var hasTaken = false
      connections.drain(connection) { response in
        let result = send(
          to: connection, delimiter: response.hasDelimiter, header: response.header,
          body: response.body)
        if result != .full { hasTaken = true }
        return result != .full
      }
      connections.tried(connection, hasTaken: hasTaken, at: now)
    }
  }

  /// Closes all sockets, then the context.
  /// - Throws: `ZeroMQError`.
  func close() throws {
    sendOutgoing()
    for link in links {
      try link.rpc.close()
      try link.feed.close()
    }
    publisher?.close()
    // The last responses have been handed to libzmq, and are not on the wire yet.
    try router.set(.linger, Limits.lingerMs)
    router.close()
    try zap.stop()
    context.close()
  }
}
