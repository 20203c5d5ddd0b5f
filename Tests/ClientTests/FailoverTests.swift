import Foundation
import Model
import Synchronization
import Testing
import Wire

@testable import Client

/// Lets the client run until a condition holds; false after twenty seconds.
func run(_ client: Client, until condition: () -> Bool) throws -> Bool {
  let end = ClientLoop.nowMs + 20_000
  while !condition() {
    if ClientLoop.nowMs > end { return false }
    try client.loop.step(untilMs: ClientLoop.nowMs + 10)
  }
  return true
}

/// Answers everything, with nothing in it.
private let willing: StandInServer.Handler = { request, _ in (ResponseHeader(id: request.id), []) }

@Suite struct FailoverTests {
  @Test("A call in flight goes on at another endpoint when its own dies, with the same key")
  func death() throws {
    let first = StandInServer { _, _ in nil }
    let endpoints = [first.endpoint, StandInServer.newEndpoint()]
    let client = try Client(endpoints: endpoints, user: "anna", timeoutMs: 20_000)
    let calls = try (0..<100).map { _ in try client.start(CheckOutRequest()) }
    #expect(try run(client) { first.seen.count == 100 })
    let second = StandInServer(endpoint: endpoints[1], willing)
    defer { second.stop() }
    first.stop()
    for call in calls { _ = try client.finish(call) }
    #expect(second.seen.map(\.idempotencyKey) == first.seen.map(\.idempotencyKey))
    #expect(client.inFlight == 0)
  }

  @Test("A write that nobody can repeat ends with its connection, its outcome unknown")
  func unrepeatable() throws {
    let first = StandInServer { _, _ in nil }
    let second = StandInServer(willing)
    defer { second.stop() }
    let client = try Client(endpoints: [first.endpoint], user: "", timeoutMs: 20_000)
    let call = try client.start(CheckOutRequest())
    #expect(try run(client) { first.seen.count == 1 })
    first.stop()
    let error = #expect(throws: CallError.self) { try client.finish(call) }
    #expect(error?.reason == .outcomeUnknown)
  }

  @Test("An endpoint that says nothing at all is left for another within the call's time")
  func silence() throws {
    let frozen = StandInServer { _, _ in nil }
    defer { frozen.stop() }
    let endpoints = [frozen.endpoint, StandInServer.newEndpoint()]
    let client = try Client(endpoints: endpoints, user: "anna", timeoutMs: 3_000)
    let call = try client.start(CheckOutRequest())
    #expect(try run(client) { frozen.seen.count == 1 })
    let other = StandInServer(endpoint: endpoints[1], willing)
    defer { other.stop() }
    _ = try client.finish(call)
    #expect(other.seen.map(\.idempotencyKey) == frozen.seen.map(\.idempotencyKey))
    _ = try client.call(GetMeRequest())
    #expect(other.seen.count == 2)
  }

  @Test("One that is about to stop is left at once")
  func draining() throws {
    let leaving = StandInServer { request, _ in
      (ResponseHeader(id: request.id, status: Status(.draining, "It stops.")), [])
    }
    defer { leaving.stop() }
    let endpoints = [leaving.endpoint, StandInServer.newEndpoint()]
    let client = try Client(endpoints: endpoints, user: "anna", timeoutMs: 20_000)
    let call = try client.start(CheckOutRequest())
    #expect(try run(client) { leaving.seen.count == 1 })
    let other = StandInServer(endpoint: endpoints[1], willing)
    defer { other.stop() }
    _ = try client.finish(call)
    for _ in 0..<10 { _ = try client.call(CheckOutRequest()) }
    #expect(other.seen.count == 11)
  }

  @Test("What was written by one gateway, reads by another ask to see; each user its own")
  func ownWrites() throws {
    let first = StandInServer { request, _ in
      (ResponseHeader(id: request.id, asOf: Revisions(checkIns: 7)), [])
    }
    let endpoints = [first.endpoint, StandInServer.newEndpoint()]
    let client = try Client(endpoints: endpoints, user: "anna", timeoutMs: 20_000)
    _ = try client.call(CheckOutRequest())
    first.stop()
    let second = StandInServer(endpoint: endpoints[1], willing)
    defer { second.stop() }
    _ = try client.call(GetStatusRequest())
    _ = try client.finish(client.start(GetStatusRequest(), user: "bo"))
    #expect(second.seen.map(\.atLeast.checkIns) == [7, 0])
    #expect(second.seen.map(\.actingUser) == ["anna", "bo"])
  }

