import Harness
import Keys
import Model
import Testing
import Wire
import ZeroMQ

@testable import Gateway
@testable import ServiceKit

/// What a user may begin in a second.
@Suite struct RateTests {
  private let hub: Hub
  private let (ada, bob): (PublicKey, PublicKey)

  init() throws {
    hub = try Hub()
    (ada, bob) = (try CurveKeyPair().publicKey, try CurveKeyPair().publicKey)
  }

  /// A gateway at which a user may begin so much.
  private func start(calls: Rate? = nil, watches: Rate? = nil) throws {
    try hub.start(callRate: calls, watchRate: watches)
    let keys = try AllowedKeys(Array("\(ada) ada user\n\(bob) bob user\n".utf8), file: "keys")
    hub.harness.core.allow(keys, at: hub.harness.now)
  }

  private func call<Q: Request>(_ request: Q, by key: PublicKey? = nil) throws -> Reply<Q.Response>
  {
    hub.harness.sender = key.map { .key($0) } ?? .plain
    return try #require(hub.harness.tryCall(request, as: key == nil ? "ada" : ""))
  }

  @Test("A user has so many calls at once, then so many a second, and is told when")
  func calls() throws {
    try start(calls: Rate(perSecond: 10, burst: 3))
    for _ in 0..<3 { #expect(try call(GetBoardRequest(), by: ada).code == .ok) }
    let refused = try call(GetBoardRequest(), by: ada)
    #expect(refused.code == .resourceExhausted && refused.reason == "RATE_LIMITED")
    #expect(refused.header.status?.retryAfterMs == 100)
    hub.harness.pass(ms: 99)
    #expect(try call(GetBoardRequest(), by: ada).header.status?.retryAfterMs == 1)
    hub.harness.pass(ms: 1)
    #expect(try call(GetBoardRequest(), by: ada).code == .ok)
  }

  @Test("What is passed on counts as well, and is not passed on beyond the rate")
  func passedOn() throws {
    try start(calls: Rate(perSecond: 1, burst: 1))
    hub.harness.owners[.profiles] = nil
    hub.harness.sender = .key(ada)
    for _ in 0..<3 { hub.harness.send(GetMeRequest()) }
    #expect(hub.harness.asked.filter { $0.header.method == .getMe }.count == 1)
  }

  @Test("A rate is each user's own, over all connections, and a trusted peer has none")
  func whose() throws {
    try start(calls: Rate(perSecond: 1, burst: 1))
    #expect(try call(GetBoardRequest(), by: ada).code == .ok)
    hub.harness.sender = .key(ada)
    let other = hub.harness.tryCall(GetBoardRequest(), from: 7)
    #expect(other?.reason == "RATE_LIMITED")
    #expect(try call(GetBoardRequest(), by: bob).code == .ok)
    for _ in 0..<10 { #expect(try call(GetBoardRequest()).code == .ok) }
  }

  @Test("A long body, and a long answer, cost as much as calls that are as much work")
  func sizes() throws {
    try start(calls: Rate(perSecond: 10, burst: 10))
    hub.harness.sender = .key(ada)
    hub.harness.owners[.profiles] = nil
    let header = RequestHeader(method: .setAvatar)
    for bytes in [9 * 4_096, Limits.frameBytes] {
      hub.harness.send(body: [UInt8](repeating: 0, count: bytes), header)
      #expect(hub.harness.asked.count { $0.header.method == .setAvatar } == 1, "it may be sent")
      #expect(try call(GetBoardRequest(), by: ada).header.status?.retryAfterMs == 100)
      hub.harness.asked = []
      hub.harness.pass(ms: 1_000)
    }
    for number in 0..<1_000 {
      hub.put(person: number + 10, first: "Somebody with a name of some length")
      hub.move(number + 10, to: 0)
    }
    hub.tell()
    hub.harness.owners[.profiles] = hub.profiles
    let page = ListPeopleHereRequest(locationID: Hub.place(0), pageSize: 1_000)
    let answer = try call(page, by: ada)
    #expect(answer.response.people.count == 1_000)
    let waitMs = try #require(try call(page, by: ada).header.status?.retryAfterMs)
    #expect(waitMs > 500, "the answer was longer than five times 4 KiB")
  }

  @Test("Answers to calls in flight are given up when they are far more than the rate")
  func answers() throws {
    try start(calls: Rate(perSecond: 100, burst: 50))
    hub.harness.owners[.profiles] = nil
    hub.harness.sender = .key(ada)
    let calls = (0..<20).map { _ in hub.harness.send(GetAvatarRequest(avatarID: [])) }
    let asked = hub.harness.asked.filter { $0.header.method == .getAvatar }
    for question in asked {
      let body = [UInt8](repeating: 0, count: 10 * 4_096)
      hub.harness.respond(to: question, Harness.Response(header: ResponseHeader(), body: body))
    }
    let answers = calls.compactMap { hub.harness.take($0) }
    #expect(answers.count == calls.count)
    let refused = answers.filter { $0.header.status?.reason == "RATE_LIMITED" }
    #expect(
      refused.count == 11, "two bursts, and the one that went beyond")
    #expect(refused.allSatisfy { $0.body.isEmpty && $0.header.status?.retryAfterMs ?? 0 > 0 })
  }

  @Test("A user begins so many watches at once, then so many a second")
  func watches() throws {
    try start(watches: Rate(perSecond: 4, burst: 2))
    hub.harness.sender = .key(ada)
    for _ in 0..<2 { #expect(hub.watch(place: 0).responses.count == 1) }
    let refused = hub.watch(place: 0)
    #expect(hub.end(of: refused) == "RATE_LIMITED")
    #expect(try call(GetBoardRequest(), by: ada).code == .ok, "calls are another rate")
    hub.harness.pass(ms: 250)
    hub.harness.sender = .key(ada)
    #expect(hub.watch(place: 0).responses.count == 1)
    hub.harness.sender = .plain
    for _ in 0..<10 { #expect(hub.watch(place: 0).responses.count == 1) }
  }

  @Test("A watch that waits for a state is counted once")
  func waits() throws {
    try start(watches: Rate(perSecond: 1, burst: 2))
    hub.harness.sender = .key(ada)
    let next = Revisions(checkIns: hub.gateway.revisions.checkIns + 1)
    let waiting = hub.harness.send(
      WatchRequest(locationID: Hub.place(0), after: next))
    hub.harness.finish()
    #expect(hub.harness.streamed.isEmpty)
    hub.move(0, to: 0)
    hub.tell()
    #expect(hub.harness.streamed.contains { $0.header.id == waiting })
    #expect(hub.watch(place: 0).responses.count == 1)
    #expect(hub.end(of: hub.watch(place: 0)) == "RATE_LIMITED")
  }

  @Test("Users are forgotten once they may begin as much as ever")
  func forgotten() throws {
    let rate = try #require(Rate(perSecond: 1_000, burst: 10))
    var calls = CallTable()
    var now = hub.harness.now
    func add(_ user: String) throws -> CallHandle {
      let header = RequestHeader(id: UInt64(calls.count), actingUser: user)
      let call = calls.add(
        header, connection: 0, hasDelimiter: false, bodyByteCount: 0, now: now)
      return try #require(call)
    }
    for number in 0..<10_000 {
      let call = try add("user \(number)")
      calls.takeCallTokens(1, rate, from: call, at: now)
      calls.remove(call)
      now.monotonicUs += 1_000
    }
    #expect(calls.callerCount < 2_000)
    let call = try add("user 9999")
    #expect(calls.loadOfCaller(call).callTokens != TokenBucket(), "it has just begun a call")
  }
}
