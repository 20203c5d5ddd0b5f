import Client
import Foundation
import Model
import Terminal
import Wire

/// `me` and `profile`: who people are.
enum ProfileCommands {
  private static let person = Argument(
    "PERSON", optional: true, "The person's id or user; you, where it is left out")

  private static let textOptions = [
    Option("first-name", value: "TEXT", "First name"),
    Option("last-name", value: "TEXT", "Last name; may be empty"),
    Option("company", value: "TEXT", "Company; may be empty"),
    Option("bio", value: "TEXT", "A few words; may be empty"),
  ]

  static let me = Command<Action>(
    "me", "Who you are to Muster, and where",
    details: "Shows your user, your roles, and your profile where you have one.",
    examples: ["muster me", "muster me --as anna -o json"], action: showMe)

  static let table = Command<Action>(
    "profile", "People: who they are",
    subcommands: [
      Command(
        "create", "Make a profile: yours, or somebody's",
        details: "The name may be given in one piece: its last word is the last name.",
        arguments: [Argument("NAME", optional: true, "The whole name, instead of the two options")],
        options: textOptions + [
          Option("user", value: "USER", "For this user instead of you")
        ],
        examples: [
          "muster profile create \"Ada Lovelace\" --company Babbage",
          "muster profile create --user anna --first-name Anna",
        ], action: create),
      Command(
        "get", "Show a profile", arguments: [person], options: [CommonOptions.person], action: get),
      Command(
        "list", "List the people, by last name", options: [CommonOptions.all, CommonOptions.limit],
        examples: ["muster profile list --all -o csv"], action: list),
      Command(
        "update", "Change a profile; what is not named stays", arguments: [person],
        options: textOptions + [CommonOptions.person, CommonOptions.revision],
        examples: [
          "muster profile update --bio \"At gate 4\"", "muster profile update --company \"\"",
        ],
        action: update),
      Command(
        "delete", "Delete a profile, and check the person out", arguments: [person],
        options: [CommonOptions.person, CommonOptions.yes, CommonOptions.revision], action: delete),
      Command(
        "avatar", "Set, save or remove a picture", details: "PNG, JPEG or WebP, at most 512 KiB.",
        arguments: [Argument("FILE", optional: true, file: true, "The picture to set")],
        options: [
          CommonOptions.person, Option("save", value: "FILE", "Write the picture to this file"),
          Option("remove", "Take the picture away"),
        ],
        examples: ["muster profile avatar me.jpg", "muster profile avatar --save copy.jpg"],
        action: avatar),
      ImportCommands.profileImport, ImportCommands.profileExport,
    ])

  private static let showMe: Action = { session, _ in
    let me = try session.call(GetMeRequest())
    var columns = [
      Column("user_id", "USER"), Column("roles"),
      Column("name") { row in Columns.profile[0].value(row["profile"] ?? .null) },
    ]
    for (key, title) in [("company_name", "COMPANY"), ("bio", nil), ("id", "PROFILE ID")] {
      columns.append(Column(key, title, path: "profile.\(key)"))
    }
    if session.isForPeople, let id = me.profile?.id {
      let status = try session.call(GetStatusRequest(profileID: id)).status ?? CheckInStatus()
      let place = try session.whereabouts(status)
      columns.append(Column("where", cuttable: true) { _ in .text(place) })
    }
    try session.show(one: Wire.json(me), columns, me)
    if me.profile == nil {
      session.note(
        "You have no profile yet: make one with 'muster profile create NAME'")
    }
  }

  private static let create: Action = { session, typed in
    try session.checkFields(of: Columns.profile)
    guard typed.option("user") != "" else {
      throw UsageError("--user is empty", hint: "leave it out where the profile is yours")
    }
    var profile = Profile(userID: typed.option("user") ?? "")
    if let name = typed.argument("NAME") {
      if typed.option("first-name") != nil || typed.option("last-name") != nil {
        throw UsageError("give NAME, or --first-name and --last-name")
      }
      (profile.firstName, profile.lastName) = PersonName.split(name)
    }
    _ = apply(typed, to: &profile)
    guard !TextRule.isBlank(profile.firstName) else {
      throw UsageError("a profile needs a name", hint: "say NAME, or --first-name TEXT")
    }
    do {
      let made = try session.call(CreateProfileRequest(profile: profile))
      try show(session, made.profile, made)
    } catch let error as CallError where error.reason == .profileExists {
      guard let there = error.details(CreateProfileResponse.self)?.profile else { throw error }
      var failure = Failure(error)
      failure.message =
        "there is a profile already: \(there.fullName), \(there.id?.description ?? "")"
      failure.hint = "change it with 'muster profile update', or name another user with --user"
      throw failure
    }
  }

