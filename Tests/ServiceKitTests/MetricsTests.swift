import ServiceKit
import Testing
import Wire

@Suite("Metrics")
struct MetricsTests {
  @Test("calls are counted by method and code, in the order of the protocol")
  func byMethodAndCode() {
    var metrics = Metrics()
    metrics.record(.checkIn, .ok, us: 10)
    metrics.record(.getMe, .unauthenticated, us: 3)
    metrics.record(.checkIn, .notFound, us: 20)
    metrics.record(.checkIn, .ok, us: 12)
    let stats = metrics.stats
    #expect(stats.map(\.method).contains(Method.getMe.fullName))
    let checkIns = stats.filter { $0.method == Method.checkIn.fullName }
    #expect(checkIns.map(\.code) == [.ok, .notFound])
    #expect(checkIns.map(\.calls) == [2, 1])
    #expect(checkIns[0].p50Us == 10)
    #expect(checkIns[0].p99Us == 12)
    #expect(checkIns[0].maxUs == 12)
  }

  @Test(
    "a percentile is within 3 % of the truth at any size",
    arguments: [0, 1, 63, 64, 65, 100, 1_000, 4_095, 4_096, 123_456, 300_000_000, 68_719_476_735])
  func error(_ us: UInt64) {
    var metrics = Metrics()
    metrics.record(.getMe, .ok, us: us)
    // A larger one, so that the maximum does not correct the percentile.
    metrics.record(.getMe, .ok, us: us * 2)
    let p50 = metrics.stats[0].p50Us
    let distance = p50 > us ? p50 - us : us - p50
    #expect(Double(distance) <= 0.03 * Double(us))
  }

  @Test("the first and the last value of every bucket are at most 1/64 from what it stands for")
  func edges() {
    var worst = 0.0
    let firsts = (6..<36 as Range<UInt64>).flatMap { power in
      (32..<64 as Range<UInt64>).map { $0 << (power - 5) }
    }
    for us in Array(0..<64) + firsts.flatMap({ [$0 - 1, $0] }) {
      var metrics = Metrics()
      metrics.record(.getMe, .ok, us: us)
      metrics.record(.getMe, .ok, us: 1 << 40)
      let p50 = metrics.stats[0].p50Us
      worst = max(worst, abs(Double(p50) - Double(us)) / max(1, Double(us)))
    }
    #expect(worst <= 1.0 / 64)
  }

  @Test("no percentile is above the largest")
  func neverAboveMaximum() {
    var metrics = Metrics()
    for us in [1_000_000, 1_000_001] as [UInt64] { metrics.record(.getMe, .ok, us: us) }
    #expect(metrics.stats[0].p99Us <= 1_000_001)
    metrics.record(.getMe, .ok, us: .max)
    #expect(metrics.stats[0].maxUs == .max)
  }

  @Test("the 99th percentile of a hundred calls is the 99th")
  func nearestRank() {
    var metrics = Metrics()
    for us in 1...49 as ClosedRange<UInt64> { metrics.record(.getMe, .ok, us: us) }
    metrics.record(.getMe, .ok, us: 50)
    for _ in 0..<49 { metrics.record(.getMe, .ok, us: 60) }
    metrics.record(.getMe, .ok, us: 10_000)
    #expect(metrics.stats[0].p50Us == 50)
    #expect(metrics.stats[0].p99Us == 60)
    #expect(metrics.stats[0].maxUs == 10_000)
  }

  @Test("named numbers count and are set; a name is one number")
  func numbers() {
    var metrics = Metrics()
    let malformed = metrics.number("muster_malformed_requests_total")
    let inFlight = metrics.number("muster_requests_in_flight")
    metrics.add(malformed)
    metrics.add(metrics.number("muster_malformed_requests_total"), 2)
    metrics.set(inFlight, 7)
    #expect(
      metrics.gauges == [
        Gauge(name: "muster_malformed_requests_total", value: 3),
        Gauge(name: "muster_requests_in_flight", value: 7),
      ])
  }
}
