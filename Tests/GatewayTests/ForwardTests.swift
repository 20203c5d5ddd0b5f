import Harness
import Model
import ServiceKit
import Testing
import Wire
import ZeroMQ

@testable import Gateway

@Suite("What the gateway passes on")
struct ForwardTests {
  private let request = CheckInRequest(profileID: Hub.person(0), locationID: Hub.place(1))

  private func answer(asOf revision: UInt64 = 0, replayed: Bool = false) -> Harness.Response {
    Harness.Response(
      header: ResponseHeader(
        asOf: Revisions(checkIns: revision), replayed: replayed),
      body: Encoder().bytes(
        CheckInResponse(status: CheckInStatus(profileID: Hub.person(0), revision: revision))))
  }

  @Test("the header is rewritten, with the time that is left; the body is untouched; so back again")
  func passedOn() throws {
    let hub = try Hub()
    let header = RequestHeader(
      id: 900, timeoutMs: 2_000, idempotencyKey: id(7),
      atLeast: Revisions(profiles: 1), actingUser: "user 0", actingRoles: [.user, .staff],
      traceID: id(8))
    let (call, found) = hub.forward(request, header)
    let asked = try #require(found)
    #expect(asked.log == .checkIns && asked.body == Encoder().bytes(request))
    #expect(asked.header.method == .checkIn)
    #expect((1_800..<2_000).contains(asked.header.timeoutMs), "its answer is to be here in time")
    #expect(asked.header.idempotencyKey == id(7) && asked.header.traceID == id(8))
    #expect(asked.header.actingUser == "user 0" && asked.header.actingRoles == [.user, .staff])
    #expect(asked.header.atLeast == Revisions(profiles: 1))
    hub.harness.respond(to: asked, answer(asOf: 5, replayed: true))
    hub.harness.finish()
    let reply = try #require(hub.harness.take(CheckInRequest.self, call))
    #expect(reply.header == ResponseHeader(id: 900, asOf: Revisions(checkIns: 5), replayed: true))
    #expect(reply.response.status?.revision == 5)
  }

  @Test("a service that answers nothing is not given more than fits, whatever its callers' time is")
  func standsStill() throws {
    let hub = try Hub()
    hub.profiles.other = { _ in nil }
    let body = [UInt8](repeating: 0, count: 512 << 10)
    let send = { (number: Int) -> String? in
      // Each within what one caller may have in flight.
      let header = RequestHeader(
        id: UInt64(number), method: .setAvatar, actingUser: "user \(number / 50)")
      let call = hub.harness.send(body: body, header)
      hub.harness.finish()
      return hub.harness.take(call)?.header.status?.reason
    }
    let fitting = Limits.unansweredBytes / (body.count + 512)
    #expect((1...fitting).allSatisfy { send($0) == nil })
    #expect(send(fitting + 1) == "OVERLOADED")
    hub.harness.pass(ms: 6_000)
    #expect(send(fitting + 2) == "OVERLOADED", "the bodies wait, though their calls are over")
    let asked = try #require(hub.harness.asked.last { $0.header.method == .setAvatar })
    hub.harness.respond(to: asked, answer())
    #expect(send(fitting + 3) == nil)
  }

