import Testing
import ZeroMQ

/// What a client comes with to a server that wants a known key.
enum Visitor: CaseIterable, Sendable { case knownKey, unknownKey, noKey, wrongServerKey }

@Suite struct CurveTests {
  let bench: Bench

  init() throws { bench = try Bench() }

  @Test(
    "A known key is served and told by name; every other visitor is refused",
    arguments: Visitor.allCases)
  func visitors(visitor: Visitor) throws {
    let server = try CurveKeyPair()
    let client = try CurveKeyPair()
    try bench.startHandler(
      ZAPTable(trustedDomains: ["ipc"], keys: ["tcp": [client.publicKey]]))
    let router = try bench.socket(.router)
    try router.apply(.server(zapDomain: "tcp"))
    try router.serve(with: server)
    try router.bind("tcp://127.0.0.1:*")
    let dealer = try bench.socket(.dealer)
    try dealer.apply(.client(reconnectIntervalMs: 10_000))
    switch visitor {
    case .knownKey: try dealer.call(as: client, serverKey: server.publicKey)
    case .unknownKey: try dealer.call(as: try CurveKeyPair(), serverKey: server.publicKey)
    case .wrongServerKey: try dealer.call(as: client, serverKey: client.publicKey)
    case .noKey: break
    }
    let monitor = try bench.monitor(router)
    try dealer.connect(try router.lastEndpoint)
    let end = try bench.wait(for: "the handshake's end", monitor.socket) {
      () -> MonitorEvent.Kind? in
      while let event = try monitor.receive() {
        if event.kind == .handshakeSucceeded || event.kind == .handshakeFailed { return event.kind }
      }
      return nil
    }
    #expect((end == .handshakeSucceeded) == (visitor == .knownKey))
    guard visitor == .knownKey else { return }
    for _ in 0..<3 {
      try bench.send(dealer, [1], [2])
      #expect(try lastUserID(router) == CurveKeyPair.text(of: client.publicKey))
    }
  }

  @Test("A key reads its own text form, and nothing else is one")
  func text() throws {
    let pair = try CurveKeyPair()
    #expect(CurveKeyPair.key(CurveKeyPair.text(of: pair.publicKey)) == pair.publicKey)
    let again = CurveKeyPair(secretText: CurveKeyPair.text(of: pair.secretKey))
    #expect(again?.publicKey == pair.publicKey)
    #expect(CurveKeyPair.key("") == nil)
    #expect(CurveKeyPair.key(String(repeating: "~", count: 40)) == nil)
    #expect(CurveKeyPair(secretText: "short") == nil)
  }

  /// The user id of the next message's last frame: after a poll, the first one has lost it.
  private func lastUserID(_ router: Socket) throws -> String? {
    let frame = Frame()
    return try bench.wait(for: "a message", router) { () -> String?? in
      while try router.receive(into: frame) {
        if !frame.hasMore { return .some(frame.userID) }
      }
      return nil
    }
  }
}
