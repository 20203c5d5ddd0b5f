import Model
package import ServiceKit
package import Wire

/// `muster.v1.ProfileService`: who people are. Decides what each call does; what there is, its
/// store keeps.
package final class ProfileService: Service {
  package let name = LogName.profiles.text
  package let ownLogs: LogSet = .profiles

  let store: any ProfileStore
  let rules: ProfileRules
  let encoder = Encoder()
  private var random: any RandomNumberGenerator

  /// - Parameters:
  ///   - random: makes ids; a simulator brings its own.
  package init(
    store: any ProfileStore, rules: ProfileRules = ProfileRules(),
    random: any RandomNumberGenerator = SystemRandomNumberGenerator()
  ) {
    self.store = store
    self.rules = rules
    self.random = random
  }

  package var revisions: Revisions { Revisions(profiles: store.lastRevision) }

  package func register(_ handlers: inout Handlers) {
    registerReads(&handlers)
    registerWrites(&handlers)
  }

  package func begin() throws { try store.begin() }
  package func commit() throws { try store.commit() }
  package func rollBack() { store.rollBack() }
  package func takeCommittedChanges() -> [Change] { store.takeCommittedChanges() }
  package func workBehind(at now: Moment) throws -> Bool { try store.compact(at: now) }

  func makeID(_ now: Moment) -> ID {
    ID(milliseconds: now.wallMs, random: (random.next(), random.next()))
  }

  /// The profile that a call is about: the caller's own where it names none, otherwise any that the
  /// caller may change.
  /// - Throws: `NO_IDENTITY`, `NO_PROFILE`, `PROFILE_NOT_FOUND` or `NOT_ALLOWED`; `SQLiteError`.
  func profile(toChange id: ID?, by caller: Caller) throws -> (profile: Profile, id: ID) {
    guard let id else {
      guard let own = try store.profile(ofUser: caller.identified()), let id = own.id else {
        throw Refusal(.noProfile, "You have no profile yet; create one first.")
      }
      return (own, id)
    }
    if !caller.mayActAs(.admin) { _ = try caller.identified() }
    guard let profile = try store.profile(id) else {
      // What does not exist is not the caller's own either.
      try caller.check(mayTouchProfileOf: "", orAs: .admin)
      throw Self.notFound
    }
    try caller.check(mayTouchProfileOf: profile.userID, orAs: .admin)
    return (profile, id)
  }

  static var notFound: Refusal { Refusal(.profileNotFound, "There is no such profile.") }
}
