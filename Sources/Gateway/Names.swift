import Model
import ServiceKit
import Wire

/// What of profiles a list of people shows: a bounded cache, filled as lists need it and kept right
/// by the profile log.
struct Names {
  /// One profile, as far as lists show it.
  struct Entry {
    /// The `Person` that lists show, encoded, but for what depends on when and where.
    var person: [UInt8]
    var revision: UInt64
  }

  private let encoder = Encoder()
  private let decoder = Decoder()

  private var entries: GenerationalCache<ID, Entry>
  /// Profiles that changed while an answer about profiles was under way: it may be older.
  private var changed: [ID: UInt64] = [:]
  private var questionsUnderWay = 0
  /// Grows when the log begins anew.
  private var epoch = 0

  /// An answer that is under way.
  struct Question {
    fileprivate var epoch: Int
  }

  init(size: Int = 400_000) { entries = GenerationalCache(size: size) }

  var count: Int { entries.count }

  mutating func entry(_ id: ID) -> Entry? { entries.value(for: id) }

  /// What an entry shows of its profile.
  func person(_ entry: Entry) -> Person {
    var violations: [FieldViolation] = []
    return entry.person.withUnsafeBytes { bytes in
      do {
        return try decoder.decode(Person.self, from: bytes, violations: &violations)
      } catch {
        preconditionFailure("what was encoded here is no person: \(error)")
      }
    }
  }

  /// A question to the profile service begins.
  mutating func beganToAsk() -> Question {
    questionsUnderWay += 1
    return Question(epoch: epoch)
  }

  /// Its answer is there, or none will come.
  /// - Returns: false where the log has begun anew meanwhile: what changed in between nobody has
  ///   told, and so the answer is good for nothing.
  mutating func answered(_ profiles: [Profile], to question: Question) -> Bool {
    defer {
      questionsUnderWay -= 1
      if questionsUnderWay == 0 { changed = [:] }
    }
    guard question.epoch == epoch else { return false }
    for profile in profiles {
      guard let id = profile.id, changed[id, default: 0] <= profile.revision else { continue }
      put(profile, id)
    }
    return true
  }

  /// The newest that is known of a profile stays: answers and the log overtake each other.
  private mutating func put(_ profile: Profile, _ id: ID) {
    if let known = entries.peek(id), known.revision > profile.revision { return }
    let person = Person(
      profileID: id, firstName: profile.firstName, lastName: profile.lastName,
      companyName: profile.companyName, avatarID: profile.avatarID)
    _ = entries.set(
      Entry(person: encoder.bytes(person), revision: profile.revision), for: id)
  }

  /// The profile log tells of a change.
  /// - Parameter isShown: somebody is about to be told of it.
  mutating func changed(_ profile: Profile, revision: UInt64, isShown: Bool = false) {
    guard let id = profile.id else { return }
    note(id, revision)
    // What is asked for right now may be about to come in an older state.
    if isShown || questionsUnderWay > 0 || entries.peek(id) != nil { put(profile, id) }
  }

  mutating func deleted(_ id: ID, revision: UInt64) {
    note(id, revision)
    entries.remove(id)
  }

  private mutating func note(_ id: ID, _ revision: UInt64) {
    if questionsUnderWay > 0 { changed[id] = revision }
  }

  /// The profile log begins anew, and what changed meanwhile is not told.
  mutating func removeAll() {
    entries.removeAll()
    epoch += 1
  }
}
