import Model
import SQLite
package import ServiceKit
package import Wire

/// Who is where: decides every check-in alone, since it follows the logs of profiles and places and
/// keeps of them what it needs.
package final class CheckInService: Service {
  package let name = LogName.checkIns.text
  package let ownLogs: LogSet = .checkIns
  package let attendsDeletes = true

  let store: CheckInStore
  let settings: Settings

  var presence = Presence()
  /// The user of each person, by slot; nil: the profile has been deleted.
  private(set) var userOfPerson: [String?] = []
  private var userIndex = SlotIndex()
  /// How many fit at each place, by slot; 0: no limit.
  var capacities: [UInt32] = []
  private var actors: [String: Int64] = [:]
  private var userOfActor: [Int64: String] = [:]
  private var keys = KeyIndex()
  var ends = Ends()

  package private(set) var lastRevision: UInt64 = 0
  private(set) var lastTimeMs: Int64 = 0
  var positions: [LogName: UInt64] = [:]
  /// Up to here the stored snapshot has everything.
  var savedRevision: UInt64 = 0
  /// Those that a snapshot of a followed log has named so far.
  var seenInSnapshot: Set<ID> = []

  private var appended: [Change] = []
  /// The time of the last change, or of the start.
  private var latest: Moment
  private var undo = Undo()
  /// Whose stay the stored snapshot does not have yet.
  var unsaved = UnsavedStays()

  package struct Settings: Sendable {
    /// How long a stay lasts that says nothing about it; 0: until it is ended.
    package var ttlS: UInt32
    /// How long entries of the log are kept.
    package var historyMs: Int64

    package init(ttlS: UInt32 = 0, historyMs: Int64 = 365 * 86_400_000) {
      self.ttlS = ttlS
      self.historyMs = historyMs
    }
  }

  /// What a batch has changed in memory, to be taken back.
  private struct Undo {
    var stays: [(person: Presence.Slot, stay: Presence.Stay, dueUs: Int64?)] = []
    var keys: [WriteKey] = []
    var lastRevision: UInt64 = 0
    var lastTimeMs: Int64 = 0
    /// More has changed than stays: everything is read again.
    var needsReload = false

    mutating func begin(_ revision: UInt64, _ timeMs: Int64) {
      stays.removeAll(keepingCapacity: true)
      keys.removeAll(keepingCapacity: true)
      lastRevision = revision
      lastTimeMs = timeMs
      needsReload = false
    }
  }

  /// Loads the state. Throws `SQLiteError`.
  package init(store: CheckInStore, settings: Settings, now: Moment) throws {
    self.store = store
    self.settings = settings
    latest = now
    try load(now)
    for slot in presence.people.indices where presence.people[slot].expireMs != 0 {
      noteEnd(of: Presence.Slot(slot), now)
    }
  }

  package var revisions: Revisions {
    Revisions(
      profiles: positions[.profiles] ?? 0, locations: positions[.locations] ?? 0,
      checkIns: lastRevision)
  }

  package func register(_ handlers: inout Handlers) {
    registerWrites(&handlers)
    registerReads(&handlers)
    registerHistory(&handlers)
  }

  // MARK: - Loading

  /// Rebuilds the state from the stored snapshot and the log's tail.
  private func load(_ now: Moment) throws {
    presence = Presence()
    userOfPerson = []
    userIndex = SlotIndex()
    capacities = []
    actors = [:]
    userOfActor = [:]
    keys = KeyIndex()
    unsaved = UnsavedStays()
    positions = [
      .profiles: try store.position(.profiles), .locations: try store.position(.locations),
    ]
    try loadPlaces()
    try loadPeople()
    try store.database.prepare("SELECT number, user FROM actor WHERE user <> ''").forEach { row in
      remember(actor: row.int64(0), row.text(1))
      return true
    }
    try loadLog(now)
  }

  private func loadPlaces() throws {
    try store.database.prepare("SELECT number, id, capacity, is_known FROM place ORDER BY number")
      .forEach { row in
        guard let id = row.id(1) else { return true }
        let slot = presence.addPlace(id)
        precondition(Int64(slot) == row.int64(0), "the numbers of places have a gap")
        capacities.append(UInt32(row.int64(2)))
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
      "SELECT number, id, user, place, since_ms, revision, expire_ms FROM person ORDER BY number"
    ).forEach { row in
      guard let id = row.id(1) else { return true }
      let slot = presence.addPerson(id)
      precondition(Int64(slot) == row.int64(0), "the numbers of people have a gap")
      noteUser(row.isNull(2) ? nil : row.text(2), of: slot)
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
    lastTimeMs = max(lastTimeMs, try store.entry(newest)?.timeMs ?? 0)
    lastRevision = max(newest, store.bounds.lastBase, store.bounds.compactedThrough)
    let snapshot =
      try database.prepare("SELECT snapshot_revision FROM progress").first { $0.uint64(0) } ?? 0
    savedRevision = snapshot
    let firstKept = try store.history.lastRevision(
      beforeMs: now.wallMs - Limits.idempotencyMs, last: newest)
    try store.entries(after: min(snapshot, firstKept)) { entry in
      if entry.revision > snapshot { apply(entry) }
      if let key = entry.key, entry.revision > firstKept {
        keys.add(key, entry.revision, timeMs: entry.timeMs)
      }
      return true
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
    unsaved.add(entry.person)
  }

  // MARK: - Batches

  package func begin() throws {
    try store.database.begin()
    undo.begin(lastRevision, lastTimeMs)
  }

  package func commit() throws {
    try store.database.commit()
  }

  /// Takes back what the batch has changed in memory. Where the database cannot be read again, the
  /// process has nothing to go on with.
  package func rollBack() {
    appended = []
    // Not read again: by the wall clock, which may have jumped, they would be others.
    for (person, _, dueUs) in undo.stays.reversed() { ends.set(person, dueUs: dueUs) }
    do {
      if store.database.isInTransaction { try store.database.rollback() }
      if undo.needsReload {
        try load(latest)
      } else {
        for (person, stay, _) in undo.stays.reversed() { presence.set(person, stay) }
        for key in undo.keys { keys.remove(key) }
        lastRevision = undo.lastRevision
        lastTimeMs = undo.lastTimeMs
      }
      try store.history.reload()
      try store.bounds.reload()
    } catch {
      preconditionFailure("the database cannot be read after a transaction was undone: \(error)")
    }
  }

  package func takeCommittedChanges() -> [Change] {
    defer { appended.removeAll(keepingCapacity: true) }
    return appended
  }

  /// The snapshot says something else about these, should the batch be taken back.
  func noteSaving(_ people: ArraySlice<Presence.Slot>) {
    if !people.isEmpty { undo.needsReload = true }
  }

  /// The log stands at this revision, without a change.
  func stand(at revision: UInt64) { lastRevision = revision }

  /// What the batch changes besides stays is read again where the batch comes to nothing.
  func noteWiderChange() { undo.needsReload = true }

  // MARK: - The one way in which anything changes

  /// Makes a person be at a place, or at none: one entry of the log, and the state follows.
  func change(
    _ person: Presence.Slot, to place: Presence.Slot?, _ reason: ChangeReason, by user: String = "",
    expireMs: Int64 = 0, key: WriteKey? = nil, at now: Moment
  ) throws {
    let old = presence.stay(of: person)
    let stays = reason == .renewed
    latest = now
    lastTimeMs = max(now.wallMs, lastTimeMs)
    lastRevision += 1
    let entry = LogEntry(
      revision: lastRevision, timeMs: lastTimeMs, person: person, from: old.place, to: place,
      reason: reason, actor: user.isEmpty ? nil : try number(of: user), expireMs: expireMs, key: key
    )
    try store.append(entry)
    undo.stays.append((person, old, ends.due(of: person)))
    if let key {
      keys.add(key, lastRevision, timeMs: lastTimeMs)
      undo.keys.append(key)
    }
    presence.set(
      person,
      Presence.Stay(
        place: place, sinceMs: stays ? old.sinceMs : lastTimeMs,
        revision: stays ? old.revision : lastRevision, expireMs: expireMs))
    unsaved.add(person)
    appended.append(told(entry))
    noteEnd(of: person, now)
  }

  private func noteEnd(of person: Presence.Slot, _ now: Moment) {
    let stay = presence.stay(of: person)
    let endsByItself = stay.place != nil && stay.expireMs != 0
    ends.set(
      person,
      dueUs: endsByItself ? now.monotonicUs + (stay.expireMs - now.wallMs) * 1_000 : nil)
  }

  package var nextDueUs: Int64? { ends.nextDueUs }

  package func doWhatIsDue(at now: Moment) throws {
    // Where many end at once, as after a night without the service, nobody waits for all of them.
    for _ in 0..<Limits.messagesPerRound {
      guard let person = ends.firstDue(atUs: now.monotonicUs) else { return }
      try change(person, to: nil, .expired, at: now)
    }
  }

  // MARK: - Whose profile it is

  /// The person whose profile is this user's.
  func person(ofUser user: String) -> Presence.Slot? {
    userIndex.find(slotHash(user)) { userOfPerson[Int($0)] == user }
  }

  /// The user of somebody new; nil: the profile is gone already.
  func noteUser(_ user: String?, of person: Presence.Slot) {
    precondition(Int(person) == userOfPerson.count, "people come one after the other")
    userOfPerson.append(user)
    if let user { userIndex.add(person, slotHash(user)) }
  }

  /// The profile is gone.
  /// - Returns: whose it was; nil: it was gone before.
  func forgetUser(of person: Presence.Slot) -> String? {
    guard let user = userOfPerson[Int(person)] else { return nil }
    userIndex.remove(person, slotHash(user))
    userOfPerson[Int(person)] = nil
    return user
  }

  /// Callers choose their names, and so must not be able to choose where they stand.
  private func slotHash(_ user: String) -> UInt64 {
    var hasher = Hasher()
    hasher.combine(user)
    return UInt64(bitPattern: Int64(hasher.finalize()))
  }

  // MARK: - Who asked

  private func number(of user: String) throws -> Int64 {
    if let number = actors[user] { return number }
    let number = try store.addActor(user)
    noteWiderChange()
    remember(actor: number, user)
    return number
  }

  private func remember(actor number: Int64, _ user: String) {
    actors[user] = number
    userOfActor[number] = user
  }

  /// Nothing tells any more that this user asked for something.
  func forget(user: String) throws {
    guard let number = actors.removeValue(forKey: user) else { return }
    userOfActor[number] = nil
    try store.forget(actor: number)
  }

  /// An entry as others are told it.
  func told(_ entry: LogEntry) -> Change {
    let change = CheckInChange(
      revision: entry.revision, timeMs: entry.timeMs,
      profileID: presence[person: entry.person].id,
      fromLocationID: entry.from.map { presence[place: $0].id },
      toLocationID: entry.to.map { presence[place: $0].id }, reason: entry.reason,
      actingUser: entry.actor.flatMap { userOfActor[$0] } ?? "", expireTimeMs: entry.expireMs)
    return Change(revision: entry.revision, timeMs: entry.timeMs, what: .checkIn(change))
  }

  // MARK: - Keys

  /// A check-in or check-out that changed something is told again from its entry in the log.
  package func keptResponse(_ key: WriteKey) throws -> KeptResponse? {
    guard let revision = keys.revision(for: key), let entry = try store.entry(revision),
      let kept = entry.key, kept.key == key.key
    else { return nil }
    let asOf = Revisions(checkIns: revision)
    guard userOfPerson[Int(entry.person)] != nil else {
      return KeptResponse(request: kept.request, asOf: asOf, body: nil)
    }
    let status = CheckInStatus(
      profileID: presence[person: entry.person].id,
      state: entry.to == nil ? .checkedOut : .checkedIn,
      locationID: entry.to.map { presence[place: $0].id }, sinceMs: entry.timeMs,
      expireTimeMs: entry.expireMs, revision: revision)
    let previous = entry.from.map { presence[place: $0].id }
    let encoder = Encoder()
    let body =
      entry.to == nil
      ? encoder.bytes(
        CheckOutResponse(status: status, previousLocationID: previous, changed: true))
      : encoder.bytes(
        CheckInResponse(status: status, previousLocationID: previous, changed: true))
    return KeptResponse(request: kept.request, asOf: asOf, body: body)
  }

  package var gauges: [Gauge] {
    [
      Gauge(name: "muster_people_checked_in", value: Double(presence.total)),
      Gauge(name: "muster_places_occupied", value: Double(presence.occupied.count)),
      Gauge(name: "muster_profiles_known", value: Double(userIndex.count)),
      Gauge(name: "muster_idempotency_keys_held", value: Double(keys.count)),
      Gauge(name: "muster_log_entries_without_snapshot", value: Double(unsaved.count)),
    ]
  }
}
