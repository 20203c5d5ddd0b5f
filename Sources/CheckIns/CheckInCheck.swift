import Model
import SQLite
import ServiceKit
import Wire

/// Holds the store of check-ins against its log: each entry says what holds after it, so the log
/// alone tells where everybody is. Throws `SQLiteError` throughout.
struct CheckInCheck {
  private let database: Database
  private let log: LogCheck
  private let compactedThrough: UInt64
  private let snapshotRevision: UInt64

  /// Everything that is wrong.
  static func findings(_ database: Database) throws -> [Finding] {
    let check = try CheckInCheck(database)
    let fatal = try check.numbers()
    // Where numbers are missing, nothing can be said of what they stand for.
    guard fatal.isEmpty else { return fatal }
    return try check.references() + check.order() + check.state() + check.histories()
      + check.progress() + check.keys()
  }

  private init(_ database: Database) throws {
    self.database = database
    log = try LogCheck(database)
    compactedThrough = try LogBounds(database).compactedThrough
    snapshotRevision = UInt64(
      max(0, try database.number("SELECT snapshot_revision FROM progress")))
  }

  // MARK: - Numbers

  /// People and places are numbered from 0 on, without gaps: they are slots in memory.
  private func numbers() throws -> [Finding] {
    try ["person", "place"].flatMap { table -> [Finding] in
      let isWhole = try database.number(
        "SELECT count(*) = 0 OR min(number) = 0 AND max(number) = count(*) - 1 FROM \(table)")
      let doubled = try database.number(
        """
        SELECT count(*) FROM (SELECT id FROM \(table)
        WHERE \(table == "person" ? "user IS NOT NULL" : "is_known") GROUP BY id
        HAVING count(*) > 1)
        """)
      return (isWhole != 0 ? [] : [Finding("numbers of a \(table) are missing")])
        + (doubled == 0 ? [] : [Finding("\(doubled) ids are those of more than one \(table)")])
    }
  }

  private func references() throws -> [Finding] {
    let dangling = try revisions(
      """
      SELECT revision FROM log WHERE person NOT IN (SELECT number FROM person)
      OR from_place IS NOT NULL AND from_place NOT IN (SELECT number FROM place)
      OR to_place IS NOT NULL AND to_place NOT IN (SELECT number FROM place)
      """)
    let unnamed = "actor IS NOT NULL AND actor NOT IN (SELECT number FROM actor)"
    let actors = try revisions("SELECT revision FROM log WHERE \(unnamed)")
    return Finding.of(
      dangling, "entries of the log name people or places that there never were",
      name: { "\($0)" })
      + Finding.of(
        actors, "entries of the log do not tell who asked", name: { "\($0)" },
        repair: { database in
          try database.execute("UPDATE log SET actor = NULL WHERE \(unnamed)")
        })
  }

  /// C2: whoever goes somewhere comes from where they were; where changes are missing, that cannot
  /// be told.
  private func order() throws -> [Finding] {
    guard log.gaps.isEmpty else { return [] }
    let jumps = try revisions(
      """
      SELECT revision FROM (SELECT revision, from_place,
        lag(to_place) OVER (PARTITION BY person ORDER BY revision) AS last,
        lag(revision) OVER (PARTITION BY person ORDER BY revision) AS before FROM log)
      WHERE before IS NOT NULL AND before > \(compactedThrough) AND from_place IS NOT last
      """)
    return Finding.of(
      jumps, "entries of the log come from elsewhere than the ones before them", name: { "\($0)" })
  }

  private func revisions(_ sql: String) throws -> [UInt64] {
    var revisions: [UInt64] = []
    try database.prepare(sql).forEach { row in
      revisions.append(row.uint64(0))
      return true
    }
    return revisions
  }

  // MARK: - Who is where

  /// A stay as the store has it, and whether it can be known when it began.
  private struct Told {
    var stay = Presence.Stay(place: nil, sinceMs: 0, revision: 0, expireMs: 0)
    var knowsBeginning = false

    mutating func follow(_ entry: LogEntry) {
      stay.place = entry.to
      stay.expireMs = entry.expireMs
      guard entry.reason != .renewed else { return }
      stay.sinceMs = entry.timeMs
      stay.revision = entry.revision
      knowsBeginning = true
    }

    func agrees(with other: Presence.Stay) -> Bool {
      stay.place == other.place && stay.expireMs == other.expireMs
        && (!knowsBeginning
          || stay.sinceMs == other.sinceMs && stay.revision == other.revision)
    }
  }

  private func state() throws -> [Finding] {
    let (stored, deleted) = try storedStays()
    var loaded = stored
    var told: [Presence.Slot: Told] = [:]
    try database.prepare("SELECT \(LogEntry.columns) FROM log ORDER BY revision").forEach { row in
      let entry = LogEntry(row)
      told[entry.person, default: Told()].follow(entry)
      if entry.revision > snapshotRevision, Int(entry.person) < loaded.count {
        var later = Told(stay: loaded[Int(entry.person)])
        later.follow(entry)
        loaded[Int(entry.person)] = later.stay
      }
      return true
    }
    var wrong: [(person: Presence.Slot, stay: Presence.Stay)] = []
    for (slot, stay) in loaded.enumerated() {
      let person = Presence.Slot(slot)
      if let told = told[person] {
        guard !told.agrees(with: stay) else { continue }
        var right = told.stay
        if !told.knowsBeginning {
          right.sinceMs = stay.sinceMs
          right.revision = stay.revision
        }
        wrong.append((person, right))
      } else if stay.revision > compactedThrough {
        wrong.append((person, Told().stay))
      }
    }
    for (person, stay) in wrong { loaded[Int(person)] = stay }
    return try Finding.of(
      wrong, "people are not where the log says", name: { "number \($0.person)" },
      repair: { database in
        for (person, stay) in wrong { try Self.save(stay, of: person, in: database) }
      }) + nowhere(loaded, deleted)
  }

