import Foundation
import Keys
import Model
import Terminal
import Wire
import ZeroMQ

/// `key`: whose keys there are, and who may connect with them.
enum KeyCommands {
  private static let file = Argument("FILE", file: true, "The file of the secret key")
  private static let list = Option(
    "file", value: "FILE", "The list of allowed keys; \(defaultList) by default")
  private static let defaultList = "/etc/muster/allowed-keys"

  static let table = Command<Action>(
    "key", "Keys of people, displays and programs, and who may connect with them",
    details: "By TCP nobody is let in without a key. Who is to connect makes one, keeps the file, "
      + "and shows the public half to whoever runs Muster, who allows it. A gateway reads its list "
      + "again within two seconds; a key that is taken away ends at its next call, and its watches "
      + "with it.",
    subcommands: [
      Command(
        "new", "Make a secret key, and show its public half",
        details: "The file is for its owner alone. Programs refuse one that others can read.",
        arguments: [file], examples: ["muster key new ~/.config/muster/ada.key"], action: make),
      Command(
        "show", "Show the public half of a secret key", arguments: [file],
        examples: ["muster key show ~/.config/muster/ada.key"], action: show),
      Command(
        "allow", "Let whoever has a key connect, or change what it may",
        arguments: [Argument("PUBLIC-KEY", "40 characters; quote them for the shell")],
        options: [
          list, Option("user", value: "USER", "Whose key it is"),
          Option(
            "roles", value: "A,B", "What it may: \(Roles.all.names.joined(separator: ", "))"),
          Option(
            "peer", value: "NAME",
            "It is another program of Muster, as a gateway is to a service, and is called so"),
          Option("until", value: "DAY", "The last day on which it is valid, as 2027-12-31, in UTC"),
          Option("comment", value: "TEXT", "What else there is to say"),
        ],
        examples: [
          "muster key allow '8co0WrCVzJxFb.FJ6Gx/?2-kC)#ju/:#?MHHfx%j' --user ada --roles user"
        ], action: allow),
      Command(
        "revoke", "Take a key away",
        arguments: [Argument("WHOSE", "A public key, or a user: all keys of that user")],
        options: [list], examples: ["muster key revoke ada"], action: revoke),
    ])

  private static let make: Action = { session, typed in
    let path = typed.argument("FILE") ?? ""
    let pair = try SecretKeyFile.make(path)
    try say(pair.publicKey, path, session)
    session.note("The secret key is in \(path). Whoever has that file is you.")
  }

  private static let show: Action = { session, typed in
    let path = typed.argument("FILE") ?? ""
    try say(try SecretKeyFile.read(path).publicKey, path, session)
  }

  private static func say(_ key: PublicKey, _ path: String, _ session: Session) throws {
    if session.isForPeople { return session.say("\(key)") }
    try session.show(
      [.object([.init("public_key", .text("\(key)")), .init("file", .text(path))])],
      [Column("public_key"), Column("file")])
  }

  private static let allow: Action = { session, typed in
    let entry = try entry(typed)
    var before: String?
    try edit(typed) { lines in
      let old = lines.firstIndex { key(in: $0) == entry.key }
      before = old.map { lines[$0] }
      if let old { lines[old] = entry.line } else { lines.append(entry.line) }
    }
    let may = entry.isPeer ? "is \(entry.user), another program of Muster" : "is \(entry.user)"
    let roles = entry.isPeer ? "" : " as \(entry.roles.names.joined(separator: ", "))"
    session.note("\(entry.key) \(may)\(roles).")
    if let before {
      session.note(
        before == entry.line ? "It was that already." : "Its line until now is replaced: \(before)")
    }
    if entry.isPeer, let meant = meant(entry.user) {
      session.note(
        "'\(entry.user)' is a name that nothing here has, which does no harm. Where it should be "
          + "'\(meant)', say it again with --peer \(meant).")
    }
  }