  @Test("many calls are in flight at once; each response finds its caller, in any order")
  func crossed() throws {
    let hub = try Hub()
    var calls: [(id: UInt64, peer: UInt8, asked: Harness.Asked)] = []
    for number in 0..<60 {
      let peer = UInt8(number % 5 + 1)
      let (call, asked) = hub.forward(
        GetProfileRequest(id: Hub.person(number)), RequestHeader(id: UInt64(100 + number / 5)),
        from: peer
      )
      if let asked { calls.append((call, peer, asked)) }
    }
    #expect(calls.count == 60)
    var random = SeededGenerator(seed: 3)
    for (_, _, asked) in calls.shuffled(using: &random) {
      let request = hub.harness.decode(GetProfileRequest.self, asked.body)
      hub.harness.respond(
        to: asked, hub.profiles.response(GetProfileResponse(profile: Profile(id: request.id))))
    }
    hub.harness.finish()
    for (number, call) in calls.enumerated() {
      let reply = try #require(
        hub.harness.take(GetProfileRequest.self, call.id, from: call.peer))
      #expect(reply.response.profile?.id == Hub.person(number))
    }
  }

  @Test("a refusal comes back as it is, body included")
  func refusal() throws {
    let hub = try Hub()
    let (call, found) = hub.forward(request)
    let asked = try #require(found)
    let status = Status(.statusChanged, "Something else is true by now.")
    hub.harness.respond(
      to: asked,
      Harness.Response(header: ResponseHeader(status: status), body: answer(asOf: 3).body))
    hub.harness.finish()
    let reply = try #require(hub.harness.take(CheckInRequest.self, call))
    #expect(reply.header.status == status && reply.response.status?.revision == 3)
  }

  @Test("a service that is not there: every call to it fails at once, the others go on")
  func notThere() throws {
    let hub = try Hub()
    hub.harness.disconnect(.checkIns)
    for _ in 0..<20 {
      let reply = try hub.harness.call(request)
      #expect(reply.reason == "SERVICE_UNREACHABLE" && (reply.header.status?.retryAfterMs ?? 0) > 0)
    }
    #expect(hub.forward(GetProfileRequest(id: Hub.person(0))).asked != nil)
    hub.harness.connect(.checkIns)
    #expect(hub.forward(request).asked != nil)
  }

  @Test("a service is lost with calls under way: of a write nobody knows, of a read it is known")
  func lost() throws {
    let hub = try Hub()
    let write = hub.forward(request)
    let read = hub.forward(ListHistoryRequest(profileID: Hub.person(0)))
    let other = hub.forward(GetProfileRequest(id: Hub.person(0)))
    hub.harness.disconnect(.checkIns)
    #expect(
      try #require(hub.harness.take(CheckInRequest.self, write.id)).reason == "OUTCOME_UNKNOWN")
    #expect(
      try #require(hub.harness.take(ListHistoryRequest.self, read.id)).reason
        == "SERVICE_UNREACHABLE")
    #expect(hub.harness.take(other.id) == nil, "the others' calls go on")
    let asked = try #require(other.asked)
    hub.harness.respond(to: asked, hub.profiles.response(GetProfileResponse()))
    hub.harness.finish()
    #expect(hub.harness.take(other.id) != nil)
  }

  @Test("a service that does not answer in time: the same, when the caller's time is up")
  func deadline() throws {
    let hub = try Hub()
    let write = hub.forward(request, RequestHeader(timeoutMs: 300))
    let read = hub.forward(
      ListHistoryRequest(profileID: Hub.person(0)), RequestHeader(timeoutMs: 300))
    hub.harness.pass(ms: 250)
    #expect(hub.harness.take(write.id) == nil)
    hub.harness.pass(ms: 200)
    let unknown = try #require(hub.harness.take(CheckInRequest.self, write.id))
    #expect(unknown.reason == "OUTCOME_UNKNOWN" && unknown.code == .unavailable)
    let late = try #require(hub.harness.take(ListHistoryRequest.self, read.id))
    #expect(late.code == .deadlineExceeded)
    // A late answer is counted, and goes to nobody.
    hub.harness.respond(to: try #require(write.asked), answer())
    hub.harness.respond(to: try #require(write.asked), answer())
    hub.harness.finish()
    let stats = try hub.harness.ask(GetStatsRequest())
    #expect(stats.gauges.first { $0.name == "muster_late_responses_total" }?.value == 2)
    #expect(stats.gauges.first { $0.name == "muster_requests_in_flight" }?.value == 1)
    #expect(stats.gauges.first { $0.name == "muster_calls_to_others_in_flight" }?.value == 0)
  }

  @Test("a response to nobody's call, and one that cannot be read, are counted and dropped")
  func strangeResponses() throws {
    let hub = try Hub()
    var asked = try #require(hub.forward(request).asked)
    asked.header.id = 0xFFFF_FFFF_FFFF_FFFF
    hub.harness.respond(to: asked, answer())
    asked.header.id = 1 << 20
    hub.harness.respond(to: asked, answer())
    let garbage: [UInt8] = [0xFF, 0xFF, 0xFF]
    garbage.withUnsafeBytes {
      hub.harness.core.receive(from: .checkIns, header: $0, body: Frame(), at: hub.harness.now)
    }
    hub.harness.finish()
    let gauges = try hub.harness.ask(GetStatsRequest()).gauges
    #expect(gauges.first { $0.name == "muster_late_responses_total" }?.value == 2)
    #expect(gauges.first { $0.name == "muster_malformed_responses_total" }?.value == 1)
  }

  @Test("4 096 calls of one caller are in flight, the next is refused; another caller is not")
  func limits() throws {
    let hub = try Hub()
    for number in 0..<4_096 {
      hub.harness.send(
        GetProfileRequest(id: Hub.person(0)), RequestHeader(id: UInt64(10_000 + number)))
    }
    hub.harness.finish()
    #expect(hub.harness.asked.count { $0.header.method == .getProfile } == 4_096)
    let tooMany = try hub.harness.call(GetCountsRequest())
    #expect(tooMany.reason == "TOO_MANY_CALLS" && tooMany.code == .resourceExhausted)
    #expect(try hub.harness.call(GetCountsRequest(), from: 2).code == .ok)
    let first = try #require(hub.harness.asked.first { $0.header.method == .getProfile })
    hub.harness.respond(to: first, hub.profiles.response(GetProfileResponse()))
    hub.harness.finish()
    #expect(try hub.harness.call(GetCountsRequest()).code == .ok)
  }

  @Test("32 MiB of one caller's bodies are in flight, the next is refused; another caller is not")
  func bytes() throws {
    let hub = try Hub()
    let body = [UInt8](repeating: 0, count: Limits.frameBytes)
    let most = Limits.bytesInFlightPerCaller / Limits.frameBytes
    for _ in 0..<most {
      hub.harness.send(body: body, RequestHeader(method: .setAvatar, actingUser: "ada"))
    }
    hub.harness.finish()
    #expect(hub.harness.asked.count { $0.header.method == .setAvatar } == most)
    let tooMuch = try hub.harness.call(
      SetAvatarRequest(profileID: Hub.person(0), image: [1]), as: "ada", from: 2)
    #expect(tooMuch.reason == "TOO_MANY_CALLS" && tooMuch.code == .resourceExhausted)
    #expect(try hub.harness.call(GetCountsRequest(), as: "bob").code == .ok)
    let first = try #require(hub.harness.asked.first { $0.header.method == .setAvatar })
    hub.harness.respond(to: first, hub.profiles.response(SetAvatarResponse()))
    hub.harness.finish()
    #expect(try hub.harness.call(GetCountsRequest(), as: "ada").code == .ok)
  }

  @Test("a caller that does not read is refused beyond 32 MiB, and dropped beyond 40; others go on")
  func unread() throws {
    let hub = try Hub()
    hub.harness.fullPeers = [1]
    let size = Encoder().bytes(try hub.harness.call(GetInfoRequest(), from: 2).response).count
    let fitting = Limits.unreadResponsesBytes / (size + 600)
    for _ in 0..<(fitting + 100_000) { hub.harness.send(GetInfoRequest()) }
    hub.harness.finish()
    #expect(try hub.harness.call(GetInfoRequest(), from: 2).code == .ok)
    let gauges = try hub.harness.call(GetStatsRequest(), from: 2).response.gauges
    let dropped = gauges.first { $0.name == "muster_dropped_responses_total" }?.value ?? 0
    #expect(dropped > 0)
    hub.harness.drain(1)
    var reasons: [String: Int] = [:]
    for id in 1...UInt64(fitting + 100_100) {
      guard let reply = hub.harness.take(id) else { continue }
      reasons[reply.header.status?.reason ?? "", default: 0] += 1
    }
    #expect((fitting - 100...fitting + 100).contains(reasons["", default: 0]))
    #expect(reasons.values.reduce(0, +) + Int(dropped) >= fitting + 100_000)
    #expect(Set(reasons.keys) == ["", "OVERLOADED"])
    #expect(try hub.harness.call(GetCountsRequest()).code == .ok, "it has read, and may go on")
  }

  @Test(
    "calls in flight whose answers would not be read are answered so, but what was written is told")
  func unreadInFlight() throws {
    let hub = try Hub()
    let reads = (0..<80).map { _ in hub.forward(GetAvatarRequest()) }
    let write = hub.forward(request)
    hub.harness.fullPeers = [1]
    let image = [UInt8](repeating: 1, count: Limits.imageBytes)
    for read in reads {
      hub.harness.respond(
        to: try #require(read.asked), hub.profiles.response(GetAvatarResponse(image: image)))
    }
    hub.harness.respond(to: try #require(write.asked), answer(asOf: 4))
    hub.harness.finish()
    hub.harness.drain(1)
    let reasons = try reads.map { try #require(hub.harness.take($0.id)).header.status?.reason }
    #expect(reasons.count { $0 == nil } == 63 && reasons.count { $0 == "OVERLOADED" } == 17)
    #expect(try #require(hub.harness.take(CheckInRequest.self, write.id)).header.asOf.checkIns == 4)
  }

  @Test("while nothing comes it sleeps, though not beyond the time-out of a call")
  func quiet() throws {
    let hub = try Hub()
    let core = try #require(hub.harness.core)
    func sleepMs() -> Int64 {
      (core.nextRoundUs(at: hub.harness.now) - hub.harness.now.monotonicUs) / 1_000
    }
    hub.harness.pass(ms: 100)
    hub.harness.workBehind()
    hub.harness.pass(ms: 100)
    #expect(sleepMs() == Limits.quietIntervalMs)
    hub.harness.send(GetProfileRequest(id: Hub.person(0)), RequestHeader(timeoutMs: 50))
    hub.harness.finish()
    #expect(sleepMs() == Limits.sweepIntervalMs)
    hub.harness.pass(ms: 10)
    #expect(sleepMs() == 40)
    hub.harness.pass(ms: 40)
    #expect(sleepMs() == 2 * Limits.forwardMarginMs, "a late answer is not waited for longer")
    hub.harness.pass(ms: 2 * Limits.forwardMarginMs)
    #expect(sleepMs() == Limits.quietIntervalMs)
  }

  @Test("a second call under the id of one in flight is refused, and the first goes on")
  func sameID() throws {
    let hub = try Hub()
    let first = hub.forward(request, RequestHeader(id: 5))
    hub.harness.send(request, RequestHeader(id: 5))
    hub.harness.finish()
    #expect(
      try #require(hub.harness.take(CheckInRequest.self, 5)).reason == "MALFORMED_REQUEST")
    hub.harness.respond(to: try #require(first.asked), answer(asOf: 9))
    hub.harness.finish()
    #expect(try #require(hub.harness.take(CheckInRequest.self, 5)).header.asOf.checkIns == 9)
  }

  @Test("one's own writes are seen: what was written is added to at_least, on writes too")
  func ownWrites() throws {
    let hub = try Hub()
    let user = RequestHeader(actingUser: "user 0")
    let write = hub.forward(request, user)
    hub.harness.respond(to: try #require(write.asked), answer(asOf: 3))
    hub.harness.finish()
    #expect(hub.harness.take(write.id) != nil)
    let next = hub.forward(request, user)
    #expect(next.asked?.header.atLeast == Revisions(checkIns: 3))
    #expect(hub.forward(request).asked?.header.atLeast == Revisions(), "of this user alone")
    // The view is behind: the read waits until it is not.
    let read = hub.harness.send(GetCountsRequest(), user)
    hub.harness.finish()
    #expect(hub.harness.take(read) == nil)
    #expect(hub.harness.tryCall(GetCountsRequest(), as: "user 1")?.response.total == 0)
    for person in 0..<3 { hub.move(person, to: 1) }
    hub.tell()
    let reply = try #require(hub.harness.take(GetCountsRequest.self, read))
    #expect(reply.response.total == 3 && reply.header.asOf.checkIns == 3)
  }

  @Test("without a user one's own writes are those of the connection")
  func ownWritesOfConnection() throws {
    let hub = try Hub()
    let write = hub.forward(request, from: 1)
    hub.harness.respond(to: try #require(write.asked), answer(asOf: 3))
    hub.harness.finish()
    #expect(hub.forward(request, from: 2).asked?.header.atLeast == Revisions())
    #expect(hub.forward(request, from: 1).asked?.header.atLeast == Revisions(checkIns: 3))
  }

  @Test("a state that does not come is waited for until the deadline")
  func notCaughtUp() throws {
    let hub = try Hub()
    let call = hub.harness.send(
      GetCountsRequest(), RequestHeader(timeoutMs: 200, atLeast: Revisions(checkIns: 99)))
    hub.harness.pass(ms: 300)
    #expect(try #require(hub.harness.take(GetCountsRequest.self, call)).reason == "NOT_CAUGHT_UP")
    let free = try hub.harness.call(
      GetCountsRequest(), atLeast: Revisions(profiles: 99, locations: 99))
    #expect(free.code == .ok, "counts depend on neither")
  }

  @Test("what is asked about another process is passed on to it; about itself it knows")
  func info() throws {
    let hub = try Hub()
    #expect(try hub.harness.ask(GetInfoRequest()).service == "gateway")
    #expect(try hub.harness.ask(GetInfoRequest(service: "gateway")).service == "gateway")
    let (call, found) = hub.forward(GetInfoRequest(service: "check-ins"))
    let asked = try #require(found)
    #expect(asked.log == .checkIns)
    #expect(hub.harness.decode(GetInfoRequest.self, asked.body).service == "")
    hub.harness.respond(to: asked, hub.checkIns.response(GetInfoResponse(service: "check-ins")))
    hub.harness.finish()
    #expect(
      try #require(hub.harness.take(GetInfoRequest.self, call)).response.service == "check-ins")
    #expect(try hub.harness.call(GetInfoRequest(service: "x")).fields == ["service"])
  }

  @Test("a caller that has gone costs nothing: its answers are dropped")
  func goneCaller() throws {
    let hub = try Hub()
    let call = hub.forward(request, from: 7)
    hub.harness.gonePeers = [7]
    hub.harness.respond(to: try #require(call.asked), answer())
    hub.harness.finish()
    let gauges = try hub.harness.ask(GetStatsRequest()).gauges
    #expect(gauges.first { $0.name == "muster_requests_in_flight" }?.value == 1)
  }

  @Test("what is remembered of writers is bounded; what is forgotten is asked for on behalf of all")
  func boundedWriters() {
    var writes = OwnWrites(size: 8)
    for number in 0..<100 {
      writes.note(
        Revisions(checkIns: UInt64(number + 1)), of: .user("user \(number)"))
    }
    for number in 0..<100 {
      let known = writes.revisions(of: .user("user \(number)")).checkIns
      #expect(known >= UInt64(number + 1) && known <= 100)
    }
    #expect(writes.revisions(of: .user("somebody")).checkIns < 100)
  }

  @Test("a bounded cache keeps what is used, and no more than its size")
  func boundedCache() {
    var cache = GenerationalCache<Int, Int>(size: 100)
    for number in 0..<10_000 {
      _ = cache.set(number, for: number)
      let used = cache.value(for: 0)
      #expect(used == 0, "it is used all the time")
      #expect(cache.count <= 101)
    }
    #expect(cache.peek(9_999) == 9_999 && cache.peek(5_000) == nil)
    cache.remove(0)
    #expect(cache.peek(0) == nil)
    cache.removeAll()
    #expect(cache.count == 0)
  }
}
