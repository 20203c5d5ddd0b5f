/// Every setting that libzmq's defaults get wrong for a server or its clients, in one value. What
/// each default did when it was tried is in the table of ARCHITECTURE.md.
package struct SocketSettings: Equatable, Sendable {
  /// Bytes of the largest frame. The default is no limit: nine bytes reserve two gigabytes.
  package var maxMessageSize: Int64 = 1 << 20
  /// Messages of one peer that wait to be received; 0: no limit. With a limit, libzmq 4.3.4 stops
  /// to read from a peer that is ahead, and aborts the process when that peer hangs up with a
  /// heartbeat among what was not read (`Assertion failed: !_io_error`): a peer can do so at will.
  package var receiveHighWater: Int32 = 0
  /// Messages that wait to be sent to one peer.
  package var sendHighWater: Int32
  /// Milliseconds for which unsent messages outlive the socket. The default, for ever, hangs a
  /// stop.
  package var lingerMs: Int32
  /// A peer that has not shaken hands by then is dropped.
  package var handshakeIntervalMs: Int32 = 3_000
  /// How often a peer is asked whether it lives. Never, by default: half-open peers stay for ever.
  package var heartbeatIntervalMs: Int32 = 10_000
  /// How long it may take to answer that.
  package var heartbeatTimeoutMs: Int32 = 30_000
  /// Seconds of silence after which TCP asks the other machine whether it lives.
  package var tcpKeepAliveIdleS: Int32 = 60
  /// Seconds between two of these questions.
  package var tcpKeepAliveIntervalS: Int32 = 15
  /// Questions without an answer after which the connection is given up.
  package var tcpKeepAliveCount: Int32 = 4
  /// The domain of a bound socket, never empty there: with an empty one the raw bytes of a port
  /// scan arrive as messages. Nil: a socket that only connects.
  package var zapDomain: String?
  /// Whether messages wait only for a connection that is up. With it libzmq 4.3.4 aborts a process
  /// that loses a connection while it reads; what is queued for a dead server is dropped by
  /// `Connector` instead.
  package var immediate = false
  /// Milliseconds before the first attempt to connect again.
  package var reconnectIntervalMs: Int32 = 100
  /// Milliseconds that the wait between attempts grows to; 0: it does not grow.
  package var reconnectIntervalMaxMs: Int32 = 0

  /// For a socket that binds. `zapDomain` may not be empty.
  package static func server(
    zapDomain: String, sendHighWater: Int32 = 32, maxMessageSize: Int64 = 1 << 20
  ) -> SocketSettings {
    precondition(!zapDomain.isEmpty, "a bound socket has a domain")
    return SocketSettings(
      maxMessageSize: maxMessageSize, sendHighWater: sendHighWater, lingerMs: 0,
      zapDomain: zapDomain)
  }

  /// For a socket that connects.
  package static func client(
    sendHighWater: Int32 = 1_000, reconnectIntervalMs: Int32 = 100,
    reconnectIntervalMaxMs: Int32 = 0
  ) -> SocketSettings {
    SocketSettings(
      sendHighWater: sendHighWater, lingerMs: 0, zapDomain: nil,
      reconnectIntervalMs: reconnectIntervalMs, reconnectIntervalMaxMs: reconnectIntervalMaxMs)
  }
}

extension Socket {
  /// Sets everything in `settings`, reads it back and stops the process where it does not hold.
  /// Call it before `bind` and `connect`, and on a server with its `ZAPHandler` already there.
  package func apply(_ settings: SocketSettings) throws(ZeroMQError) {
    precondition(
      settings.zapDomain == nil || context.hasZAPHandler.load(ordering: .acquiring),
      "a domain without a ZAPHandler lets everybody in")
    try set(.maxMessageSize, settings.maxMessageSize)
    try set(.receiveHighWater, settings.receiveHighWater)
    try set(.sendHighWater, settings.sendHighWater)
    try set(.linger, settings.lingerMs)
    try set(.handshakeIntervalMs, settings.handshakeIntervalMs)
    try set(.heartbeatIntervalMs, settings.heartbeatIntervalMs)
    try set(.heartbeatTimeoutMs, settings.heartbeatTimeoutMs)
    try set(.tcpKeepAlive, 1)
    try set(.tcpKeepAliveIdleS, settings.tcpKeepAliveIdleS)
    try set(.tcpKeepAliveIntervalS, settings.tcpKeepAliveIntervalS)
    try set(.tcpKeepAliveCount, settings.tcpKeepAliveCount)
    try set(.immediate, settings.immediate ? 1 : 0)
    try set(.reconnectIntervalMs, settings.reconnectIntervalMs)
    try set(.reconnectIntervalMaxMs, settings.reconnectIntervalMaxMs)
    if let domain = settings.zapDomain { try set(.zapDomain, domain) }
    let held = try self.settings()
    precondition(held == settings, "the socket's settings do not hold: \(held)")
    guard kind == .router else { return }
    try set(.routerMandatory, 1)
    try set(.routerHandover, 0)
    // These two cannot be read, so it is tried out: nobody has this id, and that must be told.
    let nobody = Frame([0])
    let result = try send(nobody, more: true)
    precondition(result == .gone, "ROUTER_MANDATORY does not hold")
  }

  /// The settings as libzmq has them.
  func settings() throws(ZeroMQError) -> SocketSettings {
    let domain = try get(.zapDomain)
    var held = SocketSettings(
      receiveHighWater: try get(.receiveHighWater), sendHighWater: try get(.sendHighWater),
      lingerMs: try get(.linger), zapDomain: domain.isEmpty ? nil : domain)
    held.maxMessageSize = try get(.maxMessageSize)
    held.handshakeIntervalMs = try get(.handshakeIntervalMs)
    held.heartbeatIntervalMs = try get(.heartbeatIntervalMs)
    held.heartbeatTimeoutMs = try get(.heartbeatTimeoutMs)
    held.tcpKeepAliveIdleS = try get(.tcpKeepAliveIdleS)
    held.tcpKeepAliveIntervalS = try get(.tcpKeepAliveIntervalS)
    held.tcpKeepAliveCount = try get(.tcpKeepAliveCount)
    held.immediate = try get(.immediate) == 1
    held.reconnectIntervalMs = try get(.reconnectIntervalMs)
    held.reconnectIntervalMaxMs = try get(.reconnectIntervalMaxMs)
    return held
  }
}
