import Testing

@testable import LoadDriver

@Suite("Histograms")
struct HistogramTests {
  private func histogram(_ us: [Int]) -> Histogram {
    var histogram = Histogram()
    for value in us { histogram.record(ns: value * 1_000) }
    return histogram
  }

  @Test(
    "Buckets are HdrHistogram's: 1 µs wide to 2 047, then twice as wide at each power of two",
    arguments: [
      (1, 1, 1), (2_047, 2_047, 2_047), (2_048, 2_048, 2_049), (4_095, 4_094, 4_095),
      (4_096, 4_096, 4_099), (1_000_000, 999_936, 1_000_447),
      (3_600_000_000, 3_598_712_832, 3_600_809_983),
    ])
  func buckets(us: UInt64, lowest: UInt64, highest: UInt64) {
    let range = Histogram.range(at: Histogram.index(of: us))
    #expect(range == lowest...highest)
  }

  @Test("Every bucket begins where the one before it ends, and none is wider than a thousandth")
  func bucketsMeet() {
    var next: UInt64 = 0
    for index in 0...Histogram.index(of: Histogram.highestUs) {
      let range = Histogram.range(at: index)
      #expect(range.lowerBound == next)
      #expect(Histogram.index(of: range.lowerBound) == index)
      #expect(Histogram.index(of: range.upperBound) == index)
      #expect(range.upperBound - range.lowerBound <= range.lowerBound / 1_000)
      next = range.upperBound + 1
    }
  }

  @Test("Percentiles are those of the sorted values, to three digits")
  func percentiles() {
    var random = RandomSource(seed: 7)
    let values = (0..<10_000).map { _ in Int(1 / (random.unit() + 1e-6)) }.map { max(1, $0) }
    let histogram = histogram(values)
    let sorted = values.sorted()
    for percentile in [1, 50, 90, 99, 99.9, 99.99, 100] {
      let exact = Double(sorted[max(1, Int(percentile * 100 + 0.5)) - 1])
      let found = Double(histogram.us(percentile: percentile))
      #expect(found >= exact && found <= exact * 1.001 + 1, "p\(percentile)")
    }
  }

  @Test("A sum has the percentiles of all its values, which no mean of percentiles has")
  func merging() {
    var quick = histogram(Array(repeating: 100, count: 99))
    let slow = histogram([50_000])
    quick.add(slow)
    #expect(quick.count == 100)
    #expect(quick.us(percentile: 99) == 100)
    #expect(quick.us(percentile: 100) >= 50_000)
    #expect(quick.minUs == 100)
  }

  @Test("What is longer than an hour is counted, as an hour and as over the range")
  func overRange() {
    let histogram = histogram([1_000, 3_600_000_000, 3_600_000_001, 9_000_000_000])
    #expect(histogram.count == 4)
    #expect(histogram.overRange == 2)
    #expect(histogram.us(percentile: 75) >= Histogram.highestUs)
  }

  @Test("What is shorter than a microsecond is one, and nothing recorded is 0")
  func ends() {
    var histogram = Histogram()
    #expect(histogram.us(percentile: 99) == 0)
    #expect(histogram.spectrum(steps: 5).isEmpty)
    histogram.record(ns: 0)
    histogram.record(ns: -5)
    #expect(histogram.us(percentile: 100) == 1)
    #expect(histogram.minUs == 1)
  }

  @Test("The spectrum rises from 0 to 100 % and ends with the longest")
  func spectrum() {
    var random = RandomSource(seed: 3)
    let histogram = histogram((0..<5_000).map { _ in 1 + random.below(100_000) })
    let points = histogram.spectrum(steps: 5)
    #expect(points.first?.percentile == 0)
    #expect(points.last == .init(percentile: 100, us: histogram.maxUs, count: 5_000))
    for (a, b) in zip(points, points.dropFirst()) {
      #expect(a.percentile < b.percentile && a.us <= b.us && a.count <= b.count)
    }
    // A percentile is rounded to the nearest value, a point of the spectrum is never too low.
    for point in points {
      #expect(point.us >= histogram.us(percentile: point.percentile), "p\(point.percentile)")
      #expect(Double(point.count) >= point.percentile * 50, "p\(point.percentile)")
    }
    #expect(points.count > 40)
  }

  @Test("A cleared one is as new")
  func clearing() {
    var histogram = histogram([10, 20_000])
    histogram.clear()
    #expect(histogram.count == 0 && histogram.maxUs == 0 && histogram.minUs == 0)
  }

  @Test("A log line has a tag, a start, a length, a maximum and a histogram of HdrHistogram's V2")
  func logLine() throws {
    var log = HistogramLog(startMs: 1_700_000_000_250)
    let two = histogram([7, 8_000])
    log.add(two, tag: "who.response", startNs: 1_500_000_000, lengthNs: 1_000_000)
    log.add(Histogram(), tag: "who.errors", startNs: 0, lengthNs: 1)
    let lines = log.text.split(separator: "\n").map(String.init)
    #expect(lines.contains("#[StartTime: 1700000000.250 (seconds since epoch)]"))
    let line = try #require(lines.last)
    #expect(line.hasPrefix("Tag=who.response,1.500,0.001,8.003,HISTFAAAA"))
    #expect(!log.text.contains("who.errors"))
  }
}
