package import Model
package import Wire

/// Who makes a call.
package struct Caller: Sendable {
  /// Empty: not known.
  package var user: String
  package var roles: Roles

  /// The user, for calls that need to know who calls.
  /// - Throws: `UNAUTHENTICATED / NO_IDENTITY`.
  package func identified() throws(Refusal) -> String {
    guard !user.isEmpty else {
      throw Refusal(.noIdentity, "This call needs to know its user; set acting_user.")
    }
    return user
  }

  /// Whether the caller has one of these roles.
  package func mayActAs(_ allowed: Roles) -> Bool { !roles.isDisjoint(with: allowed) }

  /// For what concerns the profile of `owner`: one's own is allowed to whoever may make the call
  /// at all, anybody else's to `others` only.
  /// - Throws: `PERMISSION_DENIED / NOT_ALLOWED`; `NO_IDENTITY`, where it cannot be known whether
  ///   it is the caller's own.
  package func check(mayTouchProfileOf owner: String, orAs others: Roles) throws(Refusal) {
    if !user.isEmpty && user == owner { return }
    guard mayActAs(others) else {
      _ = try identified()
      throw Refusal(.notAllowed, "Only \(others.sentence) may do this for somebody else.")
    }
  }
}

/// What a handler knows of its call, and what it says of its response besides the body.
package struct CallContext {
  package let caller: Caller
  package let now: Moment
  package let method: Method
  /// The logs whose owners have been asked since the call came: an id of theirs that is not known
  /// here does not exist.
  package let confirmed: LogSet
  /// The logs whose owners could not be asked: whether an id of theirs exists cannot be known now.
  package let unreachable: LogSet
  /// How many are at the place that the call would delete, 0 where that is no place; nil: the
  /// check-in service has not been asked yet.
  package let occupants: UInt32?
  /// The state that the response shows. Preset: how far the logs had come that the method reads,
  /// after the handler has run.
  package var asOf: Revisions?
  /// The profiles that the stored response of a write tells of: their deletion erases it.
  package var tellsOf: [ID] = []
  /// The stored response is found without the table of stored responses: the service keeps the
  /// key in its own log.
  package var isKeptInLog = false
  /// The write's key, as the service may keep it; nil: none given.
  package var key: WriteKey?

  /// Whether the owner of a log has not been asked yet.
  package func canAsk(_ log: LogName) -> Bool {
    !confirmed.contains(log) && !unreachable.contains(log)
  }
}

/// An idempotency key with what it was used for, as fingerprints: what is stored tells nobody.
package struct WriteKey: Hashable, Sendable {
  /// Of the user and the key.
  package var key: ID
  /// Of the method and the body.
  package var request: UInt64

  package init(key: ID, request: UInt64) {
    self.key = key
    self.request = request
  }
}

/// Thrown by a handler that does not know an id: the owner of `log` is asked, and the handler runs
/// again with `log` in `confirmed`. Where the owner cannot be asked, the call ends with
/// `UNAVAILABLE / SERVICE_UNREACHABLE`.
package struct CatchUp: Error {
  package let log: LogName
  package init(_ log: LogName) { self.log = log }
}

/// Thrown by a handler before it deletes: the check-in service is asked, and the handler runs again
/// with `occupants`. Where it cannot be asked, the call ends with
/// `UNAVAILABLE / SERVICE_UNREACHABLE`: lists would go on to show what was deleted.
package struct AskOccupants: Error {
  package let location: ID?
  /// - Parameter location: the place that is to be deleted; nil: it is a profile.
  package init(of location: ID?) { self.location = location }
}
