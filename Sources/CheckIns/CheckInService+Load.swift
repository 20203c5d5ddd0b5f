import Model
import ServiceKit
import Wire

/// What is in memory, from what is on disk.
extension CheckInService {
  /// Rebuilds the state from the stored snapshot and the log's tail.
  func load(_ now: Moment) throws {
    presence = Presence(isLoading: true)
    userOfPerson = []
    userIndex = SlotIndex()
    capacities = []
    actors = [:]
    userOfActor = [:]
    keys = KeyIndex()
    unsaved = Unsaved()
    lastEntries = LastEntries()
    for log in [LogName.profiles, .locations] { positions[log] = try store.position(log) }
    try loadPlaces()
    try loadPeople()
    try store.database.prepare("SELECT number, user FROM actor WHERE user <> ''").forEach { row in
      remember(actor: row.int64(0), row.text(1))
      return true
    }
    try loadLog(now)
  }

  private func loadPlaces() throws {
    try store.database.prepare(
      "SELECT number, id, capacity, is_known, last_entry FROM place ORDER BY number"
    )
    .forEach { row in
      guard let id = row.id(1) else { return true }
      let slot = presence.addPlace(id)
      precondition(Int64(slot) == row.int64(0), "the numbers of places have a gap")
      capacities.append(UInt32(row.int64(2)))
      lastEntries[place: slot] = row.uint64(4)
      if !row.bool(3) { presence.forgetPlace(slot) }
      return true
    }
  }

  private func loadPeople() throws {
    let count = try store.database.prepare("SELECT count(*) FROM person").first { $0.int(0) } ?? 0
    presence.reserve(people: count)
    userOfPerson.reserveCapacity(count)
    userIndex.reserve(count)
    try store.database.prepare(
      """
      SELECT number, id, user, place, since_ms, revision, expire_ms, last_entry
      FROM person ORDER BY number
      """
    ).forEach { row in
      guard let id = row.id(1) else { return true }
      let slot = presence.addPerson(id)
      precondition(Int64(slot) == row.int64(0), "the numbers of people have a gap")
      noteUser(row.isNull(2) ? nil : row.text(2), of: slot)
      lastEntries[person: slot] = row.uint64(7)
      if row.int64(5) != 0 {
        presence.set(
          slot,
          Presence.Stay(
            place: row.isNull(3) ? nil : Presence.Slot(row.int64(3)), sinceMs: row.int64(4),
            revision: row.uint64(5), expireMs: row.int64(6)))
      }
      return true
    }
  }

  /// Each entry says what holds after it, so entries that the snapshot has already do no harm.
  private func loadLog(_ now: Moment) throws {
    let database = store.database
    let newest = try database.prepare("SELECT max(revision) FROM log").first { $0.uint64(0) } ?? 0
    // Time does not fall even where the log has nothing left that tells it.
    lastTimeMs = presence.people.reduce(0) { max($0, $1.sinceMs) }
    lastTimeMs = max(lastTimeMs, try store.history.entry(newest)?.timeMs ?? 0)
    lastRevision = max(newest, store.bounds.lastBase, store.bounds.compactedThrough)
    let snapshot =
      try database.prepare("SELECT snapshot_revision FROM progress").first { $0.uint64(0) } ?? 0
    savedRevision = snapshot
    let firstKept = try store.history.lastRevision(
      beforeMs: now.wallMs - Limits.idempotencyMs, last: newest)
    // Of what the snapshot has already only the keys, which may be of millions of entries.
    try store.forEachKey(after: firstKept, through: snapshot) { key, revision, timeMs in
      keys.add(key, .entry(revision), timeMs: timeMs)
    }
    try store.entries(after: snapshot) { entry in
      apply(entry)
      if let key = entry.key, entry.revision > firstKept {
        keys.add(key, .entry(entry.revision), timeMs: entry.timeMs)
      }
      return true
    }
    presence.finishLoading()
    lastUnchanged = 0
    try store.forEachUnchanged { write in
      keys.add(write.key, .unchanged(write.number), timeMs: write.timeMs)
      lastUnchanged = write.number
    }
    for slot in presence.people.indices where userOfPerson[slot] == nil {
      presence.forgetPerson(Presence.Slot(slot))
    }
  }

  private func apply(_ entry: LogEntry) {
    let old = presence.stay(of: entry.person)
    let stays = entry.reason == .renewed
    presence.set(
      entry.person,
      Presence.Stay(
        place: entry.to, sinceMs: stays ? old.sinceMs : entry.timeMs,
        revision: stays ? old.revision : entry.revision, expireMs: entry.expireMs))
    noteLast(entry)
  }

  /// The entry is the newest of its person and of its places.
  func noteLast(_ entry: LogEntry) {
    lastEntries[person: entry.person] = entry.revision
    unsaved.add(person: entry.person)
    for place in [entry.from, entry.to] {
      guard let place else { continue }
      lastEntries[place: place] = entry.revision
      unsaved.add(place: place)
    }
  }
}
