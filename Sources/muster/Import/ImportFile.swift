import Foundation
import Model
import Terminal
import Wire

/// What a file of people or places holds, before anybody knows what it means.
struct ImportFile {
  /// One entry: where it begins, and its values by the file's own names for them. Those of a CSV
  /// are texts; none is null.
  struct Entry: Equatable {
    var place: EntryPlace
    var values: [String: JSONValue]
  }

  /// As errors name it.
  let name: String
  /// The file's name without its folder and ending; what a roster is called (rule G6).
  let rosterName: String
  let entries: [Entry]
  /// What is no entry, and why.
  let problems: [ImportProblem]
  /// The names that its values have, in the file's order.
  let columns: [String]

  /// Reads a file, or standard input for "-". JSON is told from CSV by the file's name, else by how
  /// it begins.
  init(path: String) throws {
    try self.init(path: path, bytes: Files.read(path))
  }

  init(path: String, bytes: [UInt8]) throws {
    name = path == "-" ? "standard input" : path
    let url = URL(filePath: path)
    rosterName = path == "-" ? "import" : url.deletingPathExtension().lastPathComponent
    let isJSON =
      switch url.pathExtension.lowercased() {
      case "csv", "tsv": false
      case "json", "ndjson", "jsonl": true
      default:
        bytes.first { ![32, 9, 10, 13].contains($0) }.map { $0 == 0x5B || $0 == 0x7B } ?? false
      }
    (columns, entries, problems) =
      isJSON
      ? try ImportFile.json(bytes, name: name) : try ImportFile.csv(bytes, name: name)
  }

  private typealias Content = ([String], [Entry], [ImportProblem])

  private static func csv(_ bytes: [UInt8], name: String) throws -> Content {
    var records: [CSVRecord]
    do throws(CSVError) {
      records = try CSVReader.records(of: bytes)
    } catch {
      throw Failure(.usage, "\(name), line \(error.line): \(error.message)")
    }
    guard !records.isEmpty else {
      throw Failure(.usage, "\(name) is empty", hint: "its first line has to name the columns")
    }
    let columns = records.removeFirst().fields.map {
      $0.trimmingCharacters(in: .whitespaces)
    }
    if let twice = columns.first(where: { name in columns.count { $0 == name } > 1 }) {
      throw Failure(.usage, "\(name), line 1: there are two columns '\(twice)'")
    }
    var entries: [Entry] = []
    var problems: [ImportProblem] = []
    for record in records {
      guard record.fields.count <= columns.count else {
        problems.report(
          .line(record.line), "",
          "there are \(record.fields.count) fields, for \(columns.count) columns; a field with a "
            + "comma in it has to be in quotes")
        continue
      }
      let values = Dictionary(
        zip(columns, record.fields.map(JSONValue.text)), uniquingKeysWith: { first, _ in first })
      entries.append(Entry(place: .line(record.line), values: values))
    }
    return (columns, entries, problems)
  }

  private static func json(_ bytes: [UInt8], name: String) throws -> Content {
    let read = try JSONEntries.read(bytes, name: name)
    var problems = read.problems
    var columns: [String] = []
    var entries: [Entry] = []
    for (place, value) in read.entries {
      guard case .object(let members) = value else {
        problems.report(place, "", "\(value.kind) where an object with fields is wanted")
        continue
      }
      var entry = Entry(place: place, values: [:])
      for member in members where member.value != .null {
        if entry.values.updateValue(member.value, forKey: member.name) == nil,
          !columns.contains(member.name)
        {
          columns.append(member.name)
        }
      }
      // A position, as the contract's own JSON has it. What has the same name outside goes before.
      for case .object(let parts) in members.map(\.value) {
        for part in parts where part.value != .null && entry.values[part.name] == nil {
          entry.values[part.name] = part.value
          if !columns.contains(part.name) { columns.append(part.name) }
        }
      }
      entries.append(entry)
    }
    return (columns, entries, problems)
  }
}

/// Which column of a file each field is taken from.
struct ColumnMap {
  private var columns: [String: String] = [:]

