import Testing
import ZeroMQ

/// Who answers for a bound socket's domain.
enum Guard: CaseIterable, Sendable {
  case noDomain, domainWithoutHandler, refusingHandler, acceptingHandler
}

/// What a stranger writes to the port.
enum Stranger: CaseIterable, Sendable {
  case garbage, http, greetingAlone, greetingThenGarbage, oldProtocol

  var bytes: [UInt8] {
    switch self {
    case .garbage: [UInt8](repeating: 0x02, count: 200)
    case .http: Array("GET / HTTP/1.1\r\nHost: example\r\n\r\n".utf8)
    case .greetingAlone: RawPeer.greeting
    case .greetingThenGarbage: RawPeer.greeting + [0, 2, 65, 66, 0, 1, 67]
    // ZMTP 1.0: a length, flags and the routing id, then one message "AB".
    case .oldProtocol: [1, 0, 3, 0, 65, 66]
    }
  }
}

@Suite struct ZAPTests {
  let bench: Bench

  init() throws { bench = try Bench() }

  @Test(
    "What a stranger writes to the port arrives as a message only where there is no domain",
    arguments: Guard.allCases, Stranger.allCases)
  func strangers(guarding: Guard, stranger: Stranger) throws {
    let router = try serve(guarding)
    let port = try #require(UInt16(try router.lastEndpoint.split(separator: ":").last ?? ""))
    let monitor = try bench.monitor(router)
    let peer = try RawPeer(port: port)
    try peer.write(stranger.bytes)
    _ = try bench.wait(for: "the stranger", monitor.socket) {
      try monitor.receive()?.kind == .accepted ? true : nil
    }
    // libzmq has read what was written when it hangs up, or when it asks for nothing more.
    peer.endWriting()
    _ = try bench.wait(for: "the end of the stranger", monitor.socket) {
      while let event = try monitor.receive() {
        if event.kind == .disconnected || event.kind == .handshakeFailed { return true }
      }
      return nil
    }
    let arrived = try router.receive(into: Frame())
    #expect(arrived == (guarding == .noDomain && [.garbage, .oldProtocol].contains(stranger)))
    peer.close()
  }

  @Test(
    "A proper client is served where its domain is trusted, and nowhere else",
    arguments: Guard.allCases)
  func clients(guarding: Guard) throws {
    let router = try serve(guarding)
    let dealer = try bench.socket(.dealer)
    try dealer.apply(.client(reconnectIntervalMs: 10_000))
    let monitor = try bench.monitor(dealer)
    try dealer.connect(try router.lastEndpoint)
    let kind = try bench.wait(for: "the handshake's end", monitor.socket) {
      () -> MonitorEvent.Kind? in
      let kind = try monitor.receive()?.kind
      return kind == .handshakeSucceeded || kind == .disconnected || kind == .handshakeFailed
        ? kind : nil
    }
    #expect((kind == .handshakeSucceeded) == (guarding != .refusingHandler))
  }

  @Test("A table can be replaced while the handler runs")
  func replaced() throws {
    let router = try serve(.refusingHandler)
    let monitor = try bench.monitor(router)
    let refused = try bench.socket(.dealer)
    try refused.connect(try router.lastEndpoint)
    _ = try bench.wait(for: "the refusal", monitor.socket) {
      try monitor.receive()?.kind == .handshakeFailed ? true : nil
    }
    bench.replaceTable(ZAPTable(trustedDomains: ["gateway"]))
    // libzmq does not try again by itself where it was refused.
    let served = try bench.socket(.dealer)
    try served.connect(try router.lastEndpoint)
    try bench.send(served, [1])
    #expect(try bench.receive(router).last == [1])
  }

  @Test("A context has one handler, and stopping it twice is one stop")
  func stops() throws {
    let handler = try ZAPHandler(bench.context, ZAPTable())
    #expect(throws: ZeroMQError.self) { _ = try ZAPHandler(bench.context, ZAPTable()) }
    try handler.stop()
    try handler.stop()
  }

  /// A ROUTER on a free TCP port, and who answers for its domain.
  private func serve(_ guarding: Guard) throws -> Socket {
    let router = try bench.socket(.router)
    switch guarding {
    case .noDomain: break
    case .domainWithoutHandler: try router.set(.zapDomain, "gateway")
    case .refusingHandler, .acceptingHandler:
      let trusted = guarding == .acceptingHandler ? "gateway" : "another"
      try bench.startHandler(ZAPTable(trustedDomains: [trusted]))
      try router.apply(.server(zapDomain: "gateway"))
    }
    try router.set(.handshakeIntervalMs, 300)
    try router.bind("tcp://127.0.0.1:*")
    return router
  }
}
