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
  var userOfPerson: [String?] = []
  var userIndex = SlotIndex()
  /// How many fit at each place, by slot; 0: no limit.
  var capacities: [UInt32] = []
  var actors: [String: Int64] = [:]
  var userOfActor: [Int64: String] = [:]
  var keys = KeyIndex()
  var ends = Ends()

  package internal(set) var lastRevision: UInt64 = 0
  var lastTimeMs: Int64 = 0
  /// The number of the last write with a key that changed nothing.
  var lastUnchanged: UInt64 = 0
  var positions = ByLog<UInt64>()
  /// Up to here the stored snapshot has everything.
  var savedRevision: UInt64 = 0
  /// How far the log may be ahead of that before calls wait for it.
  var mostTailEntries = Limits.logTailEntries
  /// How far the log had come when some of the snapshot was written last.
  var lastSavingRevision: UInt64 = 0
  /// Those that a snapshot of a followed log has named so far; two may be read at a time.
  var seenInSnapshot = ByLog<Set<ID>>()

  private var appended: [Change] = []
  /// The time of the last change, or of the start.
  private var latest: Moment
  private var undo = Undo()
  /// Of whom the stored snapshot does not have yet how things stand.
  var unsaved = Unsaved()
  /// Where the chains of histories begin.
  var lastEntries = LastEntries()

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
    var stays: [(entry: LogEntry, stay: Presence.Stay, dueUs: Int64?)] = []
    var keys: [WriteKey] = []
    var lastRevision: UInt64 = 0
    var lastTimeMs: Int64 = 0
    var lastUnchanged: UInt64 = 0
    /// More has changed than stays: everything is read again.
    var needsReload = false

    mutating func begin(_ revision: UInt64, _ timeMs: Int64, unchanged: UInt64) {
      stays.removeAll(keepingCapacity: true)
      keys.removeAll(keepingCapacity: true)
      lastRevision = revision
      lastTimeMs = timeMs
      lastUnchanged = unchanged
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

  // MARK: - Batches

  package func begin() throws {
    try store.database.begin()
    undo.begin(lastRevision, lastTimeMs, unchanged: lastUnchanged)
  }

  package func commit() throws {
    try store.database.commit()
  }

  /// Takes back what the batch has changed in memory. Where the database cannot be read again, the
  /// process has nothing to go on with.
  package func rollBack() {
    appended = []
    // Not read again: by the wall clock, which may have jumped, they would be others.
    for (entry, _, dueUs) in undo.stays.reversed() { ends.set(entry.person, dueUs: dueUs) }
    do {
      if store.database.isInTransaction { try store.database.rollback() }
      if undo.needsReload {
        try load(latest)
      } else {
        for (entry, stay, _) in undo.stays.reversed() {
          presence.set(entry.person, stay)
          lastEntries[person: entry.person] = entry.personBefore
          if let from = entry.from { lastEntries[place: from] = entry.fromBefore }
          if let to = entry.to { lastEntries[place: to] = entry.toBefore }
        }
        for key in undo.keys { keys.remove(key) }
        lastRevision = undo.lastRevision
        lastTimeMs = undo.lastTimeMs
        lastUnchanged = undo.lastUnchanged
      }
      try store.bounds.reload()
    } catch {
      preconditionFailure("the database cannot be read after a transaction was undone: \(error)")
    }
  }

  package func takeCommittedChanges() -> [Change] {
    // Not emptied: whoever has it would then make that copy its room, as much as it ever had.
    defer { appended = [] }
    return appended
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
      reason: reason, actor: user.isEmpty ? nil : try number(of: user), expireMs: expireMs,
      key: key,
      personBefore: lastEntries[person: person],
      fromBefore: old.place.map { lastEntries[place: $0] } ?? 0,
      toBefore: place.map { lastEntries[place: $0] } ?? 0)
    try store.append(entry)
    undo.stays.append((entry, old, ends.due(of: person)))
    if let key {
      keys.add(key, .entry(lastRevision), timeMs: lastTimeMs)
      undo.keys.append(key)
    }
    presence.set(
      person,
      Presence.Stay(
        place: place, sinceMs: stays ? old.sinceMs : lastTimeMs,
        revision: stays ? old.revision : lastRevision, expireMs: expireMs))
    noteLast(entry)
    appended.append(told(entry))
    noteEnd(of: person, now)
  }

  /// A write with a key has changed nothing: how things stand is what it is answered with, now and
  /// whenever it is repeated.
  func keep(unchanged person: Presence.Slot, _ key: WriteKey, at now: Moment) throws {
    lastUnchanged += 1
    lastTimeMs = max(now.wallMs, lastTimeMs)
    try store.append(
      UnchangedWrite(
        number: lastUnchanged, timeMs: lastTimeMs, key: key, person: person,
        stay: presence.stay(of: person), asOf: lastRevision))
    keys.add(key, .unchanged(lastUnchanged), timeMs: lastTimeMs)
    undo.keys.append(key)
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

  func remember(actor number: Int64, _ user: String) {
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
      fromLocationID: entry.from.map { presence.id(ofPlace: $0) },
      toLocationID: entry.to.map { presence.id(ofPlace: $0) }, reason: entry.reason,
      actingUser: entry.actor.flatMap { userOfActor[$0] } ?? "", expireTimeMs: entry.expireMs)
    return Change(revision: entry.revision, timeMs: entry.timeMs, what: .checkIn(change))
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
