package import Terminal

/// Options as the command line says them, or, where it does not, a scenario's file.
package struct SaidOptions: Sendable {
  private let typed: Invocation
  private let scenario: Invocation

  /// How much load there is: whoever says one of these has said it.
  private static let loads: Set = ["rate", "stage", "outstanding", "duration"]
  private let saysLoad: Bool

  package init(_ typed: Invocation, scenario: Invocation = Invocation()) {
    self.typed = typed
    self.scenario = scenario
    saysLoad = ["rate", "stage", "outstanding"].contains { typed.flag($0) }
  }

  package func flag(_ name: String) -> Bool { typed.flag(name) || scenario.flag(name) }

  package func option(_ name: String) -> String? { options(name).last }

  package func options(_ name: String) -> [String] {
    if typed.flag(name) { return typed.options(name) }
    return saysLoad && SaidOptions.loads.contains(name) ? [] : scenario.options(name)
  }

  /// A whole number; nil: it is not said.
  package func number(_ name: String, in range: ClosedRange<Int>) throws(UsageError) -> Int? {
    guard let text = option(name) else { return nil }
    guard let number = Int(text), range.contains(number) else {
      throw UsageError(
        "--\(name) is '\(text)', and is a whole number from \(range.lowerBound) to "
          + "\(range.upperBound)")
    }
    return number
  }

  /// A length of time in milliseconds; nil: it is not said.
  package func milliseconds(
    _ name: String, in range: ClosedRange<Int64>
  ) throws(UsageError) -> Int64? {
    guard let text = option(name) else { return nil }
    guard let time = DurationText.milliseconds(text), range.contains(time) else {
      let ends = [range.lowerBound, range.upperBound].map {
        $0 < 1_000 ? "\($0) ms" : DurationText.short(milliseconds: $0)
      }
      throw UsageError(
        "--\(name) is '\(text)', and is a time from \(ends[0]) to \(ends[1])",
        hint: "write it as 10s or 2m")
    }
    return time
  }
}

/// A scenario: the options of a run in a file, one a line, as on the command line but without
/// dashes: "mix check-in=10,status=90". Lines that begin with # are comments, of which the first
/// says what it is for.
package struct Scenario: Sendable {
  package let summary: String
  /// As they would be typed.
  package let words: [String]

  package init(_ text: String) {
    var summary = ""
    var words: [String] = []
    for line in text.split(separator: "\n") {
      let line = line.trimmed
      if line.hasPrefix("#") {
        if summary.isEmpty { summary = line.dropFirst().trimmed }
        continue
      }
      guard let name = line.split(separator: " ", maxSplits: 1).first else { continue }
      words.append("--\(name)")
      let value = line.dropFirst(name.count).trimmed
      if !value.isEmpty { words.append(value) }
    }
    self.summary = summary
    self.words = words
  }
}

extension StringProtocol {
  /// Without blanks around it.
  fileprivate var trimmed: String {
    let start = drop { $0.isWhitespace }
    let end = start.lastIndex { !$0.isWhitespace }
    return end.map { String(start[...$0]) } ?? ""
  }
}
