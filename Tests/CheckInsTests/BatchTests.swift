import Harness
import Model
import ServiceKit
import Testing
import Wire

@Suite("Many check-ins in one call")
struct BatchTests {
  private func item(_ person: Int, _ place: Int?, ttlS: UInt32 = 0) -> BatchCheckInItem {
    BatchCheckInItem(
      profileID: Venue.person(person), locationID: place.map(Venue.place), ttlS: ttlS)
  }

  /// One field of a message: its number and some bytes.
  private func field(_ number: UInt8, _ bytes: [UInt8]) -> [UInt8] {
    [number << 3 | 2, UInt8(bytes.count)] + bytes
  }

  @Test("each item has its own outcome, in order, in one commit")
  func outcomes() throws {
    let venue = try Venue(people: 4)
    venue.addPlace(5, capacity: 1)
    venue.tell()
    _ = try venue.checkIn(2, 0)
    venue.harness.published = []
    let reply = try venue.harness.call(
      BatchCheckInRequest(items: [
        item(0, 5), item(1, 5), item(9, 0), item(0, 9), item(2, nil), item(2, 0), item(3, nil),
        BatchCheckInItem(locationID: Venue.place(0)), item(0, 5, ttlS: 60),
      ]), as: "desk")
    let outcomes = reply.response.outcomes
    #expect(
      outcomes.map { $0.error?.reason ?? "" } == [
        "", "LOCATION_FULL", "PROFILE_NOT_FOUND", "LOCATION_NOT_FOUND", "", "", "",
        "INVALID_FIELDS", "",
      ])
    #expect(
      outcomes.map(\.changed) == [true, false, false, false, true, true, false, false, false])
    #expect(outcomes[4].previousLocationID == Venue.place(0) && outcomes[4].status != nil)
    #expect(outcomes[7].error?.fieldViolations.map(\.field) == ["items[7].profile_id"])
    #expect(outcomes[8].status?.expireTimeMs != 0, "a renewal")
    #expect(venue.harness.published.count == 1)
    #expect(venue.harness.published.flatMap(\.changes).count == 4)
    #expect(reply.header.asOf == Revisions(checkIns: 5))
    #expect(try venue.stateOnDisk() == venue.state)
  }

  @Test("an id that is none is its item's own fault, however many there are, and checks nobody out")
  func malformedItems() throws {
    let venue = try Venue()
    _ = try venue.checkIn(0, 1)
    let wrongPlace = field(1, Venue.person(0).bytes) + field(2, [1, 2, 3])
    let wrongPerson = field(1, [1]) + field(2, Venue.place(2).bytes)
    let right = field(1, Venue.person(1).bytes) + field(2, Venue.place(2).bytes)
    let items = Array(repeating: wrongPlace, count: 30) + [wrongPerson, right]
    let body = items.flatMap { field(1, $0) }
    let call = venue.harness.send(
      body: body, RequestHeader(method: .batchCheckIn, actingUser: "desk"))
    venue.harness.finish()
    let reply = try #require(venue.harness.take(BatchCheckInRequest.self, call))
    let outcomes = reply.response.outcomes
    try #require(outcomes.count == 32)
    #expect(outcomes.prefix(31).allSatisfy { $0.error?.reason == "INVALID_FIELDS" })
    #expect(outcomes[29].error?.fieldViolations.map(\.field) == ["items[29].location_id"])
    #expect(outcomes[30].error?.fieldViolations.map(\.field) == ["items[30].profile_id"])
    #expect(outcomes[31].error == nil && outcomes[31].changed)
    #expect(try venue.whereabouts(0) == Venue.place(1))
  }

  @Test("more than 1 000 items are refused as a whole")
  func tooMany() throws {
    let venue = try Venue()
    let items = Array(repeating: item(0, 1), count: 1_001)
    let reply = try venue.harness.call(BatchCheckInRequest(items: items))
    #expect(reply.reason == "INVALID_FIELDS" && reply.fields == ["items"])
    #expect(
      try venue.harness.ask(BatchCheckInRequest(items: Array(items.dropLast()))).outcomes.count
        == 1_000)
    #expect(try venue.log().count == 1)
    #expect(try venue.harness.ask(BatchCheckInRequest()).outcomes == [])
  }

  @Test("whose a profile is decides item by item")
  func roles() throws {
    let venue = try Venue()
    let reply = try venue.harness.call(
      BatchCheckInRequest(items: [item(0, 1), item(1, 1)]), as: "user 1", .user)
    #expect(reply.response.outcomes.map { $0.error?.reason ?? "" } == ["NOT_ALLOWED", ""])
    let none = try venue.harness.call(
      BatchCheckInRequest(items: [item(0, 1)]), as: "user 1", .display)
    #expect(none.reason == "NOT_ALLOWED")
  }

  @Test("a repeated batch is told as it was, after a restart too")
  func replay() throws {
    let venue = try Venue()
    let request = BatchCheckInRequest(items: [item(0, 1), item(1, nil), item(9, 1)])
    let first = try venue.harness.call(request, as: "desk", key: id(1))
    _ = try venue.checkIn(0, 2)
    for restarts in [false, true] {
      if restarts { try venue.start() }
      let again = try venue.harness.call(request, as: "desk", key: id(1))
      #expect(again.header.replayed && again.response == first.response)
    }
    #expect(try venue.whereabouts(0) == Venue.place(2))
  }

  @Test(
    "what the owners have and have not told of is found; if they cannot be asked, it is not known"
  )
  func catchesUp() throws {
    let venue = try Venue()
    venue.addPerson(7)
    venue.addPlace(7)
    let request = BatchCheckInRequest(items: [item(0, 1), item(7, 7), item(8, 7)])
    let reply = try venue.harness.ask(request)
    #expect(reply.outcomes.map { $0.error?.reason ?? "" } == ["", "", "PROFILE_NOT_FOUND"])
    venue.harness.disconnect(.profiles)
    venue.harness.pass(ms: 1_500)
    let cut = try venue.harness.ask(request)
    #expect(cut.outcomes.map { $0.error?.reason ?? "" } == ["", "", "SERVICE_UNREACHABLE"])
  }

  @Test("everybody out of one place: one change a person, with its reason, in one commit")
  func everyoneOut() throws {
    let venue = try Venue(people: 50)
    for person in 0..<50 { _ = try venue.checkIn(person, person % 2) }
    venue.harness.published = []
    let reply = try venue.harness.call(
      CheckOutEveryoneRequest(locationID: Venue.place(0)), as: "desk", .staff)
    #expect(reply.response.checkedOut == 25 && reply.header.asOf == Revisions(checkIns: 75))
    let told = venue.harness.published.flatMap(\.changes)
    #expect(venue.harness.published.count == 1 && told.count == 25)
    for change in told {
      guard case .checkIn(let entry) = change.what else { continue }
      #expect(entry.reason == .everyoneOut && entry.actingUser == "desk")
      #expect(entry.fromLocationID == Venue.place(0) && entry.toLocationID == nil)
    }
    #expect(try venue.count(0) == 0 && venue.count(1) == 25)
    #expect(try venue.stateOnDisk() == venue.state)
    let again = try venue.harness.call(CheckOutEveryoneRequest(locationID: Venue.place(0)))
    #expect(again.response.checkedOut == 0)
    let user = try venue.harness.call(
      CheckOutEveryoneRequest(locationID: Venue.place(1)), as: "user 1", .user)
    #expect(user.reason == "NOT_ALLOWED")
    #expect(
      try venue.harness.call(CheckOutEveryoneRequest(locationID: Venue.place(9))).reason
        == "LOCATION_NOT_FOUND")
    #expect(try venue.harness.call(CheckOutEveryoneRequest()).fields == ["location_id"])
  }
}
