package import Model
package import SQLite
package import ServiceKit
package import Wire

/// Profiles in SQLite. Nothing of them is held in memory, so neither start nor size depends on how
/// many there are.
package final class SQLiteProfileStore: ProfileStore {
  /// The responses that are given again, for the core.
  package let keptResponses: KeptResponses
  /// What fingerprints of idempotency keys are made with.
  package let secret: [UInt8]

  let changeLog: ChangeLog
  private let database: Database
  private let images: ImageStore
  let statements: Statements
  private let historyMs: Int64
  /// A batch could not be undone; that has to be made up for before the next one.
  private var isHalfUndone = false

  /// Opens or makes the tables.
  /// - Parameters:
  ///   - historyMs: how far back the log tells single changes.
  ///   - random: makes the secret of a new database.
  package init(
    _ database: Database, historyMs: Int64, random: any RandomNumberGenerator
  ) throws {
    var random = random
    try database.migrate(
      applicationID: ProfileSchema.applicationID,
      ProfileSchema.migrations(secret: Fingerprint.makeSecret(using: &random)))
    self.database = database
    self.historyMs = historyMs
    statements = try Statements(database)
    changeLog = try ChangeLog(database, .profiles)
    keptResponses = try KeptResponses(database)
    images = try ImageStore(database)
    secret = try database.prepare("SELECT secret FROM meta").first { $0.blob(0) } ?? []
  }

  /// For the first start on a file that comes from a backup: its log goes on above every number
  /// that it can have given out since.
  /// - Throws: `RestoreRefusal`, or `SQLiteError`.
  package func restore(now: Moment) throws {
    try begin()
    do {
      _ = try changeLog.restore(now: now)
    } catch {
      rollBack()
      throw error
    }
    try commit()
  }

  // MARK: - Batches

  package func begin() throws(SQLiteError) {
    if isHalfUndone { try undo() }
    try database.begin()
  }

  package func commit() throws(SQLiteError) { try database.commit() }

  package func rollBack() {
    do {
      try undo()
    } catch {
      isHalfUndone = true
    }
  }

  private func undo() throws(SQLiteError) {
    try database.rollback()
    try changeLog.rolledBack()
    isHalfUndone = false
  }

  package func takeCommittedChanges() -> [Change] { changeLog.takeAppended() }

  package func compact(at now: Moment) throws(SQLiteError) -> Bool {
    try changeLog.compact(olderThanMs: now.wallMs - historyMs, limit: 500)
  }

  // MARK: - Reading

  package func profile(_ id: ID) throws(SQLiteError) -> Profile? {
    try statements.byID.first(id, row: Profile.init)
  }

  package func profile(ofUser user: String) throws(SQLiteError) -> Profile? {
    try statements.byUser.first(user, row: Profile.init)
  }

  package func visitProfiles(
    after position: ListPosition?, _ visit: (Profile) -> Bool
  ) throws(SQLiteError) {
    // No id is before the 16 bytes of any.
    try statements.byName.forEach(
      position?.lastName ?? "", position?.firstName ?? "", position?.id.bytes ?? []
    ) { row in visit(Profile(row)) }
  }

  package func avatar(_ hash: [UInt8]) throws(SQLiteError) -> GetAvatarResponse? {
    try images.find(hash).map { GetAvatarResponse(image: $0.bytes, mediaType: $0.type.mediaType) }
  }

  // MARK: - Writing

  package func add(_ profile: Profile, at now: Moment) throws(SQLiteError) -> Profile {
    var added = profile
    added.createTimeMs = changeLog.nextTimeMs(now)
    try log(&added, now)
    try statements.insert.run(
      added.id, added.userID, added.firstName, added.lastName, added.companyName, added.bio,
      added.avatarID, added.createTimeMs, added.updateTimeMs, added.revision)
    return added
  }

  package func change(_ profile: Profile, at now: Moment) throws(SQLiteError) -> Profile {
    var changed = profile
    try log(&changed, now)
    try statements.update.run(
      changed.firstName, changed.lastName, changed.companyName, changed.bio, changed.avatarID,
      changed.updateTimeMs, changed.revision, changed.id)
    precondition(database.changes == 1, "only a profile that is there is changed")
    return changed
  }

  package func setAvatar(
    of profile: Profile, to image: [UInt8], at now: Moment
  ) throws(SQLiteError) -> Profile {
    var changed = profile
    changed.avatarID = try images.replace(profile.avatarID, with: image)
    return changed == profile ? profile : try change(changed, at: now)
  }

  package func remove(_ profile: Profile, at now: Moment) throws(SQLiteError) {
    let id = Self.id(of: profile)
    try statements.delete.run(id)
    precondition(database.changes == 1, "only a profile that is there is removed")
    try images.remove(profile.avatarID)
    try keptResponses.erase(id)
    try changeLog.erase(id)
    try changeLog.append(.profileDeleted(id), entity: id, timeMs: changeLog.nextTimeMs(now))
  }

  /// Appends what a profile has become, and tells it when and by which change.
  private func log(_ profile: inout Profile, _ now: Moment) throws(SQLiteError) {
    profile.updateTimeMs = changeLog.nextTimeMs(now)
    profile.revision = changeLog.lastRevision + 1
    try changeLog.append(
      .profilePut(profile), entity: Self.id(of: profile), timeMs: profile.updateTimeMs)
  }

  private static func id(of profile: Profile) -> ID {
    guard let id = profile.id else { preconditionFailure("a profile that is kept has an id") }
    return id
  }
}

// MARK: - SQL

extension SQLiteProfileStore {
  struct Statements {
    let byID: Statement
    let byUser: Statement
    let byName: Statement
    let afterID: Statement
    let insert: Statement
    let update: Statement
    let delete: Statement

    init(_ database: Database) throws(SQLiteError) {
      let columns = """
        id, user_id, first_name, last_name, company_name, bio, avatar_id, create_time_ms,
        update_time_ms, revision
        """
      byID = try database.prepare("SELECT \(columns) FROM profile WHERE id = ?")
      byUser = try database.prepare("SELECT \(columns) FROM profile WHERE user_id = ?")
      byName = try database.prepare(
        """
        SELECT \(columns) FROM profile WHERE (last_name, first_name, id) > (?, ?, ?)
        ORDER BY last_name, first_name, id
        """)
      afterID = try database.prepare("SELECT \(columns) FROM profile WHERE id > ? ORDER BY id")
      insert = try database.prepare("INSERT INTO profile VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)")
      update = try database.prepare(
        """
        UPDATE profile SET first_name = ?, last_name = ?, company_name = ?, bio = ?,
          avatar_id = ?, update_time_ms = ?, revision = ? WHERE id = ?
        """)
      delete = try database.prepare("DELETE FROM profile WHERE id = ?")
    }
  }
}

extension Profile {
  /// From a row of `profile`, in the order of its columns.
  init(_ row: Statement) {
    self.init(
      id: row.id(0), userID: row.text(1), firstName: row.text(2), lastName: row.text(3),
      companyName: row.text(4), bio: row.text(5), avatarID: row.blob(6),
      createTimeMs: row.int64(7), updateTimeMs: row.int64(8), revision: row.uint64(9))
  }
}
