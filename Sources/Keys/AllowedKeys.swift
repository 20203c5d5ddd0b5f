import Model
package import Wire
package import ZeroMQ

/// One line of a list of allowed keys: who comes with a key, and what they may.
package struct AllowedKey: Equatable, Sendable {
  package var key: PublicKey
  /// The user; of a peer, what it is called.
  package var user: String
  /// What they may do; empty for a peer.
  package var roles: Roles
  /// The last day on which it is valid; nil: it stays valid.
  package var lastDay: Day?
  package var comment: String

  package init(
    key: PublicKey, user: String, roles: Roles, lastDay: Day? = nil, comment: String = ""
  ) {
    self.key = key
    self.user = user
    self.roles = roles
    self.lastDay = lastDay
    self.comment = comment
  }

  /// Another process of Muster. It says for whom it calls, and is believed, so it is let in where
  /// services listen and nowhere else.
  package var isPeer: Bool { roles.isEmpty }

  /// When it ends, in milliseconds since 1970; nil: never.
  var endMs: Int64? { lastDay?.endMs }

  /// As the list has it.
  package var line: String {
    var line = "\(key) \(user) "
    line += isPeer ? AllowedKeys.peerRole : roles.names.joined(separator: ",")
    if let lastDay { line += " \(lastDay)" }
    if !comment.isEmpty { line += " # \(comment)" }
    return line
  }
}

/// Who may connect: a list that people edit, in the spirit of ssh's authorized_keys. A line is
///
///     KEY USER ROLE[,ROLE…] [LAST-DAY] [# COMMENT]
///
/// with white space between; empty lines and those that begin with `#` are passed over. It is read
/// whole or not at all.
package struct AllowedKeys: Equatable, Sendable {
  package private(set) var entries: [AllowedKey] = []
  private var byKey: [PublicKey: Int] = [:]

  /// The role of other processes of Muster; it stands alone.
  package static let peerRole = "peer"
  /// Lines that a list has at most.
  package static let mostLines = 100_000

  /// Nobody.
  package init() {}

  /// - Parameter file: how problems name it.
  /// - Throws: what is wrong, with its line.
  package init(_ bytes: [UInt8], file: String) throws(KeyFileError) {
    guard let text = String(validating: bytes, as: UTF8.self) else {
      throw KeyFileError("\(file): is not UTF-8 text")
    }
    var lines: [PublicKey: Int] = [:]
    for (index, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated()
    {
      let number = index + 1
      guard number <= Self.mostLines else {
        throw KeyFileError("\(file): has more than \(Self.mostLines) lines")
      }
      do throws(LineProblem) {
        guard let entry = try Self.entry(line) else { continue }
        if let first = lines[entry.key] { throw LineProblem("has the key of line \(first)") }
        lines[entry.key] = number
        add(entry)
      } catch {
        throw KeyFileError("\(file):\(number): \(error.text)")
      }
    }
  }

  private mutating func add(_ entry: AllowedKey) {
    byKey[entry.key] = entries.count
    entries.append(entry)
  }

  /// Whose key this is at a time, in milliseconds since 1970; nil: nobody's.
  package func find(_ key: PublicKey, atMs timeMs: Int64) -> AllowedKey? {
    guard let index = byKey[key] else { return nil }
    if let endMs = entries[index].endMs, endMs <= timeMs { return nil }
    return entries[index]
  }

  /// Those whom a gateway lets in, or those whom a service does.
  package func only(peers: Bool) -> AllowedKeys {
    var list = AllowedKeys()
    for entry in entries where entry.isPeer == peers { list.add(entry) }
    return list
  }

  /// The keys that are valid at a time.
  package func valid(atMs timeMs: Int64) -> Set<PublicKey> {
    Set(entries.lazy.filter { $0.endMs.map { timeMs < $0 } ?? true }.map(\.key))
  }

  /// When the next key ends after a time; nil: none does.
  package func nextEndMs(afterMs timeMs: Int64) -> Int64? {
    entries.lazy.compactMap(\.endMs).filter { $0 > timeMs }.min()
  }
}

// MARK: - A line

extension AllowedKeys {
  /// Nil: a line without a key.
  static func entry(_ line: Substring) throws(LineProblem) -> AllowedKey? {
    let line = line.hasSuffix("\r") ? line.dropLast() : line
    let words = line.split { $0 == " " || $0 == "\t" }
    guard let first = words.first, !first.hasPrefix("#") else { return nil }
    guard let key = PublicKey(text: String(first)) else {
      throw LineProblem("does not begin with a public key, 40 characters of Z85")
    }
    guard words.count >= 3 else {
      throw LineProblem("is not KEY USER ROLES [LAST-DAY] [# COMMENT]")
    }
    let user = try user(words[1])
    let roles = try roles(words[2])
    var rest = words[3...]
    var lastDay: Day?
    if let word = rest.first, !word.hasPrefix("#") {
      guard let day = Day(String(word)) else {
        throw LineProblem("has '\(Text.shown(String(word)))' where a day stands, as 2027-12-31")
      }
      lastDay = day
      rest = rest.dropFirst()
    }
    if let word = rest.first, !word.hasPrefix("#") {
      throw LineProblem("goes on after the day; a comment begins with #")
    }
    let comment = rest.joined(separator: " ").drop { $0 == "#" || $0 == " " }
    return AllowedKey(
      key: key, user: user, roles: roles, lastDay: lastDay, comment: Text.shown(String(comment)))
  }

  /// A user as a list can have it.
  package static func user(_ word: Substring) throws(LineProblem) -> String {
    guard let user = Text.asOnWire(String(word)) else {
      throw LineProblem("has control characters in its user")
    }
    if let fault = TextRule.userID.check(user) { throw LineProblem(fault) }
    guard !user.isEmpty, !user.contains(where: \.isWhitespace), !user.hasPrefix("#") else {
      throw LineProblem("has a user that is empty, has white space, or begins with #")
    }
    return user
  }

  /// Roles with commas between; empty: a peer.
  package static func roles(_ word: Substring) throws(LineProblem) -> Roles {
    if word == peerRole { return [] }
    var roles: Roles = []
    for name in word.split(separator: ",", omittingEmptySubsequences: false) {
      guard let role = Roles(name: String(name)) else {
        let known = Roles.all.names.joined(separator: ", ")
        throw LineProblem(
          name == peerRole
            ? "has \(peerRole) beside other roles; it stands alone"
            : "has a role '\(Text.shown(String(name)))'; there are \(known), and \(peerRole)")
      }
      roles.formUnion(role)
    }
    return roles
  }
}

/// What is wrong with one line.
package struct LineProblem: Error, Equatable {
  package let text: String
  package init(_ text: String) { self.text = text }
}
