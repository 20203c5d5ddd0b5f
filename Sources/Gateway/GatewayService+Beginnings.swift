import Model
import ServiceKit
import Wire
import ZeroMQ

/// How watches begin: with what is true now, with what has happened since, or with nothing; first,
/// and again where a caller has not read or a state was lost.
extension GatewayService {
  /// All that is true of a place, or of all counts, encoded once for all who need it in a round.
  private struct Picture {
    var pages: [Frame]
    var asOf: Revisions
  }

  private typealias Pictures = [ID?: Picture]

  func beginWatches(_ core: ServiceCore, _ now: Moment) {
    guard !watches.beginning.isEmpty else { return }
    var beginning: [Watch] = []
    swap(&beginning, &watches.beginning)
    var pictures: Pictures = [:]
    var isAnyAhead = false
    for watch in beginning where !watch.isOver {
      guard case .begins(let from) = watch.state else { continue }
      let isAhead = watch.place.map(isAhead) ?? false
      isAnyAhead = isAnyAhead || isAhead
      if isAhead || !begin(watch, from, &pictures, core, now) { watches.beginning.append(watch) }
    }
    let patienceUs = Int64(Limits.watchedNamesTimeoutMs) * 1_000
    watches.patienceEndsUs =
      isAnyAhead ? watches.patienceEndsUs ?? now.monotonicUs + patienceUs : nil
    watches.isDue(at: watches.patienceEndsUs)
  }

  /// Whether somebody is there whose leaving another place has yet to be told: whoever watches both
  /// would be shown that person twice.
  private func isAhead(_ place: WatchedPlace) -> Bool {
    guard !watches.leavings.isEmpty, let slot = presence.place(place.id) else { return false }
    return watches.leavings.contains { id, updates in
      guard let person = presence.person(id), presence[person: person].place == slot else {
        return false
      }
      return updates.contains { $0.place !== place }
    }
  }

  /// False: it cannot be done yet.
  private func begin(
    _ watch: Watch, _ beginning: Watch.Beginning, _ pictures: inout Pictures,
    _ core: ServiceCore, _ now: Moment
  ) -> Bool {
    switch beginning {
    case .now:
      let asOf = watch.place.map { state(revisions, of: $0) } ?? revisions.only(.checkIns)
      begin(watch, [encoded(whole(watch, now), core)], asOf, core, now)
    case .after(let state):
      guard let place = watch.place else {
        return beginCounts(watch, after: state, &pictures, core, now)
      }
      // Before anything is looked at: hundreds may begin at a place of thousands in one round.
      guard !place.waitsForNames else { return false }
      guard let events = events(at: place, after: state) else {
        return begin(watch, .reset, &pictures, core, now)
      }
      guard hasNames(of: events.lazy.filter(\.hasName).map(\.person.id), for: place, now) else {
        return false
      }
      guard events.reduce(0, { $0 + roughByteCount($1) }) <= Limits.pageBytes else {
        return begin(watch, .reset, &pictures, core, now)
      }
      var response = whole(watch, now)
      response.changes = events.map { change($0, at: place, now) }
      begin(watch, [encoded(response, core)], self.state(revisions, of: place), core, now)
    case .reset:
      guard let picture = pictures[watch.place?.id] ?? picture(watch, core, now) else {
        return false
      }
      pictures[watch.place?.id] = picture
      begin(watch, picture.pages, picture.asOf, core, now)
    }
    return true
  }

  /// Tells a watch these responses, and from now on what changes.
  private func begin(
    _ watch: Watch, _ pages: [Frame], _ asOf: Revisions, _ core: ServiceCore, _ now: Moment
  ) {
    for (number, page) in pages.enumerated() {
      // One part is nothing without the others.
      guard tell(watch, page, asOf: asOf, continues: number > 0, core, now) else { return }
    }
    watch.state = .isLive
    watch.isBehind = false
    watch.beganUs = now.monotonicUs
    if let place = watch.place {
      watches.close(place, at: revisions)
      watch.firstUpdate = watches.nextUpdate
    }
  }

