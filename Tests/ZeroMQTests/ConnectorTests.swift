import Glibc
import Testing
import ZeroMQ

/// Why `SocketSettings` leaves IMMEDIATE off, and what `Connector` does in its place. Where one of
/// the first two tests fails, libzmq has mended it.
@Suite struct ConnectorTests {
  @Test("With IMMEDIATE libzmq aborts who reads on when a service has gone, or tears a message")
  func callsAbort() async {
    await #expect(processExitsWith: .failure) { try readOn(.dealer, immediate: true) }
  }

  @Test("With IMMEDIATE libzmq aborts who reads on when a feed has gone, or tears a message")
  func feedsAbort() async {
    await #expect(processExitsWith: .failure) { try readOn(.sub, immediate: true) }
  }

  @Test("Without IMMEDIATE all is read that came from a peer that has gone")
  func survives() async {
    await #expect(processExitsWith: .success) {
      try readOn(.dealer, immediate: false)
      try readOn(.sub, immediate: false)
    }
  }

  @Test("What was queued for a peer that has gone reaches nobody, and the next call does")
  func reconnects() throws {
    let bench = try Bench()
    let poller = Poller()
    let settings = SocketSettings.client(reconnectIntervalMs: 20)
    let dealer = try Connector(bench.context, .dealer, bench.ipc, settings, poller)
    let first = try Socket(bench.context, .router)
    try first.bind(bench.ipc)
    try wait(for: .handshakeSucceeded, bench, dealer, poller)
    try bench.send(dealer.socket, [1])
    #expect(try bench.receive(first).last == [1])
    first.close()
    try wait(for: .disconnected, bench, dealer, poller)
    #expect(try dealer.socket.send(Frame([2])) == .sent, "libzmq keeps it for whoever comes")
    try dealer.reconnect()
    let second = try bench.socket(.router)
    try second.bind(bench.ipc)
    try wait(for: .handshakeSucceeded, bench, dealer, poller)
    try bench.send(dealer.socket, [3])
    let request = try bench.receive(second)
    #expect(request.last == [3])
    try bench.send(second, request[0], [4])
    try poller.wait(timeoutMs: 10_000)
    #expect(dealer.isReadable && !dealer.hasEvents)
    #expect(try bench.receive(dealer.socket) == [[4]])
    try dealer.close()
  }

  private func wait(
    for kind: MonitorEvent.Kind, _ bench: Bench, _ dealer: Connector, _ poller: Poller
  ) throws {
    _ = try bench.wait(for: "\(kind)") {
      try poller.wait(timeoutMs: 5)
      while let event = try dealer.nextEvent() {
        if event.kind == kind { return true }
      }
      return nil
    }
  }
}

/// A peer that sends more messages than libzmq reads without looking at what else has happened,
/// and goes. They are read when the connection is known to be lost.
private func readOn(_ kind: SocketKind, immediate: Bool) throws {
  let bench = try Bench()
  let server = try Socket(bench.context, kind == .sub ? .pub : .router)
  try server.set(.linger, 10_000)
  try server.bind(bench.ipc)
  let client = try bench.socket(kind)
  var settings = SocketSettings.client(reconnectIntervalMs: 20)
  settings.immediate = immediate
  try client.apply(settings)
  let monitor = try bench.monitor(client)
  if kind == .sub { try client.set(.subscribe, []) }
  try client.connect(bench.ipc)
  try sendHundred(bench, server, client)
  server.close()
  // What follows the loss is told when libzmq has taken its consequences.
  var isLost = false
  _ = try bench.wait(for: "the loss", monitor.socket) {
    while let event = try monitor.receive() {
      if isLost { return true }
      isLost = event.kind == .disconnected
    }
    return nil
  }
  let frame = Frame()
  var messages: [[UInt8]] = []
  while messages.last != [99, 99] {
    // Nothing more comes: where a frame is missing, it is lost.
    guard try client.receive(into: frame) else { exit(EXIT_FAILURE) }
    let first = Array(frame.bytes)
    guard try client.receive(into: frame) else { exit(EXIT_FAILURE) }
    messages.append(first + Array(frame.bytes))
  }
  #expect(messages.suffix(100) == (0..<100).map { [$0, $0] })
}

private let greeting: [UInt8] = [255]

/// Every message has two frames, so that each hundredth frame is a second one.
private func sendHundred(_ bench: Bench, _ server: Socket, _ client: Socket) throws {
  guard client.kind == .sub else {
    try bench.send(client, greeting)
    let id = try bench.receive(server)[0]
    for number in 0..<100 { try bench.send(server, id, [UInt8(number)], [UInt8(number)]) }
    return
  }
  // A publisher does not tell who has subscribed: something has to arrive.
  _ = try bench.wait(for: "the subscription", client) {
    try bench.send(server, greeting, greeting)
    return try client.receive(into: Frame()) ? try bench.receive(client) : nil
  }
  for number in 0..<100 { try bench.send(server, [UInt8(number)], [UInt8(number)]) }
}
