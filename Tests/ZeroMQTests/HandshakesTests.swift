import Testing

@testable import ZeroMQ

@Suite("What failing handshakes tell") struct HandshakesTests {
  /// What happens at a server to whoever comes with a key.
  enum Server: CaseIterable, Sendable { case otherKey, refusing, withoutKeys }

  @Test("libzmq tells another key, a refused one and none apart", arguments: Server.allCases)
  func servers(server: Server) throws {
    let bench = try Bench()
    let (own, client) = (try CurveKeyPair(), try CurveKeyPair())
    try bench.startHandler(ZAPTable(trustedDomains: ["ipc"], keys: ["tcp": []]))
    let router = try bench.socket(.router)
    try router.apply(.server(zapDomain: server == .withoutKeys ? "ipc" : "tcp"))
    if server != .withoutKeys { try router.serve(with: own) }
    try router.bind("tcp://127.0.0.1:*")
    let dealer = try bench.socket(.dealer)
    try dealer.apply(.client(reconnectIntervalMs: 10))
    try dealer.call(
      as: client, serverKey: server == .otherKey ? client.publicKey : own.publicKey)
    let monitor = try bench.monitor(dealer)
    try dealer.connect(try router.lastEndpoint)
    var handshakes = Handshakes()
    let expected: Handshakes.Fault =
      switch server {
      case .otherKey: .hungUp(times: 3)
      case .refusing: .refusedKey
      case .withoutKeys: .otherMechanism
      }
    _ = try bench.wait(for: "\(expected)", monitor.socket) {
      while let event = try monitor.receive() {
        handshakes.note(event, atMs: Int64(monotonicMs()))
        if handshakes.fault == expected { return true }
      }
      return nil
    }
  }

  @Test("That nobody listens is told where somebody was about to be let in")
  func nobody() throws {
    let bench = try Bench()
    let router = try bench.socket(.router)
    try router.bind("tcp://127.0.0.1:*")
    let endpoint = try router.lastEndpoint
    try router.unbind(endpoint)
    let dealer = try bench.socket(.dealer)
    try dealer.apply(.client(reconnectIntervalMs: 10))
    let monitor = try bench.monitor(dealer)
    try dealer.connect(endpoint)
    _ = try bench.wait(for: "the failure", monitor.socket) {
      try monitor.receive()?.kind == .connectFailed ? true : nil
    }
  }

  /// Of an event its kind, its value, and when it came.
  typealias Told = (kind: MonitorEvent.Kind, value: UInt32, atMs: Int64)

  private func fault(_ events: [Told]) -> Handshakes.Fault? {
    var handshakes = Handshakes()
    for event in events {
      handshakes.note(
        MonitorEvent(kind: event.kind, value: event.value, endpoint: ""), atMs: event.atMs)
    }
    return handshakes.fault
  }

  @Test("A peer that has died is told from one that hangs up every time")
  func died() {
    let hungUp: [Told] = [(.connected, 9, 0), (.handshakeFailed, 104, 1), (.disconnected, 9, 1)]
    #expect(fault(hungUp) == .hungUp(times: 1))
    #expect(fault(hungUp + [(.connectFailed, 9, 50)]) == nil)
    #expect(fault(hungUp + [(.connectFailed, 9, 50)] + hungUp) == .hungUp(times: 1))
    #expect(fault(hungUp + [(.connected, 9, 60), (.handshakeSucceeded, 0, 61)]) == nil)
    #expect(fault(hungUp + hungUp + hungUp) == .hungUp(times: 3))
  }

  @Test("That one end goes without keys is seen once, and known from then on")
  func otherMechanism() {
    let mismatch: UInt32 = 0x1100_0002
    let seen: [Told] = [(.connected, 9, 0), (.handshakeFailed, mismatch, 1)]
    #expect(fault(seen + [(.connected, 9, 50), (.handshakeFailed, 32, 51)]) == .otherMechanism)
    #expect(fault(seen + [(.connectFailed, 9, 50)]) == nil)
  }

  @Test("A peer that stands still is told from one that hangs up")
  func silent() {
    let stopped: [Told] = [(.connected, 9, 100), (.handshakeFailed, 11, 3_100)]
    #expect(fault(stopped) == .silent)
    #expect(fault([(.connected, 9, 100), (.handshakeFailed, 32, 900)]) == .hungUp(times: 1))
    #expect(fault(stopped + [(.connected, 9, 3_200)]) == .silent)
  }
}
