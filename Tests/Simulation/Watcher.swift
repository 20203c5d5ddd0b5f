import Model
import ServiceKit
import Wire

/// Somebody who watches one place, or all counts, through one gateway or another, and goes on from
/// what was seen last wherever a stream ends. What it shows has to be the truth at its revision.
final class Watcher: Caller {
  let name: String
  unowned let world: World
  let chance: Chance
  let isThere = true
  private(set) var connections: [Connection] = []

  /// Nil: all counts.
  private var place: ID?
  private var isPassingThrough = false
  private var home: Int
  private var lastCall: UInt64 = 0
  private var call: UInt64 = 0
  private var isWatching = false
  private var startedUs: Int64 = 0
  private var heardUs: Int64 = 0
  /// The state of which everything is known; nil: none.
  private var asOf: Revisions?
  private var people: [ID: Person] = [:]
  private var counts: [ID: UInt32] = [:]
  /// A state that is told in several responses.
  private var isCollecting = false

  private static let heartbeatMs: Int64 = 1_000
  private var truth: Truth { world.truth }

  init(_ number: Int, in world: World) {
    name = "watcher-\(number)"
    self.world = world
    chance = world.chance.fork()
    home = chance.below(world.gateways.count)
    connections = world.gateways.map { gateway in
      Connection(.rpc, "\(name)>\(gateway.name)", from: self, to: gateway, in: world)
    }
  }

  func start() {
    for connection in connections { connection.open() }
    tick()
  }

  func fail(_ what: @autoclosure () -> String) {
    world.fail(
      "\(name) of \(place.map { "\($0)" } ?? "all counts") through gateway-\(home + 1): \(what())")
  }

  // MARK: - Streams

  /// Looks after the stream: begins one where there is none, and leaves one that is silent.
  private func tick() {
    world.after(chance.between(30_000, 120_000)) { [unowned self] in
      if isWatching {
        let silentUs = world.nowUs - max(heardUs, startedUs)
        if silentUs > 3 * Self.heartbeatMs * 1_000 + 300_000 { becomeSilent() }
        if !world.isHealed, chance.one(in: 150) { leave() }
      } else {
        watch()
      }
      tick()
    }
  }

  private func becomeSilent() {
    let connection = connections[home]
    let isLost =
      !connection.isUp || connection.troubledUs >= max(heardUs, startedUs)
      || connection.server.troubledUs >= max(heardUs, startedUs)
    if !isLost { fail("is silent for over three heartbeats") }
    stop()
  }

  private func stop() {
    isWatching = false
    if isCollecting {
      // Half a state is none.
      isCollecting = false
      forget()
    }
    home = chance.below(connections.count)
  }

  private func forget() {
    asOf = nil
    people = [:]
    counts = [:]
  }

  /// Goes, with or without a word, and looks at something else.
  private func leave() {
    if chance.one(in: 2), connections[home].isUp {
      lastCall += 1
      send(CancelWatchRequest(callID: call), id: lastCall)
    } else {
      connections[home].cut()
    }
    stop()
    forget()
    choose()
  }

  private func choose() {
    place = nil
    isPassingThrough = false
    guard chance.percent(75) else { return }
    place = chance.any(Workload.livingPlaces(truth))
    isPassingThrough = place != nil && chance.one(in: 6)
  }

  private func watch() {
    guard connections[home].isUp else {
      home = chance.below(connections.count)
      return
    }
    if asOf == nil { choose() }
    if asOf == nil, place == nil, truth.locations.ids.isEmpty { return }
    lastCall += 1
    call = lastCall
    isWatching = true
    startedUs = world.nowUs
    world.note(.watch, call) {
      "\(name) watches \(place.map { "\($0)" } ?? "all counts") through gateway-\(home + 1) "
        + "after \(asOf?.checkIns ?? 0)"
    }
    send(
      WatchRequest(
        locationID: place, allCounts: place == nil,
        mode: isPassingThrough ? .passThrough : .unspecified, after: asOf,
        heartbeatMs: UInt32(Self.heartbeatMs)), id: call)
  }

  private func send<Q: Request>(_ request: Q, id: UInt64) {
    let header = RequestHeader(id: id, method: Q.method, timeoutMs: 3_000, actingUser: name)
    _ = connections[home].send(
      Parcel(header: world.codec.bytes(header), body: world.codec.bytes(request)))
  }

  func changed(_ connection: Connection, isUp: Bool) {
    guard !isUp else { return }
    connection.open()
    if connection === connections[home], isWatching { stop() }
  }

  func stopReading(untilUs: Int64) { connections[home].stall(untilUs: untilUs) }

  // MARK: - What it is told

