package import Model
package import SQLite
package import ServiceKit
package import Wire

/// What the profile service keeps: everybody's profile, the avatars, and the log of all changes.
///
/// Every change goes into the log and into the state together, inside a batch; what it makes of the
/// profile (revision, times) comes back. Each function throws what the disk says.
package protocol ProfileStore: ChangeLogReading {
  /// Opens a batch.
  func begin() throws(SQLiteError)
  /// Makes the batch durable, or leaves nothing of it.
  func commit() throws(SQLiteError)
  /// Forgets the batch.
  func rollBack()
  /// What the last batch has appended to the log, oldest first.
  func takeCommittedChanges() -> [Change]
  /// Removes what is old in the log, a little at a time. True: there is more to do.
  func compact(at now: Moment) throws(SQLiteError) -> Bool

  /// The profile with this id.
  func profile(_ id: ID) throws(SQLiteError) -> Profile?
  /// The profile of this user.
  func profile(ofUser user: String) throws(SQLiteError) -> Profile?
  /// Gives everybody who comes after `position`, by last name, first name and id, to `visit` until
  /// that says false. nil: from the beginning.
  func visitProfiles(
    after position: ListPosition?, _ visit: (Profile) -> Bool) throws(SQLiteError)
  /// An avatar and its media type; nil: nobody has it.
  func avatar(_ hash: [UInt8]) throws(SQLiteError) -> GetAvatarResponse?

  /// Adds a profile of a user who has none.
  func add(_ profile: Profile, at now: Moment) throws(SQLiteError) -> Profile
  /// Replaces the texts of a profile that is there.
  func change(_ profile: Profile, at now: Moment) throws(SQLiteError) -> Profile
  /// Gives a profile an avatar, or none where `image` is empty. Where it has that already, nothing
  /// changes.
  func setAvatar(
    of profile: Profile, to image: [UInt8], at now: Moment
  ) throws(SQLiteError) -> Profile
  /// Removes a profile and everything that tells who it was: from the log, the stored responses and
  /// the images too.
  func remove(_ profile: Profile, at now: Moment) throws(SQLiteError)
}

/// Where a profile stands in the list of all.
package struct ListPosition: Equatable, Sendable {
  package var lastName: String
  package var firstName: String
  package var id: ID

  /// For the profile with this id.
  package init(_ profile: Profile, _ id: ID) {
    lastName = profile.lastName
    firstName = profile.firstName
    self.id = id
  }

  /// As a page token holds it. Throws `PAGE_TOKEN_INVALID`.
  init(_ bytes: [UInt8]) throws(Refusal) {
    var reader = PositionReader(bytes)
    lastName = try reader.text()
    firstName = try reader.text()
    id = try reader.id()
    try reader.end()
  }

  /// For a page token.
  var bytes: [UInt8] {
    var writer = PositionWriter()
    writer.write(lastName)
    writer.write(firstName)
    writer.write(id)
    return writer.bytes
  }
}