  @Test("What was sent to a server that died before it could read never reaches the next one")
  func nothingLate() throws {
    let first = StandInServer(willing)
    let client = try Client(endpoints: [first.endpoint], user: "anna", timeoutMs: 20_000)
    _ = try client.call(GetMeRequest())
    first.stop()
    // Nobody has told the client yet: these go to the connection that is gone.
    let late = try (0..<50).map { _ in try client.start(CheckOutRequest(), timeoutMs: 100) }
    for call in late { #expect(throws: CallError.self) { try client.finish(call) } }
    let second = StandInServer(endpoint: first.endpoint, willing)
    defer { second.stop() }
    _ = try client.call(GetMeRequest())
    #expect(second.seen.map(\.method) == [.getMe])
  }

  @Test("A server that comes and goes is found again, whatever is in flight")
  func comings() throws {
    let endpoint = StandInServer.newEndpoint()
    let client = try Client(endpoints: [endpoint], user: "anna", timeoutMs: 20_000)
    for _ in 0..<5 {
      let server = StandInServer(endpoint: endpoint, willing)
      let calls = try (0..<200).map { _ in try client.start(CheckOutRequest()) }
      // Some are answered by this one, the others by the next.
      _ = try client.finish(calls[20])
      server.stop()
    }
    let last = StandInServer(endpoint: endpoint, willing)
    defer { last.stop() }
    #expect(try run(client) { client.inFlight == 0 })
  }
}

@Suite struct RetryTests {
  @Test("Where a server says when to come back, nobody comes before")
  func retryAfter() throws {
    let times = Mutex<[ContinuousClock.Instant]>([])
    let server = StandInServer { request, _ in
      let isFirst = times.withLock {
        $0.append(.now)
        return $0.count == 1
      }
      let busy = Status(.overloaded, "Busy.", retryAfterMs: 700)
      return (ResponseHeader(id: request.id, status: isFirst ? busy : nil), [])
    }
    defer { server.stop() }
    let client = try Client(endpoints: [server.endpoint], user: "anna")
    _ = try client.call(CheckOutRequest())
    let seen = times.withLock { $0 }
    #expect(seen.count == 2)
    #expect(seen[1] - seen[0] >= .milliseconds(700))
  }

  @Test("A refusal stands after five times, or where the pause would go beyond the deadline")
  func givesUp() throws {
    let server = StandInServer { request, _ in
      (ResponseHeader(id: request.id, status: Status(.starting, "Not yet.")), [])
    }
    defer { server.stop() }
    let client = try Client(endpoints: [server.endpoint], user: "anna", timeoutMs: 20_000)
    let error = #expect(throws: CallError.self) { try client.call(CheckOutRequest()) }
    #expect(error?.reason == .starting)
    #expect(server.seen.count == 5)
    let short = try client.start(CheckOutRequest(), timeoutMs: 50)
    #expect(throws: CallError.self) { try client.finish(short) }
    #expect(server.seen.count == 6)
  }

  @Test("A server's own word is heard, though it comes when the time is over")
  func grace() throws {
    let server = StandInServer { request, _ in
      let end = ContinuousClock.now + .milliseconds(Int(request.timeoutMs) + 20)
      while ContinuousClock.now < end {}
      let status = Status(.notCaughtUp, "The gateway is behind.")
      return (ResponseHeader(id: request.id, status: status), [])
    }
    defer { server.stop() }
    let client = try Client(endpoints: [server.endpoint], user: "anna", timeoutMs: 300)
    let error = #expect(throws: CallError.self) { try client.call(GetMeRequest()) }
    #expect(error?.status.message == "The gateway is behind.")
  }

  @Test("Refusals are repeated for a tenth of the calls, once the first hundred are used up")
  func budget() {
    var budget = RetryBudget()
    #expect((0..<200).count { _ in budget.spend() } == 100)
    for _ in 0..<50 { budget.earn() }
    #expect((0..<200).count { _ in budget.spend() } == 5)
  }

  @Test(
    "Pauses double up to their limit, and chance takes up to half of one away",
    arguments: [
      (0, 0, 0), (1, 50, 100), (2, 100, 200), (4, 400, 800), (5, 500, 1000),
      (99, 500, 1000),
    ])
  func backoff(failures: Int, least: Int, most: Int) {
    let backoff = Backoff(firstMs: 100, mostMs: 1_000)
    #expect(backoff.pauseMs(failures: failures, chance: 0) == least)
    #expect(backoff.pauseMs(failures: failures, chance: 1) == most)
  }
}

@Suite struct TimerTests {
  private final class Alarm: Timed {
    let timeMs: Int
    var isOver = false
    init(_ timeMs: Int) { self.timeMs = timeMs }
    func wake(nowMs: Int) {}
  }

  @Test("Times come in their order, each once, and none of what is over", arguments: 0..<5)
  func order(seed: Int) {
    var random = SystemRandomNumberGenerator()
    var queue = TimerQueue()
    var alarms: [Alarm] = []
    for _ in 0..<1_000 {
      let alarm = Alarm(Int.random(in: 0..<500, using: &random))
      alarms.append(alarm)
      queue.add(alarm, atMs: alarm.timeMs)
      if Bool.random(using: &random) { alarms.randomElement(using: &random)?.isOver = true }
    }
    var popped: [Int] = []
    for now in [100, 250, 499] {
      while let next = queue.popDue(nowMs: now) as? Alarm {
        #expect(next.timeMs <= now)
        popped.append(next.timeMs)
      }
    }
    #expect(popped == alarms.filter { !$0.isOver }.map(\.timeMs).sorted())
    #expect(queue.nextMs == nil)
  }
}
