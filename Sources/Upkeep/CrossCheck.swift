import Model
import SQLite
import ServiceKit

/// Holds what the check-in service knows of people and places against what their owners have, as
/// far as it has followed them: what comes after that it will still be told.
struct CrossCheck {
  private let stores: [OpenStore]

  init(_ stores: [OpenStore]) { self.stores = stores }

  /// What it is missing, and what it has too much. Throws `SQLiteError`.
  func findings() throws -> [Finding] {
    guard let checkIns = database(of: .checkIns) else { return [] }
    var findings: [Finding] = []
    for (owner, entity, own) in [
      (LogName.profiles, "profile", "SELECT id FROM person WHERE user IS NOT NULL"),
      (.locations, "place", "SELECT id FROM place WHERE is_known"),
    ] {
      guard let database = database(of: owner) else { continue }
      let position = UInt64(
        max(0, try checkIns.number("SELECT \(owner.text)_revision FROM progress")))
      guard try goesOn(from: position, database) else { continue }
      let known = try ids(own, checkIns)
      let there = try ids("SELECT id FROM \(entity)", database)
      let later = try ids("SELECT entity FROM log WHERE revision > \(position)", database)
      // From 0 on is from a snapshot, which says it all.
      let repair = { (database: Database) throws in
        try database.execute("UPDATE progress SET \(owner.text)_revision = 0")
      }
      findings += Finding.of(
        known.subtracting(there).subtracting(later).sorted(),
        "\(owner.text) does not know some of those that people can be or be at",
        name: { "\($0)" }, repair: repair)
      findings += Finding.of(
        there.subtracting(known).subtracting(later).sorted(),
        "some of \(owner.text) are not known here", name: { "\($0)" }, repair: repair)
    }
    return findings
  }

  /// Whether the service goes on from where it stands, and not from a snapshot.
  private func goesOn(from position: UInt64, _ owner: Database) throws -> Bool {
    guard position > 0 else { return false }
    let bounds = try LogBounds(owner)
    let last = try LogCheck(owner).lastRevision
    do throws(Refusal) {
      try bounds.check(after: position, last: last)
      return true
    } catch {
      return false
    }
  }

  private func database(of log: LogName) -> Database? {
    stores.first { $0.kind.log == log }?.database
  }

  private func ids(_ sql: String, _ database: Database) throws -> Set<ID> {
    var ids: Set<ID> = []
    try database.prepare(sql).forEach { row in
      if let id = row.id(0) { ids.insert(id) }
      return true
    }
    return ids
  }
}
