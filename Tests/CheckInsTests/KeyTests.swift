import Harness
import Model
import ServiceKit
import Testing
import Wire

@Suite("C8: idempotency keys")
struct KeyTests {
  @Test("C8: the same call ten times is one change and one response, after a restart too")
  func repeats() throws {
    let venue = try Venue()
    let first = try venue.checkIn(0, 1, ttlS: 600, key: id(1))
    #expect(!first.header.replayed)
    _ = try venue.checkIn(0, 2)
    for round in 0..<10 {
      if round == 5 { try venue.start(connects: false) }
      let again = try venue.checkIn(0, 1, ttlS: 600, key: id(1))
      #expect(again.header.replayed && again.header.asOf == first.header.asOf)
      #expect(again.response == first.response)
    }
    #expect(try venue.whereabouts(0) == Venue.place(2) && venue.log().count == 2)
  }

  @Test("C8: check-outs, calls that change nothing, and renewals are repeated as they were")
  func otherKinds() throws {
    let venue = try Venue()
    _ = try venue.checkIn(0, 1)
    let renewal = try venue.checkIn(0, 1, ttlS: 60, key: id(1))
    let nothing = try venue.checkIn(0, 1, key: id(2))
    let out = try venue.checkOut(0, key: id(3))
    let outAgain = try venue.checkOut(0, key: id(4))
    let everyone = try venue.harness.call(
      CheckOutEveryoneRequest(locationID: Venue.place(1)), as: "desk", key: id(5))
    _ = try venue.checkIn(0, 2)
    for restarts in [false, true] {
      if restarts { try venue.start(connects: false) }
      #expect(try venue.checkIn(0, 1, ttlS: 60, key: id(1)).response == renewal.response)
      #expect(try venue.checkIn(0, 1, key: id(2)).response == nothing.response)
      #expect(try venue.checkOut(0, key: id(3)).response == out.response)
      let last = try venue.checkOut(0, key: id(4))
      #expect(last.response == outAgain.response && last.header.replayed)
      #expect(
        try venue.harness.call(
          CheckOutEveryoneRequest(locationID: Venue.place(1)), as: "desk", key: id(5)
        ).response == everyone.response)
    }
    #expect(try venue.whereabouts(0) == Venue.place(2))
  }

  @Test("C8: twice in one batch is once")
  func sameBatch() throws {
    let venue = try Venue()
    let request = CheckInRequest(profileID: Venue.person(0), locationID: Venue.place(1))
    let header = RequestHeader(idempotencyKey: id(1), actingUser: "desk")
    let calls = (0..<3).map { _ in venue.harness.send(request, header) }
    venue.harness.finish()
    let replies = try calls.map {
      try #require(venue.harness.take(CheckInRequest.self, $0))
    }
    #expect(replies.map(\.header.replayed) == [false, true, true])
    #expect(Set(replies.map { $0.response.status?.revision }) == [1])
    #expect(try venue.log().count == 1)
  }

  @Test(
    "a key with another body or method is refused, and changes nothing", arguments: [false, true])
  func reuse(restarts: Bool) throws {
    let venue = try Venue()
    _ = try venue.checkIn(0, 1, key: id(1))
    _ = try venue.checkIn(1, 1)
    _ = try venue.checkIn(1, 1, key: id(2))
    if restarts { try venue.start(connects: false) }
    #expect(try venue.checkIn(0, 2, key: id(1)).reason == "IDEMPOTENCY_KEY_REUSED")
    #expect(try venue.checkOut(0, key: id(1)).reason == "IDEMPOTENCY_KEY_REUSED")
    #expect(try venue.checkOut(1, key: id(2)).reason == "IDEMPOTENCY_KEY_REUSED")
    #expect(try venue.checkOut(1, as: "another", key: id(2)).code == .ok, "keys go by the user")
    #expect(try venue.whereabouts(0) == Venue.place(1))
  }

  @Test("a key needs a user, and a refused call may be tried again with its key")
  func refusals() throws {
    let venue = try Venue()
    #expect(try venue.checkIn(0, 1, as: "", key: id(1)).reason == "NO_IDENTITY")
    #expect(try venue.checkIn(0, 9, key: id(1)).reason == "LOCATION_NOT_FOUND")
    #expect(try venue.checkIn(0, 1, key: id(1)).response.changed)
  }

  @Test(
    "a repeat never brings anybody back who was deleted; the key stays", arguments: [false, true])
  func deleted(restarts: Bool) throws {
    let venue = try Venue()
    _ = try venue.checkIn(0, 1, key: id(1))
    _ = try venue.checkIn(0, 1, key: id(2))
    let batch = BatchCheckInRequest(items: [
      BatchCheckInItem(profileID: Venue.person(1), locationID: Venue.place(1)),
      BatchCheckInItem(profileID: Venue.person(0)),
    ])
    _ = try venue.harness.ask(batch, as: "desk", key: id(3))
    _ = try venue.checkIn(1, 2, key: id(4))
    venue.deletePerson(0)
    venue.addPerson(0, user: "user 0")
    if restarts { try venue.start() }
    #expect(try venue.checkIn(0, 1, key: id(1)).reason == "PROFILE_NOT_FOUND")
    #expect(try venue.checkIn(0, 1, key: id(2)).reason == "PROFILE_NOT_FOUND")
    #expect(try venue.harness.call(batch, as: "desk", key: id(3)).reason == "PROFILE_NOT_FOUND")
    #expect(try venue.checkIn(0, 2, key: id(1)).reason == "IDEMPOTENCY_KEY_REUSED")
    #expect(try venue.checkIn(1, 2, key: id(4)).header.replayed, "who is not concerned")
    #expect(try venue.log().map(\.reason).contains(.profileDeleted) == false)
    #expect(try venue.stateOnDisk() == venue.state)
  }

  @Test("a key is good for 24 hours, also where the log is kept longer and was read anew")
  func age() throws {
    let venue = try Venue()
    _ = try venue.checkIn(0, 1, key: id(1))
    venue.harness.workBehind()
    let hour: Int64 = 3_600_000
    venue.harness.now.wallMs += 23 * hour
    venue.harness.now.monotonicUs += 23 * hour * 1_000
    try venue.start()
    #expect(try venue.checkIn(0, 1, key: id(1)).header.replayed)
    venue.harness.now.wallMs += 2 * hour
    venue.harness.now.monotonicUs += 2 * hour * 1_000
    try venue.start()
    #expect(try !venue.checkIn(0, 1, key: id(1)).header.replayed)
  }

  @Test("a write that was rolled back leaves no key behind")
  func rolledBack() throws {
    let venue = try Venue()
    venue.fault.nextCommit = .before(FaultyService.full)
    #expect(try venue.checkIn(0, 1, key: id(1)).reason == "STORAGE_FULL")
    let reply = try venue.checkIn(0, 1, key: id(1))
    #expect(reply.response.changed && !reply.header.replayed)
  }
}