  func received(_ parcel: Parcel, on connection: Connection) {
    let header = world.codec.read(ResponseHeader.self, parcel.header)
    guard isWatching, header.id == call, connection === connections[home] else { return }
    heardUs = world.nowUs
    guard header.more else { return ended(header) }
    for log in LogName.allCases where header.asOf[log] > truth.lastRevision(log) {
      return fail("as of \(log.text) \(header.asOf[log]), which is not committed")
    }
    let response = world.codec.read(WatchResponse.self, parcel.body)
    world.note(.watch, call, header.asOf.checkIns, UInt64(response.changes.count)) {
      "\(name) hears as of \(header.asOf.profiles),\(header.asOf.locations),"
        + "\(header.asOf.checkIns)\(response.reset ? " reset" : "")"
        + "\(response.incomplete ? " incomplete" : "") \(response.changes.count) changes, "
        + "\(response.counts.count) counts"
    }
    let before = asOf
    if response.reset {
      forget()
      isCollecting = true
    }
    let isReset = isCollecting
    take(response)
    if response.incomplete { return }
    isCollecting = false
    asOf = header.asOf
    judge(response, header.asOf, after: isReset ? nil : before, isReset: isReset)
  }

  private func ended(_ header: ResponseHeader) {
    world.note(.watch, call) { "\(name)'s stream ends: \(header.status?.reason ?? "")" }
    stop()
    guard header.status?.reason == Reason.locationNotFound.rawValue else {
      if (header.status?.code ?? .ok) == .invalidArgument || header.status == nil {
        fail("is refused: \(header.status?.reason ?? "nothing")")
      }
      return
    }
    if let place, truth.locations.existed(place, fromUs: startedUs, toUs: world.nowUs) {
      fail("is told that the place is gone, and it is there")
    }
    forget()
  }

  private func take(_ response: WatchResponse) {
    for change in response.changes {
      guard let person = change.person, let id = person.profileID else {
        return fail("a change of nobody")
      }
      switch change.kind {
      case .arrived:
        if people[id] != nil, !isPassingThrough { fail("G3: \(id) arrives, and is there") }
        people[id] = person
      case .left:
        if people.removeValue(forKey: id) == nil, !isPassingThrough {
          fail("G3: \(id) leaves, and is not there")
        }
      case .updated:
        if people[id] == nil, !isPassingThrough { fail("B7: \(id) is updated, and is not there") }
        people[id] = person
      case .unspecified: fail("a change of no kind")
      }
    }
    for count in response.counts {
      guard let id = count.locationID else { return fail("a count of nowhere") }
      counts[id] = count.count == 0 ? nil : count.count
    }
  }

  private func judge(
    _ response: WatchResponse, _ asOf: Revisions, after: Revisions?, isReset: Bool
  ) {
    let revision = asOf.checkIns
    guard let place else {
      let places = truth.checkIns.occupied(at: revision)
      let isSame =
        places.count == counts.count
        && places.allSatisfy {
          Int(counts[$0] ?? 0) == truth.checkIns.members(of: $0, at: revision).count
        }
      if !isSame { fail("E5: at check-ins \(revision) shows other counts") }
      if Int(response.total) != truth.checkIns.total(at: revision) {
        fail("E5: at check-ins \(revision) shows a total of \(response.total)")
      }
      return
    }
    let members = truth.checkIns.members(of: place, at: revision)
    if Int(response.count) != members.count {
      fail("E2: at check-ins \(revision) shows \(response.count) of \(members.count)")
    }
    if let after, !isReset { judgeChanges(response, place, after.checkIns, revision) }
    guard !isPassingThrough else { return }
    let isSame =
      people.count == members.count
      && members.allSatisfy { people[$0.id]?.sinceMs == $0.sinceMs }
    if !isSame {
      fail("G3: at check-ins \(revision) shows \(people.count) of \(members.count)")
    }
  }

  /// Each change is told once, in order, with its reason and the other place.
  private func judgeChanges(
    _ response: WatchResponse, _ place: ID, _ after: UInt64, _ revision: UInt64
  ) {
    guard revision >= after else { return fail("G3: goes back from \(after) to \(revision)") }
    let entries = truth.checkIns.entries[Int(after)..<Int(revision)].filter {
      $0.reason != .renewed && ($0.fromLocationID == place || $0.toLocationID == place)
    }
    let told = response.changes.filter { $0.kind != .updated }
    let isSame =
      told.count == entries.count
      && zip(told, entries).allSatisfy { change, entry in
        let arrives = entry.toLocationID == place
        return change.person?.profileID == entry.profileID && change.reason == entry.reason
          && change.kind == (arrives ? .arrived : .left)
          && change.otherLocationID == (arrives ? entry.fromLocationID : entry.toLocationID)
      }
    if !isSame {
      fail(
        "G1: from \(after) to \(revision) is told \(told.map { "\($0.kind) \($0.reason)" }), and "
          + "what happened is \(entries.map { "\($0.revision) \($0.reason)" })")
    }
  }

  /// When all is quiet.
  func judgeAtEnd() {
    guard isWatching, asOf != nil, !isCollecting else { return fail("does not watch in peace") }
    guard let place, !isPassingThrough else { return }
    let members = truth.checkIns.members(of: place, at: truth.checkIns.lastRevision)
    if Set(members.map(\.id)) != Set(people.keys) {
      fail("G3: in the end shows \(people.count) of \(members.count)")
    }
    for (id, person) in people {
      let name = truth.profiles.current(id)?.firstName
      if person.firstName != name {
        fail("B7: in the end calls \(id) \(person.firstName), not \(name ?? "deleted")")
      }
    }
  }
}
