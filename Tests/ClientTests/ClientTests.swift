import Client
import Glibc
import Model
import Synchronization
import Testing
import Wire

/// What a stand-in has seen so far.
private final class Seen: Sendable {
  private let requests = Mutex<[RequestHeader]>([])
  /// Notes a request; gives how many there are now.
  func note(_ request: RequestHeader) -> Int {
    requests.withLock {
      $0.append(request)
      return $0.count
    }
  }
  var all: [RequestHeader] { requests.withLock { $0 } }
}

private func me(_ user: String) -> [UInt8] { Encoder().bytes(GetMeResponse(userID: user)) }

@Suite struct ClientTests {
  @Test("A call carries its method, its user and its time, and gets its answer")
  func call() throws {
    let seen = Seen()
    let server = StandInServer(endpoint: StandInServer.newEndpoint()) { request, _ in
      _ = seen.note(request)
      return (ResponseHeader(id: request.id), me("anna"))
    }
    defer { server.stop() }
    let client = try Client(endpoints: [server.endpoint], user: "anna", timeoutMs: 5000)
    #expect(try client.call(GetMeRequest()).userID == "anna")
    let request = try #require(seen.all.first)
    #expect(request.method == .getMe)
    #expect(request.actingUser == "anna")
    #expect(request.idempotencyKey == nil)
    #expect((1...5000).contains(request.timeoutMs))
  }

  @Test("Answers that come in another order reach the calls that they belong to")
  func matching() throws {
    let held = Mutex<RequestHeader?>(nil)
    let seen = Seen()
    let server = StandInServer(endpoint: StandInServer.newEndpoint()) { request, _ in
      // The first request is answered by the second one's turn, under its own id.
      if seen.note(request) == 1 {
        held.withLock { $0 = request }
        return nil
      }
      let first = held.withLock { $0 }
      return (ResponseHeader(id: first?.id ?? 0), me("first"))
    }
    defer { server.stop() }
    let client = try Client(endpoints: [server.endpoint], user: "", timeoutMs: 5000)
    let first = try client.start(GetMeRequest())
    let second = try client.start(GetMeRequest(), timeoutMs: 300)
    #expect(try client.finish(first, as: GetMeResponse.self).userID == "first")
    #expect(throws: CallError.self) { try client.finish(second) }
  }

  @Test("C8: a write that nobody could take is tried again with the same key, a read without one")
  func retries() throws {
    let seen = Seen()
    let server = StandInServer(endpoint: StandInServer.newEndpoint()) { request, _ in
      let isFirst = seen.note(request) % 2 == 1
      let status = isFirst ? Status(.outcomeUnknown, "Nobody knows.") : nil
      return (ResponseHeader(id: request.id, status: status), [])
    }
    defer { server.stop() }
    let client = try Client(endpoints: [server.endpoint], user: "anna", timeoutMs: 5000)
    _ = try client.call(CheckOutRequest())
    _ = try client.call(CheckOutRequest())
    _ = try client.call(GetStatusRequest())
    let keys = seen.all.map(\.idempotencyKey)
    #expect(keys.count == 6)
    #expect(keys[0] != nil && keys[0] == keys[1])
    #expect(keys[2] != nil && keys[2] == keys[3] && keys[2] != keys[0])
    #expect(keys[4] == nil && keys[5] == nil)
    #expect(Set(seen.all.map(\.id)).count == 6)
  }

  @Test("A refusal stands: it is not asked again, and comes with its body")
  func refusals() throws {
    let seen = Seen()
    let server = StandInServer(endpoint: StandInServer.newEndpoint()) { request, _ in
      _ = seen.note(request)
      let body = Encoder().bytes(CreateProfileResponse(profile: Profile(userID: "anna")))
      return (ResponseHeader(id: request.id, status: Status(.profileExists, "It exists.")), body)
    }
    defer { server.stop() }
    let client = try Client(endpoints: [server.endpoint], user: "anna", timeoutMs: 5000)
    let error = #expect(throws: CallError.self) { try client.call(CreateProfileRequest()) }
    #expect(error?.reason == .profileExists)
    #expect(error?.details(CreateProfileResponse.self)?.profile?.userID == "anna")
    #expect(seen.all.count == 1)
  }

  @Test("Without a user a write has no key, and an unknown outcome is not repeated")
  func noUser() throws {
    let seen = Seen()
    let server = StandInServer(endpoint: StandInServer.newEndpoint()) { request, _ in
      _ = seen.note(request)
      return (ResponseHeader(id: request.id, status: Status(.outcomeUnknown, "Nobody knows.")), [])
    }
    defer { server.stop() }
    let client = try Client(endpoints: [server.endpoint], user: "", timeoutMs: 5000)
    let error = #expect(throws: CallError.self) { try client.call(CheckOutRequest()) }
    #expect(error?.reason == .outcomeUnknown)
    #expect(seen.all.map(\.idempotencyKey) == [nil])
  }

