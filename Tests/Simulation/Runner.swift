import Glibc

/// What the program was asked for.
struct Options {
  var plan = Plan()
  /// One seed, to be repeated; nil: fresh ones.
  var seed: UInt64?
  var first: UInt64?
  var seeds = 1
  /// So long at least, however many seeds that takes; 0: by `seeds`.
  var seconds = 0
  var triesMistakes = false
  var showsTrace = false

  /// - Throws: what was wrong.
  init(_ arguments: [String]) throws(WrongOption) {
    var rest = arguments[...]
    while let name = rest.popFirst() {
      switch name {
      case "--mistakes": triesMistakes = true
      case "--trace": showsTrace = true
      case "--go-on": plan.goesOn = true
      default:
        guard let value = rest.popFirst() else { throw WrongOption(name: name) }
        try set(name, value)
      }
    }
  }

  private mutating func set(_ name: String, _ value: String) throws(WrongOption) {
    let number = UInt64(value)
    switch (name, number) {
    case ("--seed", let number?): seed = number
    case ("--from", let number?): first = number
    case ("--seeds", let number?): seeds = Int(number)
    case ("--seconds", let number?): seconds = Int(number)
    case ("--calls", let number?): plan.calls = Int(number)
    case ("--customers", let number?): plan.customers = Int(number)
    case ("--faults", let number?): plan.faults = Int(number)
    case ("--kinds", nil):
      let kinds = value.split(separator: ",").map { Fault(rawValue: String($0)) }
      guard !kinds.contains(nil) else { throw WrongOption(name: value) }
      plan.kinds = Set(kinds.compactMap { $0 })
    case ("--mistake", nil):
      guard let mistake = Mistake(rawValue: value) else { throw WrongOption(name: value) }
      plan.mistake = mistake
    default: throw WrongOption(name: name)
    }
  }
}

struct WrongOption: Error { var name: String }

/// The seed that runs, for whoever has to say why the process ended.
// Written before a run and read by a signal handler of the same thread.
nonisolated(unsafe) private var runningSeed: UInt64 = 0

/// A line that is out before the process can be trapped.
func say(_ line: String) {
  print(line)
  fflush(nil)
}

/// Runs seeds, and says what it found.
struct Runner {
  private let options: Options
  private var injected: [Fault: Int] = [:]
  private var sent = 0
  private var virtualUs: Int64 = 0
  private var passed = 0
  private var failed = 0
  private let beganUs = Runner.clockUs()

  init(_ options: Options) { self.options = options }

  /// - Returns: the exit status.
  mutating func run() -> Int32 {
    Self.sayWhereItTraps()
    if options.triesMistakes { return tryMistakes() }
    checkDisks()
    if let seed = options.seed {
      runOne(seed)
    } else {
      let first = options.first ?? UInt64(bitPattern: Self.clockUs()) % 1_000_000_000
      repeatFirst(first)
      var number: UInt64 = 0
      while options.seconds > 0
        ? Self.clockUs() - beganUs < Int64(options.seconds) * 1_000_000
        : number < UInt64(options.seeds)
      {
        runOne(first + number)
        number += 1
        if failed > 0 { break }
      }
    }
    if options.seed == nil { judgeFaults() }
    report()
    return failed == 0 ? 0 : 1
  }

  private mutating func checkDisks() {
    for fault in DiskChecks.run() {
      if let fault { say("FAILED: \(fault)") }
      if fault == nil { passed += 1 } else { failed += 1 }
    }
  }

  private mutating func runOne(_ seed: UInt64) {
    let world = simulate(seed, options.plan)
    for (kind, count) in world.injected { injected[kind, default: 0] += count }
    sent += world.sent
    virtualUs += world.nowUs
    guard let failure = world.failure else {
      passed += 1
      if options.showsTrace { tell(seed) }
      return
    }
    failed += 1
    say("seed \(seed) FAILED: \(failure)")
    tell(seed)
    say("seed \(seed) FAILED: \(failure)")
    say("again: make sim SEED=\(seed)")
  }

  private func simulate(_ seed: UInt64, _ plan: Plan) -> World {
    runningSeed = seed
    let world = World(seed: seed, plan)
    world.run()
    return world
  }

  /// The same run once more, now with what happened as lines.
  private func tell(_ seed: UInt64) {
    var plan = options.plan
    plan.keepsLines = true
    plan.goesOn = false
    for line in simulate(seed, plan).trace.tail { say(line) }
  }

  /// The first seed runs twice, and both runs have to be the same to the last event.
  private mutating func repeatFirst(_ seed: UInt64) {
    let traces = (0..<2).map { _ in simulate(seed, options.plan).trace }
    if traces[0].hash != traces[1].hash || traces[0].events != traces[1].events {
      failed += 1
      say("seed \(seed) FAILED: two runs differ")
    } else {
      passed += 1
    }
  }

  /// What was asked for has to have gone wrong.
  private mutating func judgeFaults() {
    guard failed == 0, options.plan.faults > 0 else { return }
    let missing = options.plan.kinds.filter { injected[$0, default: 0] == 0 }
    guard !missing.isEmpty else { return }
    failed += 1
    say("FAILED: no seed had \(missing.map(\.rawValue).sorted().joined(separator: ", "))")
  }

  private func report() {
    let seconds = Double(Self.clockUs() - beganUs) / 1_000_000
    let kinds = Fault.allCases.filter { injected[$0, default: 0] > 0 }
      .map { "\($0.rawValue) \(injected[$0, default: 0])" }
    say("faults: \(kinds.joined(separator: ", "))")
    say(
      "\(sent) calls in \(virtualUs / 1_000_000) s of virtual time, \(Int(seconds * 10) / 10) s "
        + "of real time: \(Int(Double(sent) / max(seconds, 0.001))) calls a second")
    say("\(passed) passed, \(failed) failed")
  }

  // MARK: - Deliberate mistakes

  /// Each has to be seen within this many seeds.
  private static let mostSeeds: UInt64 = 40

  private mutating func tryMistakes() -> Int32 {
    for mistake in Mistake.allCases {
      var plan = options.plan
      plan.mistake = mistake
      var seed: UInt64 = 1
      var failure = simulate(seed, plan).failure
      while failure == nil, seed < Self.mostSeeds {
        seed += 1
        failure = simulate(seed, plan).failure
      }
      if let failure {
        passed += 1
        say("\(mistake.rawValue): seed \(seed): \(failure)")
      } else {
        failed += 1
        say("\(mistake.rawValue): NOT SEEN in \(Self.mostSeeds) seeds")
      }
    }
    say("\(passed) passed, \(failed) failed")
    return failed == 0 ? 0 : 1
  }

  // MARK: - The process

  private static func clockUs() -> Int64 {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return Int64(time.tv_sec) * 1_000_000 + Int64(time.tv_nsec) / 1_000
  }

  /// A trap ends the process: the seed is told all the same.
  private static func sayWhereItTraps() {
    for number in [SIGILL, SIGTRAP, SIGSEGV, SIGABRT] {
      signal(number) { number in
        var digits = runningSeed
        var text: [UInt8] = Array(" FAILED: the process was trapped\n".utf8)
        repeat {
          text.insert(UInt8(ascii: "0") + UInt8(digits % 10), at: 0)
          digits /= 10
        } while digits > 0
        text = Array("seed ".utf8) + text
        _ = write(1, text, text.count)
        signal(number, SIG_DFL)
        raise(number)
      }
    }
  }
}
