import Terminal
import Testing
import Wire

@testable import LoadDriver

@Suite("Reports")
struct ReportTests {
  private func plan(_ rules: [String] = []) throws -> LoadPlan {
    let table = CommandTable<Int>(
      root: Command(
        "load", "Load",
        options: [
          Option("rate", value: "R", ""), Option("mix", value: "M", ""),
          Option("slo", value: "S", repeatable: true, ""),
        ], action: 0), globalOptions: [])
    let line = ["--rate", "100", "--mix", "status=1,check-in=1"] + rules.flatMap { ["--slo", $0] }
    return try LoadPlan(SaidOptions(try table.parse(line)))
  }

  /// Ten seconds at 100 a second, of which one brings refusals, and one a server that stands still.
  private func report(
    _ rules: [String] = [], threadCores: Double = 0.2, checks: [CheckResult]? = nil,
    interrupted: Bool = false, failing: Bool = false
  ) throws -> LoadReport {
    let plan = try plan(rules)
    var run = LoadRun(plan.course, plan.workload)
    var nowNs = 0
    while !run.isOver(nowNs: nowNs) {
      while let (ticket, call) = run.next(nowNs: nowNs) {
        let refused = Status(code: .unavailable, message: "Not <yet>.", reason: "STARTING")
        let isRefused = failing || (2_000_000_000..<3_000_000_000).contains(call.dueNs)
        let answered = nowNs + (call.request.operation == .status ? 300_000 : 2_000_000)
        run.finish(ticket, isRefused ? .failure(refused) : .success, nowNs: answered)
      }
      nowNs += 10_000_000
    }
    run.end(nowNs: nowNs)
    return LoadReport(
      startMs: 0, plan: plan, configuration: plan.facts, machine: [Fact("CPU", "a & b")],
      measured: run.measured,
      cost: DriverCost(threadCores: threadCores, processCores: 0.3, machineCores: 1, seconds: 10),
      checks: checks, events: [(5_500_000_000, "gateway killed")], wasInterrupted: interrupted)
  }

  @Test("The verdict says what came of it, the certain before the doubtful")
  func verdict() throws {
    #expect(try report().verdict == .passed)
    #expect(try report(["check-in.p99<20ms", "errors<20%"]).verdict == .passed)
    #expect(try report(["check-in.p50<1ms", "errors<1%", "rate>1"]).verdict == .broken(2))
    let wrong = CheckResult(name: "x", checked: 1, faults: 2, fault: "y")
    #expect(try report(["p50<1us"], threadCores: 0.99).verdict.exitCode == 4)
    #expect(try report(threadCores: 0.99, checks: [wrong]).verdict == .refuted(1))
    #expect(try report(checks: [CheckResult(name: "x", checked: 1)]).verdict == .passed)
    #expect(try report(threadCores: 0.99, checks: [wrong], interrupted: true).verdict.exitCode == 2)
    #expect(try report(failing: true).verdict == .failed)
  }

  @Test("A driver that sends late has no verdict to give")
  func lag() throws {
    var report = try report()
    for _ in 0..<50 { report.measured.lag.record(ns: 30_000_000) }
    guard case .none(let reasons) = report.verdict else {
      Issue.record("\(report.verdict)")
      return
    }
    #expect(reasons == ["it sent 30.0 ms late at p99"])
  }

  @Test("Text is in the order in which one wants to know")
  func text() throws {
    let console = Console(color: .never, environment: [:])
    let checks = [CheckResult(name: "a check", checked: 1)]
    let full = try report(["check-in.p99<20ms"], checks: checks)
    let text = TextReport(full, console: console).text()
    var rest = text.split(separator: "\n")[...]
    for part in [
      "Verdict: ok", "Configuration", "Machine", "Load", "Operations", "Errors", "Seconds",
      "Response times by percentile", "Rules", "Verification",
    ] {
      guard let found = rest.firstIndex(where: { $0.hasPrefix(part) }) else {
        Issue.record("\(part) is not there, or not in its place")
        continue
      }
      rest = rest[found...].dropFirst()
    }
    #expect(text.contains("gateway killed"))
    #expect(text.contains("UNAVAILABLE  STARTING"))
  }

  @Test("JSON has the figures of each operation and of all")
  func json() throws {
    let json = try report(["check-in.p99<20ms"]).json
    guard case .array(let operations)? = json["operations"] else {
      Issue.record("no operations")
      return
    }
    #expect(
      operations.map { $0["operation"] } == [.text("check-in"), .text("status"), .text("all")])
    #expect(operations[2]["response"]?["count"] == .integer(900))
    #expect(operations[2]["errors"]?["count"] == .integer(100))
    #expect(operations[1]["service"]?["p99_us"] == .integer(300))
    #expect(json["verdict"]?["exit_code"] == .integer(0))
    #expect(json["load"]?["offered"] == .integer(1_000))
    let written = json.write(pretty: true)
    #expect(try JSONReader.value(of: Array(written.utf8)).write(pretty: true) == written)
  }

  @Test("CSV has a record for each operation and kind of time")
  func csv() throws {
    let lines = try report().csv.split(separator: "\n")
    #expect(lines.count == 1 + 3 * 4)
    #expect(lines[0].hasPrefix("operation,time,count,rate_per_s,min_us"))
    #expect(lines.contains { $0.hasPrefix("status,service,") && $0.hasSuffix(",300") })
  }

  @Test("HTML is one page with its plots in it, and fetches nothing")
  func html() throws {
    let html = HTMLReport(try report(["check-in.p99<20ms"])).text()
    #expect(html.split(separator: "<svg ").count == 4)
    #expect(html.split(separator: "<polyline ").count >= 7)
    for reference in ["http", "src=", "href=", "@import", "url("] {
      #expect(!html.contains(reference), "\(reference)")
    }
    #expect(html.contains("Not &lt;yet&gt;.") && html.contains("a &amp; b"))
    #expect(!html.contains("NaN") && !html.contains("inf\""))
    #expect(html.contains("gateway killed"))
  }

  @Test("A report of nothing is one, too")
  func empty() throws {
    let plan = try plan()
    let run = LoadRun(plan.course, plan.workload)
    let report = LoadReport(
      startMs: 0, plan: plan, configuration: [], machine: [], measured: run.measured,
      cost: DriverCost(threadCores: 0, processCores: 0, machineCores: 0, seconds: 0), checks: nil,
      events: [],
      wasInterrupted: true)
    #expect(HTMLReport(report).text().contains("Nothing to draw."))
    let console = Console(color: .never, environment: [:])
    #expect(TextReport(report, console: console).text().hasPrefix("Verdict: interrupted"))
    #expect(report.verdict == .interrupted)
  }

  @Test(
    "Times and numbers are short and in their units",
    arguments: [
      (0.0, "0 µs"), (7.25, "7.3 µs"), (412, "412 µs"), (999.4, "999 µs"), (4_120, "4.12 ms"),
      (41_200, "41.2 ms"), (412_000, "412 ms"), (1_250_000, "1.25 s"), (61_000_000, "61.0 s"),
    ])
  func times(us: Double, text: String) {
    #expect(NumberText.time(us: us) == text)
  }

  @Test("Digits are in threes")
  func grouped() {
    #expect(NumberText.grouped(1_234_567) == "1 234 567")
    #expect(NumberText.grouped(999) == "999")
    #expect(NumberText.grouped(-1_000) == "-1 000")
    #expect(NumberText.decimal(1_234.567, digits: 1) == "1 234.6")
    #expect(NumberText.percent(0.0012) == "0.120 %")
  }
}
