import Glibc

/// Numbers as reports write them.
package enum NumberText {
  /// Without ".0" where it is whole.
  static func plain(_ value: Double) -> String {
    Int(exactly: value).map(String.init) ?? String(value)
  }

  /// Digits in threes: "1 234 567".
  package static func grouped(_ value: some BinaryInteger) -> String {
    let digits = String(value.magnitude)
    var text = ""
    for (index, digit) in digits.enumerated() {
      if index > 0, (digits.count - index).isMultiple(of: 3) { text += " " }
      text.append(digit)
    }
    return value < 0 ? "-" + text : text
  }

  /// So many digits behind the point.
  package static func decimal(_ value: Double, digits: Int) -> String {
    guard value.isFinite else { return "-" }
    let factor = pow(10, Double(digits))
    let scaled = (abs(value) * factor).rounded()
    guard scaled < 9e15 else { return String(value) }
    let sign = value < 0 && scaled > 0 ? "-" : ""
    guard digits > 0 else { return sign + grouped(Int(scaled)) }
    let fraction = String(Int(scaled) % Int(factor))
    let zeros = String(repeating: "0", count: digits - fraction.count)
    return "\(sign)\(grouped(Int(scaled) / Int(factor))).\(zeros)\(fraction)"
  }

  /// A rate or an amount with about three digits: "0.42", "18.3", "1 240".
  package static func short(_ value: Double) -> String {
    decimal(value, digits: value < 10 ? 2 : value < 100 ? 1 : 0)
  }

  /// Microseconds in the unit that reads best, with three digits: "412 µs", "4.12 ms", "1.25 s".
  package static func time(us: Double) -> String {
    switch us {
    case ..<999.5: "\(decimal(us, digits: us < 9.95 && us != us.rounded() ? 1 : 0)) µs"
    case ..<999_500: "\(threeDigits(us / 1_000)) ms"
    default: "\(threeDigits(us / 1_000_000)) s"
    }
  }

  /// A share in percent.
  package static func percent(_ share: Double) -> String {
    "\(share == 0 ? "0" : decimal(share * 100, digits: share < 0.1 ? 3 : 1)) %"
  }

  /// A percentile as its name has it: "p99.9".
  package static func percentile(_ value: Double) -> String { "p\(plain(value))" }

  private static func threeDigits(_ value: Double) -> String {
    decimal(value, digits: value < 9.995 ? 2 : value < 99.95 ? 1 : 0)
  }
}
