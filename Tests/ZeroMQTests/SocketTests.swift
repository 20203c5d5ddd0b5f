import Glibc
import Testing
import ZeroMQ

@Suite struct SocketTests {
  let bench: Bench

  init() throws { bench = try Bench() }

  @Test(
    "Messages arrive whole and in order, over every transport",
    arguments: ["inproc://a", "ipc", "tcp://127.0.0.1:*"])
  func arrive(transport: String) throws {
    let router = try bench.socket(.router)
    try router.bind(transport == "ipc" ? bench.ipc : transport)
    let dealer = try bench.socket(.dealer)
    try dealer.connect(try router.lastEndpoint)
    let large = [UInt8](repeating: 9, count: 1_000_000)
    try bench.send(dealer, [], Array("header".utf8), large)
    try bench.send(dealer, Array("next".utf8))
    let first = try bench.receive(router)
    #expect(Array(first.dropFirst()) == [[], Array("header".utf8), large])
    let second = try bench.receive(router)
    #expect(Array(second.dropFirst()) == [Array("next".utf8)] && second[0] == first[0])
    try bench.send(router, first[0], Array("answer".utf8))
    #expect(try bench.receive(dealer) == [Array("answer".utf8)])
  }

  @Test("Where nothing is there, receiving says so and does not wait")
  func nothingThere() throws {
    let dealer = try bench.socket(.dealer)
    let frame = Frame([1, 2, 3])
    #expect(try dealer.receive(into: frame) == false)
  }

