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
      #expect(try lastSender(router) == .key(client.publicKey))
    }
  }

  @Test("A key reads its own text form, and nothing else is one")
  func text() throws {
    let pair = try CurveKeyPair()
    #expect(PublicKey(text: pair.publicKey.description) == pair.publicKey)
    #expect(PublicKey(pair.publicKey.bytes) == pair.publicKey)
    let again = CurveKeyPair(secretText: pair.secretText)
    #expect(again?.publicKey == pair.publicKey)
    #expect(PublicKey(text: "") == nil && PublicKey([1, 2, 3]) == nil)
    #expect(PublicKey(text: String(repeating: "~", count: 40)) == nil)
    #expect(PublicKey(text: pair.publicKey.description + "0") == nil)
    #expect(CurveKeyPair(secretText: "short") == nil)
    #expect(!"\(pair)".contains(pair.secretText))
  }

  @Test("One socket takes anybody at one endpoint, and known keys at another")
  func twoEndpoints() throws {
    let (server, client) = (try CurveKeyPair(), try CurveKeyPair())
    try bench.startHandler(ZAPTable(trustedDomains: ["ipc"], keys: ["tcp": [client.publicKey]]))
    let router = try bench.socket(.router)
    try router.apply(.server(zapDomain: "tcp"))
    try router.serve(with: server)
    try router.bind("tcp://127.0.0.1:*")
    let tcp = try router.lastEndpoint
    try router.serveWithoutKeys()
    try router.set(.zapDomain, "ipc")
    try router.bind(bench.ipc)
    let plain = try bench.socket(.dealer)
    try plain.connect(bench.ipc)
    let known = try bench.socket(.dealer)
    try known.call(as: client, serverKey: server.publicKey)
    try known.connect(tcp)
    for _ in 0..<2 {
      try bench.send(plain, [1], [2])
      #expect(try lastSender(router) == .plain)
      try bench.send(known, [1], [2])
      #expect(try lastSender(router) == .key(client.publicKey))
    }
  }

  /// The sender by the next message's last frame: after a poll, the first one has lost it.
  private func lastSender(_ router: Socket) throws -> Sender {
    let frame = Frame()
    return try bench.wait(for: "a message", router) { () -> Sender? in
      while try router.receive(into: frame) {
        if !frame.hasMore { return frame.sender }
      }
      return nil
    }
  }
}
