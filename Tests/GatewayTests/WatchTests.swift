import Harness
import Model
import ServiceKit
import Testing
import Wire

@testable import Gateway

@Suite("Watching a place")
struct WatchTests {
  @Test("G1: what is true now comes first, an empty list too, then every change")
  func currentValue() throws {
    let hub = try Hub()
    hub.move(0, to: 1)
    hub.tell()
    var screen = hub.watch(place: 1)
    #expect(screen.names == ["P0"] && screen.count == 1 && screen.resets == 1)
    #expect(screen.asOf == Revisions(profiles: 3, locations: 3, checkIns: 1))
    let empty = hub.watch(place: 0)
    #expect(empty.responses.count == 1 && empty.resets == 1 && empty.people == [:])
    hub.move(1, to: 1)
    hub.move(0, to: nil)
    hub.tell(&screen)
    #expect(screen.names == ["P1"] && screen.resets == 1 && screen.count == 1)
    #expect(screen.responses.count == 2, "a round's changes come together")
    #expect(screen.changes.suffix(2).map(\.kind) == [.arrived, .left])
    #expect(screen.changes.suffix(2).map(\.reason) == [.requested, .requested])
    #expect(screen.asOf.checkIns == 3)
    try hub.check(screen, 1)
  }

  @Test("G1: pass through tells only what happens from now on")
  func passThrough() throws {
    let hub = try Hub()
    hub.move(0, to: 1)
    hub.tell()
    var screen = hub.watch(place: 1, mode: .passThrough)
    #expect(screen.responses.count == 1 && screen.resets == 0 && screen.changes == [])
    #expect(screen.count == 1 && screen.asOf.checkIns == 1)
    hub.move(1, to: 1)
    hub.tell(&screen)
    #expect(screen.changes.map(\.kind) == [.arrived] && screen.count == 2)
    #expect(screen.changes.first?.person?.firstName == "P1")
  }

