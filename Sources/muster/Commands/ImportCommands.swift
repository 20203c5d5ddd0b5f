import Foundation
import Model
import Terminal
import Wire

/// `profile import` and `export`, `location import` and `export`.
enum ImportCommands {
  static let file = Argument(
    "FILE", file: true, "CSV or JSON; '-' is standard input")
  private static let map = Option(
    "map", value: "FIELD=COLUMN", repeatable: true,
    "Take this field from this column; may be given again")
  /// How the people of a roster are told apart, and what of them is taken.
  static let rosterOptions = [
    map, Option("key", value: "COLUMN", "What tells entries without user_id apart; their name"),
    Option("roster", value: "NAME", "What the roster is called; the file's name, by default"),
  ]
  private static let target = Argument(
    "FILE", optional: true, file: true, "The file to write; standard output, where left out")

  static let profileImport = Command<Action>(
    "import", "Import people from CSV or JSON",
    details: "CSV has a header line; JSON is a list, an object with one list in it, or an object a "
      + "line. Fields: \(ProfileEntries.fields.joined(separator: ", ")); 'name' is split into the "
      + "two. Everything is checked before anything is written. It can be run twice: people are "
      + "known by user_id, or else by the roster's name and the entry's key, and what an entry "
      + "does not have stays as it is.",
    arguments: [file],
    options: rosterOptions,
    examples: [
      "muster profile import people.json",
      "muster profile import staff.csv --map first_name=Given --map last_name=Family",
      "muster profile import fighters.json --map company_name=fightTeam",
    ], action: importProfiles)

  static let locationImport = Command<Action>(
    "import", "Import places from CSV or JSON",
    details: "CSV has a header line; JSON is a list, an object with one list in it, or an object a "
      + "line. Fields: \(LocationEntries.fields.joined(separator: ", ")). Everything is checked "
      + "before anything is written. It can be run twice: places are known by external_id, and "
      + "what an entry does not have stays as it is.",
    arguments: [file],
    options: [
      map, Option("new", "Also take entries without external_id, as new places each time"),
    ],
    examples: ["muster location import places.csv --map name=Venue --map external_id=Code"],
    action: importLocations)

  static let profileExport = Command<Action>(
    "export", "Write all people as import reads them",
    details: "As -o csv, json or ndjson says, else as the file's name does, else as CSV.",
    arguments: [target],
    examples: ["muster profile export people.csv", "muster profile export -o ndjson"],
    action: exportProfiles)

  static let locationExport = Command<Action>(
    "export", "Write all places as import reads them",
    details: "As -o csv, json or ndjson says, else as the file's name does, else as CSV.",
    arguments: [target],
    examples: ["muster location export places.csv"], action: exportLocations)

  private static let importProfiles: Action = { session, typed in
    let (file, map, entries) = try people(session, typed)
    let write = BulkWrite(session: session, noun: "people", file: file.name) {
      BatchCreateProfilesRequest(profiles: $0)
    } outcome: {
      ($0.created, $0.changed)
    }
    try session.checkFields(of: resultColumns)
    var profiles = entries.profiles
    try session.each(
      profiles.indices.filter { !entries.absent[$0].isEmpty && !profiles[$0].userID.isEmpty }
        .map { ($0, GetProfileRequest(userID: profiles[$0].userID)) }
    ) { index, response in
      guard let there = response.profile else { return }
      for keep in entries.absent[index] { keep(there, &profiles[index]) }
    }
    let result = try write.run(profiles, places: entries.places)
    let key = typed.option("key")
    noteUnused(map.unused(file).filter { $0 != "name" && $0 != key }, session)
    try show(result, of: entries.profiles.count, "people", session)
  }

  /// The people of the file that was named, all checked; throws where anything is wrong with any.
  /// `byDefault` names columns of fields that nobody mapped and the file has no column for.
  static func people(
    _ session: Session, _ typed: Invocation, byDefault: [(field: String, column: String)] = []
  ) throws -> (file: ImportFile, map: ColumnMap, entries: ProfileEntries) {
    let file = try ImportFile(path: typed.argument("FILE") ?? "-")
    let map = try ColumnMap(
      typed.options("map"), fields: ProfileEntries.fields, file: file, byDefault: byDefault)
    let entries = try ProfileEntries(
      file, map: map, key: typed.option("key"), roster: typed.option("roster") ?? file.rosterName)
    try refuse(entries.problems, in: file, session)
    return (file, map, entries)
  }

  private static let importLocations: Action = { session, typed in
    let file = try ImportFile(path: typed.argument("FILE") ?? "-")
    let map = try ColumnMap(typed.options("map"), fields: LocationEntries.fields, file: file)
    let entries = LocationEntries(file, map: map, takesNew: typed.flag("new"))
    try refuse(entries.problems, in: file, session)
    let write = BulkWrite(session: session, noun: "places", file: file.name) {
      BatchCreateLocationsRequest(locations: $0)
    } outcome: {
      ($0.created, $0.changed)
    }
    try session.checkFields(of: resultColumns)
    var locations = entries.locations
    try session.each(
      locations.indices.filter { !entries.absent[$0].isEmpty && !locations[$0].externalID.isEmpty }
        .map { ($0, GetLocationRequest(externalID: locations[$0].externalID)) }
    ) { index, response in
      guard let there = response.location else { return }
      for keep in entries.absent[index] { keep(there, &locations[index]) }
    }
    let result = try write.run(locations, places: entries.places)
    noteUnused(map.unused(file), session)
    try show(result, of: entries.locations.count, "places", session)
  }

