import Model
import Terminal
import Wire

/// People out of a file, checked as the server would check them, before any of them is sent.
struct ProfileEntries {
  static let fields = ["user_id", "first_name", "last_name", "company_name", "bio"]

  private(set) var profiles: [Profile] = []
  /// For each profile, what keeps the fields that its entry does not have.
  private(set) var absent: [[Keep<Profile>]] = []
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
      var profile = texts(of: entry, map)
      let identity = identity(of: entry, profile, map, key: key, roster: roster)
      profile.userID = identity?.userID ?? ""
      check(&profile, at: entry.place)
      if let identity, let first = placesByUser[profile.userID] {
        problems.report(
          entry.place, identity.field,
          "'\(identity.shown)' is there twice: \(first) and \(entry.place)\(identity.advice)")
      } else if !profile.userID.isEmpty {
        placesByUser[profile.userID] = entry.place
      }
      profiles.append(profile)
      absent.append(absentFields(of: entry, map))
      places.append(entry.place)
    }
  }

  private func absentFields(of entry: ImportFile.Entry, _ map: ColumnMap) -> [Keep<Profile>] {
    func has(_ field: String) -> Bool { map.value(field, entry) != nil }
    var absent: [Keep<Profile>] = []
    if !has("company_name") { absent.append { $1.companyName = $0.companyName } }
    if !has("bio") { absent.append { $1.bio = $0.bio } }
    // A name in one piece has both.
    if !has("last_name"), !isInOnePiece(entry, map) { absent.append { $1.lastName = $0.lastName } }
    return absent
  }

  /// Whether the name comes in one piece, from a column of that name or of the one that stands for
  /// the first name.
  private func isInOnePiece(_ entry: ImportFile.Entry, _ map: ColumnMap) -> Bool {
    let isMapped = map.column("first_name") == "name" && map.column("last_name") == nil
    return (isMapped || map.value("first_name", entry) == nil) && entry.values["name"] != nil
  }

  private mutating func texts(of entry: ImportFile.Entry, _ map: ColumnMap) -> Profile {
    var profile = Profile(
      companyName: map.text("company_name", entry, &problems),
      bio: map.text("bio", entry, &problems))
    if isInOnePiece(entry, map), let name = entry.values["name"] {
      let name = name.wantedText(of: "name", at: entry.place, &problems) ?? ""
      (profile.firstName, profile.lastName) = PersonName.split(name)
      if map.value("last_name", entry) != nil {
        profile.lastName = map.text("last_name", entry, &problems)
      }
      return profile
    }
    profile.firstName = map.text("first_name", entry, &problems)
    profile.lastName = map.text("last_name", entry, &problems)
    if map.value("first_name", entry) == nil {
      problems.report(
        entry.place, "first_name",
        "the entry has neither first_name nor name; --map first_name=COLUMN says which column it is"
      )
    }
    return profile
  }

  /// What tells a person from the others of a file.
  private struct Identity {
    var userID: String
    /// Where it is from, and what stands there.
    var field: String
    var shown: String
    /// What to do where another one has the same.
    var advice = ""
  }

  /// Nil where there is nothing, which is reported.
  private mutating func identity(
    of entry: ImportFile.Entry, _ profile: Profile, _ map: ColumnMap, key: String?, roster: String
  ) -> Identity? {
    if let user = map.value("user_id", entry), user != .text("") {
      return user.wantedText(of: "user_id", at: entry.place, &problems).map {
        Identity(userID: $0, field: "user_id", shown: $0)
      }
    }
    let value = key.map { keyValue(entry, $0) } ?? entry.values["name"]?.plainText
    let shown = value ?? (key == nil ? profile.fullName : "")
    guard !TextRule.isBlank(shown) else {
      let field = key ?? "name"
      // Whose name is missing is told that already.
      if key != nil || !problems.isReported(entry.place, "first_name") {
        problems.report(
          entry.place, field, "the entry has no \(field), which tells it from others")
      }
      return nil
    }
    return Identity(
      userID: "\(roster)/\(shown)", field: key ?? "name", shown: shown,
      advice: key.map { "; --key \($0) does not tell them apart" }
        ?? "; --key COLUMN names one that tells them apart")
  }

  /// A key is a text, or a number as rosters have them; nil where it is none, which is reported.
  private mutating func keyValue(_ entry: ImportFile.Entry, _ key: String) -> String? {
    switch entry.values[key] {
    case .integer?, .large?: entry.values[key]?.plainText
    case let value?: value.wantedText(of: key, at: entry.place, &problems)
    case nil: nil
    }
  }

  private mutating func check(_ profile: inout Profile, at place: EntryPlace) {
    let (read, violations) = Form.read(profile)
    profile = read
    for violation in violations { problems.report(place, violation.field, violation.description) }
    let rules: [(String, TextRule, String)] = [
      ("user_id", .userID, read.userID), ("first_name", .firstName, read.firstName),
      ("last_name", .lastName, read.lastName), ("company_name", .companyName, read.companyName),
      ("bio", .bio, read.bio),
    ]
    for (field, rule, text) in rules {
      // What is missing is told by what should have brought it.
      let isMissing =
        field == "user_id" && text.isEmpty
        || field == "first_name" && problems.isReported(place, "name")
      if !isMissing, let fault = rule.check(text) { problems.report(place, field, fault) }
    }
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
