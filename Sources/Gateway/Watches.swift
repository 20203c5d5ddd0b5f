import Model
import ServiceKit
import Wire

/// All watches of a gateway, and what they have yet to be told.
struct Watches {
  private(set) var places: [ID: WatchedPlace] = [:]
  var counts = Audience()
  private var byCall: [CallHandle: Watch] = [:]
  /// Those that begin: first, or anew.
  var beginning: [Watch] = []
  /// Those that begin anew when their connection has taken what waits for it.
  private var stalled: [Int: [Watch]] = [:]
  /// What is to be sent to those who watch a place, in this order.
  var updates: [HereUpdate] = []
  private(set) var nextUpdate = 0
  /// The updates that have yet to tell that somebody leaves a place, by profile, oldest first.
  private(set) var leavings: [ID: [HereUpdate]] = [:]
  /// By then what waits is told as it is, so that those can begin who would be ahead of it.
  var patienceEndsUs: Int64?
  /// Places whose count has changed and not been told.
  var changedCounts: Set<Presence.Slot> = []
  var nextCountsUs = Int64.min
  /// Those who have yet to be told of counts, since they began only just before.
  private(set) var behind: [Watch] = []
  var heartbeats = HeartbeatWheel()
  /// When something that was put off is due.
  private(set) var dueUs: Int64?

  var isEmpty: Bool { byCall.isEmpty }
  var count: Int { byCall.count }

  // MARK: - Coming and going

  mutating func place(_ id: ID) -> WatchedPlace {
    if let place = places[id] { return place }
    let place = WatchedPlace(id)
    places[id] = place
    return place
  }

  mutating func add(_ watch: Watch, at now: Moment) {
    byCall[watch.call] = watch
    if let place = watch.place { place.audience.add(watch) } else { counts.add(watch) }
    beginning.append(watch)
    watch.toldUs = now.monotonicUs
    heartbeats.add(watch, dueUs: now.monotonicUs + watch.heartbeatUs, at: now)
  }

  mutating func remove(_ watch: Watch) {
    guard byCall.removeValue(forKey: watch.call) != nil else { return }
    watch.state = .isOver
    guard let place = watch.place else {
      counts.remove(watch)
      if counts.watches.isEmpty { changedCounts.removeAll() }
      return
    }
    place.audience.remove(watch)
    if place.audience.watches.isEmpty { places[place.id] = nil }
  }

  func watch(of call: CallHandle) -> Watch? { byCall[call] }

  // MARK: - Beginning anew

  /// What these know is void.
  mutating func reset(_ audience: Audience) {
    // Who has not begun, or waits for its connection, comes to it anyway.
    for watch in audience.watches where watch.isLive {
      watch.state = .begins(.reset)
      beginning.append(watch)
    }
  }

  /// The state of all places is another one: what was to be told of them is void, too.
  mutating func resetPlaces() {
    updates.removeAll()
    leavings.removeAll()
    for place in places.values {
      place.openUpdate = nil
      place.waitingUpdates = 0
      reset(place.audience)
    }
  }

  /// All that was known is void.
  mutating func resetAll() {
    changedCounts.removeAll()
    reset(counts)
    resetPlaces()
  }

  /// The connection of a watch does not take what it has to be told.
  mutating func stall(_ watch: Watch) {
    if watch.isLive { watch.state = .begins(.reset) }
    stalled[watch.connection, default: []].append(watch)
  }

  /// A connection takes again what it is sent.
  mutating func wake(_ connection: Int) {
    beginning += stalled.removeValue(forKey: connection) ?? []
  }

  /// Counts have changed that a watch is not told now.
  mutating func isBehind(_ watch: Watch) {
    watch.isBehind = true
    behind.append(watch)
  }

  /// Those who are behind go on from what they were told last.
  mutating func catchUp() {
    for watch in behind where watch.isLive && watch.isBehind {
      watch.state = .begins(.after(Revisions(checkIns: watch.revision)))
      beginning.append(watch)
    }
    behind.removeAll()
  }

  // MARK: - Updates

  /// Notes a change at a place, to be told later than what `earlier` has.
  /// - Parameters:
  ///   - byteCount: about what it takes on the wire.
  ///   - before: the state that there was before it.
  mutating func append(
    _ event: HereEvent, at place: WatchedPlace, count: Int, byteCount: Int,
    behind earlier: HereUpdate?, before: Revisions
  ) -> HereUpdate {
    if let update = place.openUpdate {
      let isInOrder = earlier.map { $0.number <= update.number } ?? true
      if isInOrder && update.byteCount + byteCount <= Limits.pageBytes {
        update.append(event, byteCount: byteCount, count: count)
        return update
      }
      close(place, at: before)
    }
    let update = HereUpdate(place, number: nextUpdate)
    nextUpdate += 1
    update.append(event, byteCount: byteCount, count: count)
    updates.append(update)
    place.openUpdate = update
    place.waitingUpdates += 1
    return update
  }

  /// The update is the one that tells that somebody leaves.
  mutating func leaves(_ person: ID, in update: HereUpdate) {
    leavings[person, default: []].append(update)
  }

  /// Whether an update shows somebody whose leaving another place has yet to be told.
  func isAhead(_ update: HereUpdate) -> Bool {
    guard !leavings.isEmpty else { return false }
    return update.events.contains { event in
      event.kind != .left
        && leavings[event.person.id]?.contains { $0.number < update.number } == true
    }
  }

  /// The update has been told, or there is nobody to tell it to.
  mutating func isDone(_ update: HereUpdate) {
    for event in update.events where event.kind == .left {
      leavings[event.person.id]?.removeAll { $0 === update }
      if leavings[event.person.id]?.isEmpty == true { leavings[event.person.id] = nil }
    }
  }

  /// What comes goes into another update: who begins now has all that was before.
  func close(_ place: WatchedPlace, at state: Revisions) {
    place.openUpdate?.end = state
    place.openUpdate = nil
  }

  // MARK: - Time

  mutating func isDue(at us: Int64?) {
    guard let us else { return }
    dueUs = min(dueUs ?? .max, us)
  }

  mutating func nothingIsDue() { dueUs = nil }
}
