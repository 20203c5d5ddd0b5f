import Testing
import ZeroMQ

@Suite struct MonitorTests {
  @Test("A connection's life is told in order, at both ends")
  func life() throws {
    let bench = try Bench()
    let router = try bench.socket(.router)
    let dealer = try Socket(bench.context, .dealer)
    let server = try bench.monitor(router)
    let client = try bench.monitor(dealer)
    try router.bind(bench.ipc)
    try dealer.connect(bench.ipc)
    #expect(try kinds(bench, client, until: .handshakeSucceeded).contains(.connected))
    #expect(try kinds(bench, server, until: .handshakeSucceeded).contains(.accepted))
    try client.close()
    dealer.close()
    #expect(try kinds(bench, server, until: .disconnected).last == .disconnected)
    try server.close()
  }

  @Test("A refused handshake is told at the server's end")
  func refused() throws {
    let bench = try Bench()
    try bench.startHandler(ZAPTable())
    let router = try bench.socket(.router)
    try router.apply(.server(zapDomain: "nobody"))
    let server = try bench.monitor(router)
    try router.bind(bench.ipc)
    let dealer = try bench.socket(.dealer)
    try dealer.connect(bench.ipc)
    #expect(try kinds(bench, server, until: .handshakeFailed).last == .handshakeFailed)
    try server.close()
  }

  private func kinds(
    _ bench: Bench, _ monitor: Monitor, until last: MonitorEvent.Kind
  ) throws -> [MonitorEvent.Kind] {
    var kinds: [MonitorEvent.Kind] = []
    return try bench.wait(for: "\(last)", monitor.socket) {
      while let event = try monitor.receive() {
        kinds.append(event.kind)
        if event.kind == last { return kinds }
      }
      return nil
    }
  }
}