  /// Tells what is wrong, each with its place, and ends: nothing is written of a file with a fault.
  private static func refuse(
    _ found: [ImportProblem], in file: ImportFile, _ session: Session
  ) throws {
    let problems = (file.problems + found).enumerated()
      .sorted { ($0.element.place, $0.offset) < ($1.element.place, $1.offset) }.map(\.element)
    guard !problems.isEmpty else { return }
    let shown = problems.prefix(Limits.violations)
    let violations = shown.map {
      FieldViolation(
        field: $0.field.isEmpty ? "\($0.place)" : "\($0.place): \($0.field)",
        description: $0.description)
    }
    if session.format == .table || session.format == .wide {
      for violation in violations {
        session.note("\(file.name), \(violation.field): \(violation.description)")
      }
      if problems.count > shown.count {
        session.note("and \(problems.count - shown.count) more")
      }
    }
    let wrong = Set(problems.map(\.place)).count
    let count = file.entries.count + Set(file.problems.map(\.place)).count
    throw Failure(
      .usage,
      "\(wrong) of \(count) entries of \(file.name) cannot be imported, so nothing was",
      hint: "mend them and import the file again",
      status: Status(.invalidFields, "Entries are wrong.", violations: violations))
  }

  /// Tells which columns were passed over; ids and times of an earlier export are no news.
  private static func noteUnused(_ columns: [String], _ session: Session) {
    let servers = [
      "id", "avatar_id", "revision", "create_time_ms", "update_time_ms", "square_image_id",
      "banner_image_id", "distance_m", "point",
    ]
    let others = columns.filter { !servers.contains($0) }
    guard !others.isEmpty else { return }
    session.note(
      "Not imported: \(others.joined(separator: ", ")); --map FIELD=COLUMN takes one in.")
  }

  private static let resultColumns = [Column("created"), Column("changed"), Column("unchanged")]

  private static func show(
    _ result: BulkResult, of count: Int, _ noun: String, _ session: Session
  ) throws {
    let one = noun == "people" ? "person" : "place"
    let unchanged = count - result.created - result.changed
    if session.isForPeople {
      return session.say(
        "\(count) \(count == 1 ? one : noun): \(result.created) new, \(result.changed) updated, "
          + "\(unchanged) as they were.")
    }
    let numbers = [result.created, result.changed, unchanged]
    let row = JSONValue.object(
      zip(resultColumns, numbers).map { .init($0.key, .integer(Int64($1))) })
    try Listing(columns: resultColumns, rows: [row], single: true).write(
      to: session.console, format: session.format, fields: session.fields, document: row)
  }

  private static let exportProfiles: Action = { session, typed in
    let pages = try session.pages(.all) { size, token in
      ListProfilesRequest(pageSize: size, pageToken: token)
    } more: {
      ($0.profiles.count, $0.nextPageToken)
    }
    let rows = pages.responses.flatMap(\.profiles).map { Wire.json($0) }
    try export(rows, ProfileEntries.fields.map { Column($0) }, "people", session, typed)
  }

  private static let exportLocations: Action = { session, typed in
    let pages = try session.pages(.all) { size, token in
      ListLocationsRequest(pageSize: size, pageToken: token)
    } more: {
      ($0.results.count, $0.nextPageToken)
    }
    let rows = pages.responses.flatMap(\.results).compactMap(\.location).map { Wire.json($0) }
    let columns = LocationEntries.fields.map { field in
      field == "latitude" || field == "longitude"
        ? Column(field, path: "point.\(field)") : Column(field)
    }
    try export(rows, columns, "places", session, typed)
    let keyless = rows.filter { $0["external_id"]?.plainText.isEmpty ?? true }.count
    if keyless > 0 {
      session.console.message(
        "\(keyless) of them have no external_id, which import knows places by: it takes those with "
          + "--new, as new places; 'muster location update PLACE --external-id KEY' gives them one"
      )
    }
  }

  private static func export(
    _ rows: [JSONValue], _ columns: [Column], _ noun: String, _ session: Session,
    _ typed: Invocation
  ) throws {
    let path = typed.argument("FILE") ?? "-"
    let ending = URL(filePath: path).pathExtension.lowercased()
    let format: OutputFormat =
      switch (typed.option("output").flatMap(OutputFormat.init), ending) {
      case (.json?, _), (nil, "json"): .json
      case (.ndjson?, _), (nil, "ndjson"), (nil, "jsonl"): .ndjson
      default: .csv
      }
    let fields = session.fields.isEmpty ? columns.map(\.key) : session.fields
    let listing = Listing(columns: columns, rows: rows)
    guard path != "-" else {
      return try listing.write(
        to: session.console, format: format, fields: fields, document: .null)
    }
    let text = try listing.text(format: format, fields: fields)
    do {
      try Data(text.utf8).write(to: URL(filePath: path), options: .atomic)
    } catch {
      throw Failure(.usage, "cannot write \(path): \(Failure.reason(error))")
    }
    session.note("\(rows.count) \(noun) written to \(path).")
  }
}