  @Test("expiry, moves, deletions and everyone-out come with their reason and the other place")
  func reasons() throws {
    let hub = try Hub(people: 6)
    for person in 0..<5 { hub.move(person, to: 1) }
    hub.tell()
    var screen = hub.watch(place: 1)
    screen.forget()
    hub.move(0, to: 2)
    hub.move(0, to: 1)
    hub.move(1, to: nil, .expired)
    hub.delete(person: 2)
    hub.move(2, to: nil, .profileDeleted)
    hub.move(3, to: nil, .everyoneOut)
    hub.move(4, to: 1, .renewed, expireMs: 5)
    hub.move(4, to: nil, .locationDeleted)
    hub.tell(&screen)
    let told = screen.changes
    #expect(told.map(\.kind) == [.left, .arrived, .left, .left, .left, .left])
    #expect(
      told.map(\.reason) == [
        .requested, .requested, .expired, .profileDeleted, .everyoneOut, .locationDeleted,
      ])
    #expect(
      told.map(\.otherLocationID) == [Hub.place(2), Hub.place(2), nil, nil, nil, nil])
    #expect(told[2].person?.firstName == "P1")
    #expect(told[3].person == Person(profileID: Hub.person(2)), "the id only")
    try hub.check(screen, 1)
  }

  @Test("B7: an edit is an update, also of somebody whose name was not known here")
  func edits() throws {
    let hub = try Hub()
    hub.move(0, to: 1)
    hub.move(1, to: 1)
    hub.tell()
    var screen = hub.watch(place: 1)
    screen.forget()
    hub.put(person: 0, first: "Ada")
    hub.put(person: 2, first: "Elsewhere")
    hub.tell(&screen)
    #expect(screen.changes.map(\.kind) == [.updated])
    #expect(screen.changes.first?.person?.firstName == "Ada")
    #expect(screen.changes.first?.person?.sinceMs == 1_001)
    #expect(screen.count == 2 && screen.asOf.profiles == 5)
  }

  @Test("the form: one of place and counts, and a heartbeat from 1 000 to 60 000")
  func form() throws {
    let hub = try Hub()
    let place = Hub.place(0)
    for (request, fields) in [
      (WatchRequest(), ["location_id"]),
      (WatchRequest(locationID: place, allCounts: true), ["all_counts"]),
      (WatchRequest(locationID: place, heartbeatMs: 999), ["heartbeat_ms"]),
      (WatchRequest(allCounts: true, heartbeatMs: 60_001), ["heartbeat_ms"]),
    ] {
      let reply = try hub.harness.call(request)
      #expect(reply.fields == fields && reply.reason == "INVALID_FIELDS" && !reply.header.more)
    }
    #expect(hub.watch(place: 0, heartbeatMs: 1_000).responses.count == 1)
    #expect(hub.watch(place: 0, heartbeatMs: 60_000).responses.count == 1)
    let unknown = try hub.harness.call(WatchRequest(locationID: Hub.place(9)))
    #expect(unknown.reason == "LOCATION_NOT_FOUND")
  }

  @Test("a display watches all counts and no place")
  func roles() throws {
    let hub = try Hub()
    let request = WatchRequest(locationID: Hub.place(0))
    #expect(try hub.harness.call(request, as: "wall", .display).reason == "NOT_ALLOWED")
    #expect(hub.watch(WatchRequest(allCounts: true), as: "wall", .display).responses.count == 1)
    #expect(hub.watch(request, as: "u", .user).responses.count == 1)
    let strict = try Hub(trustsClients: false)
    #expect(try strict.harness.call(request).reason == "NO_IDENTITY")
  }

  @Test("a watch that is cancelled ends with CANCELLED; one that does not exist is not found")
  func cancel() throws {
    let hub = try Hub()
    var screen = hub.watch(place: 1)
    #expect(
      try hub.harness.call(CancelWatchRequest(callID: screen.id), from: 2).reason
        == "CALL_NOT_FOUND", "of another connection")
    #expect(try hub.harness.call(CancelWatchRequest(callID: screen.id)).code == .ok)
    #expect(hub.end(of: screen) == "CANCELLED")
    #expect(
      try hub.harness.call(CancelWatchRequest(callID: screen.id)).reason == "CALL_NOT_FOUND")
    screen.forget()
    hub.move(0, to: 1)
    hub.tell(&screen)
    hub.harness.pass(ms: 10_000)
    screen.read(hub.harness)
    #expect(screen.responses == [])
    // The id is free again.
    let again = hub.harness.send(
      WatchRequest(locationID: Hub.place(1)), RequestHeader(id: screen.id))
    hub.harness.finish()
    var second = Screen(again)
    second.read(hub.harness)
    #expect(second.names == ["P0"])
  }

  @Test("256 watches a caller, whatever the connection; they are no calls in flight")
  func limit() throws {
    let hub = try Hub()
    let request = WatchRequest(allCounts: true)
    for number in 0..<256 {
      let peer = UInt8(1 + number % 3)
      #expect(hub.watch(request, as: "u", from: peer).responses.count == 1)
    }
    #expect(try hub.harness.call(request, as: "u").reason == "TOO_MANY_WATCHES")
    let other = hub.watch(request, as: "v")
    #expect(other.responses.count == 1)
    for _ in 0..<256 { _ = hub.watch(request, from: 9) }
    #expect(try hub.harness.call(request, from: 9).reason == "TOO_MANY_WATCHES")
    #expect(try hub.harness.call(CancelWatchRequest(callID: other.id), as: "v").code == .ok)
    for _ in 0..<4_096 { hub.harness.send(GetMeRequest(), RequestHeader(actingUser: "u")) }
    #expect(try hub.harness.call(GetCountsRequest(), as: "u").reason == "TOO_MANY_CALLS")
  }

  @Test("the id of a watch is taken while it runs, and the watch goes on")
  func sameID() throws {
    let hub = try Hub()
    var screen = hub.watch(place: 1)
    hub.harness.send(GetCountsRequest(), RequestHeader(id: screen.id))
    #expect(hub.end(of: screen) == "MALFORMED_REQUEST")
    hub.move(0, to: 1)
    hub.tell(&screen)
    #expect(screen.names == ["P0"])
  }

  @Test("when the place is deleted everybody leaves, and the stream ends")
  func deletedPlace() throws {
    let hub = try Hub()
    hub.move(0, to: 1)
    hub.move(1, to: 1)
    hub.tell()
    var screen = hub.watch(place: 1)
    var other = hub.watch(place: 0)
    hub.locations.append(.locationDeleted(Hub.place(1)))
    hub.tell(&screen)
    #expect(hub.end(of: screen) == nil && screen.count == 2)
    hub.move(0, to: nil, .locationDeleted)
    hub.move(1, to: nil, .locationDeleted)
    hub.tell(&screen)
    #expect(screen.people == [:] && screen.count == 0)
    #expect(hub.end(of: screen) == "LOCATION_NOT_FOUND")
    hub.locations.append(.locationDeleted(Hub.place(0)))
    hub.tell(&other)
    #expect(hub.end(of: other) == "LOCATION_NOT_FOUND", "nobody was there")
  }

  @Test("a gateway that ends says so to every stream, and takes no more")
  func draining() throws {
    let hub = try Hub()
    let screens = [hub.watch(place: 1), hub.watch(WatchRequest(allCounts: true), from: 2)]
    hub.harness.core.drain(at: hub.harness.now)
    hub.harness.finish()
    #expect(hub.end(of: screens[0]) == "DRAINING")
    #expect(hub.end(of: screens[1], from: 2) == "DRAINING")
    #expect(try hub.harness.call(WatchRequest(allCounts: true)).reason == "DRAINING")
    hub.move(0, to: 1)
    hub.tell()
    hub.harness.pass(ms: 10_000)
    #expect(hub.harness.streamed.isEmpty && hub.harness.core.isDrained)
  }
}
