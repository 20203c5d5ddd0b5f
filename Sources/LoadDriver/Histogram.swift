import Glibc

/// How often each length of time was seen, to three significant digits from 1 µs to 1 hour: the
/// buckets of HdrHistogram (Gil Tene, hdrhistogram.github.io), so that its tools read what is
/// written here and give the same percentiles.
///
/// Histograms are added up, never averaged: a percentile of a sum is one, a mean of percentiles is
/// none.
package struct Histogram: Sendable {
  /// What is longer is counted as this, and in `overRange`.
  package static let highestUs: UInt64 = 3_600_000_000
  /// What is shorter is counted as this.
  package static let lowestUs: UInt64 = 1
  package static let significantDigits: Int32 = 3

  /// 2 048 steps of 1 µs come first, then 1 024 steps of each power of two: the least power of two
  /// that keeps three digits apart is 2 × 10³ rounded up.
  private static let halfCountBits = 10
  private static let halfCount = 1 << halfCountBits
  private static let subBucketMask: UInt64 = 2 * 1_024 - 1

  /// By bucket, as far as the longest one seen, in whole halves.
  private(set) var counts: [UInt64] = []
  /// All that was recorded.
  package private(set) var count: UInt64 = 0
  /// How much of that was longer than an hour.
  package private(set) var overRange: UInt64 = 0

  package init() {}

  /// Records a length of time, rounded to microseconds.
  package mutating func record(ns: Int) {
    let us = UInt64(max(0, ns) + 500) / 1_000
    if us > Histogram.highestUs { overRange += 1 }
    record(us: min(max(us, Histogram.lowestUs), Histogram.highestUs), times: 1)
  }

  private mutating func record(us: UInt64, times: UInt64) {
    let index = Histogram.index(of: us)
    if index >= counts.count { grow(to: index) }
    counts[index] += times
    count += times
  }

  /// Adds all that another one has.
  package mutating func add(_ other: Histogram) {
    guard other.count > 0 else { return }
    if other.counts.count > counts.count { grow(to: other.counts.count - 1) }
    for (index, times) in other.counts.enumerated() where times > 0 { counts[index] += times }
    count += other.count
    overRange += other.overRange
  }

  /// Forgets everything, and keeps the room for it.
  package mutating func clear() {
    for index in counts.indices { counts[index] = 0 }
    count = 0
    overRange = 0
  }

  private mutating func grow(to index: Int) {
    let wanted = (index / Histogram.halfCount + 1) * Histogram.halfCount
    counts.append(contentsOf: repeatElement(0, count: wanted - counts.count))
  }
}

// MARK: - Buckets

extension Histogram {
  /// The bucket of a length of time.
  static func index(of us: UInt64) -> Int {
    let bucket = 64 - (us | subBucketMask).leadingZeroBitCount - (halfCountBits + 1)
    return (bucket + 1) << halfCountBits + Int(us >> UInt64(bucket)) - halfCount
  }

  /// The shortest and the longest time that share a bucket.
  static func range(at index: Int) -> ClosedRange<UInt64> {
    let bucket = max(0, index >> halfCountBits - 1)
    let isFirst = index < halfCount
    let step = UInt64(index & (halfCount - 1) + (isFirst ? 0 : halfCount))
    let lowest = step << UInt64(bucket)
    return lowest...lowest + (1 << UInt64(bucket)) - 1
  }
}

// MARK: - What it says

extension Histogram {
  /// The length of time in microseconds that so many percent are not longer than: the longest one
  /// of its bucket. 0 where nothing was recorded.
  package func us(percentile: Double) -> UInt64 {
    guard count > 0 else { return 0 }
    let asked = min(max(percentile, 0), 100)
    let wanted = max(1, UInt64(asked * Double(count) / 100 + 0.5))
    var seen: UInt64 = 0
    for (index, times) in counts.enumerated() where times > 0 {
      seen += times
      if seen >= wanted { return Histogram.range(at: index).upperBound }
    }
    return maxUs
  }

  /// The shortest time of the lowest bucket that has any.
  package var minUs: UInt64 {
    counts.firstIndex { $0 > 0 }.map { Histogram.range(at: $0).lowerBound } ?? 0
  }

  /// The longest time of the highest bucket that has any.
  package var maxUs: UInt64 {
    counts.lastIndex { $0 > 0 }.map { Histogram.range(at: $0).upperBound } ?? 0
  }

  /// The mean of the middles of the buckets.
  package var meanUs: Double {
    guard count > 0 else { return 0 }
    var sum = 0.0
    for (index, times) in counts.enumerated() where times > 0 {
      let range = Histogram.range(at: index)
      let middle = range.lowerBound + (range.upperBound - range.lowerBound + 1) / 2
      sum += Double(middle) * Double(times)
    }
    return sum / Double(count)
  }

  /// One point of the spectrum.
  package struct Point: Equatable, Sendable {
    package var percentile: Double
    package var us: UInt64
    /// How many were not longer.
    package var count: UInt64
  }

  /// The distribution from 0 to 100 %, with `steps` points for each half of what is left above: as
  /// HdrHistogram's percentile iterator goes.
  package func spectrum(steps: Int) -> [Point] {
    guard count > 0 else { return [] }
    var points: [Point] = []
    var seen: UInt64 = 0
    var level = 0.0
    for (index, times) in counts.enumerated() where times > 0 {
      seen += times
      let reached = 100 * Double(seen) / Double(count)
      while level <= reached, level < 100 {
        points.append(
          Point(percentile: level, us: Histogram.range(at: index).upperBound, count: seen))
        // Reaching 100 takes as many halvings as there are; the last point stands below.
        if seen == count { break }
        let halvings = Double(Int.bitWidth - 1 - Int(100 / (100 - level)).leadingZeroBitCount) + 1
        level += 100 / (Double(steps) * exp2(halvings))
      }
    }
    points.append(Point(percentile: 100, us: maxUs, count: count))
    return points
  }
}
