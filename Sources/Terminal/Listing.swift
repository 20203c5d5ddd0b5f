import Glibc
import Model
package import Wire

/// How data is written.
package enum OutputFormat: String, CaseIterable, Sendable { case table, wide, json, ndjson, csv }

/// One column of a listing: what it is called and where its value is.
package struct Column: Sendable {
  /// How its value is shown to people. Other formats have the value itself.
  package enum Kind: Sendable {
    case plain
    case number
    /// A number of which 0 says nothing.
    case positive
    /// Milliseconds since 1970, shown in local time; 0 as nothing.
    case time
    /// Metres.
    case distance
    /// How many are there: nothing for 0, and at most 99 (rule E4).
    case badge
  }

  /// What --fields and CSV call it.
  package var key: String
  package var title: String
  package var kind: Kind
  /// Left out of a plain table.
  package var isWide: Bool
  /// Left out of a plain table of many, but not where one entry is shown.
  package var isDetail: Bool
  /// May be cut where a terminal is too narrow.
  package var isCuttable: Bool
  package var value: @Sendable (JSONValue) -> JSONValue

  /// A column whose value is computed from the row.
  package init(
    _ key: String, _ title: String? = nil, _ kind: Kind = .plain, wide: Bool = false,
    detail: Bool = false, cuttable: Bool = false,
    value: @escaping @Sendable (JSONValue) -> JSONValue
  ) {
    self.key = key
    self.title = title ?? Column.title(of: key)
    self.kind = kind
    isWide = wide
    isDetail = detail
    isCuttable = cuttable
    self.value = value
  }

  /// A column whose value is in the row: `path` is the names to it with dots between, or the key.
  package init(
    _ key: String, _ title: String? = nil, _ kind: Kind = .plain, wide: Bool = false,
    detail: Bool = false, cuttable: Bool = false, path: String? = nil
  ) {
    let names = (path ?? key).split(separator: ".").map(String.init)
    self.init(key, title, kind, wide: wide, detail: detail, cuttable: cuttable) { row in
      names.reduce(row) { value, name in value[name] ?? .null }
    }
  }

  private static func title(of key: String) -> String {
    String(key.uppercased().map { $0 == "_" ? " " : $0 })
  }
}

