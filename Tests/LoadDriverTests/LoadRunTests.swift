import Testing
import Wire

@testable import LoadDriver

/// A server in a test's own time: answers each call after as long as `answerNs` says of the time at
/// which it gets it.
struct VirtualServer {
  var answerNs: (Int) -> Int
  /// Between two looks at the clock.
  var stepNs = 100_000

  /// Runs to the end.
  func serve(_ run: inout LoadRun) {
    var nowNs = 0
    var due: [(ns: Int, ticket: Int)] = []
    while !run.isOver(nowNs: nowNs) {
      while let (ticket, call) = run.next(nowNs: nowNs) {
        due.append((min(nowNs + answerNs(nowNs), nowNs + 5_000_000_000), ticket))
        #expect(call.dueNs <= nowNs)
      }
      due.sort { $0.ns < $1.ns }
      while let first = due.first, first.ns <= nowNs {
        due.removeFirst()
        let isLate = run.call(first.ticket).map { nowNs - $0.sentNs >= 5_000_000_000 } == true
        run.finish(first.ticket, isLate ? .timeout(Status()) : .success, nowNs: nowNs)
      }
      nowNs += stepNs
    }
    run.end(nowNs: nowNs)
  }
}

@Suite("A run")
struct LoadRunTests {
  private func run(_ loop: Loop, seconds: Int = 10, warmUpMs: Int = 0, requests: Int? = nil) throws
    -> LoadRun
  {
    let workload = Workload(
      mix: try Mix("status"), batchItems: 1, profiles: 10, locations: 10, keys: .uniform, seed: 1)
    let course = LoadCourse(
      loop: loop, durationNs: seconds * 1_000_000_000, warmUpNs: warmUpMs * 1_000_000,
      requests: requests)
    return LoadRun(course, workload)
  }

  private func open(
    rate: Double, seconds: Int = 10, _ catchUp: CatchUp = .full, most: Int = 10_000
  ) -> Loop {
    let stage = RateProfile.Stage(durationNs: seconds * 1_000_000_000, from: rate, to: rate)
    return .open(RateProfile([stage]), .uniform, catchUp, mostInFlight: most)
  }

  @Test("An open loop sends at its times, whatever becomes of what it sent")
  func openLoop() throws {
    var run = try run(open(rate: 100))
    VirtualServer { _ in 1_000_000 }.serve(&run)
    let measured = run.measured
    #expect(measured.offered == 1_000 && measured.sent == 1_000 && measured.dropped == 0)
    #expect(measured.total.response.count == 1_000)
    #expect(abs(measured.rate - 100) < 1)
    #expect(measured.seconds.count >= 10)
    #expect(measured.seconds[..<10].allSatisfy { $0.sent == 100 })
    #expect(measured.lag.us(percentile: 99) <= 101)
  }

  @Test("A server that stands still for a while shows it in p99, though it answers few calls then")
  func standstill() throws {
    // From 4 s to 8 s nothing is answered; before and after, within a millisecond.
    let server = VirtualServer { now in
      (4_000_000_000..<8_000_000_000).contains(now) ? 8_000_000_000 - now : 1_000_000
    }
    var held = try run(open(rate: 100, most: 8))
    server.serve(&held)
    let measured = held.measured
    #expect(measured.total.response.count == 1_000)
    #expect(measured.total.response.us(percentile: 99) > 3_500_000)
    // Only the eight that were on their way saw it themselves: what a naive driver would report.
    #expect(measured.total.service.us(percentile: 99) < 3_000)
    #expect(measured.mostInFlight == 8)
    // It was not the driver that was late.
    #expect(measured.lag.us(percentile: 100) <= 101)
  }

  @Test("What is not answered in time is in a histogram of its own, and counted")
  func timeouts() throws {
    let server = VirtualServer { now in
      now < 1_000_000_000 ? 60_000_000_000 : 1_000_000
    }
    var run = try run(open(rate: 100, seconds: 2), seconds: 2)
    server.serve(&run)
    let total = run.measured.total
    #expect(total.timedOut.count == 100 && total.response.count == 100)
    #expect(total.timedOut.minUs >= 4_990_000)
    #expect(total.response.maxUs < 2_000)
    #expect(run.measured.failures.map(\.count) == [100])
    #expect(run.measured.succeededInTime == 100)
  }

  @Test(
    "What could not be sent in time is sent, or dropped and counted, as catch-up says",
    arguments: [(CatchUp.none, 390...400), (.limited, 0...0), (.full, 0...0)])
  func catchUp(catchUp: CatchUp, dropped: ClosedRange<Int>) throws {
    // One in flight at most, and the first takes four seconds.
    var run = try run(open(rate: 100, catchUp, most: 1))
    VirtualServer { now in now < 50_000_000 ? 4_000_000_000 : 1_000_000 }.serve(&run)
    #expect(run.measured.offered == 1_000)
    #expect(run.measured.sent + run.measured.dropped == 1_000)
    #expect(dropped.contains(run.measured.dropped))
  }