  @Test("A full peer is told, keeps the message, and takes it after it has read")
  func full() throws {
    let router = try bench.socket(.router)
    try router.set(.routerMandatory, 1)
    try router.set(.sendHighWater, 4)
    try router.bind("inproc://full")
    let dealer = try bench.socket(.dealer)
    try dealer.set(.receiveHighWater, 4)
    try dealer.connect("inproc://full")
    try bench.send(dealer, [0])
    let peer = Frame(try bench.receive(router)[0])
    let id = Frame()
    var sent = 0
    id.share(from: peer)
    while try router.send(id, more: true) == .sent {
      #expect(try router.send(Frame([UInt8(sent)])) == .sent)
      sent += 1
      id.share(from: peer)
      try #require(sent < 100)
    }
    #expect(sent == 8, "four wait here and four there")
    #expect(Array(id.bytes) == Array(peer.bytes))
    for number in 0..<sent { #expect(try bench.receive(dealer) == [[UInt8(number)]]) }
    let result = try bench.wait(for: "room") {
      try router.send(id, more: true) == .sent ? true : nil
    }
    #expect(result)
    #expect(try router.send(Frame([99])) == .sent)
    #expect(try bench.receive(dealer) == [[99]])
  }

  @Test("A peer that is gone is told apart from one that is full")
  func gone() throws {
    let router = try bench.socket(.router)
    try router.set(.routerMandatory, 1)
    try router.bind(bench.ipc)
    let dealer = try Socket(bench.context, .dealer)
    try dealer.connect(bench.ipc)
    try bench.send(dealer, [1])
    let peer = Frame(try bench.receive(router)[0])
    dealer.close()
    let id = Frame()
    let result = try bench.wait(for: "the peer to be gone", router) {
      id.share(from: peer)
      let result = try router.send(id, more: true)
      if result == .sent { #expect(try router.send(Frame([2])) == .sent) }
      return result == .gone ? result : nil
    }
    #expect(result == .gone)
  }

  @Test(
    "A peer that goes between two frames costs that message, and not the next one",
    arguments: [true, false])
  func goneBetweenFrames(more: Bool) throws {
    let dealer = try bench.socket(.dealer)
    try dealer.set(.immediate, 1)
    let monitor = try bench.monitor(dealer)
    let first = try Socket(bench.context, .router)
    try first.bind(bench.ipc)
    try dealer.connect(bench.ipc)
    try bench.send(dealer, [0])
    _ = try bench.receive(first)
    #expect(try dealer.send(Frame([1]), more: true) == .sent)
    first.close()
    _ = try bench.wait(for: "the loss", monitor.socket) {
      try monitor.receive()?.kind == .disconnected ? true : nil
    }
    // Whatever the rest of the lost message meets, it has to end with its last frame.
    if more { _ = try dealer.send(Frame([2]), more: true) }
    _ = try dealer.send(Frame([2]))
    let second = try bench.socket(.router)
    try second.bind(bench.ipc)
    // Messages for the old connection are lost with it, whole; the first one that arrives begins
    // where it begins, and every later one follows.
    let frame = Frame()
    let parts = try bench.wait(for: "a message", second) { () -> [[UInt8]]? in
      if try dealer.send(Frame([3]), more: true) == .sent {
        _ = try dealer.send(Frame([4]), more: true)
        _ = try dealer.send(Frame([5]))
      }
      return try second.receive(into: frame) ? try bench.receive(second) : nil
    }
    #expect(parts == [[3], [4], [5]])
    try bench.send(dealer, [6])
    let last = try bench.wait(for: "the last message", second) {
      let next = try bench.receive(second).dropFirst()
      return next == [[3], [4], [5]] ? nil : Array(next)
    }
    #expect(last == [[6]])
  }

  @Test("A frame above the limit costs its sender the connection, and nobody else anything")
  func oversized() throws {
    let router = try bench.socket(.router)
    try router.set(.maxMessageSize, 1_000)
    try router.bind(bench.ipc)
    let good = try bench.socket(.dealer)
    try good.connect(bench.ipc)
    try bench.send(good, [1])
    let goodID = try bench.receive(router)[0]
    let bad = try bench.socket(.dealer)
    let monitor = try bench.monitor(bad)
    try bad.connect(bench.ipc)
    try bench.send(bad, [UInt8](repeating: 0, count: 1_001))
    _ = try bench.wait(for: "the loss", monitor.socket) {
      try monitor.receive()?.kind == .disconnected ? true : nil
    }
    let largest = [UInt8](repeating: 1, count: 1_000)
    try bench.send(good, largest)
    #expect(try bench.receive(router) == [goodID, largest])
  }

  @Test("Publishing reaches those who subscribed, by prefix")
  func publishing() throws {
    let publisher = try bench.socket(.pub)
    try publisher.bind(bench.ipc)
    let subscriber = try bench.socket(.sub)
    try subscriber.set(.subscribe, Array("changes".utf8))
    try subscriber.connect(bench.ipc)
    let frame = Frame()
    let received = try bench.wait(for: "the subscription") { () -> [UInt8]? in
      #expect(try publisher.send(Frame(Array("other".utf8))) == .sent)
      #expect(try publisher.send(Frame(Array("changes".utf8))) == .sent)
      return try subscriber.receive(into: frame) ? Array(frame.bytes) : nil
    }
    #expect(received == Array("changes".utf8))
  }

  @Test(
    "An error has its number, the call and a sentence",
    arguments: [
      ("tcp://nowhere", EINVAL), ("nonsense", EINVAL), ("made-up://x", EPROTONOSUPPORT),
      ("ipc:///no/such/folder/x", ENOENT),
    ])
  func errors(endpoint: String, number: Int32) throws {
    let socket = try bench.socket(.router)
    let error = try #require(throws: ZeroMQError.self) { try socket.bind(endpoint) }
    #expect(error.number == number)
    #expect(error.description == "zmq_bind \(endpoint): \(String(cString: strerror(number)))")
  }

  @Test("A context closes at once with messages nobody took")
  func closes() throws {
    let context = try Context()
    let dealer = try Socket(context, .dealer)
    try dealer.connect(bench.ipc)
    for _ in 0..<10 { #expect(try dealer.send(Frame(count: 100)) == .sent) }
    let start = monotonicMs()
    dealer.close()
    dealer.close()
    context.close()
    context.close()
    #expect(monotonicMs() - start < 2_000)
  }

  @Test("A context that is closed before its sockets stops the process instead of hanging it")
  func closedTooEarly() async {
    await #expect(processExitsWith: .failure) {
      let context = try Context()
      let socket = try Socket(context, .dealer)
      context.close()
      withExtendedLifetime(socket) { exit(EXIT_SUCCESS) }
    }
  }
}
