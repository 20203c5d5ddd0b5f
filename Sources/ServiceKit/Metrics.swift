package import Wire

/// What a process counts, for GetStats: calls and their latency by method and code, and named
/// numbers. Recording allocates nothing, but for the first call of a method with a code.
package struct Metrics {
  /// A named number, to be changed through `add` and `set`.
  package struct Number: Sendable { fileprivate let index: Int }

  private static let codes = Int(Code.allCases.map(\.rawValue).max() ?? 0) + 1

  /// By method and code: the series it has, or -1.
  private var seriesIndex: [Int32]
  private var series: [Series] = []
  /// The buckets of all series, one after the other.
  private var buckets: [UInt64] = []
  private var numbers: [Gauge] = []

  private struct Series {
    var method: Method
    var code: Code
    var calls: UInt64 = 0
    var maxUs: UInt64 = 0
  }

  package init() {
    let methods = Int(Method.allCases.map(\.rawValue).max() ?? 0) + 1
    seriesIndex = Array(repeating: -1, count: methods * Self.codes)
  }

  /// Counts a call that has ended.
  /// - Parameter us: microseconds from receipt to response.
  package mutating func record(_ method: Method, _ code: Code, us: UInt64) {
    let place = Int(method.rawValue) * Self.codes + Int(code.rawValue)
    if seriesIndex[place] < 0 {
      seriesIndex[place] = Int32(series.count)
      series.append(Series(method: method, code: code))
      buckets.append(contentsOf: repeatElement(0, count: Histogram.buckets))
    }
    let index = Int(seriesIndex[place])
    series[index].calls += 1
    series[index].maxUs = max(series[index].maxUs, us)
    buckets[index * Histogram.buckets + Histogram.bucket(of: us)] += 1
  }

  /// Calls and latencies since start, by method and code.
  package var stats: [MethodStats] {
    seriesIndex.filter { $0 >= 0 }.map { index in
      let one = series[Int(index)]
      let counts = buckets[Int(index) * Histogram.buckets..<(Int(index) + 1) * Histogram.buckets]
      return MethodStats(
        method: one.method.fullName, code: one.code, calls: one.calls,
        p50Us: min(one.maxUs, Histogram.quantile(0.50, counts, of: one.calls)),
        p99Us: min(one.maxUs, Histogram.quantile(0.99, counts, of: one.calls)),
        maxUs: one.maxUs)
    }
  }

  /// A number that starts at 0. The same name gives the same one.
  /// - Parameter name: as Prometheus names it; a counter's ends in `_total`.
  package mutating func number(_ name: String) -> Number {
    if let index = numbers.firstIndex(where: { $0.name == name }) { return Number(index: index) }
    numbers.append(Gauge(name: name, value: 0))
    return Number(index: numbers.count - 1)
  }

  /// Counts. Exact up to 2^53.
  package mutating func add(_ number: Number, _ amount: Int = 1) {
    numbers[number.index].value += Double(amount)
  }

  package mutating func set(_ number: Number, _ value: Double) {
    numbers[number.index].value = value
  }

  /// All named numbers, in the order in which they were named.
  package var gauges: [Gauge] { numbers }
}

/// A log-linear histogram of whole numbers: below 64 a bucket each, above that 32 buckets of one
/// width between a power of two and the next. A bucket stands for its middle, which is at most half
/// a width away: 1/64 = 1.6 % of the value (16 buckets would make it 3.1 %).
enum Histogram {
  static let buckets = 1_024
  private static let exact: UInt64 = 64
  private static let perPower: UInt64 = 32
  /// What is more is counted as this: 2^36 µs are 19 hours, more than any call lives.
  private static let largest: UInt64 = 1 << 36 - 1

  static func bucket(of value: UInt64) -> Int {
    let value = min(value, largest)
    guard value >= exact else { return Int(value) }
    let power = UInt64(63 - value.leadingZeroBitCount)
    return Int(exact + (power - 6) * perPower + (value >> (power - 5)) - perPower)
  }

  /// The middle of a bucket.
  static func value(of bucket: Int) -> UInt64 {
    let bucket = UInt64(bucket)
    guard bucket >= exact else { return bucket }
    let width: UInt64 = 1 << ((bucket - exact) / perPower + 1)
    return ((bucket - exact) % perPower + perPower) * width + width / 2
  }

  /// The smallest value that at least this share of all is not above (the nearest rank).
  static func quantile(_ share: Double, _ counts: ArraySlice<UInt64>, of all: UInt64) -> UInt64 {
    let rank = max(1, UInt64((share * Double(all)).rounded(.up)))
    var seen: UInt64 = 0
    for (bucket, count) in counts.enumerated() {
      seen += count
      if seen >= rank { return value(of: bucket) }
    }
    return 0
  }
}
