import Model
package import ZeroMQ

/// The sockets of one process. Everything that a core sends goes through here.
package final class Sockets: Outlet {
  /// The sockets that lead to a service behind this one.
  struct Link {
    var rpc: Connector
    var feed: Connector
  }

  let context: Context
  /// Watches the links.
  let poller = Poller()
  let router: Socket
  let publisher: Socket?
  private(set) var links: [LogName: Link] = [:]
  let connections: Connections
  private let zap: ZAPHandler
  private var locks: [EndpointLock] = []
  private let routingFrame = Frame()
  private let emptyFrame = Frame()
  private let topic = Array("changes".utf8)

  private static let domain = "muster"

  /// Binds and connects.
  /// - Throws: `ZeroMQError`, `EndpointLockError`.
  package init(
    rpc: [Endpoint], feed: Endpoint?, backends: [LogName: BackendEndpoints],
    connections: Connections
  ) throws {
    self.connections = connections
    context = try Context()
    // The handler has to be there before the first socket is bound.
    zap = try ZAPHandler(context, ZAPTable(trustedDomains: [Self.domain]))
    router = try Socket(context, .router)
    try router.apply(
      .server(zapDomain: Self.domain, sendHighWater: Limits.routerSendMessages))
    publisher = feed == nil ? nil : try Socket(context, .pub)
    try publisher?.apply(
      .server(zapDomain: Self.domain, sendHighWater: Limits.feedSendMessages))
    for endpoint in rpc { try bind(router, endpoint) }
    if let feed, let publisher { try bind(publisher, feed) }
    for (log, endpoints) in backends { links[log] = try connect(endpoints) }
  }

  private func bind(_ socket: Socket, _ endpoint: Endpoint) throws {
    if let lock = try EndpointLock(endpoint.description) { locks.append(lock) }
    try socket.bind(endpoint.description)
  }

  private func connect(_ endpoints: BackendEndpoints) throws -> Link {
    let settings = SocketSettings.client(reconnectIntervalMs: Limits.reconnectIntervalMs)
    let rpc = try Connector(context, .dealer, endpoints.rpc.description, settings, poller)
    let feed = try Connector(context, .sub, endpoints.feed.description, settings, poller)
    try feed.socket.set(.subscribe, topic)
    return Link(rpc: rpc, feed: feed)
  }

  // MARK: - Outlet

  package func respond(
    to connection: Int, delimiter: Bool, header: Frame, body: Frame
  ) -> Bool {
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
    guard let rpc = links[log]?.rpc.socket else { return false }
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
    for link in links.values {
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