  private func storedStays() throws -> (stays: [Presence.Stay], deleted: Set<Presence.Slot>) {
    var stays: [Presence.Stay] = []
    var deleted: Set<Presence.Slot> = []
    try database.prepare(
      "SELECT place, since_ms, revision, expire_ms, user IS NULL FROM person ORDER BY number"
    ).forEach { row in
      if row.bool(4) { deleted.insert(Presence.Slot(stays.count)) }
      stays.append(
        Presence.Stay(
          place: row.isNull(0) ? nil : Presence.Slot(row.int64(0)), sinceMs: row.int64(1),
          revision: row.uint64(2), expireMs: row.int64(3)))
      return true
    }
    return (stays, deleted)
  }

  private static func save(
    _ stay: Presence.Stay, of person: Presence.Slot, in database: Database
  ) throws {
    try database.prepare(
      "UPDATE person SET place = ?, since_ms = ?, revision = ?, expire_ms = ? WHERE number = ?"
    ).run(stay.place, stay.sinceMs, stay.revision, stay.expireMs, person)
  }

  /// C10: nobody who was deleted is anywhere, and nobody is at a place that was. Made right as
  /// everything is: by an entry of the log.
  private func nowhere(
    _ stays: [Presence.Stay], _ deleted: Set<Presence.Slot>
  ) throws -> [Finding] {
    var known: Set<Presence.Slot> = []
    try database.prepare("SELECT number FROM place WHERE is_known").forEach { row in
      known.insert(Presence.Slot(row.int64(0)))
      return true
    }
    let stuck = stays.enumerated().compactMap { slot, stay -> LogEntry? in
      let person = Presence.Slot(slot)
      guard let place = stay.place, deleted.contains(person) || !known.contains(place) else {
        return nil
      }
      return LogEntry(
        revision: 0, timeMs: log.lastTimeMs, person: person, from: place, to: nil,
        reason: deleted.contains(person) ? .profileDeleted : .locationDeleted, actor: nil,
        expireMs: 0, key: nil, personBefore: 0, fromBefore: 0, toBefore: 0)
    }
    return Finding.of(
      stuck, "people are checked in who were deleted, or whose place was",
      name: { "number \($0.person)" },
      repair: { database in
        var revision = try LogCheck(database).lastRevision
        for entry in stuck {
          revision += 1
          try database.prepare(
            """
            INSERT INTO log (revision, time_ms, person, from_place, reason, expire_ms)
            VALUES (?, ?, ?, ?, ?, 0)
            """
          ).run(revision, entry.timeMs, entry.person, entry.from, entry.reason.rawValue)
          let stay = Presence.Stay(
            place: nil, sinceMs: entry.timeMs, revision: revision, expireMs: 0)
          try Self.save(stay, of: entry.person, in: database)
        }
        try CheckInSchema.link(database)
      })
  }

  // MARK: - What is made of the log behind it

  /// Each entry names the one before it of its person and of each of its places, and the store the
  /// newest one of each; but for what is in no snapshot yet, which a start finds in the log.
  private func histories() throws -> [Finding] {
    let people = try revisions(
      """
      SELECT revision FROM (SELECT revision, person_before AS named,
        lag(revision) OVER (PARTITION BY person ORDER BY revision) AS before FROM log)
      WHERE named <> coalesce(before, 0) AND (before NOT NULL OR named > \(compactedThrough))
      """)
    let places = try revisions(
      """
      SELECT DISTINCT revision FROM (SELECT revision, named,
        lag(revision) OVER (PARTITION BY place ORDER BY revision) AS before
        FROM (SELECT from_place AS place, revision, from_before AS named FROM log
              WHERE from_place NOT NULL AND from_place IS NOT to_place
              UNION ALL SELECT to_place, revision, to_before FROM log WHERE to_place NOT NULL))
      WHERE named <> coalesce(before, 0) AND (before NOT NULL OR named > \(compactedThrough))
      """)
    let newest = try revisions(
      """
      SELECT last FROM person JOIN (SELECT person, max(revision) AS last FROM log GROUP BY person)
        ON person = number WHERE last <= \(snapshotRevision) AND last_entry <> last
      UNION SELECT last FROM place JOIN (SELECT place, max(revision) AS last
        FROM (SELECT from_place AS place, revision FROM log
              UNION ALL SELECT to_place, revision FROM log) GROUP BY place)
        ON place = number WHERE last <= \(snapshotRevision) AND last_entry <> last
      """)
    return Finding.of(
      people + places + newest, "histories do not go through entries of the log",
      name: { "\($0)" }, repair: { try CheckInSchema.link($0) })
  }

  private func progress() throws -> [Finding] {
    let last = log.lastRevision
    guard snapshotRevision > last else { return [] }
    return [
      Finding(
        "the snapshot is beyond the end of the log, \(last)",
        repair: { database in
          try database.prepare("UPDATE progress SET snapshot_revision = ?").run(last)
        })
    ]
  }

  private func keys() throws -> [Finding] {
    // No index finds people by their id.
    var people: Set<ID> = []
    try database.prepare("SELECT id FROM person WHERE user IS NOT NULL").forEach { row in
      if let id = row.id(0) { people.insert(id) }
      return true
    }
    return try KeptResponses.findings(database) { people.contains($0) }
  }
}
