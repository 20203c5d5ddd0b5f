import Harness
import Model
import ServiceKit
import Testing
import Wire

@testable import Gateway

/// What a program knows that watches, and that holds every response against the protocol.
struct Screen {
  let id: UInt64
  private(set) var people: [ID: Person] = [:]
  private(set) var count: UInt32 = 0
  private(set) var counts: [ID: UInt32] = [:]
  private(set) var total: UInt64 = 0
  private(set) var asOf = Revisions()
  private(set) var resets = 0
  private(set) var responses: [WatchResponse] = []
  /// Parts of a state are missing.
  private(set) var isIncomplete = false

  init(_ id: UInt64) { self.id = id }

  /// Another watch that goes on from what this one shows.
  func goingOn(_ id: UInt64) -> Screen {
    var other = Screen(id)
    other.people = people
    other.asOf = asOf
    other.resets = resets
    return other
  }

  /// The first names of those who are there, in the order of a list.
  var names: [String] {
    people.values.sorted {
      ($0.sinceMs, $0.profileID ?? id(0)) < ($1.sinceMs, $1.profileID ?? id(0))
    }.map(\.firstName)
  }

  private func id(_ number: UInt64) -> ID { ID(high: 0, low: number) }

  var changes: [HereChange] { responses.flatMap(\.changes) }

  mutating func forget() { responses = [] }

  /// Takes in what has come of its stream, of a place or of all counts.
  mutating func read(_ harness: Harness) {
    for response in harness.streamed where response.header.id == id {
      take(harness.decode(WatchResponse.self, response.body), response.header)
    }
    harness.streamed.removeAll { $0.header.id == id }
  }

  private mutating func take(_ response: WatchResponse, _ header: ResponseHeader) {
    #expect(header.status == nil && header.more && response.timeMs > 0)
    #expect(header.asOf.checkIns >= asOf.checkIns, "a state never goes back")
    asOf = header.asOf
    if response.reset {
      resets += 1
      people = [:]
      counts = [:]
    } else {
      #expect(!isIncomplete || !response.changes.isEmpty || !response.counts.isEmpty)
    }
    let isState = response.reset || isIncomplete
    for change in response.changes { take(change, isState) }
    for place in response.counts {
      if let id = place.locationID { counts[id] = place.count == 0 ? nil : place.count }
    }
    isIncomplete = response.incomplete
    count = response.count
    total = response.total
    responses.append(response)
  }

  private mutating func take(_ change: HereChange, _ isState: Bool) {
    guard let person = change.person, let id = person.profileID else {
      Issue.record("a change of nobody")
      return
    }
    switch change.kind {
    case .arrived:
      #expect(people[id] == nil, "somebody arrives who is here")
      if isState { #expect(change.reason == .unspecified && change.otherLocationID == nil) }
      people[id] = person
    case .left:
      #expect(people[id] != nil, "somebody leaves who is not here")
      people[id] = nil
    case .updated:
      #expect(people[id] != nil && change.reason == .unspecified)
      people[id] = person
    case .unspecified: Issue.record("a change of no kind")
    }
  }
}

extension Hub {
  /// Begins a watch, and takes in what comes at once.
  func watch(
    _ request: WatchRequest, as user: String = "", _ roles: Roles = [], from peer: UInt8 = 1
  ) -> Screen {
    let header = RequestHeader(actingUser: user, actingRoles: roles)
    var screen = Screen(harness.send(request, header, from: peer))
    harness.finish()
    screen.read(harness)
    return screen
  }

  func watch(
    place: Int, mode: WatchMode = .unspecified, after: Revisions? = nil, heartbeatMs: UInt32 = 0,
    from peer: UInt8 = 1
  ) -> Screen {
    watch(
      WatchRequest(
        locationID: Self.place(place), mode: mode, after: after, heartbeatMs: heartbeatMs),
      from: peer)
  }

  /// A second watch, from the state of this one on.
  func resume(_ screen: Screen, place: Int) -> Screen {
    let request = WatchRequest(locationID: Self.place(place), after: screen.asOf)
    var other = screen.goingOn(harness.send(request))
    harness.finish()
    other.read(harness)
    return other
  }

  /// The feeds tell what is new, and the screen shows it.
  func tell(_ screen: inout Screen) {
    tell()
    screen.read(harness)
  }

  /// Takes how a watch ended; nil: it goes on.
  func end(of screen: Screen, from peer: UInt8 = 1) -> String? {
    harness.take(screen.id, from: peer)?.header.status?.reason
  }

  /// That a screen shows a place as a fresh read does.
  func check(_ screen: Screen, _ place: Int) throws {
    let rows = try here(place, pageSize: 1_000).response
    #expect(screen.people.values.sorted { $0.sinceMs < $1.sinceMs } == rows.people)
    #expect(screen.count == rows.count)
  }
}
