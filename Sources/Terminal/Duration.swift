/// Lengths of time as people type them: "2h", "90s", "1d12h", "500ms"; a bare number is seconds.
package enum DurationText {
  private static let units: [(name: String, milliseconds: Int64)] = [
    ("ms", 1), ("s", 1000), ("m", 60_000), ("min", 60_000), ("h", 3_600_000), ("d", 86_400_000),
    ("w", 604_800_000),
  ]

  /// Milliseconds; nil where it is no length of time, or none that a program can count.
  package static func milliseconds(_ text: String) -> Int64? {
    var rest = text[...]
    var total: Int64 = 0
    guard !rest.isEmpty else { return nil }
    while !rest.isEmpty {
      let digits = rest.prefix { $0.isASCII && ($0.isNumber || $0 == ".") }
      rest = rest.dropFirst(digits.count)
      let name = rest.prefix { $0.isASCII && $0.isLetter }
      rest = rest.dropFirst(name.count)
      let unit = name.isEmpty && rest.isEmpty && digits.count == text.count ? "s" : String(name)
      guard let number = Double(digits), number.isFinite, !digits.hasPrefix("."),
        let factor = units.first(where: { $0.name == unit })?.milliseconds,
        let part = Int64(exactly: (number * Double(factor)).rounded())
      else { return nil }
      let (sum, overflow) = total.addingReportingOverflow(part)
      guard !overflow else { return nil }
      total = sum
    }
    return total
  }

  /// One that was waited for: "5 s", "0.25 s".
  package static func seconds(milliseconds: Int) -> String {
    let seconds = Double(milliseconds) / 1000
    return seconds == seconds.rounded() ? "\(Int(seconds)) s" : "\(seconds) s"
  }

  /// A length of time in its two largest units: "2 h 5 min".
  package static func short(milliseconds: Int64) -> String {
    let parts: [(Int64, String)] = [(86_400, "d"), (3600, "h"), (60, "min"), (1, "s")]
    var seconds = milliseconds / 1000
    var words: [String] = []
    for (length, name) in parts {
      let count = seconds / length
      seconds %= length
      if count > 0 { words.append("\(count) \(name)") }
    }
    return words.isEmpty ? "0 s" : words.prefix(2).joined(separator: " ")
  }
}

/// A position as people type it: "LAT,LON" in degrees, north and east positive.
package struct Coordinates: Equatable, Sendable {
  package var latitude: Double
  package var longitude: Double

  /// Nil where it is no pair of degrees on this planet.
  package init?(_ text: String) {
    let parts = text.split(separator: ",", omittingEmptySubsequences: false)
    guard parts.count == 2 else { return nil }
    let numbers = parts.map { Double($0.filter { $0 != " " }) }
    guard let latitude = numbers[0], let longitude = numbers[1],
      (-90.0...90.0).contains(latitude), (-180.0...180.0).contains(longitude)
    else { return nil }
    self.latitude = latitude
    self.longitude = longitude
  }
}
