import Terminal
import Testing

@testable import LoadDriver

@Suite("What is asked of a run")
struct LoadPlanTests {
  /// As the program has them, as far as a plan is made of them.
  private static let table = CommandTable<Int>(
    root: Command(
      "load", "Load",
      options: [
        "rate", "arrivals", "catch-up", "outstanding", "duration", "requests", "warm-up",
        "clients", "connections", "timeout", "mix", "profiles", "locations", "keys", "seed", "ttl",
        "batch-items", "watchers",
      ].map { Option($0, value: "X", "") }
        + ["stage", "slo", "kill"].map { Option($0, value: "X", repeatable: true, "") }
        + ["up", "verify", "prepare", "cleanup", "no-keys"].map { Option($0, "") },
      action: 0),
    globalOptions: [])

  private func plan(_ line: String, scenario: String = "") throws -> LoadPlan {
    func words(_ text: String) -> [String] { text.split(separator: " ").map(String.init) }
    return try LoadPlan(
      SaidOptions(
        try Self.table.parse(words(line)),
        scenario: try Self.table.parse(Scenario(scenario).words)))
  }

  @Test("A rate makes an open loop as long as warm-up and duration together")
  func openLoop() throws {
    let plan = try plan("--rate 500 --duration 4s --warm-up 1s --arrivals poisson --catch-up none")
    guard case .open(let profile, .poisson, .none, let most) = plan.course.loop else {
      Issue.record("\(plan.course.loop)")
      return
    }
    #expect(profile.requests == 2_500)
    #expect(most == 4_096)
    #expect(plan.course.durationNs == 5_000_000_000 && plan.course.warmUpNs == 1_000_000_000)
  }

  @Test("Outstanding calls make a closed loop, or bound an open one")
  func closedLoop() throws {
    #expect(try plan("--outstanding 64").course.loop == .closed(outstanding: 64))
    guard case .open(_, _, .full, 9) = try plan("--rate 5 --outstanding 9").course.loop else {
      Issue.record("the rate makes it an open loop")
      return
    }
  }

  @Test("Stages bring their own time")
  func stages() throws {
    let plan = try plan("--stage 2s:0..10 --stage 3s:10")
    #expect(plan.course.durationNs == 5_000_000_000)
    #expect(plan.facts.contains { $0.value == "open loop, uniform: 2s:0..10 3s:10" })
  }

  @Test("A number of requests takes as long as it takes")
  func requests() throws {
    let plan = try plan("--outstanding 1 --requests 50")
    #expect(plan.course.requests == 50)
    #expect(plan.course.durationNs == 86_400_000_000_000)
    #expect(try self.plan("--outstanding 1").course.durationNs == 10_000_000_000)
  }

  @Test("The command line goes before the scenario, and its load before the scenario's load")
  func scenario() throws {
    let text = """
      # What it is for
      # and more
      mix who=1
      stage 1s:5
      slo p99<1s
      profiles 7

      verify
      """
    #expect(Scenario(text).summary == "What it is for")
    let plan = try plan("--outstanding 3 --mix status=1", scenario: text)
    #expect(plan.course.loop == .closed(outstanding: 3))
    #expect(plan.mix.text == "status=1")
    #expect(plan.profiles == 7 && plan.verifies && plan.rules.count == 1)
    #expect(try self.plan("", scenario: text).course.durationNs == 1_000_000_000)
  }

  @Test("A length of stay is in seconds, and keys are there unless they are not wanted")
  func writes() throws {
    #expect(try plan("--outstanding 1 --ttl 90s").ttlS == 90)
    #expect(try plan("--outstanding 1").hasKeys)
    #expect(try !plan("--outstanding 1 --no-keys").hasKeys)
  }

  @Test(
    "What makes no sense is refused",
    arguments: [
      "", "--rate 0", "--rate x", "--rate 5 --stage 1s:5", "--stage 1s:5 --duration 3s",
      "--outstanding 0", "--outstanding 4097", "--outstanding 1 --arrivals poisson",
      "--outstanding 1 --catch-up full", "--rate 5 --warm-up 0.5h --duration 0s",
      "--outstanding 1 --kill gateway@1s", "--up --outstanding 1 --kill nobody@1s",
      "--up --outstanding 1 --kill gateway", "--outstanding 1 --slo board.p99<5ms",
      "--outstanding 1 --profiles 0", "--outstanding 1 --ttl 5ms", "--outstanding 1 --seed -1",
      "--stage 1s:5 --warm-up 1s", "--outstanding 1 --timeout 301s",
    ])
  func senseless(line: String) {
    #expect(throws: UsageError.self) { try plan(line) }
  }

  @Test("More clients may have more calls in flight")
  func clients() throws {
    #expect(try plan("--outstanding 8000 --clients 2 --connections 1").connections == 1)
  }
}
