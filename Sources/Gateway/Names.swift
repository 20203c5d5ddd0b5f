import Model
import ServiceKit
import Wire

/// What of profiles a list of people shows: a bounded cache, filled as lists need it and kept right
/// by the profile log.
struct Names {
  /// One profile, as far as lists show it.
  struct Entry {
    var firstName: String
    var lastName: String
    var companyName: String
    var avatarID: [UInt8]
    var revision: UInt64
  }

  private var entries: GenerationalCache<ID, Entry>
  /// Profiles that changed while an answer about profiles was under way: it may be older.
  private var changed: [ID: UInt64] = [:]
  private var questionsUnderWay = 0

  init(size: Int = 400_000) { entries = GenerationalCache(size: size) }

  var count: Int { entries.count }

  mutating func entry(_ id: ID) -> Entry? { entries.value(for: id) }

  /// A question to the profile service begins.
  mutating func beganToAsk() { questionsUnderWay += 1 }

  /// Its answer is there, or none will come.
  mutating func answered(_ profiles: [Profile]) {
    for profile in profiles {
      guard let id = profile.id, changed[id, default: 0] <= profile.revision else { continue }
      _ = entries.set(Entry(profile), for: id)
    }
    questionsUnderWay -= 1
    if questionsUnderWay == 0 { changed = [:] }
  }

  /// The profile log tells of a change.
  mutating func changed(_ profile: Profile, revision: UInt64) {
    guard let id = profile.id else { return }
    note(id, revision)
    if entries.peek(id) != nil { _ = entries.set(Entry(profile), for: id) }
  }

  mutating func deleted(_ id: ID, revision: UInt64) {
    note(id, revision)
    entries.remove(id)
  }

  private mutating func note(_ id: ID, _ revision: UInt64) {
    if questionsUnderWay > 0 { changed[id] = revision }
  }

  /// The profile log begins anew, and what changed meanwhile is not told.
  mutating func removeAll() { entries.removeAll() }
}

extension Names.Entry {
  init(_ profile: Profile) {
    firstName = profile.firstName
    lastName = profile.lastName
    companyName = profile.companyName
    avatarID = profile.avatarID
    revision = profile.revision
  }
}