  @Test("A limited catch-up gives up what nobody would wait for any more")
  func limited() throws {
    var run = try run(open(rate: 10, seconds: 20, .limited, most: 1), seconds: 20)
    // The first two take five seconds each, and are given up.
    VirtualServer { now in now < 6_000_000_000 ? 60_000_000_000 : 1_000_000 }.serve(&run)
    #expect(run.measured.dropped > 0)
    #expect(run.measured.total.response.maxUs <= 5_100_000)
    #expect(run.measured.sent + run.measured.dropped == run.measured.offered)
  }

  @Test("With a server that never answers, it ends all the same, and everything is accounted for")
  func deadServer() throws {
    var run = try run(open(rate: 100, seconds: 3, most: 20), seconds: 3)
    VirtualServer { _ in 60_000_000_000 }.serve(&run)
    let measured = run.measured
    #expect(measured.offered == 300)
    #expect(measured.sent + measured.dropped == 300)
    #expect(measured.total.timedOut.count == UInt64(measured.sent))
    #expect(measured.rate == 0)
  }

  @Test("A closed loop keeps its number in flight and no more")
  func closedLoop() throws {
    var run = try run(.closed(outstanding: 5), seconds: 2)
    VirtualServer { _ in 10_000_000 }.serve(&run)
    let measured = run.measured
    #expect(measured.mostInFlight == 5)
    // Each answer is seen at the next look, a hundred microseconds later at most.
    #expect(abs(measured.rate - 497) < 5)
    #expect(measured.total.response.count == UInt64(measured.sent))
    #expect(measured.lag.count == 0)
  }

  @Test("What ends in the warm-up is left out, and the seconds are cut where it ends")
  func warmUp() throws {
    var run = try run(open(rate: 100), warmUpMs: 2_500)
    VirtualServer { now in now < 2_000_000_000 ? 300_000_000 : 1_000_000 }.serve(&run)
    let measured = run.measured
    #expect(measured.offered == 750)
    #expect(measured.total.response.maxUs < 2_000)
    #expect(abs(measured.rate - 100) < 1)
    #expect(measured.seconds[2].startNs == 2_000_000_000)
    #expect(measured.seconds[2].lengthNs == 500_000_000)
    #expect(measured.seconds[3].startNs == 2_500_000_000)
  }

  @Test("A number of requests is sent exactly, and their rate goes by the time they took")
  func requests() throws {
    var run = try run(.closed(outstanding: 4), seconds: 1_000, requests: 400)
    VirtualServer { _ in 10_000_000 }.serve(&run)
    #expect(run.measured.sent == 400)
    #expect(run.measured.total.response.count == 400)
    #expect(run.measured.succeededInTime == 400)
    #expect(abs(run.measured.rate - 396) < 8)
  }

  @Test("Once stopped it sends nothing more, and counts what was under way")
  func stopping() throws {
    var run = try run(.closed(outstanding: 3))
    var tickets: [Int] = []
    while let (ticket, _) = run.next(nowNs: 0) { tickets.append(ticket) }
    run.stop(nowNs: 500_000_000)
    #expect(!run.isOver(nowNs: 500_000_000))
    for ticket in tickets { run.finish(ticket, .success, nowNs: 600_000_000) }
    #expect(run.next(nowNs: 600_000_000).map(\.ticket) == nil)
    #expect(run.isOver(nowNs: 600_000_000))
    run.end(nowNs: 600_000_000)
    #expect(run.measured.total.response.count == 3)
    #expect(run.measured.endNs == 500_000_000)
  }

  @Test("Failures are counted by code, with the first of each")
  func failures() throws {
    var run = try run(.closed(outstanding: 2))
    let refused = Status(code: .unavailable, message: "One.", reason: "STARTING")
    for index in 0..<3 {
      let next = run.next(nowNs: index)
      let ticket = try #require(next?.ticket)
      var status = refused
      if index > 0 { status.message = "Another." }
      run.finish(ticket, .failure(status), nowNs: 1_000_000 + index)
    }
    let failure = try #require(run.measured.failures.first)
    #expect(run.measured.failures.count == 1)
    #expect(failure.count == 3 && failure.firstMessage == "One." && failure.firstNs == 1_000_000)
    run.end(nowNs: 2_000_000)
    #expect(run.measured.total.failed.count == 3)
    #expect(run.measured.total.response.count == 0)
  }

  @Test("The log of the seconds adds up to the whole")
  func log() throws {
    let workload = Workload(
      mix: try Mix("status"), batchItems: 1, profiles: 1, locations: 1, keys: .uniform, seed: 1)
    let course = LoadCourse(loop: open(rate: 50, seconds: 3), durationNs: 3_000_000_000)
    var run = LoadRun(course, workload, log: HistogramLog(startMs: 0))
    VirtualServer { _ in 1_000_000 }.serve(&run)
    let lines = run.log?.text.split(separator: "\n").filter { $0.hasPrefix("Tag=status.") } ?? []
    #expect(lines.count { $0.hasPrefix("Tag=status.response") } >= 3)
    #expect(lines.count { $0.hasPrefix("Tag=status.service") } >= 3)
    #expect(lines.allSatisfy { !$0.contains("errors") })
  }
}
