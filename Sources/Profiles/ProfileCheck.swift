import Model
import SQLite
import ServiceKit
import Wire

/// Holds the store of profiles against its log, and its images and stored responses against its
/// profiles.
enum ProfileCheck {
  /// Throws `SQLiteError`.
  static func findings(_ database: Database) throws -> [Finding] {
    let statements = try SQLiteProfileStore.Statements(database)
    var ids: [ID] = []
    var used: [[UInt8]: Int] = [:]
    try database.prepare("SELECT id, avatar_id FROM profile").forEach { row in
      if let id = row.id(0) { ids.append(id) }
      let avatar = row.blob(1)
      if !avatar.isEmpty { used[avatar, default: 0] += 1 }
      return true
    }
    let entities = EntityCheck(
      database, .profiles, ids: ids,
      put: { id in
        try statements.byID.first(id) { row in
          let profile = Profile(row)
          return Change(
            revision: profile.revision, timeMs: profile.updateTimeMs, what: .profilePut(profile))
        }
      },
      store: { _, change in
        guard case .profilePut(let profile) = change.what else { return }
        try statements.delete.run(profile.id)
        try statements.insert.run(
          profile.id, profile.userID, profile.firstName, profile.lastName, profile.companyName,
          profile.bio, profile.avatarID, profile.createTimeMs, profile.updateTimeMs,
          profile.revision)
      },
      remove: { _, id in try statements.delete.run(id) })
    return try entities.findings() + ImageStore.findings(database, used: used)
      + KeptResponses.findings(database) { id throws(SQLiteError) in
        try statements.byID.first(id) { _ in true } ?? false
      }
  }
}
