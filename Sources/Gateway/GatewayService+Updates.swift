import Model
package import ServiceKit
import Wire
import ZeroMQ

/// What those who watch are told. Changes are noted as the view takes them in, and go out at the
/// end of the round: one message for all that a place has seen, encoded once for all who watch it.
extension GatewayService {
  package var nextUpdateUs: Int64? {
    watches.isEmpty ? nil : [watches.dueUs, watches.heartbeats.nextUs].compactMap { $0 }.min()
  }

  package func sendUpdates(through core: ServiceCore, nowFree: [Int], at now: Moment) {
    watches.nothingIsDue()
    for connection in nowFree { watches.wake(connection) }
    // Nothing is told while the state of check-ins is being read.
    guard !watches.isEmpty, hasState(of: .checkIns) else { return }
    tellNamesAgain(now)
    sendChanges(core, now)
    endDeletedPlaces(core, now)
    sendCounts(core, now)
    beginWatches(core, now)
    sendHeartbeats(core, now)
    askForNames(core, now)
  }

  // MARK: - Noting changes

  /// Somebody has come, gone or moved.
  func note(_ move: Presence.Move, revision: UInt64) {
    guard !watches.isEmpty, move.from != move.to else { return }
    if !watches.counts.watches.isEmpty {
      if let from = move.from { watches.changedCounts.insert(from) }
      if let to = move.to { watches.changedCounts.insert(to) }
    }
    var before = revisions
    before.checkIns = revision &- 1
    let person = presence[person: move.person].id
    if let from = move.from, let place = watches.places[presence.id(ofPlace: from)] {
      watches.leaves(person, in: append(leaving(move), at: place, behind: nil, before: before))
    }
    // Behind an earlier leaving, too: there may have been a check-out in between, or another place.
    if let to = move.to, let place = watches.places[presence.id(ofPlace: to)] {
      let left = watches.leavings[person]?.last
      _ = append(arrival(move), at: place, behind: left, before: before)
    }
  }

  func leaving(_ move: Presence.Move) -> HereEvent {
    HereEvent(
      kind: .left, person: Member(id: presence[person: move.person].id, sinceMs: move.fromSinceMs),
      reason: move.reason, other: move.to.map { presence.id(ofPlace: $0) })
  }

  func arrival(_ move: Presence.Move) -> HereEvent {
    HereEvent(
      kind: .arrived, person: Member(id: presence[person: move.person].id, sinceMs: move.sinceMs),
      reason: move.reason, other: move.from.map { presence.id(ofPlace: $0) })
  }

  /// Somebody's profile has changed.
  func changed(_ profile: Profile, revision: UInt64) {
    guard let id = profile.id else { return }
    listChanged(ofPerson: id)
    let place = watches.places.isEmpty ? nil : watchedPlace(ofPerson: id)
    names.changed(profile, revision: revision, isShown: place != nil)
    recentProfiles.append(id, revision: revision)
    guard let place, let event = update(of: id) else { return }
    var before = revisions
    before.profiles = revision &- 1
    _ = append(event, at: place, behind: nil, before: before)
  }

  private func watchedPlace(ofPerson id: ID) -> WatchedPlace? {
    guard let person = presence.person(id), let place = presence[person: person].place else {
      return nil
    }
    return watches.places[presence.id(ofPlace: place)]
  }

  /// That somebody who is somewhere has another name.
  func update(of id: ID) -> HereEvent? {
    guard let person = presence.person(id) else { return nil }
    return HereEvent(kind: .updated, person: member(person))
  }

  func append(
    _ event: HereEvent, at place: WatchedPlace, behind earlier: HereUpdate?, before: Revisions
  ) -> HereUpdate {
    watches.append(
      event, at: place, count: people(at: place.id).count, byteCount: roughByteCount(event),
      behind: earlier, before: before)
  }

  /// About what it takes on the wire; of a name that has yet to be asked for, at most.
  func roughByteCount(_ event: HereEvent) -> Int {
    if event.reason == .profileDeleted { return 96 }
    guard let name = names.entry(event.person.id) else { return Limits.pageBytes / 80 }
    return 96 + name.person.count
  }

  // MARK: - Telling them

  private func sendChanges(_ core: ServiceCore, _ now: Moment) {
    guard !watches.updates.isEmpty else { return }
    var waiting: [HereUpdate] = []
    var heldUp: Set<ID> = []
    let hasPatience = watches.patienceEndsUs.map { now.monotonicUs < $0 } ?? true
    // Names that have not come by then are told later.
    if !hasPatience { watchedNames.mustTellAgain = true }
    for update in watches.updates {
      let place = update.place
      if place.audience.watches.isEmpty {
        watches.isDone(update)
        continue
      }
      if hasPatience && mustWait(update, heldUp, now) {
        heldUp.insert(place.id)
        waiting.append(update)
      } else {
        send(update, core, now)
      }
    }
    watches.updates = waiting
  }

  /// Whether something has to go out before it. Updates of a place keep their order, and nobody is
  /// told of an arrival before the leaving.
  private func mustWait(_ update: HereUpdate, _ heldUp: Set<ID>, _ now: Moment) -> Bool {
    let place = update.place
    if heldUp.contains(place.id) { return true }
    if let due = place.updates.due(at: now) {
      watches.isDue(at: due)
      return true
    }
    if watches.isAhead(update) { return true }
    return !needNames(of: update.events.lazy.filter(\.hasName).map(\.person.id), now)
  }

