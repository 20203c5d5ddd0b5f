package import Terminal

/// Something that has to hold of what was measured, as `--slo` has it: "check-in.p99<20ms",
/// "errors<=0.1%", "status.rate>5000".
package struct Rule: Equatable, Sendable {
  /// What is looked at.
  package enum Metric: Equatable, Sendable {
    /// In percent: of the response time.
    case percentile(Double)
    /// The same of the service time.
    case servicePercentile(Double)
    case min, mean, max
    /// Successes a second.
    case rate
    /// How many failed, time-outs among them.
    case errors
    /// Their share of all.
    case errorShare
    case timeouts
    /// Requests that were due and never sent.
    case dropped
  }

  package enum Comparison: String, Sendable {
    case less = "<"
    case lessOrEqual = "<="
    case greater = ">"
    case greaterOrEqual = ">="

    func holds(_ a: Double, _ b: Double) -> Bool {
      switch self {
      case .less: a < b
      case .lessOrEqual: a <= b
      case .greater: a > b
      case .greaterOrEqual: a >= b
      }
    }
  }

  /// As it was typed.
  package let text: String
  /// Nil: all operations together.
  package let operation: Operation?
  package let metric: Metric
  package let comparison: Comparison
  /// Microseconds, a second, a number or a share, as the metric is.
  package let limit: Double

  package init(_ text: String) throws(UsageError) {
    self.text = text
    let compact = text.filter { $0 != " " }
    guard let sign = compact.firstIndex(where: { $0 == "<" || $0 == ">" }) else {
      throw Rule.misspelt(text, "it compares nothing")
    }
    var subject = compact[..<sign]
    let rest = compact[sign...]
    let signs = rest.prefix { "<>=".contains($0) }
    guard let comparison = Comparison(rawValue: String(signs)) else {
      throw Rule.misspelt(text, "there is no '\(signs)'")
    }
    self.comparison = comparison
    if let dot = subject.firstIndex(of: "."),
      let named = Operation(name: subject[..<dot])
    {
      operation = named
      subject = subject[subject.index(after: dot)...]
    } else {
      operation = nil
    }
    let value = String(rest.dropFirst(signs.count))
    guard let metric = Rule.metric(String(subject), value: value) else {
      throw Rule.misspelt(text, "there is nothing called '\(subject)'")
    }
    guard operation == nil || metric != .dropped else {
      throw Rule.misspelt(text, "what is dropped is known of all together only")
    }
    self.metric = metric
    guard let limit = Rule.limit(value, metric) else {
      throw Rule.misspelt(text, "'\(value)' is nothing to compare that with")
    }
    self.limit = limit
  }

  /// Whether it holds of this value; nil: there is none, and then it does not.
  package func holds(_ value: Double?) -> Bool {
    value.map { comparison.holds($0, limit) } ?? false
  }

  /// A value of the metric for people.
  package func shown(_ value: Double) -> String {
    switch metric {
    case .percentile, .servicePercentile, .min, .mean, .max: NumberText.time(us: value)
    case .rate: "\(NumberText.short(value))/s"
    case .errorShare: NumberText.percent(value)
    case .errors, .timeouts, .dropped: NumberText.decimal(value, digits: 0)
    }
  }

  private static func metric(_ name: String, value: String) -> Metric? {
    switch name {
    case "min": return .min
    case "mean": return .mean
    case "max": return .max
    case "rate": return .rate
    case "errors": return value.hasSuffix("%") ? .errorShare : .errors
    case "timeouts": return .timeouts
    case "dropped": return .dropped
    default: break
    }
    let isService = name.hasPrefix("service.")
    let percentile = isService ? name.dropFirst(8) : name[...]
    guard percentile.hasPrefix("p"), let number = Double(percentile.dropFirst()),
      number > 0, number <= 100
    else { return nil }
    return isService ? .servicePercentile(number) : .percentile(number)
  }

  private static func limit(_ text: String, _ metric: Metric) -> Double? {
    func number(_ text: some StringProtocol) -> Double? {
      Double(text).flatMap { $0.isFinite && $0 >= 0 ? $0 : nil }
    }
    switch metric {
    case .percentile, .servicePercentile, .min, .mean, .max:
      // A bare number would be seconds elsewhere; here hardly anybody would mean that.
      guard text.last?.isLetter == true else { return nil }
      if text.hasSuffix("us") || text.hasSuffix("µs") { return number(text.dropLast(2)) }
      if text.hasSuffix("ms") { return number(text.dropLast(2)).map { $0 * 1_000 } }
      return DurationText.milliseconds(text).map { Double($0) * 1_000 }
    case .rate: return number(text.hasSuffix("/s") ? text.dropLast(2) : text[...])
    case .errorShare: return number(text.dropLast()).map { $0 / 100 }
    case .errors, .timeouts, .dropped: return number(text)
    }
  }

  private static func misspelt(_ text: String, _ why: String) -> UsageError {
    UsageError(
      "--slo '\(text)' makes no sense: \(why)",
      hint: "write it as check-in.p99<20ms, rate>1000 or errors<0.1%")
  }
}
