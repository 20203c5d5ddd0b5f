import Foundation
import Model
import Terminal
import Wire

/// What a file of people or places holds, before anybody knows what it means.
struct ImportFile {
  /// One entry: where it begins, and its values by the file's own names for them.
  struct Entry: Equatable {
    var place: EntryPlace
    var values: [String: String]
  }

  /// As errors name it.
  let name: String
  /// The file's name without its folder and ending; what a roster is called (rule G6).
  let rosterName: String
  let entries: [Entry]
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
    (columns, entries) =
      isJSON
      ? try ImportFile.json(bytes, name: name) : try ImportFile.csv(bytes, name: name)
  }

  private static func csv(_ bytes: [UInt8], name: String) throws -> ([String], [Entry]) {
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
    let entries = try records.map { record in
      guard record.fields.count <= columns.count else {
        throw Failure(
          .usage,
          "\(name), line \(record.line): there are \(record.fields.count) fields, for "
            + "\(columns.count) columns",
          hint: "a field with a comma in it has to be in quotes")
      }
      return Entry(
        place: .line(record.line),
        values: Dictionary(zip(columns, record.fields), uniquingKeysWith: { first, _ in first }))
    }
    return (columns, entries)
  }

  private static func json(_ bytes: [UInt8], name: String) throws -> ([String], [Entry]) {
    var columns: [String] = []
    let entries = try JSONEntries.read(bytes, name: name).map { place, value in
      guard case .object(let members) = value else {
        throw Failure(
          .usage, "\(name), \(place): \(value.kind) where an object with fields is expected")
      }
      var values: [String: String] = [:]
      for member in members where member.value != .null {
        if case .object(let inner) = member.value {
          // A position, as the contract's own JSON has it.
          for part in inner where part.value != .null {
            values[part.name] = part.value.plainText
            if !columns.contains(part.name) { columns.append(part.name) }
          }
        } else {
          values[member.name] = member.value.plainText
          if !columns.contains(member.name) { columns.append(member.name) }
        }
      }
      return Entry(place: place, values: values)
    }
    return (columns, entries)
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
  func value(_ field: String, _ entry: ImportFile.Entry) -> String? {
    columns[field].flatMap { entry.values[$0] }
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
  var field: String
  var description: String
}
