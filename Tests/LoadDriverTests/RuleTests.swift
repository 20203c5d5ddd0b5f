import Terminal
import Testing

@testable import LoadDriver

@Suite("Rules")
struct RuleTests {
  @Test(
    "A rule names an operation or all, a metric, a comparison and a limit with its unit",
    arguments: [
      (
        "check-in.p99<20ms", LoadDriver.Operation.checkIn as LoadDriver.Operation?,
        Rule.Metric.percentile(99), 20_000.0
      ),
      ("p99.9 <= 1.5s", nil as LoadDriver.Operation?, .percentile(99.9), 1_500_000),
      ("status.service.p50<300us", .status, .servicePercentile(50), 300),
      ("check-out.max<2s", .checkOut, .max, 2_000_000),
      ("rate>=1000", nil as LoadDriver.Operation?, .rate, 1_000),
      ("errors<0.1%", nil as LoadDriver.Operation?, .errorShare, 0.001),
      ("who.errors<=0", .who, .errors, 0),
      ("dropped<1", nil as LoadDriver.Operation?, .dropped, 1),
    ])
  func parsing(text: String, operation: LoadDriver.Operation?, metric: Rule.Metric, limit: Double)
    throws
  {
    let rule = try Rule(text)
    #expect(rule.operation == operation && rule.metric == metric)
    #expect(abs(rule.limit - limit) < 1e-9)
    #expect(rule.text == text)
  }

  @Test(
    "What is no rule is refused",
    arguments: [
      "", "p99", "p99=5ms", "p99<", "p99<5", "p0<5ms", "p101<5ms", "nobody.p99<5ms", "p99<-5ms",
      "errors<x", "rate<5ms", "who.dropped<1", "p99<=>5ms", "check-in<5ms",
    ])
  func misspelt(text: String) {
    #expect(throws: UsageError.self) { try Rule(text) }
  }

  @Test("A rule holds on its side of the limit, and never of what was not measured")
  func holding() throws {
    #expect(try Rule("p99<20ms").holds(19_999))
    #expect(try !Rule("p99<20ms").holds(20_000))
    #expect(try Rule("p99<=20ms").holds(20_000))
    #expect(try Rule("rate>10").holds(11))
    #expect(try !Rule("rate>=10").holds(9.9))
    #expect(try !Rule("p99<20ms").holds(nil))
  }
}