  /// Columns have the fields' own names, in any letter case and with blanks for underscores, but
  /// for those that `maps` name: "first_name=Given name", and for fields without such a column
  /// those that `byDefault` names, where the file has them.
  init(
    _ maps: [String], fields: [String], file: ImportFile,
    byDefault: [(field: String, column: String)] = []
  ) throws {
    for map in maps {
      let parts = map.split(separator: "=", maxSplits: 1).map(String.init)
      guard parts.count == 2 else {
        throw UsageError("--map is '\(map)'", hint: "write --map FIELD=COLUMN")
      }
      guard fields.contains(parts[0]) else {
        let guess = Suggestion.nearest(to: parts[0], among: fields, limit: 1).first
        throw UsageError(
          "--map \(map): there is no field '\(parts[0])'",
          hint: guess.map { "did you mean '\($0)'?" }
            ?? "there are \(fields.joined(separator: ", "))")
      }
      guard let column = ColumnMap.find(parts[1], in: file) else {
        let guess = Suggestion.nearest(to: parts[1], among: file.columns, limit: 1).first
        throw Failure(
          .usage, "\(file.name) has no column '\(parts[1])'",
          hint: guess.map { "did you mean '\($0)'?" }
            ?? "it has \(file.columns.joined(separator: ", "))")
      }
      columns[parts[0]] = column
    }
    for field in fields where columns[field] == nil {
      let usual = byDefault.first { $0.field == field && file.columns.contains($0.column) }
      columns[field] = ColumnMap.find(field, in: file) ?? usual?.column
    }
  }

  /// An entry's value for a field; nil where it has none.
  func value(_ field: String, _ entry: ImportFile.Entry) -> JSONValue? {
    columns[field].flatMap { entry.values[$0] }
  }

  /// An entry's text for a field; empty where it has none, and where it is reported to be no text.
  func text(
    _ field: String, _ entry: ImportFile.Entry, _ problems: inout [ImportProblem]
  ) -> String {
    value(field, entry)?.wantedText(of: field, at: entry.place, &problems) ?? ""
  }

  /// The file's own name for a field.
  func column(_ field: String) -> String? { columns[field] }

  /// The columns that nothing is taken from.
  func unused(_ file: ImportFile) -> [String] {
    let used = Set(columns.values)
    return file.columns.filter { !used.contains($0) }
  }

  private static func find(_ name: String, in file: ImportFile) -> String? {
    if file.columns.contains(name) { return name }
    func plain(_ text: String) -> String {
      String(text.lowercased().map { $0 == " " || $0 == "-" ? "_" : $0 })
    }
    return file.columns.first { plain($0) == plain(name) }
  }
}

/// What is wrong with one entry.
struct ImportProblem: Equatable {
  var place: EntryPlace
  /// Empty where it is the whole of it.
  var field: String
  var description: String
}

extension [ImportProblem] {
  /// Adds one, but where something is wrong with the same field already. Entries come in order.
  mutating func report(_ place: EntryPlace, _ field: String, _ description: String) {
    guard !isReported(place, field) else { return }
    append(ImportProblem(place: place, field: field, description: description))
  }

  /// Whether something is wrong with this field of the entry that was looked at last.
  func isReported(_ place: EntryPlace, _ field: String) -> Bool {
    reversed().prefix { $0.place == place }.contains { $0.field == field }
  }
}

extension JSONValue {
  /// The text that this is; nil where it is none, which is reported.
  func wantedText(
    of field: String, at place: EntryPlace, _ problems: inout [ImportProblem]
  ) -> String? {
    if case .text(let text) = self { return text }
    problems.report(place, field, "\(found) where a text is wanted")
    return nil
  }

  /// The number that this is, as it is written, perhaps as a text; nil where it can be none, which
  /// is reported.
  func wantedNumber(
    of field: String, at place: EntryPlace, _ problems: inout [ImportProblem]
  ) -> String? {
    switch self {
    case .text, .integer, .large, .double: return plainText
    case .null, .bool, .array, .object:
      problems.report(place, field, "\(found) where a number is wanted")
      return nil
    }
  }

  /// What it is, for example "a number (36)".
  private var found: String {
    switch self {
    case .integer, .large, .double: "\(kind) (\(plainText))"
    case .null, .bool, .text, .array, .object: kind
    }
  }
}
