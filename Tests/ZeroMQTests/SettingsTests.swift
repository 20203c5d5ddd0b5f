import Glibc
import Testing
import ZeroMQ

@Suite struct SettingsTests {
  let bench: Bench

  init() throws {
    bench = try Bench()
    try bench.startHandler(ZAPTable())
  }

  @Test(
    "Every setting of the table is set, and holds",
    arguments: [
      SocketKind.router, .dealer, .req, .rep, .pub, .sub,
    ])
  func server(kind: SocketKind) throws {
    let socket = try bench.socket(kind)
    try socket.apply(.server(zapDomain: "gateway", sendHighWater: 10))
    #expect(try socket.get(.maxMessageSize) == 1_048_576)
    let numbers: [(SocketOption<Int32>, Int32)] = [
      (.receiveHighWater, 0), (.sendHighWater, 10), (.linger, 0), (.handshakeIntervalMs, 3_000),
      (.heartbeatIntervalMs, 10_000), (.heartbeatTimeoutMs, 30_000), (.tcpKeepAlive, 1),
      (.tcpKeepAliveIdleS, 60), (.tcpKeepAliveIntervalS, 15), (.tcpKeepAliveCount, 4),
      (.immediate, 0),
    ]
    for (option, value) in numbers { #expect(try socket.get(option) == value, "\(option)") }
    #expect(try socket.get(.zapDomain) == "gateway")
  }

  @Test("A client has no domain, and connects again as soon as it is told to")
  func client() throws {
    let socket = try bench.socket(.dealer)
    try socket.apply(.client(reconnectIntervalMs: 20, reconnectIntervalMaxMs: 500))
    #expect(try socket.get(.reconnectIntervalMs) == 20)
    #expect(try socket.get(.reconnectIntervalMaxMs) == 500)
    #expect(try socket.get(.immediate) == 0)
    #expect(try socket.get(.linger) == 0)
    #expect(try socket.get(.zapDomain) == "")
  }

  @Test("A socket drops what is unsent when it is closed, without being told to")
  func linger() throws {
    #expect(try bench.socket(.dealer).get(.linger) == 0)
  }

  @Test("A second peer does not take over the id of the first one")
  func handover() throws {
    let router = try bench.socket(.router)
    try router.apply(.server(zapDomain: "test"))
    try router.bind("inproc://handover")
    var dealers: [Socket] = []
    for number in 0..<2 {
      let dealer = try bench.socket(.dealer)
      try dealer.set(.routingID, Array("same".utf8))
      try dealer.connect("inproc://handover")
      dealers.append(dealer)
      try bench.send(dealer, [UInt8(number)])
    }
    #expect(try bench.receive(router) == [Array("same".utf8), [0]])
    try bench.send(router, Array("same".utf8), [7])
    #expect(try bench.receive(dealers[0]) == [[7]])
    #expect(try dealers[1].receive(into: Frame()) == false)
  }

  @Test("A domain that nobody answers for stops the process: libzmq would let everybody in")
  func noHandler() async {
    await #expect(processExitsWith: .failure) {
      let socket = try Socket(try Context(), .router)
      try socket.apply(.server(zapDomain: "gateway"))
      exit(EXIT_SUCCESS)
    }
  }

  @Test("A bound socket without a domain stops the process: it is our own mistake")
  func noDomain() async {
    await #expect(processExitsWith: .failure) { _ = SocketSettings.server(zapDomain: "") }
  }
}
