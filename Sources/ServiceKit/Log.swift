package import Model

/// Lines about what happens, for whoever runs the program. A value that is passed along; where the
/// lines go is a closure, so that a test can read them.
package struct Log: Sendable {
  /// Under syslog's numbers (RFC 5424, section 6.2.1), which journald uses too.
  package enum Level: Int, CaseIterable, Comparable, Sendable {
    case error = 3
    case warning = 4
    case notice = 5
    case info = 6
    case debug = 7

    package static func < (a: Level, b: Level) -> Bool { a.rawValue < b.rawValue }

    /// As `--log-level` names it.
    package var text: String {
      switch self {
      case .error: "error"
      case .warning: "warning"
      case .notice: "notice"
      case .info: "info"
      case .debug: "debug"
      }
    }

    package init?(_ text: String) {
      guard let level = Level.allCases.first(where: { $0.text == text }) else { return nil }
      self = level
    }
  }

  package enum Format: String, CaseIterable, Sendable {
    case text, json
  }

  package var level: Level
  package var format: Format
  /// `<3>` and so on in front, as journald wants it (sd-daemon(3)).
  package var showsPriority: Bool
  /// The time in front. Journald has its own.
  package var showsTime: Bool
  /// Milliseconds since 1970.
  private let wallMs: @Sendable () -> Int64
  /// Takes one line with its line feed.
  private let write: @Sendable (String) -> Void

  package init(
    level: Level = .info, format: Format = .text, showsPriority: Bool = false,
    showsTime: Bool = true, wallMs: @escaping @Sendable () -> Int64 = { SystemClock.now().wallMs },
    write: @escaping @Sendable (String) -> Void
  ) {
    self.level = level
    self.format = format
    self.showsPriority = showsPriority
    self.showsTime = showsTime
    self.wallMs = wallMs
    self.write = write
  }

  /// For tests and for what must stay quiet.
  package static let none = Log(level: .error, write: { _ in })

  package typealias Fields = KeyValuePairs<String, LogValue>

  /// Something is broken that a person has to mend.
  package func error(_ message: String, _ fields: @autoclosure () -> Fields = [:]) {
    add(.error, message, fields)
  }

  /// Something is not as it should be, and the program copes.
  package func warning(_ message: String, _ fields: @autoclosure () -> Fields = [:]) {
    add(.warning, message, fields)
  }

  /// Rare and worth knowing: started, restored, a backend gone or back.
  package func notice(_ message: String, _ fields: @autoclosure () -> Fields = [:]) {
    add(.notice, message, fields)
  }

  package func info(_ message: String, _ fields: @autoclosure () -> Fields = [:]) {
    add(.info, message, fields)
  }

  package func debug(_ message: String, _ fields: @autoclosure () -> Fields = [:]) {
    add(.debug, message, fields)
  }

  private func add(_ level: Level, _ message: String, _ fields: () -> Fields) {
    guard level <= self.level else { return }
    var line = showsPriority ? "<\(level.rawValue)>" : ""
    switch format {
    case .text: line += text(level, message, fields())
    case .json: line += json(level, message, fields())
    }
    write(line + "\n")
  }

  private func text(_ level: Level, _ message: String, _ fields: Fields) -> String {
    var line = showsTime ? "\(timeText(wallMs())) " : ""
    if !showsPriority { line += padded(level.text, 7) + " " }
    line += LogText.escaped(message, quoted: false)
    for (name, value) in fields { line += " \(name)=\(value.text)" }
    return line
  }

  private func json(_ level: Level, _ message: String, _ fields: Fields) -> String {
    var line = "{"
    if showsTime { line += "\"time\":\"\(timeText(wallMs()))\"," }
    line += "\"level\":\"\(level.text)\",\"message\":\"\(LogText.escaped(message, quoted: true))\""
    for (name, value) in fields {
      line += ",\"\(LogText.escaped(name, quoted: true))\":\(value.json)"
    }
    return line + "}"
  }
}

