import Harness
import Model
import ServiceKit
import Testing
import Wire

@Suite("What is checked first decides the answer")
struct RefusalTests {
  /// Each row has one thing more right than the one before.
  @Test("form, caller, role, at_least, key, whose it is, profile, place, expectation, there, full")
  func order() throws {
    let venue = try Venue()
    venue.addPlace(5, capacity: 1)
    venue.tell()
    _ = try venue.checkIn(2, 5)
    _ = try venue.checkIn(1, 0, as: "user 0", key: id(1))
    let late = Revisions(checkIns: 99)
    func reason(
      _ person: Int?, _ place: Int?, _ expect: Wire.Expectation.What? = nil, _ user: String,
      _ roles: Roles, key: ID? = nil, atLeast: Revisions = Revisions()
    ) -> String {
      let call = venue.harness.send(
        CheckInRequest(
          profileID: person.map(Venue.person), locationID: place.map(Venue.place),
          expect: expect.map { Wire.Expectation(what: $0) }),
        RequestHeader(
          timeoutMs: 100, idempotencyKey: key, atLeast: atLeast, actingUser: user,
          actingRoles: roles))
      venue.harness.finish()
      if atLeast != Revisions() { venue.harness.pass(ms: 200) }
      return venue.harness.take(CheckInRequest.self, call)?.reason ?? "no answer"
    }
    let wrong = Wire.Expectation.What.revision(77)
    let form = reason(9, nil, wrong, "", .display, key: id(1), atLeast: late)
    #expect(form == "INVALID_FIELDS")
    #expect(reason(9, 9, wrong, "", .display, key: id(1), atLeast: late) == "NO_IDENTITY")
    #expect(reason(9, 9, wrong, "user 0", .display, key: id(1), atLeast: late) == "NOT_ALLOWED")
    #expect(reason(9, 9, wrong, "user 0", .user, key: id(1), atLeast: late) == "NOT_CAUGHT_UP")
    #expect(reason(9, 9, wrong, "user 0", .user, key: id(1)) == "IDEMPOTENCY_KEY_REUSED")
    #expect(reason(1, 9, wrong, "user 0", .user) == "NOT_ALLOWED")
    #expect(
      reason(9, 9, wrong, "user 0", .user) == "NOT_ALLOWED", "what is not there is not one's own")
    #expect(reason(9, 9, wrong, "user 0", .staff) == "PROFILE_NOT_FOUND")
    #expect(reason(0, 9, wrong, "user 0", .user) == "LOCATION_NOT_FOUND")
    #expect(reason(0, 5, wrong, "user 0", .user) == "STATUS_CHANGED")
    #expect(reason(0, 5, .revision(0), "user 0", .user) == "LOCATION_FULL")
    #expect(reason(0, 1, .revision(0), "user 0", .user) == "")
    #expect(try venue.log().count == 3)
  }

  @Test("the role table: who may do what for whom")
  func roles() throws {
    let venue = try Venue()
    _ = try venue.checkIn(0, 1)
    let own = GetStatusRequest(profileID: Venue.person(0))
    let history = ListHistoryRequest(profileID: Venue.person(0))
    let ofPlace = ListHistoryRequest(locationID: Venue.place(1))
    let list = ListCheckedInRequest(locationID: Venue.place(1))
    func reasons(_ user: String, _ roles: Roles) throws -> [String] {
      [
        try venue.harness.call(own, as: user, roles).reason,
        try venue.harness.call(GetStatusRequest(), as: user, roles).reason,
        try venue.harness.call(history, as: user, roles).reason,
        try venue.harness.call(ofPlace, as: user, roles).reason,
        try venue.harness.call(list, as: user, roles).reason,
        try venue.harness.call(GetCountsRequest(), as: user, roles).reason,
      ]
    }
    let no = "NOT_ALLOWED"
    #expect(try reasons("user 0", .user) == ["", "", "", no, "", ""])
    #expect(try reasons("user 1", .user) == [no, "", no, no, "", ""])
    #expect(try reasons("nobody", .user) == [no, "NO_PROFILE", no, no, "", ""])
    #expect(try reasons("nobody", .staff) == ["", "NO_PROFILE", "", "", "", ""])
    #expect(try reasons("nobody", .display) == [no, no, no, no, no, ""])
    #expect(try venue.checkIn(0, 2, as: "user 1", .user).reason == no)
    #expect(try venue.checkIn(nil, 2, as: "user 1", .user).code == .ok)
    #expect(try venue.checkOut(0, as: "user 1", .user).reason == no)
    #expect(try venue.checkOut(0, as: "user 1", .staff).code == .ok)
  }

  @Test("at_least is waited for in the logs that the answer depends on, and not in others")
  func atLeast() throws {
    let venue = try Venue()
    let harness = venue.harness
    let profilesAhead = Revisions(profiles: venue.profiles.lastRevision + 1)
    #expect(
      harness.tryCall(GetCountsRequest(), atLeast: profilesAhead)?.code == .ok,
      "counts read no profile")
    venue.profiles.answers = false
    let waiting = harness.send(
      GetStatusRequest(profileID: Venue.person(7)), RequestHeader(atLeast: profilesAhead))
    harness.finish()
    #expect(harness.take(waiting) == nil)
    venue.profiles.answers = true
    venue.addPerson(7)
    venue.tell()
    #expect(try #require(harness.take(GetStatusRequest.self, waiting)).code == .ok)
    // One's own write, by the revision that its response has told.
    let written = try venue.checkIn(0, 1)
    let read = try harness.call(GetCountsRequest(), atLeast: written.header.asOf)
    #expect(read.response.total == 1)
  }

  @Test("a call whose time is up while it waits is not carried out, though it could be by then")
  func late() throws {
    let venue = try Venue()
    venue.locations.answers = false
    let call = venue.harness.send(
      CheckInRequest(profileID: Venue.person(0), locationID: Venue.place(7)),
      RequestHeader(timeoutMs: 1_000))
    venue.harness.finish()
    // The process stands still, and then gets both at once.
    venue.harness.now.monotonicUs += 1_500_000
    venue.locations.answers = true
    venue.addPlace(7)
    venue.tell()
    #expect(
      try #require(venue.harness.take(CheckInRequest.self, call)).reason == "SERVICE_UNREACHABLE")
    #expect(try venue.log() == [])
  }

  @Test("a second call under the id of one in flight is refused; the first is answered")
  func sameID() throws {
    let venue = try Venue()
    venue.locations.answers = false
    let request = CheckInRequest(profileID: Venue.person(0), locationID: Venue.place(7))
    venue.harness.send(request, RequestHeader(id: 500))
    venue.harness.finish()
    venue.harness.send(GetCountsRequest(), RequestHeader(id: 500))
    let second = try #require(venue.harness.take(500))
    #expect(second.header.status?.reason == "MALFORMED_REQUEST")
    venue.harness.send(GetCountsRequest(), RequestHeader(id: 500), from: 2)
    venue.harness.finish()
    #expect(try #require(venue.harness.take(500, from: 2)).header.status == nil, "of another peer")
    venue.locations.answers = true
    venue.addPlace(7)
    venue.tell()
    #expect(try #require(venue.harness.take(CheckInRequest.self, 500)).code == .ok)
    venue.harness.send(GetCountsRequest(), RequestHeader(id: 500))
    venue.harness.finish()
    #expect(try #require(venue.harness.take(500)).header.status == nil, "it is free again")
  }

  @Test("page tokens are good for their own question alone")
  func tokens() throws {
    let venue = try Venue(people: 5)
    for person in 0..<5 { _ = try venue.checkIn(person, person % 2) }
    let harness = venue.harness
    let list = try harness.ask(ListCheckedInRequest(locationID: Venue.place(0), pageSize: 1))
    let counts = try harness.ask(GetCountsRequest(pageSize: 1))
    let history = try harness.ask(ListHistoryRequest(locationID: Venue.place(0), pageSize: 1))
    for token in [list.nextPageToken, counts.nextPageToken, history.nextPageToken, "x"] {
      let reasons = [
        try harness.call(
          ListCheckedInRequest(locationID: Venue.place(1), pageToken: token)
        ).reason,
        try harness.call(
          ListHistoryRequest(locationID: Venue.place(0), startTimeMs: 1, pageToken: token)
        ).reason,
        try harness.call(GetSnapshotRequest(pageToken: token)).reason,
      ]
      #expect(reasons == Array(repeating: "PAGE_TOKEN_INVALID", count: 3))
    }
    try venue.start()
    let second = try harness.ask(
      ListCheckedInRequest(
        locationID: Venue.place(0), pageSize: 1, pageToken: list.nextPageToken))
    #expect(second.statuses.map(\.profileID) == [Venue.person(2)], "and outlive a restart")
  }
}
