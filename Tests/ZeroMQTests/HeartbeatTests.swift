import Glibc
import Testing
import ZeroMQ

/// Why `SocketSettings` sets no limit to what waits to be received. Where the first of these tests
/// fails, libzmq has mended it, and a limit can be had.
@Suite struct HeartbeatTests {
  @Test(
    "With a limit libzmq aborts when a heartbeat is due for a peer that left beyond it")
  func aborts() async {
    await #expect(processExitsWith: .signal(SIGABRT)) { try leave(receiveHighWater: 4) }
  }

  @Test("Without one the same peer costs nothing, and all that it sent is read")
  func survives() async {
    await #expect(processExitsWith: .success) { try leave(receiveHighWater: 0) }
  }
}

/// A server that does not read for two seconds, and a peer that sends a lot, pings and goes. Then
/// the server reads what it has.
private func leave(receiveHighWater: Int32) throws {
  let bench = try Bench()
  try bench.startHandler(ZAPTable(trustedDomains: ["test"]))
  let router = try bench.socket(.router)
  var settings = SocketSettings.server(zapDomain: "test")
  settings.receiveHighWater = receiveHighWater
  settings.heartbeatIntervalMs = 500
  try router.apply(settings)
  let monitor = try bench.monitor(router)
  try router.bind(bench.ipc)
  let peer = try RawPeer(path: "\(bench.folder)/a.sock")
  try peer.shakeHands()
  _ = try bench.wait(for: "the handshake", monitor.socket) {
    try monitor.receive()?.kind == .handshakeSucceeded ? true : nil
  }
  // In one piece: what is still in the system's buffer when the peer is gone is lost with it.
  let messages = Array((0..<20).map { _ in [0, 1, 65] as [UInt8] }.joined())
  let ping: [UInt8] = [4, 7, 4] + Array("PING".utf8) + [0, 0]
  try peer.write(messages + ping)
  let written = monotonicMs()
  peer.close()
  _ = try bench.wait(for: "two seconds") { monotonicMs() - written > 2_000 ? true : nil }
  for _ in 0..<20 { #expect(try bench.receive(router).last == [65]) }
}
