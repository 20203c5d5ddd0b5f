import Model
package import Terminal

/// A process that is to be killed while the load runs.
package struct Kill: Equatable, Sendable {
  package var process: String
  /// From the beginning of the run.
  package var atMs: Int64

  package static let processes = ["profiles", "locations", "check-ins", "gateway"]

  /// As `--kill` has it: "check-ins@10s".
  package init(_ text: String) throws(UsageError) {
    let parts = text.split(separator: "@", omittingEmptySubsequences: false).map(String.init)
    guard parts.count == 2, let time = DurationText.milliseconds(parts[1]) else {
      throw UsageError(
        "--kill is '\(text)', and is a process and a time", hint: "write it as check-ins@10s")
    }
    guard Kill.processes.contains(parts[0]) else {
      throw UsageError(
        "--kill has '\(parts[0])', and there are \(Kill.processes.joined(separator: ", "))",
        hint: "write it as check-ins@10s")
    }
    process = parts[0]
    atMs = time
  }
}

/// All that somebody asked of a run.
package struct LoadPlan: Sendable {
  package var course: LoadCourse
  package var mix: Mix
  package var batchItems: Int
  package var keys: KeyDistribution
  package var profiles: Int
  package var locations: Int
  /// 0: as the server has it.
  package var ttlS: UInt32
  package var connections: Int
  /// Whether writes carry fresh idempotency keys.
  package var hasKeys: Bool
  /// How many watches look on all the time.
  package var watchers: Int
  package var prepares: Bool
  package var cleansUp: Bool
  package var verifies: Bool
  package var kills: [Kill]
  package var rules: [Rule]

  /// A workload of its mix over so many people and places.
  package var workload: Workload {
    Workload(
      mix: mix, batchItems: batchItems, profiles: profiles, locations: locations, keys: keys,
      seed: course.seed)
  }

  /// Takes what was said apart. Throws what makes no sense, or no sense together.
  package init(_ said: SaidOptions) throws(UsageError) {
    mix = try Mix(said.option("mix") ?? "check-in=10,status=70,who=10,counts=10")
    keys = try KeyDistribution(said.option("keys") ?? "uniform")
    profiles = try said.number("profiles", in: 1...10_000_000) ?? 1_000
    locations = try said.number("locations", in: 1...1_000_000) ?? 100
    batchItems = try said.number("batch-items", in: 1...Limits.batchItems) ?? 100
    ttlS = UInt32(try said.milliseconds("ttl", in: 1_000...31_536_000_000) ?? 0) / 1_000
    watchers = try said.number("watchers", in: 0...100_000) ?? 0
    hasKeys = !said.flag("no-keys")
    prepares = said.flag("prepare")
    cleansUp = said.flag("cleanup")
    verifies = said.flag("verify")
    rules = []
    for text in said.options("slo") { rules.append(try Rule(text)) }
    kills = []
    for text in said.options("kill") { kills.append(try Kill(text)) }
    course = try LoadPlan.course(said)
    connections = try said.number("connections", in: 1...1_000) ?? course.clients
    guard kills.isEmpty || said.flag("up") else {
      throw UsageError("only what --up has started can be killed", hint: "say --up too")
    }
    for rule in rules {
      guard let operation = rule.operation,
        !mix.weights.contains(where: { $0.operation == operation })
      else { continue }
      throw UsageError("--slo '\(rule.text)' is about \(operation.name), which --mix has not")
    }
  }

  private static func course(_ said: SaidOptions) throws(UsageError) -> LoadCourse {
    let clients = try said.number("clients", in: 1...1_000) ?? 1
    let timeoutMs =
      try said.milliseconds("timeout", in: 1...Int64(Limits.timeoutMs))
      ?? Int64(Limits.defaultTimeoutMs)
    let warmUpMs = try said.milliseconds("warm-up", in: 0...3_600_000) ?? 0
    let requests = try said.number("requests", in: 1...1_000_000_000)
    let saidMs = try said.milliseconds("duration", in: 1...86_400_000)
    // A number of requests takes as long as it takes, unless both are said.
    let durationMs = saidMs ?? (requests == nil ? 10_000 : 86_400_000)
    let most = clients * Limits.callsInFlightPerCaller
    let outstanding = try said.number("outstanding", in: 1...1_000_000)
    if let outstanding, outstanding > most {
      throw UsageError(
        "--outstanding is \(outstanding), and \(clients) clients may have \(most) calls in flight",
        hint: "say --clients \(outstanding / Limits.callsInFlightPerCaller + 1)")
    }
    var course = LoadCourse(
      loop: .closed(outstanding: outstanding ?? 1),
      durationNs: Int(warmUpMs + durationMs) * 1_000_000, warmUpNs: Int(warmUpMs) * 1_000_000,
      requests: requests, clients: clients, timeoutMs: Int(timeoutMs),
      seed: UInt64(try said.number("seed", in: 0...Int.max) ?? 1))
    guard let profile = try rates(said, totalNs: course.durationNs) else {
      guard outstanding != nil else {
        throw UsageError(
          "nothing says how much load there is to be",
          hint: "say --rate R, --stage STAGE or --outstanding N, or --scenario NAME")
      }
      for name in ["arrivals", "catch-up"] where said.option(name) != nil {
        throw UsageError("--\(name) is of a schedule", hint: "say --rate R or --stage STAGE too")
      }
      return course
    }
    course.durationNs = min(course.durationNs, profile.durationNs)
    guard course.warmUpNs < course.durationNs else {
      throw UsageError("the warm-up is as long as the whole run", hint: "say a longer --duration")
    }
    let arrivals = said.option("arrivals").flatMap(Arrivals.init) ?? .uniform
    let catchUp = said.option("catch-up").flatMap(CatchUp.init) ?? .full
    course.loop = .open(profile, arrivals, catchUp, mostInFlight: outstanding ?? most)
    return course
  }

  /// The schedule of an open loop; nil: there is none.
  private static func rates(
    _ said: SaidOptions, totalNs: Int
  ) throws(UsageError) -> RateProfile? {
    let stages = said.options("stage")
    guard let text = said.option("rate") else {
      guard !stages.isEmpty else { return nil }
      if said.option("duration") != nil {
        throw UsageError("stages have their own times", hint: "leave --duration out")
      }
      var profile: [RateProfile.Stage] = []
      for stage in stages { profile.append(try RateProfile.Stage(stage)) }
      return RateProfile(profile)
    }
    guard stages.isEmpty else {
      throw UsageError("--rate and --stage both say how many", hint: "say one of them")
    }
    guard let rate = RateProfile.rate(text), rate > 0 else {
      throw UsageError("--rate is '\(text)', and is a number a second, up to 10 000 000")
    }
    return RateProfile([RateProfile.Stage(durationNs: totalNs, from: rate, to: rate)])
  }
}
