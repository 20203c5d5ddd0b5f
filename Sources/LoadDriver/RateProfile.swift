import Glibc
package import Terminal

/// How many requests a second there are to be, over time: stages of a constant or an evenly rising
/// or falling rate, one after the other.
package struct RateProfile: Equatable, Sendable {
  /// A stretch of time with a rate at its beginning and at its end, both a second.
  package struct Stage: Equatable, Sendable {
    package var durationNs: Int
    package var from: Double
    package var to: Double

    package init(durationNs: Int, from: Double, to: Double) {
      self.durationNs = durationNs
      self.from = from
      self.to = to
    }

    var seconds: Double { Double(durationNs) / 1e9 }
    /// How many requests it has.
    var requests: Double { (from + to) / 2 * seconds }

    /// As `--stage` has it: "30s:0..1000", or "10s:500" for one rate.
    package init(_ text: String) throws(UsageError) {
      let parts = text.split(separator: ":", omittingEmptySubsequences: false)
      let length = parts.first.flatMap { DurationText.milliseconds(String($0)) } ?? 0
      let ends = parts.count == 2 ? String(parts[1]).split("..").map(RateProfile.rate) : []
      guard length > 0, length <= 86_400_000, ends.count == 1 || ends.count == 2,
        let from = ends[0], let to = ends[ends.count - 1]
      else {
        throw UsageError(
          "--stage is '\(text)', and is a time and one rate or two",
          hint: "write it as 30s:0..1000 or 10s:500")
      }
      self.init(durationNs: Int(length) * 1_000_000, from: from, to: to)
    }
  }

  package let stages: [Stage]
  /// How many requests there are before each stage.
  private let before: [Double]

  package init(_ stages: [Stage]) {
    self.stages = stages
    var sum = 0.0
    before = stages.map { stage in
      defer { sum += stage.requests }
      return sum
    }
  }

  /// A rate a second as people type it: above 0 and up to ten million, or 0 at the end of a ramp.
  static func rate(_ text: some StringProtocol) -> Double? {
    Double(text).flatMap { (0...10_000_000).contains($0) ? $0 : nil }
  }

  package var durationNs: Int { stages.reduce(0) { $0 + $1.durationNs } }

  /// All requests.
  package var requests: Double { stages.reduce(0) { $0 + $1.requests } }

  /// When the `number`th request is due, counted from 0 and as a point on the line of all; nil
  /// where there are fewer.
  package func dueNs(_ number: Double) -> Int? {
    var start = 0
    for (stage, before) in zip(stages, before) {
      let rest = number - before
      if rest < stage.requests {
        // N(t) = from·t + (to-from)·t²/2T, solved for t in the form that does not cancel out.
        let slope = (stage.to - stage.from) / stage.seconds
        let root = max(0, stage.from * stage.from + 2 * rest * slope).squareRoot()
        let seconds = rest == 0 ? 0 : 2 * rest / (stage.from + root)
        return start + min(stage.durationNs, Int(seconds * 1e9))
      }
      start += stage.durationNs
    }
    return nil
  }

  /// As `--stage` has them, with blanks between.
  package var text: String {
    stages.map { stage in
      let seconds = NumberText.plain(stage.seconds)
      return stage.from == stage.to
        ? "\(seconds)s:\(NumberText.plain(stage.from))"
        : "\(seconds)s:\(NumberText.plain(stage.from))..\(NumberText.plain(stage.to))"
    }.joined(separator: " ")
  }
}

extension String {
  /// The parts around a separator of two characters.
  fileprivate func split(_ separator: String) -> [Substring] {
    var parts: [Substring] = []
    var rest = self[...]
    while let found = rest.indices.first(where: { rest[$0...].hasPrefix(separator) }) {
      parts.append(rest[..<found])
      rest = rest[found...].dropFirst(separator.count)
    }
    return parts + [rest]
  }
}
