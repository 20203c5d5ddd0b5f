import Model
import ServiceKit
import Wire

/// What a run is made of, beside its seed.
struct Plan {
  /// Calls that customers begin, pages of lists counted singly.
  var calls = 2_000
  var customers = 12
  var watchers = 6
  var gateways = 3
  /// Planned faults, spread over the run.
  var faults = 10
  var kinds = Set(Fault.allCases)
  var mistake: Mistake?
  var keepsLines = false
  /// Goes on after a broken rule, to find others.
  var goesOn = false
}

/// Kinds of events, for the hash of the trace.
enum Sign: UInt64 {
  case up = 1
  case cut, start, crash, commit, call, answer, lost, fault, done, watch
}

/// One run: virtual time, everything in it, and what went wrong.
final class World {
  let seed: UInt64
  let plan: Plan
  let chance: Chance
  let codec = Codec()
  private(set) var nowUs: Int64 = 0
  /// What time of day it was when the run began.
  let startMs: Int64 = 1_700_000_000_000
  /// How far back the logs of profiles and places tell single changes.
  let historyMs: Int64
  /// How many people there are at least: more than a page of a snapshot has, now and then.
  let crowd: Int
  private(set) var trace: Trace
  /// The first rule that was broken.
  private(set) var failure: String?
  private(set) var injected: [Fault: Int] = [:]

  private var agenda = Agenda()
  private var lastSerial: UInt32 = 0
  private let files: FileSystem
  private(set) var services: [LogName: Node] = [:]
  private(set) var gateways: [Node] = []
  private(set) var customers: [Customer] = []
  private(set) var watchers: [Watcher] = []
  private(set) var truth: Truth!
  /// Customers begin no call any more, and nothing goes wrong any more.
  private(set) var isHealed = false
  /// When the first of it was so.
  private(set) var healedUs: Int64 = .max
  private var begun = 0
  private var operations = 0
  private(set) var sent = 0

  init(seed: UInt64, _ plan: Plan) {
    self.seed = seed
    self.plan = plan
    chance = Chance(seed: seed)
    historyMs = chance.one(in: 3) ? chance.between(500, 5_000) : 30 * 86_400_000
    crowd = chance.one(in: 12) ? 1_400 : 0
    trace = Trace(keepsLines: plan.keepsLines)
    files = FileSystem(chance.fork())
    truth = Truth(self)
    for log in LogName.allCases {
      let disk = Disk(chance.fork()) { [unowned self] in count($0) }
      files.disks[log.text] = disk
      services[log] = Node(log.text, owns: log, disk, in: self)
    }
    for number in 1...plan.gateways {
      gateways.append(Node("gateway-\(number)", owns: nil, nil, in: self))
    }
    for number in 1...plan.customers { customers.append(Customer(number, in: self)) }
    for number in 0..<plan.watchers { watchers.append(Watcher(number + 1, in: self)) }
  }

  /// Every process, in an order that is always the same.
  var nodes: [Node] { LogName.allCases.compactMap { services[$0] } + gateways }

  var allConnections: [Connection] {
    nodes.flatMap(\.connections) + customers.flatMap(\.connections)
      + watchers.flatMap(\.connections)
  }

  /// The connections that lead to a process.
  func connections(to node: Node) -> [Connection] {
    allConnections.filter { $0.server === node }
  }

  // MARK: - Time

  func at(_ atUs: Int64, _ run: @escaping () -> Void) { agenda.add(atUs: max(atUs, nowUs), run) }
  func after(_ us: Int64, _ run: @escaping () -> Void) { at(nowUs + us, run) }

  func nextSerial() -> UInt32 {
    lastSerial += 1
    return lastSerial
  }

  // MARK: - What is told

  func note(_ sign: Sign, _ numbers: UInt64..., text: () -> String) {
    guard !hasEnded else { return }
    trace.add(nowUs, [sign.rawValue] + numbers, text)
  }

  /// A rule is broken: the run ends.
  func fail(_ what: @autoclosure () -> String) {
    guard failure == nil || plan.goesOn else { return }
    let text = what()
    note(.fault) { "FAILED: \(text)" }
    if failure == nil { failure = text }
    if plan.goesOn { say("\(Double(nowUs) / 1_000_000) \(text)") }
  }

  func count(_ fault: Fault) { injected[fault, default: 0] += 1 }
  func isOn(_ fault: Fault) -> Bool { plan.kinds.contains(fault) && !isHealed }

  /// Whether a customer may begin another call.
  func takeCall() -> Bool {
    guard begun < plan.calls else { return false }
    begun += 1
    return true
  }

  /// A number for another call, which what it writes carries.
  func nextOperation() -> Int {
    operations += 1
    return operations
  }

  func countSent() { sent += 1 }

  // MARK: - A run

  /// Runs to the end, or to the first broken rule.
  func run() {
    for node in nodes { node.start() }
    for customer in customers { customer.start() }
    for watcher in watchers { watcher.start() }
    planFaults()
    waitForEnd()
    while failure == nil || plan.goesOn, let nextUs = agenda.nextUs, !isOver {
      nowUs = nextUs
      agenda.removeFirst()()
    }
    if failure == nil {
      truth.checkAtEnd()
      Accounts(self).check()
      for watcher in watchers { watcher.judgeAtEnd() }
    }
    hasEnded = true
    // What is planned holds on to what it is about.
    agenda = Agenda()
    for node in nodes { node.end() }
    files.close()
  }

  private var isOver = false
  private var hasEnded = false
  /// From the first call to the last it takes about this long.
  private var expectedUs: Int64 { Int64(plan.calls / max(1, plan.customers)) * 45_000 }

  private func planFaults() {
    let kinds = Fault.planned.filter { plan.kinds.contains($0) }
    guard !kinds.isEmpty else { return }
    for _ in 0..<plan.faults {
      let atUs = chance.between(200_000, max(400_000, expectedUs))
      let kind = chance.pick(kinds)
      at(atUs) { [unowned self] in
        if !isHealed { strike(kind) }
      }
    }
  }

  /// Once all calls have been begun, everything heals; when all is quiet, the end is looked at.
  private func waitForEnd() {
    after(50_000) { [unowned self] in
      guard begun >= plan.calls else {
        if nowUs > 20 * expectedUs + 300_000_000 { fail("the calls come to no end") }
        return waitForEnd()
      }
      isHealed = true
      healedUs = nowUs
      note(.done) { "all calls have begun; everything heals" }
      for node in nodes { node.heal() }
      waitForQuiet(untilUs: nowUs + 60_000_000)
    }
  }

  private func waitForQuiet(untilUs: Int64) {
    after(200_000) { [unowned self] in
      let busy =
        customers.filter { !$0.isIdle }.map(\.name) + nodes.filter { !$0.isThere }.map(\.name)
      if busy.isEmpty {
        // Stays that end by themselves do so within this time, and followers catch up.
        after(12_000_000) { [unowned self] in inspect() }
      } else if nowUs > untilUs {
        fail("a minute after everything has healed these are not done: \(busy)")
      } else {
        waitForQuiet(untilUs: untilUs)
      }
    }
  }

  private func inspect() {
    Inspection(self).begin { [unowned self] in isOver = true }
  }
}