  private func send(_ update: HereUpdate, _ core: ServiceCore, _ now: Moment) {
    let place = update.place
    if place.openUpdate === update { place.openUpdate = nil }
    place.waitingUpdates -= 1
    watches.isDone(update)
    // All who watch are told. Where only one who begins is, others may still have no name.
    if !place.unnamed.isEmpty {
      for event in update.events { place.unnamed.remove(event.person.id) }
    }
    let response = WatchResponse(
      timeMs: now.wallMs, changes: update.events.map { change($0, at: place, now) },
      count: UInt32(update.count))
    let asOf = state(update.end ?? revisions, of: place)
    place.updates.done(at: now, restUs: 16 * place.audience.watches.count)
    tell(place.audience, response, asOf: asOf, core, now) { $0.firstUpdate <= update.number }
  }

  /// As it is told, with the names that are known now.
  func change(_ event: HereEvent, at place: WatchedPlace, _ now: Moment) -> HereChange {
    let wereAsked = canAskForNames(now) && !isNameWanted(event.person.id)
    let shown =
      event.hasName ? person(event.person, wereAsked) : Person(profileID: event.person.id)
    if shown.profileUnavailable && event.kind != .left { place.unnamed.insert(event.person.id) }
    return HereChange(
      kind: event.kind, person: shown, reason: event.reason, otherLocationID: event.other)
  }

  /// The state that a response about a place leads to. While names are missing it shows no state of
  /// profiles: whoever goes on from there gets the names.
  func state(_ revisions: Revisions, of place: WatchedPlace) -> Revisions {
    place.unnamed.isEmpty ? revisions : revisions.only([.locations, .checkIns])
  }

  /// Tells those of an audience who are up to date so far.
  private func tell(
    _ audience: Audience, _ response: WatchResponse, asOf: Revisions, _ core: ServiceCore,
    _ now: Moment, where isMeant: (Watch) -> Bool
  ) {
    let frame = core.takeFrame()
    defer { core.giveBack(frame) }
    core.encoder.encode(response) { frame.allocate($0) }
    for watch in audience.watches where watch.isLive && isMeant(watch) {
      _ = tell(watch, frame, asOf: asOf, core, now)
    }
  }

  /// False: the peer does not read, or is gone.
  func tell(
    _ watch: Watch, _ frame: Frame, asOf: Revisions, continues: Bool = false, _ core: ServiceCore,
    _ now: Moment
  ) -> Bool {
    switch core.send(watch.call, frame, asOf: asOf, continues: continues) {
    case .sent:
      watch.toldUs = now.monotonicUs
      watch.revision = asOf.checkIns
      return true
    case .full: watches.stall(watch)
    case .gone: watches.remove(watch)
    }
    return false
  }

  // MARK: - Counts

  private func sendCounts(_ core: ServiceCore, _ now: Moment) {
    guard !watches.changedCounts.isEmpty || !watches.behind.isEmpty else { return }
    guard watches.nextCountsUs <= now.monotonicUs else {
      return watches.isDue(at: watches.nextCountsUs)
    }
    let intervalUs = Limits.countsIntervalMs * 1_000
    watches.nextCountsUs = now.monotonicUs + intervalUs
    watches.catchUp()
    let changed = watches.changedCounts
    watches.changedCounts.removeAll(keepingCapacity: true)
    guard !changed.isEmpty else { return }
    guard changed.count <= Self.countsOfPage else { return watches.reset(watches.counts) }
    // Ten times a second holds for who has just come, too.
    for watch in watches.counts.watches
    where watch.isLive && watch.beganUs > now.monotonicUs - intervalUs {
      watches.isBehind(watch)
    }
    let response = WatchResponse(
      timeMs: now.wallMs, counts: changed.map(count(of:)), total: UInt64(presence.total))
    let asOf = revisions.only(.checkIns)
    tell(watches.counts, response, asOf: asOf, core, now) { !$0.isBehind }
  }

  /// Places whose counts one response has: some 24 bytes each.
  static let countsOfPage = 20_000

  func count(of place: Presence.Slot) -> LocationCount {
    LocationCount(locationID: presence.id(ofPlace: place), count: UInt32(presence.count(place)))
  }

  // MARK: - Heartbeats

  /// A heartbeat says that what has been told is the state that the gateway has. What has yet to be
  /// told goes first.
  private func sendHeartbeats(_ core: ServiceCore, _ now: Moment) {
    for watch in watches.heartbeats.take(at: now) where !watch.isOver {
      var dueUs = watch.toldUs + watch.heartbeatUs
      if dueUs <= now.monotonicUs {
        let hasBeenToldAll =
          watch.place.map { $0.waitingUpdates == 0 }
          ?? (watches.changedCounts.isEmpty && !watch.isBehind)
        let isDue = watch.isLive && hasBeenToldAll
        if isDue { sendHeartbeat(watch, core, now) }
        dueUs = now.monotonicUs + (isDue ? watch.heartbeatUs : Self.heartbeatAgainUs)
      }
      if !watch.isOver { watches.heartbeats.add(watch, dueUs: dueUs, at: now) }
    }
  }

  /// How soon a heartbeat is tried again that could not be sent.
  private static let heartbeatAgainUs: Int64 = 250_000

  private func sendHeartbeat(_ watch: Watch, _ core: ServiceCore, _ now: Moment) {
    var response = WatchResponse(timeMs: now.wallMs)
    var asOf = revisions.only(.checkIns)
    if let place = watch.place {
      response.count = UInt32(people(at: place.id).count)
      asOf = state(revisions, of: place)
    } else {
      response.total = UInt64(presence.total)
    }
    let frame = core.takeFrame()
    defer { core.giveBack(frame) }
    core.encoder.encode(response) { frame.allocate($0) }
    _ = tell(watch, frame, asOf: asOf, core, now)
  }
}

extension HereEvent {
  /// Of somebody whose profile has been deleted only the id is told.
  var hasName: Bool { reason != .profileDeleted }
}