  /// A response without changes.
  private func whole(_ watch: Watch, _ now: Moment) -> WatchResponse {
    WatchResponse(
      timeMs: now.wallMs, count: watch.place.map { UInt32(people(at: $0.id).count) } ?? 0,
      total: watch.place == nil ? UInt64(presence.total) : 0)
  }

  private func encoded(_ response: WatchResponse, _ core: ServiceCore) -> Frame {
    let frame = Frame()
    core.encoder.encode(response) { frame.allocate($0) }
    return frame
  }

  // MARK: - What has happened since

  /// Events that may fit one response.
  private static let eventsOfPage = 4_000

  /// What has happened at a place since a state; nil: that is not known any more, or too much.
  private func events(at place: WatchedPlace, after state: Revisions) -> [HereEvent]? {
    guard let moves = recentMoves.after(state.checkIns),
      let edited = recentProfiles.after(state.profiles)
    else { return nil }
    var events: [HereEvent] = []
    if let slot = presence.place(place.id) {
      for move in moves where move.from != move.to {
        if move.from == slot { events.append(leaving(move)) }
        if move.to == slot { events.append(arrival(move)) }
      }
      for id in Set(edited) {
        guard let person = presence.person(id), presence[person: person].place == slot,
          let event = update(of: id)
        else { continue }
        events.append(event)
      }
    }
    return events.count <= Self.eventsOfPage ? events : nil
  }

  private func beginCounts(
    _ watch: Watch, after state: Revisions, _ pictures: inout Pictures, _ core: ServiceCore,
    _ now: Moment
  ) -> Bool {
    guard let moves = recentMoves.after(state.checkIns) else {
      return begin(watch, .reset, &pictures, core, now)
    }
    var changed: Set<Presence.Slot> = []
    for move in moves where move.from != move.to {
      if let from = move.from { changed.insert(from) }
      if let to = move.to { changed.insert(to) }
    }
    guard changed.count <= Self.countsOfPage else {
      return begin(watch, .reset, &pictures, core, now)
    }
    var response = whole(watch, now)
    response.counts = changed.map(count(of:))
    begin(watch, [encoded(response, core)], revisions.only(.checkIns), core, now)
    return true
  }

  // MARK: - All that is true

  /// Nil: names have to come first, or one was made a moment ago.
  private func picture(_ watch: Watch, _ core: ServiceCore, _ now: Moment) -> Picture? {
    guard let place = watch.place else { return picture(core, now) }
    if let due = place.states.due(at: now) {
      watches.isDue(at: due)
      return nil
    }
    guard !place.waitsForNames else { return nil }
    let members = people(at: place.id).map(member)
    guard hasNames(of: members.lazy.map(\.id), for: place, now) else { return nil }
    place.states.done(at: now, restUs: 4 * members.count)
    var pages: [WatchResponse] = []
    var page = whole(watch, now)
    page.reset = true
    var byteCount = 0
    for member in members {
      let change = change(HereEvent(kind: .arrived, person: member), at: place, now)
      let size = (change.person?.roughByteCount ?? 0) + 32
      if byteCount + size > Limits.pageBytes {
        page.incomplete = true
        pages.append(page)
        page = whole(watch, now)
        byteCount = 0
      }
      page.changes.append(change)
      byteCount += size
    }
    pages.append(page)
    return Picture(pages: pages.map { encoded($0, core) }, asOf: state(revisions, of: place))
  }

  private func picture(_ core: ServiceCore, _ now: Moment) -> Picture {
    var pages: [Frame] = []
    var rest = presence.occupied[...]
    repeat {
      let counts = rest.prefix(Self.countsOfPage)
      rest = rest.dropFirst(counts.count)
      let response = WatchResponse(
        reset: pages.isEmpty, incomplete: !rest.isEmpty, timeMs: now.wallMs,
        counts: counts.map(count(of:)), total: UInt64(presence.total))
      pages.append(encoded(response, core))
    } while !rest.isEmpty
    return Picture(pages: pages, asOf: revisions.only(.checkIns))
  }
}
