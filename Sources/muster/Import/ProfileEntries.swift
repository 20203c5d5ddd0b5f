import Model
import Terminal
import Wire

/// People out of a file, checked as the server would check them, before any of them is sent.
struct ProfileEntries {
  static let fields = ["user_id", "first_name", "last_name", "company_name", "bio"]

  private(set) var profiles: [Profile] = []
  /// Where each profile stands in the file.
  private(set) var places: [EntryPlace] = []
  private(set) var problems: [ImportProblem] = []

  /// `key` is the column that tells the entries of a roster apart; nil: its name.
  init(_ file: ImportFile, map: ColumnMap, key: String?, roster: String) throws {
    if let key, !file.columns.contains(key) {
      let guess = Suggestion.nearest(to: key, among: file.columns, limit: 1).first
      throw Failure(
        .usage, "\(file.name) has no column '\(key)' to be the key",
        hint: guess.map { "did you mean '\($0)'?" }
          ?? "it has \(file.columns.joined(separator: ", "))")
    }
    var placesByUser: [String: EntryPlace] = [:]
    for entry in file.entries {
      let count = problems.count
      var profile = texts(of: entry, map)
      if problems.count == count {
        setUser(of: &profile, entry, map, key: key, roster: roster)
      }
      if problems.count == count { check(&profile, at: entry.place) }
      if problems.count == count, let first = placesByUser[profile.userID] {
        let shown = keyValue(entry, profile, map, key) ?? profile.userID
        problems.append(
          ImportProblem(
            place: entry.place, field: key ?? "user_id",
            description: "'\(shown)' is there twice: \(first) and \(entry.place)"
              + (key == nil ? "; --key COLUMN names one that tells them apart" : "")))
      }
      placesByUser[profile.userID] = placesByUser[profile.userID] ?? entry.place
      profiles.append(profile)
      places.append(entry.place)
    }
  }

  private mutating func texts(of entry: ImportFile.Entry, _ map: ColumnMap) -> Profile {
    var profile = Profile(
      firstName: map.value("first_name", entry) ?? "",
      lastName: map.value("last_name", entry) ?? "",
      companyName: map.value("company_name", entry) ?? "", bio: map.value("bio", entry) ?? "")
    // A name in one piece, from a column of that name or of the one that stands for the first name.
    let isMapped = map.column("first_name") == "name" && map.column("last_name") == nil
    if map.value("first_name", entry) == nil || isMapped, let name = entry.values["name"] {
      (profile.firstName, profile.lastName) = PersonName.split(name)
      if let last = map.value("last_name", entry) { profile.lastName = last }
    } else if map.value("first_name", entry) == nil {
      problems.append(
        ImportProblem(
          place: entry.place, field: "first_name",
          description: "the entry has neither first_name nor name; --map first_name=COLUMN says "
            + "which column it is"))
    }
    return profile
  }

  private func keyValue(
    _ entry: ImportFile.Entry, _ profile: Profile, _ map: ColumnMap, _ key: String?
  ) -> String? {
    if let key { return entry.values[key] }
    if map.value("user_id", entry)?.isEmpty == false { return nil }
    return entry.values["name"] ?? profile.fullName
  }

  private mutating func setUser(
    of profile: inout Profile, _ entry: ImportFile.Entry, _ map: ColumnMap, key: String?,
    roster: String
  ) {
    if let user = map.value("user_id", entry), !user.isEmpty {
      profile.userID = user
      return
    }
    guard let value = keyValue(entry, profile, map, key), !TextRule.isBlank(value) else {
      problems.append(
        ImportProblem(
          place: entry.place, field: key ?? "name",
          description: "the entry has no \(key ?? "name"), which tells it from others"))
      return
    }
    profile.userID = "\(roster)/\(value)"
  }

  private mutating func check(_ profile: inout Profile, at place: EntryPlace) {
    let (read, violations) = Form.read(profile)
    profile = read
    var found = violations.map {
      ImportProblem(place: place, field: $0.field, description: $0.description)
    }
    let rules: [(String, TextRule, String)] = [
      ("user_id", .userID, read.userID), ("first_name", .firstName, read.firstName),
      ("last_name", .lastName, read.lastName), ("company_name", .companyName, read.companyName),
      ("bio", .bio, read.bio),
    ]
    for (field, rule, text) in rules where !found.contains(where: { $0.field == field }) {
      if let fault = rule.check(text) {
        found.append(ImportProblem(place: place, field: field, description: fault))
      }
    }
    problems += found
  }
}

/// The form that the contract asks of a message.
enum Form {
  /// The message as a server reads it, with its texts in NFC, and what is wrong with its form.
  static func read<M: Message>(_ message: M) -> (M, [FieldViolation]) {
    var violations: [FieldViolation] = []
    let bytes = Encoder().bytes(message)
    let read = bytes.withUnsafeBytes {
      // What was encoded just now can be read.
      try? Decoder().decode(M.self, from: $0, violations: &violations)
    }
    return (read ?? message, violations)
  }
}
