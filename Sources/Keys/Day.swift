/// A day of the calendar, in UTC: "2027-12-31".
package struct Day: Equatable, Sendable, CustomStringConvertible {
  /// Days since 1970-01-01.
  let number: Int64
  package let description: String

  /// Nil where it is no day. The number by Howard Hinnant's `days_from_civil`
  /// (chrono-Compatible Low-Level Date Algorithms).
  package init?(_ text: String) {
    let parts = text.utf8.split(separator: UInt8(ascii: "-"), omittingEmptySubsequences: false)
    guard parts.map(\.count) == [4, 2, 2], let year = Self.number(parts[0]),
      let month = Self.number(parts[1]), let day = Self.number(parts[2]),
      (1970...9998).contains(year), (1...12).contains(month),
      (1...Self.days(of: month, year)).contains(day)
    else { return nil }
    let shiftedYear = month <= 2 ? year - 1 : year
    let era = shiftedYear / 400
    let yearOfEra = shiftedYear - era * 400
    let dayOfYear = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1
    let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
    number = era * 146_097 + dayOfEra - 719_468
    description = text
  }

  /// When it is over, in milliseconds since 1970.
  package var endMs: Int64 { (number + 1) * 86_400_000 }

  private static func number(_ digits: Substring.UTF8View) -> Int64? {
    digits.allSatisfy { (0x30...0x39).contains($0) } ? Int64(Substring(digits)) : nil
  }

  private static func days(of month: Int64, _ year: Int64) -> Int64 {
    switch month {
    case 2: year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28
    case 4, 6, 9, 11: 30
    default: 31
    }
  }
}