/// Data of one kind with all the ways to write it.
package struct Listing {
  package var columns: [Column]
  package var rows: [JSONValue]
  /// One entry is shown line by line in a table, many as rows.
  package var isSingle: Bool

  package init(columns: [Column], rows: [JSONValue], single: Bool = false) {
    self.columns = columns
    self.rows = rows
    isSingle = single
  }

  /// Writes the data. JSON has the whole `document`, unless `fields` names what is wanted.
  package func write(
    to console: Console, format: OutputFormat, fields: [String], document: JSONValue
  ) throws(UsageError) {
    switch format {
    case .json where fields.isEmpty:
      console.write(document.write(pretty: true) + "\n")
    case .json, .ndjson:
      console.write(try text(format: format, fields: fields))
    case .csv:
      let text = try text(format: format, fields: fields)
      console.write(console.outputIsTerminal ? Listing.harmless(text) : text)
    case .table, .wide:
      let chosen = try chosenColumns(fields, format)
      let width = console.outputIsTerminal ? console.width : nil
      console.write(
        isSingle
          ? record(chosen, console)
          : tableText(chosen, width: width, color: console.hasColor))
    }
  }

  /// The rows as CSV, JSON or lines of JSON.
  package func text(format: OutputFormat, fields: [String]) throws(UsageError) -> String {
    let chosen = try chosenColumns(fields, format)
    switch format {
    case .json:
      let objects = rows.map { object(of: $0, chosen) }
      return (isSingle ? objects.first ?? .null : .array(objects)).write(pretty: true) + "\n"
    case .ndjson:
      return rows.map { (fields.isEmpty ? $0 : object(of: $0, chosen)).write() + "\n" }.joined()
    case .csv, .table, .wide:
      return CSVWriter.record(chosen.map(\.key))
        + rows.map { row in CSVWriter.record(chosen.map { $0.value(row).plainText }) }.joined()
    }
  }

  /// The rows as a table, cut to `width` columns where there is one.
  package func table(
    format: OutputFormat, fields: [String], width: Int?, color: Bool
  ) throws(UsageError) -> String {
    tableText(try chosenColumns(fields, format), width: width, color: color)
  }

  /// The columns that are shown, in their order.
  /// - Throws: a field is none of them.
  package func chosenColumns(
    _ fields: [String], _ format: OutputFormat
  ) throws(UsageError) -> [Column] {
    guard !fields.isEmpty else {
      guard format == .table else { return columns }
      return columns.filter { !$0.isWide && (isSingle || !$0.isDetail) }
    }
    var chosen: [Column] = []
    for field in fields {
      guard let column = columns.first(where: { $0.key == field }) else {
        let keys = columns.map(\.key)
        let guess = Suggestion.nearest(to: field, among: keys, limit: 1).first
        throw UsageError(
          "there is no field '\(field)' here",
          hint: guess.map { "did you mean '\($0)'?" } ?? "there are \(keys.joined(separator: ","))")
      }
      chosen.append(column)
    }
    return chosen
  }

  private func object(of row: JSONValue, _ chosen: [Column]) -> JSONValue {
    .object(chosen.map { JSONValue.Member($0.key, $0.value(row)) })
  }

  func tableText(_ chosen: [Column], width: Int?, color: Bool) -> String {
    guard !rows.isEmpty else { return "" }
    var table = Table(
      columns: chosen.map { column in
        Table.Column(
          column.title, right: [.number, .positive, .distance, .badge].contains(column.kind),
          cuttable: column.isCuttable)
      })
    table.rows = rows.map { row in chosen.map { Listing.shown($0.value(row), $0.kind) } }
    return table.text(width: width, color: color)
  }

  /// Names on the left, values on the right; those that are empty are left out.
  private func record(_ chosen: [Column], _ console: Console) -> String {
    guard let row = rows.first else { return "" }
    let shown = chosen.map { ($0.title.lowercased(), Listing.shown($0.value(row), $0.kind)) }
      .filter { !$0.1.isEmpty }
    let width = (shown.map(\.0.count).max() ?? 0) + 2
    return shown.map { title, value in
      let label = title + String(repeating: " ", count: width - title.count)
      let start = console.hasColor ? "\u{1B}[1m\(label)\u{1B}[0m" : label
      return "\(start)\(TerminalText.visible(value))\n"
    }.joined()
  }

  /// Line breaks end records, all else that a terminal acts on is shown.
  private static func harmless(_ record: String) -> String {
    record.split(separator: "\n", omittingEmptySubsequences: false)
      .map { TerminalText.visible(String($0)) }.joined(separator: "\n")
  }

  private static func shown(_ value: JSONValue, _ kind: Column.Kind) -> String {
    switch (kind, value) {
    case (.time, .integer(let milliseconds)):
      milliseconds == 0 ? "" : LocalTime.text(milliseconds: milliseconds)
    case (.positive, .integer(0)): ""
    case (.badge, .integer(let count)):
      count == 0 ? "" : count > 99 ? "99+" : String(count)
    case (.distance, .double(let metres)):
      metres < 1000 ? "\(Int(metres.rounded())) m" : "\((metres / 100).rounded() / 10) km"
    default: value.plainText
    }
  }
}

/// Times as people read them, in the zone of this machine.
package enum LocalTime {
  /// "2026-11-30 08:35".
  package static func text(milliseconds: Int64) -> String {
    formatted("%Y-%m-%d %H:%M", milliseconds)
  }

  /// "08:35" where that is today, else with the date; "08:35:07" with seconds.
  package static func short(
    milliseconds: Int64, nowMs: Int64, hasSeconds: Bool = false
  ) -> String {
    let isToday = formatted("%F", milliseconds) == formatted("%F", nowMs)
    let date = isToday ? "" : formatted("%F ", milliseconds)
    return date + formatted(hasSeconds ? "%T" : "%H:%M", milliseconds)
  }

  /// "08:35:07".
  package static func clock(milliseconds: Int64) -> String { formatted("%H:%M:%S", milliseconds) }

  private static func formatted(_ format: String, _ milliseconds: Int64) -> String {
    var seconds = time_t(milliseconds / 1000)
    var parts = tm()
    guard localtime_r(&seconds, &parts) != nil else { return String(milliseconds) }
    return String(unsafeUninitializedCapacity: 64) { room in
      room.withMemoryRebound(to: CChar.self) { strftime($0.baseAddress, $0.count, format, &parts) }
    }
  }
}

extension JSONValue {
  /// The value without JSON's quotes; null is empty, and lists have blanks between.
  package var plainText: String {
    switch self {
    case .null: ""
    case .text(let text): text
    case .array(let values): values.map(\.plainText).joined(separator: " ")
    default: write()
    }
  }
}