  /// What somebody most likely meant who calls a peer so; nil: what was said. Names of peers are
  /// free: there may be a gateway-2.
  private static func meant(_ peer: String) -> String? {
    let callers = ["gateway", "check-ins"]
    guard !callers.contains(where: peer.hasPrefix) else { return nil }
    return Suggestion.nearest(to: peer, among: callers, limit: 1).first
  }

  private static let revoke: Action = { session, typed in
    let whose = typed.argument("WHOSE") ?? ""
    var count = 0
    try edit(typed) { lines in
      let before = lines.count
      lines.removeAll { line in
        guard let entry = entry(in: line) else { return false }
        return entry.user == whose || "\(entry.key)" == whose
      }
      count = before - lines.count
      guard count > 0 else {
        throw Failure(.notFound, "no key of '\(whose)' is in \(path(typed))")
      }
    }
    session.note(count == 1 ? "The key is taken away." : "\(count) keys are taken away.")
  }

  private static func entry(_ typed: Invocation) throws -> AllowedKey {
    guard let key = PublicKey(text: typed.argument("PUBLIC-KEY") ?? "") else {
      throw UsageError(
        "'\(typed.argument("PUBLIC-KEY") ?? "")' is no public key, which is 40 characters of Z85",
        hint: "'muster key show FILE' shows it; quote it for the shell")
    }
    guard !key.description.hasPrefix("#") else {
      throw UsageError(
        "in a list, a key that begins with # would be a comment", hint: "make another one")
    }
    let peer = typed.option("peer")
    guard let user = peer ?? typed.option("user"), (peer == nil) == (typed.option("roles") != nil),
      peer == nil || typed.option("user") == nil
    else {
      throw UsageError(
        "a key is for a user with roles, or for a program",
        hint: "say --user and --roles, or --peer")
    }
    var lastDay: Day?
    if let text = typed.option("until") {
      guard let day = Day(text) else {
        throw UsageError("--until is '\(text)', and has to be a day, as 2027-12-31")
      }
      guard day.endMs > Int64(Date().timeIntervalSince1970 * 1_000) else {
        throw UsageError("--until is '\(text)', which is over")
      }
      lastDay = day
    }
    let comment = typed.option("comment") ?? ""
    guard Text.asOnWire(comment) != nil else {
      throw UsageError("--comment has control characters in it")
    }
    do throws(LineProblem) {
      return AllowedKey(
        key: key, user: try AllowedKeys.user(Substring(user)),
        roles: try peer == nil ? AllowedKeys.roles(Substring(typed.option("roles") ?? "")) : [],
        lastDay: lastDay, comment: comment)
    } catch { throw UsageError("the line \(error.text)") }
  }
}

// MARK: - The list

extension KeyCommands {
  private static func path(_ typed: Invocation) -> String { typed.option("file") ?? defaultList }

  /// Changes lines of the list and leaves all others as they are. Nobody else changes it meanwhile.
  private static func edit(_ typed: Invocation, _ change: (inout [String]) throws -> Void) throws {
    let path = path(typed)
    let folder = URL(filePath: path).deletingLastPathComponent().path(percentEncoded: false)
    let lock = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard lock >= 0, flock(lock, LOCK_EX) == 0 else {
      throw Failure(.usage, "cannot change \(path): \(folder): \(Failure.reason(POSIXError.now))")
    }
    defer { close(lock) }
    let old = try TextFile.read(path) ?? "# KEY USER ROLES [LAST-DAY] [# COMMENT]\n"
    // What is wrong already would be noticed only when it is too late.
    _ = try AllowedKeys(Array(old.utf8), file: path)
    var lines = old.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    if lines.last?.isEmpty == true { lines.removeLast() }
    try change(&lines)
    let new = lines.map { $0 + "\n" }.joined()
    _ = try AllowedKeys(Array(new.utf8), file: path)
    try TextFile.write(new, to: path, forAll: true)
  }

  private static func entry(in line: String) -> AllowedKey? {
    // The list has been read, so that no line of it is wrong.
    (try? AllowedKeys(Array(line.utf8), file: ""))?.entries.first
  }

  private static func key(in line: String) -> PublicKey? { entry(in: line)?.key }
}
