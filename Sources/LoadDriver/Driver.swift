import Client
import Glibc
import Model
import Wire
package import ZeroMQ

/// Runs a plan over the client library, on one thread: what is due is sent, what comes is taken
/// down, and in between it waits for whichever is first.
package final class Driver {
  /// What may come of a look at the outside while the load runs.
  package enum Order { case goOn, stop }

  package internal(set) var run: LoadRun
  package internal(set) var ledger: Ledger?
  /// What happened from outside, and when.
  package internal(set) var events: [(atNs: Int, text: String)] = []
  /// CPU of the measured time.
  package var cost: DriverCost {
    measuredCost ?? DriverCost(threadCores: 0, processCores: 0, machineCores: 0, seconds: 0)
  }

  /// All that was measured, by the watchers too.
  package var measurements: Measurements {
    var measured = run.measured
    if let watchers { measured.watched = watchers.seen }
    return measured
  }

  let plan: LoadPlan
  let population: Population
  let loop: ClientLoop
  let clients: [Client]
  /// Whom calls are for, by the number of the client.
  let users: [String]
  private let alarm: Alarm
  let decoder = Decoder()
  let startNs: Int
  private var meter: CPUMeter?
  private var measuredCost: DriverCost?
  private var kills: [Kill]
  /// What reads under way may not be older than, by ticket.
  var floors: [Int: ReadFloor] = [:]
  /// Watches that wait for their first content, by ticket.
  var watches: [Int: Watch<PeopleHere>] = [:]
  /// Who looks on, and what they have seen.
  let watchers: Watchers?

  /// More are not sent in a row: what has come is to be seen, too.
  private static let mostInARow = 256
  /// How often it looks outside at least.
  private static let lookMs = 50
  static let peopleOfAList: UInt32 = 50

  /// - Throws: `CallError` where the endpoint is none, `LoadFailure` where there is no timer.
  package init(
    _ plan: LoadPlan, endpoint: String, curve: CurveClient? = nil, population: Population,
    logsHistograms: Bool
  ) throws {
    self.plan = plan
    self.population = population
    let loop = try ClientLoop()
    self.loop = loop
    let users = (0..<plan.course.clients).map { "load-driver-\($0 + 1)" }
    self.users = users
    clients = try (0..<plan.connections).map { _ throws(CallError) in
      try Client(
        endpoints: [endpoint], user: users[0], timeoutMs: plan.course.timeoutMs, curve: curve,
        loop: loop)
    }
    alarm = try Alarm()
    _ = loop.poller.add(fileDescriptor: alarm.descriptor)
    kills = plan.kills.sorted { $0.atMs < $1.atMs }
    watchers = plan.watchers > 0 ? Watchers(plan, population) : nil
    if plan.verifies {
      ledger = Ledger(profiles: population.profiles.count, clients: plan.course.clients)
    }
    // Connections come up in the background; the run begins when they are.
    for client in clients { _ = try client.call(CheckHealthRequest()) }
    try watchers?.begin(clients, loop)
    run = LoadRun(
      plan.course, plan.workload, log: logsHistograms ? HistogramLog(startMs: Clock.wallMs) : nil)
    startNs = Clock.nowNs
  }

  var nowNs: Int { Clock.nowNs - startNs }

  /// Runs to the end.
  /// - Parameters:
  ///   - up: what `--up` has started, for what is to be killed.
  ///   - look: is asked a few times a second whether to go on.
  ///   - onSecond: is told each second that is over.
  package func drive(
    up: UpProcess?, look: () -> Order, onSecond: (SecondLine) -> Void
  ) throws {
    var shown = 0
    while !run.isOver(nowNs: nowNs) {
      try sendDue()
      if look() == .stop { run.stop(nowNs: nowNs) }
      if let up { killDue(up) }
      endLateWatches()
      measureCPU()
      try wait()
      run.passTime(nowNs: nowNs)
      while shown < run.measured.seconds.count {
        onSecond(run.measured.seconds[shown])
        shown += 1
      }
    }
    run.end(nowNs: nowNs)
    if measuredCost == nil { measuredCost = meter?.cost() }
  }

  private func sendDue() throws {
    var sent = 0
    while sent < Driver.mostInARow, let (ticket, call) = run.next(nowNs: nowNs) {
      try send(ticket, call)
      sent += 1
    }
  }

  private func wait() throws {
    let dueNs = run.nextDueNs
    if let dueNs, dueNs <= nowNs {
      try loop.step(untilMs: ClientLoop.nowMs)
    } else {
      alarm.set(atNs: dueNs.map { $0 + startNs })
      try loop.step(untilMs: ClientLoop.nowMs + Driver.lookMs)
    }
  }

  private func measureCPU() {
    let now = nowNs
    if meter == nil, now >= run.measured.startNs { meter = CPUMeter() }
    if measuredCost == nil, let meter, now >= run.measured.endNs { measuredCost = meter.cost() }
  }

  private func killDue(_ up: UpProcess) {
    while let kill = kills.first, nowNs >= Int(kill.atMs) * 1_000_000 {
      kills.removeFirst()
      do throws(LoadFailure) {
        try up.kill(kill.process)
        events.append((nowNs, "\(kill.process) killed"))
      } catch {
        events.append((nowNs, error.message))
      }
    }
  }
}
