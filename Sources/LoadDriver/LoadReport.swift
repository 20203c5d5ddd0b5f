/// What a run came to.
package enum Verdict: Equatable, Sendable {
  case passed
  /// Cut short by whoever started it; what is reported is what there is.
  case interrupted
  /// Rules do not hold: so many.
  case broken(Int)
  /// The driver was the bottleneck, for these reasons: nothing is said about the system.
  case none([String])
  /// Something is not true that must be: so many checks.
  case refuted(Int)
  /// Nothing succeeded at all.
  case failed

  /// What the program ends with.
  package var exitCode: Int32 {
    switch self {
    case .passed: 0
    case .failed: 1
    case .interrupted: 2
    case .broken: 3
    case .none: 4
    case .refuted: 5
    }
  }

  package var name: String {
    switch self {
    case .passed: "ok"
    case .failed: "nothing succeeded"
    case .interrupted: "interrupted"
    case .broken: "rules broken"
    case .none: "no verdict"
    case .refuted: "verification failed"
    }
  }

  /// One sentence.
  package var text: String {
    switch self {
    case .passed: "ok"
    case .failed: "nothing succeeded: not one request was answered with a success"
    case .interrupted: "interrupted: this is what was measured until then"
    case .broken(let count): count == 1 ? "a rule does not hold" : "\(count) rules do not hold"
    case .none(let reasons):
      "no verdict: the driver was the bottleneck: " + reasons.joined(separator: "; ")
    case .refuted(let count):
      "verification failed: "
        + (count == 1
          ? "one thing is not as it must be" : "\(count) things are not as they must be")
    }
  }
}

/// A rule, and what was measured.
package struct RuleResult: Sendable {
  package var rule: Rule
  /// Nil: nothing was.
  package var value: Double?

  package var holds: Bool { rule.holds(value) }
}

/// What the driver itself took, and how it kept up.
package struct DriverCost: Equatable, Sendable {
  /// CPU seconds a second of the thread that sends and receives, and of the whole process.
  package var threadCores: Double
  package var processCores: Double
  /// Of the whole machine, everybody together.
  package var machineCores: Double
  /// For how long that was measured.
  package var seconds: Double

  package init(
    threadCores: Double, processCores: Double, machineCores: Double, seconds: Double
  ) {
    self.seconds = seconds
    self.threadCores = threadCores
    self.processCores = processCores
    self.machineCores = machineCores
  }

  /// A thread that takes this much of a core has no more to give.
  package static let mostThreadCores = 0.95
  /// In less time than this, what a thread takes says nothing.
  package static let leastSeconds = 0.5
  /// With a p99 above this the driver sends late what it should send on time.
  package static let mostLagUs: UInt64 = 10_000

  /// Why the figures would be the driver's rather than the system's; empty: they are not.
  package func bottlenecks(lag: Histogram) -> [String] {
    var reasons: [String] = []
    if threadCores >= DriverCost.mostThreadCores, seconds >= DriverCost.leastSeconds {
      reasons.append("its thread took \(NumberText.decimal(threadCores, digits: 2)) cores")
    }
    let late = lag.us(percentile: 99)
    if late > DriverCost.mostLagUs {
      reasons.append("it sent \(NumberText.time(us: Double(late))) late at p99")
    }
    return reasons
  }
}

/// A named value of the configuration or the machine.
package struct Fact: Equatable, Sendable {
  package var name: String
  package var value: String

  package init(_ name: String, _ value: String) {
    self.name = name
    self.value = value
  }
}

/// All that is told about a run, whatever the format.
package struct LoadReport: Sendable {
  package var startMs: Int64
  package var configuration: [Fact]
  package var machine: [Fact]
  package var operations: [Operation]
  package var measured: Measurements
  package var cost: DriverCost
  package var rules: [RuleResult]
  /// Nil: nobody asked for them.
  package var checks: [CheckResult]?
  /// What happened from outside, and when.
  package var events: [(atNs: Int, text: String)]
  package var wasInterrupted: Bool

  package init(
    startMs: Int64, plan: LoadPlan, configuration: [Fact], machine: [Fact],
    measured: Measurements, cost: DriverCost, checks: [CheckResult]?,
    events: [(atNs: Int, text: String)], wasInterrupted: Bool
  ) {
    self.startMs = startMs
    self.configuration = configuration
    self.machine = machine
    operations = plan.mix.weights.map(\.operation)
    self.measured = measured
    self.cost = cost
    rules = plan.rules.map { RuleResult(rule: $0, value: measured.value($0)) }
    self.checks = checks
    self.events = events
    self.wasInterrupted = wasInterrupted
  }

  /// What is certainly wrong comes first; what may be the driver's fault is no broken rule.
  package var verdict: Verdict {
    let refuted = checks?.count { !$0.holds } ?? 0
    if wasInterrupted { return .interrupted }
    if refuted > 0 { return .refuted(refuted) }
    let reasons = cost.bottlenecks(lag: measured.lag)
    if !reasons.isEmpty { return .none(reasons) }
    if measured.total.response.count == 0 { return .failed }
    let broken = rules.count { !$0.holds }
    return broken > 0 ? .broken(broken) : .passed
  }

  /// A row of the table of operations.
  struct Row {
    var name: String
    var latencies: Latencies
    /// Successes a second.
    var rate: Double
  }

  /// The operations of the run with what was measured of each; of all, where they are several; and
  /// what watchers saw, where there are any.
  var rows: [Row] {
    var rows = operations.map { operation in
      let latencies = measured.operations[operation.rawValue]
      return Row(name: operation.name, latencies: latencies, rate: measured.rate(latencies))
    }
    if rows.count > 1 {
      rows.append(Row(name: "all", latencies: measured.total, rate: measured.rate))
    }
    if measured.watched.count > 0 {
      let seconds = measured.lengthSeconds
      rows.append(
        Row(
          name: "seen by watchers", latencies: Latencies(response: measured.watched),
          rate: seconds > 0 ? Double(measured.watched.count) / seconds : 0))
    }
    return rows
  }

  /// The percentiles that tables show.
  static let percentiles = [50, 90, 99, 99.9, 99.99]
}

extension Measurements {
  /// What a rule is about; nil: there is no such figure.
  func value(_ rule: Rule) -> Double? {
    let latencies = rule.operation.map { operations[$0.rawValue] } ?? total
    let response = latencies.response
    func some(_ histogram: Histogram, _ value: Double) -> Double? {
      histogram.count > 0 ? value : nil
    }
    switch rule.metric {
    case .percentile(let p): return some(response, Double(response.us(percentile: p)))
    case .servicePercentile(let p):
      return some(latencies.service, Double(latencies.service.us(percentile: p)))
    case .min: return some(response, Double(response.minUs))
    case .mean: return some(response, response.meanUs)
    case .max: return some(response, Double(response.maxUs))
    case .rate: return rate(latencies)
    case .errors: return Double(latencies.errors)
    case .errorShare:
      return latencies.ended > 0 ? Double(latencies.errors) / Double(latencies.ended) : nil
    case .timeouts: return Double(latencies.timedOut.count)
    case .dropped: return Double(dropped)
    }
  }

  /// Successes a second of some of the operations: their share of all successes in time.
  func rate(_ latencies: Latencies) -> Double {
    let all = total.response.count
    return all > 0 ? rate * Double(latencies.response.count) / Double(all) : 0
  }
}