  @Test("A call outlives its server: what is lost with the connection is asked of the next one")
  func reconnect() throws {
    let seen = Seen()
    let endpoint = StandInServer.newEndpoint()
    let client = try Client(endpoints: [endpoint], user: "anna", timeoutMs: 20_000)
    let first = StandInServer(endpoint: endpoint) { request, _ in
      _ = seen.note(request)
      return nil
    }
    let call = try client.start(CheckOutRequest())
    // Nothing is sent but while the client runs, so it runs on a call that is over soon.
    let other = try client.start(GetMeRequest(), timeoutMs: 1000)
    #expect(throws: CallError.self) { try client.finish(other) }
    #expect(seen.all.count == 2)
    first.stop()
    let second = StandInServer(endpoint: endpoint) { request, _ in
      _ = seen.note(request)
      return (ResponseHeader(id: request.id), [])
    }
    defer { second.stop() }
    _ = try client.finish(call)
    let checkOuts = seen.all.filter { $0.method == .checkOut }
    #expect(checkOuts.count == 2)
    #expect(checkOuts[0].idempotencyKey == checkOuts[1].idempotencyKey)
  }

  @Test("What a client wrote, its later calls ask to see")
  func readsOwnWrites() throws {
    let seen = Seen()
    let server = StandInServer(endpoint: StandInServer.newEndpoint()) { request, _ in
      let number = UInt64(seen.note(request))
      return (ResponseHeader(id: request.id, asOf: Revisions(checkIns: 100 - number)), [])
    }
    defer { server.stop() }
    let client = try Client(endpoints: [server.endpoint], user: "anna", timeoutMs: 5000)
    _ = try client.call(GetStatusRequest())
    _ = try client.call(CheckOutRequest())
    _ = try client.call(CheckOutRequest())
    _ = try client.call(GetStatusRequest())
    #expect(seen.all.map(\.atLeast.checkIns) == [0, 0, 98, 98])
  }

  @Test("A3: silence ends at the deadline, and says what is likely wrong")
  func silence() throws {
    let endpoint = StandInServer.newEndpoint()
    let client = try Client(endpoints: [endpoint], user: "anna", timeoutMs: 200)
    let nobody = #expect(throws: CallError.self) { try client.call(CheckOutRequest()) }
    #expect(nobody?.reason == .serviceUnreachable)
    #expect(
      nobody?.status.message == "no answer from \(endpoint) within 0.2 s: is the gateway running?")

    let server = StandInServer(endpoint: endpoint) { _, _ in nil }
    let patient = try Client(endpoints: [endpoint], user: "anna", timeoutMs: 1000)
    let unknown = #expect(throws: CallError.self) { try patient.call(CheckOutRequest()) }
    #expect(unknown?.reason == .outcomeUnknown)
    let unread = #expect(throws: CallError.self) { try patient.call(GetMeRequest()) }
    #expect(unread?.reason == .serviceUnreachable)
    #expect(unread?.status.message.hasSuffix("it is there, but slow or stuck.") == true)

    let call = try patient.start(GetMeRequest())
    let other = try patient.start(GetMeRequest(), timeoutMs: 100)
    #expect(throws: CallError.self) { try patient.finish(other) }
    server.stop()
    let gone = #expect(throws: CallError.self) { try patient.finish(call) }
    #expect(gone?.status.message.hasSuffix("it is gone: is the gateway running?") == true)
  }

  @Test("Thousands of calls are on their way at once")
  func many() throws {
    let server = StandInServer(endpoint: StandInServer.newEndpoint()) { request, body in
      (ResponseHeader(id: request.id), body)
    }
    defer { server.stop() }
    let client = try Client(endpoints: [server.endpoint], user: "anna", timeoutMs: 60_000)
    let calls = try (0..<3000).map { number in
      try client.start(.getMe, body: me("user \(number)"))
    }
    for (number, call) in calls.enumerated() {
      #expect(try client.finish(call, as: GetMeResponse.self).userID == "user \(number)")
    }
  }

  @Test("What is no endpoint, and a path too long for a socket, are told at once")
  func badEndpoints() {
    for endpoint in ["foo", "ftp://x", "ipc:///tmp/" + String(repeating: "x", count: 200)] {
      let error = #expect(throws: CallError.self) {
        try Client(endpoints: [endpoint], user: "anna", timeoutMs: 1000)
      }
      #expect(error?.status.code == .invalidArgument, "\(endpoint)")
      // Among several, whatever was begun for the others ends in order.
      let several = [StandInServer.newEndpoint(), endpoint, StandInServer.newEndpoint()]
      let other = #expect(throws: CallError.self) { try Client(endpoints: several, user: "anna") }
      #expect(other?.status.code == .invalidArgument, "\(endpoint)")
    }
  }

  @Test(
    "A server that lets connect and says nothing is told as stuck, not as refusing",
    arguments: [300, 3_600])
  func stuck(timeoutMs: Int) throws {
    // What a process that stands still is to others: its kernel goes on to accept.
    let path = "/tmp/muster-stuck-\(ID(milliseconds: 1, random: (.random(in: 0 ... .max), 1)))"
    let listener = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
    defer {
      close(listener)
      unlink(path)
    }
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
    let isBound = withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(listener, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
      }
    }
    try #require(isBound == 0 && listen(listener, 8) == 0)
    let client = try Client(endpoints: ["ipc://\(path)"], user: "anna", timeoutMs: timeoutMs)
    let error = #expect(throws: CallError.self) { try client.call(GetMeRequest()) }
    #expect(error?.status.reason == "SERVICE_UNREACHABLE")
    let said = error?.status.message ?? ""
    #expect(said.contains("it is there, but slow or stuck"))
  }
}