/// The value of a field in a log line.
package enum LogValue: Sendable, ExpressibleByStringInterpolation, ExpressibleByIntegerLiteral {
  /// May come from anywhere: it is escaped and cut.
  case text(String)
  /// A number or a truth value, as JSON writes it.
  case literal(String)

  package init(stringLiteral text: String) { self = .text(text) }
  package init(integerLiteral number: Int) { self = .number(number) }

  package static func number(_ number: some BinaryInteger) -> LogValue {
    .literal(String(number))
  }
  package static func flag(_ isOn: Bool) -> LogValue { .literal(String(isOn)) }
  package static func id(_ id: ID?) -> LogValue { .text(id?.description ?? "") }
  /// What an error says of itself.
  package static func error(_ error: any Error) -> LogValue { .text(String(describing: error)) }

  var text: String {
    switch self {
    case .literal(let literal): return literal
    case .text(let text):
      let escaped = LogText.escaped(text, quoted: true)
      let isPlain = escaped.utf8.allSatisfy { $0 > 0x20 && !"\"=\\".utf8.contains($0) }
      return isPlain && !escaped.isEmpty ? escaped : "\"\(escaped)\""
    }
  }

  var json: String {
    switch self {
    case .literal(let literal): literal
    case .text(let text): "\"\(LogText.escaped(text, quoted: true))\""
    }
  }
}

/// Makes a text from outside safe to show: one line, of a bounded length, that looks like what it
/// is.
enum LogText {
  /// Longer texts are cut and end in "…".
  static let longestScalars = 1_024

  /// Escapes as JSON does: control characters, what moves or turns text around (line and paragraph
  /// separators, bidirectional controls), and, where it stands in quotes, `"` and `\`.
  static func escaped(_ text: String, quoted: Bool) -> String {
    var result = String.UnicodeScalarView()
    var count = 0
    for scalar in text.unicodeScalars {
      if count == longestScalars {
        result.append("…")
        break
      }
      count += 1
      switch scalar {
      case "\n": result.append(contentsOf: "\\n".unicodeScalars)
      case "\t": result.append(contentsOf: "\\t".unicodeScalars)
      case "\"" where quoted, "\\" where quoted:
        result.append("\\")
        result.append(scalar)
      default:
        if isUnsafe(scalar) {
          result.append(contentsOf: "\\u\(hex(scalar.value))".unicodeScalars)
        } else {
          result.append(scalar)
        }
      }
    }
    return String(result)
  }

  /// Only below U+10000, so that four hexadecimal digits are enough.
  private static func isUnsafe(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0..<0x20, 0x7F..<0xA0, 0x061C, 0x200E...0x200F, 0x2028...0x202E, 0x2066...0x2069, 0xFEFF:
      true
    default: false
    }
  }

  private static func hex(_ value: UInt32) -> String {
    let digits = String(value, radix: 16)
    return String(repeating: "0", count: 4 - digits.count) + digits
  }
}

/// RFC 3339 in UTC with milliseconds: "2026-11-30T08:37:00.123Z". The date from the days since 1970
/// by Howard Hinnant's `civil_from_days` (chrono-Compatible Low-Level Date Algorithms).
func timeText(_ wallMs: Int64) -> String {
  func twoDigits(_ number: Int64) -> String { number < 10 ? "0\(number)" : "\(number)" }
  let ms = ((wallMs % 86_400_000) + 86_400_000) % 86_400_000
  let days = (wallMs - ms) / 86_400_000 + 719_468
  let era = (days >= 0 ? days : days - 146_096) / 146_097
  let dayOfEra = days - era * 146_097
  let yearOfEra = (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
  let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
  let shifted = (5 * dayOfYear + 2) / 153
  let day = dayOfYear - (153 * shifted + 2) / 5 + 1
  let month = shifted < 10 ? shifted + 3 : shifted - 9
  let year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
  let fraction = String(1_000 + ms % 1_000).dropFirst()
  return "\(year)-\(twoDigits(month))-\(twoDigits(day))T\(twoDigits(ms / 3_600_000)):"
    + "\(twoDigits(ms / 60_000 % 60)):\(twoDigits(ms / 1_000 % 60)).\(fraction)Z"
}
