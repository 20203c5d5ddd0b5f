import ServiceKit
import Testing
import ZeroMQ

@Suite("Endpoints")
struct EndpointTests {
  @Test(
    "ipc and tcp are understood, and whether only this machine reaches them",
    arguments: [
      ("ipc:///run/muster/gateway.sock", .ipc(path: "/run/muster/gateway.sock"), true),
      ("ipc://relative", .ipc(path: "relative"), true),
      ("tcp://127.0.0.1:5555", .tcp(host: "127.0.0.1", port: 5_555), true),
      ("tcp://127.255.0.1:5555", .tcp(host: "127.255.0.1", port: 5_555), true),
      ("tcp://localhost:1", .tcp(host: "localhost", port: 1), true),
      ("tcp://[::1]:65535", .tcp(host: "::1", port: 65_535), true),
      ("tcp://127.0.0.1:*", .tcp(host: "127.0.0.1", port: 0), true),
      ("tcp://*:5555", .tcp(host: "*", port: 5_555), false),
      ("tcp://0.0.0.0:5555", .tcp(host: "0.0.0.0", port: 5_555), false),
      ("tcp://[::]:5555", .tcp(host: "::", port: 5_555), false),
      ("tcp://muster.example:5555", .tcp(host: "muster.example", port: 5_555), false),
      ("tcp://127.0.0.1.example:5555", .tcp(host: "127.0.0.1.example", port: 5_555), false),
      ("tcp://127.0.0.example:5555", .tcp(host: "127.0.0.example", port: 5_555), false),
      ("tcp://localhost.example:5555", .tcp(host: "localhost.example", port: 5_555), false),
    ] as [(String, Endpoint.Address, Bool)])
  func understood(_ text: String, _ address: Endpoint.Address, _ isLoopback: Bool) throws {
    let endpoint = try Endpoint(text)
    #expect(endpoint.address == address)
    #expect(endpoint.isLoopback == isLoopback)
    #expect(endpoint.description == text)
  }

  @Test(
    "what is no endpoint is refused",
    arguments: [
      "", "ipc://", "tcp://", "tcp://host", "tcp://host:", "tcp://:5555", "tcp://host:65536",
      "tcp://host:-1", "tcp://host:+1", "tcp://host:1/path", "tcp://::1:5555", "tcp://[]:1",
      "udp://host:1", "inproc://x", "/run/muster.sock", "ipc:///a b", "tcp://a:1,tcp://b:2",
      "ipc:///a\nb", "ipc://" + String(repeating: "a", count: 108),
    ])
  func refused(_ text: String) {
    #expect(throws: EndpointError.self) { try Endpoint(text) }
  }

  @Test("a path may have 107 bytes")
  func longestPath() throws {
    _ = try Endpoint("ipc://" + String(repeating: "a", count: 107))
  }

  @Test("a backend is two endpoints with a comma between")
  func backend() throws {
    let backend = try BackendEndpoints("ipc:///a.sock,tcp://127.0.0.1:9")
    #expect(backend.rpc.description == "ipc:///a.sock")
    #expect(backend.feed.description == "tcp://127.0.0.1:9")
    #expect(backend.description == "ipc:///a.sock,tcp://127.0.0.1:9")
  }

  @Test("a backend may have the keys after them that it may have")
  func backendKeys() throws {
    let keys = try (0..<2).map { _ in try CurveKeyPair().publicKey }
    let text = "tcp://a:1,tcp://a:2,\(keys[0]),\(keys[1])"
    let backend = try BackendEndpoints(text)
    #expect(backend.serverKeys == keys && backend.description == text)
    #expect(throws: EndpointError.self) { try BackendEndpoints(text + ",\(keys[0])") }
  }

  @Test(
    "anything else is no backend",
    arguments: ["", "ipc:///a", "ipc:///a,", ",ipc:///a", "ipc:///a,ipc:///b,ipc:///c"])
  func noBackend(_ text: String) {
    #expect(throws: EndpointError.self) { try BackendEndpoints(text) }
  }
}