  private static let get: Action = { session, typed in
    guard let person = try session.person(in: typed) else {
      let profile = try session.ownProfile()
      return try show(session, profile, GetProfileResponse(profile: profile))
    }
    try show(session, person, GetProfileResponse(profile: person))
  }

  private static let list: Action = { session, typed in
    let pages = try session.pages(ListLimit(typed)) { size, token in
      ListProfilesRequest(pageSize: size, pageToken: token)
    } more: {
      ($0.profiles.count, $0.nextPageToken)
    }
    var whole = pages.responses.last ?? ListProfilesResponse()
    whole.profiles = pages.responses.flatMap(\.profiles)
    try session.show(whole.profiles.map { Wire.json($0) }, Columns.profile, whole)
    if whole.profiles.isEmpty {
      session.note(
        "Nobody has a profile yet: 'muster profile create NAME', or 'muster profile import FILE'")
    }
    session.noteMore(pages.isComplete, shown: whole.profiles.count)
  }

  private static let update: Action = { session, typed in
    try session.checkFields(of: Columns.profile)
    var profile = Profile()
    let mask = apply(typed, to: &profile)
    guard !mask.isEmpty else {
      throw UsageError(
        "nothing to change", hint: "say --first-name, --last-name, --company or --bio")
    }
    profile.id = try session.person(in: typed)?.id
    let request = UpdateProfileRequest(
      profile: profile, updateMask: mask, expectedRevision: try typed.revision())
    let changed = try session.call(request)
    try show(session, changed.profile, changed)
  }

  private static let delete: Action = { session, typed in
    let profile = try session.person(in: typed) ?? session.ownProfile()
    try session.confirm("Delete the profile of \(profile.fullName) (\(profile.userID))?", typed)
    let request = DeleteProfileRequest(id: profile.id, expectedRevision: try typed.revision())
    let response = try session.call(request)
    if session.isForPeople {
      session.say("The profile of \(profile.fullName) (\(profile.userID)) is deleted.")
    } else {
      try session.show(one: Wire.json(response), [], response)
    }
  }

  private static let avatar: Action = { session, typed in
    try session.checkFields(of: Columns.profile)
    let file = typed.argument("FILE")
    let save = typed.option("save")
    guard [file != nil, save != nil, typed.flag("remove")].filter({ $0 }).count == 1 else {
      throw UsageError("give a FILE to set, --save FILE or --remove")
    }
    if let save {
      let profile = try session.person(in: typed) ?? session.ownProfile()
      guard !profile.avatarID.isEmpty else {
        throw Failure(.notFound, "\(profile.fullName) has no picture")
      }
      let found = try session.call(GetAvatarRequest(avatarID: profile.avatarID))
      return try Files.write(found.image, to: save, session)
    }
    let image = try file.map { try Files.image($0) } ?? []
    let request = SetAvatarRequest(profileID: try session.person(in: typed)?.id, image: image)
    let changed = try session.call(request)
    try show(session, changed.profile, changed)
  }

  private static func show<M: Message>(
    _ session: Session, _ profile: Profile?, _ response: M
  ) throws {
    guard let profile else { throw Failure(.serverError, "the answer has no profile in it") }
    try session.show(one: Wire.json(profile), Columns.profile, response)
  }

  /// Takes the texts that were typed; gives their names for an update mask.
  private static func apply(_ typed: Invocation, to profile: inout Profile) -> [String] {
    let fields: [(String, String, WritableKeyPath<Profile, String>)] = [
      ("first-name", "first_name", \.firstName), ("last-name", "last_name", \.lastName),
      ("company", "company_name", \.companyName), ("bio", "bio", \.bio),
    ]
    return fields.compactMap { option, field, path in
      guard let text = typed.option(option) else { return nil }
      profile[keyPath: path] = text
      return field
    }
  }
}

extension Session {
  /// The caller's own profile; NO_PROFILE where there is none.
  func ownProfile() throws -> Profile {
    let me = try call(GetMeRequest())
    guard let profile = me.profile else {
      throw CallError(Status(.noProfile, "The user \(me.userID) has no profile."))
    }
    return profile
  }
}

/// A name in one piece, as rosters have it (rule G6).
enum PersonName {
  /// All but the last word, and the last; one word is the first name.
  static func split(_ name: String) -> (first: String, last: String) {
    let words = name.split(whereSeparator: \.isWhitespace)
    guard words.count > 1, let last = words.last else { return (words.joined(), "") }
    return (words.dropLast().joined(separator: " "), String(last))
  }
}
