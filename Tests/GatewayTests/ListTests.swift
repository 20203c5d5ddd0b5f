import Harness
import Model
import ServiceKit
import Testing
import Wire

@testable import Gateway

@Suite("Who is here, and who is where")
struct ListTests {
  @Test(
    "D1, D2, E2: the people at a place, with names, in the order they came; nobody is an answer")
  func here() throws {
    let hub = try Hub()
    for person in [2, 0, 1] { hub.move(person, to: 1) }
    hub.tell()
    let reply = try hub.here(1)
    #expect(reply.response.people.map(\.firstName) == ["P2", "P0", "P1"])
    #expect(reply.response.people.map(\.profileUnavailable) == [false, false, false])
    #expect(reply.response.location?.id == Hub.place(1) && reply.response.count == 3)
    #expect(reply.response.unreachable == [] && reply.response.nextPageToken == "")
    #expect(reply.header.asOf == Revisions(profiles: 3, locations: 3, checkIns: 3))
    let empty = try hub.here(0)
    #expect(empty.code == .ok && empty.response.people == [] && empty.response.count == 0)
    #expect(try hub.here(9).reason == "LOCATION_NOT_FOUND")
    #expect(try hub.harness.call(ListPeopleHereRequest()).fields == ["location_id"])
  }

  @Test("D4: a fresh gateway answers in full at once")
  func fresh() throws {
    let hub = try Hub(people: 50)
    hub.checkIns.snapshotPageItems = 7
    for person in 0..<50 { hub.move(person, to: person % 2) }
    hub.move(4, to: nil)
    try hub.start()
    #expect(try hub.here(0).response.count == 24)
    #expect(try hub.firstNames(1).count == 25)
  }

  @Test("D4: what was told before the feed could be heard is read when it is, not a second later")
  func lateFeed() throws {
    let hub = try Hub()
    hub.move(0, to: 1)
    #expect(try hub.here(1).response.people.isEmpty, "nobody has told of it")
    hub.harness.core.hears(.checkIns, at: hub.harness.now)
    hub.harness.finish()
    #expect(try hub.firstNames(1) == ["P0"])
  }

  @Test("before the state has been read, the answer is that it cannot be known, and not: nobody")
  func starting() throws {
    let hub = try Hub()
    hub.move(0, to: 1)
    hub.checkIns.answers = false
    try hub.start()
    for reason in [
      try hub.here(1).reason, try hub.harness.call(GetCountsRequest()).reason,
      try hub.harness.call(ListPeopleEverywhereRequest()).reason,
      try hub.harness.call(GetBoardRequest()).reason,
    ] { #expect(["STARTING", "SERVICE_UNREACHABLE"].contains(reason)) }
    hub.checkIns.answers = true
    hub.harness.pass(ms: 6_000)
    #expect(try hub.here(1).response.count == 1)
  }

  @Test("D3: whoever is there throughout is on exactly one page while others come and go")
  func pages() throws {
    let hub = try Hub(people: 1_001, places: 2)
    for person in 0..<1_001 { hub.move(person, to: 0) }
    hub.tell()
    var seen: [ID: Int] = [:]
    var token = ""
    var pages = 0
    repeat {
      let page = try hub.here(0, pageSize: 90, token: token).response
      for person in page.people { if let id = person.profileID { seen[id, default: 0] += 1 } }
      token = page.nextPageToken
      for person in stride(from: pages * 90, to: min(1_001, pages * 90 + 90), by: 10) {
        hub.move(person, to: 1)
        if person % 20 == 0 { hub.move(person, to: 0) }
      }
      hub.tell()
      pages += 1
    } while !token.isEmpty
    #expect(pages >= 11)
    for person in 0..<1_001 where person % 10 != 0 { #expect(seen[Hub.person(person)] == 1) }
  }

  @Test("1 001 people make 1 001 rows, also with the longest names there can be")
  func longNames() throws {
    let hub = try Hub(people: 0)
    let long = String(repeating: "👩‍👩‍👧‍👦", count: 50)
    for person in 0..<1_001 {
      hub.put(person: person, first: long, last: long)
      hub.move(person, to: 0)
    }
    hub.namesPerAnswer = 90
    hub.tell()
    var rows = 0
    var token = ""
    repeat {
      let reply = try hub.here(0, pageSize: 1_000, token: token)
      #expect(Encoder().size(of: reply.response) < Limits.pageBytes)
      #expect(reply.response.people.allSatisfy { $0.firstName == long })
      rows += reply.response.people.count
      token = reply.response.nextPageToken
    } while !token.isEmpty
    #expect(rows == 1_001)
  }

  @Test("D6: without the profile service everybody is listed, marked, and it is named")
  func withoutProfiles() throws {
    let hub = try Hub()
    hub.move(0, to: 1)
    hub.tell()
    #expect(try hub.firstNames(1) == ["P0"])
    hub.move(1, to: 1)
    hub.tell()
    hub.harness.disconnect(.profiles)
    let reply = try hub.here(1)
    #expect(reply.code == .ok && reply.response.count == 2)
    #expect(reply.response.people.map(\.profileUnavailable) == [true, true])
    #expect(reply.response.people.map(\.firstName) == ["P0", ""], "the names last known")
    #expect(reply.response.people.map(\.profileID) == [0, 1].map(Hub.person))
    #expect(reply.response.unreachable == ["profiles"])
    let complete = try hub.here(1, completeOnly: true)
    #expect(complete.code == .unavailable && complete.response.people == [])
    let everywhere = try hub.harness.ask(ListPeopleEverywhereRequest())
    #expect(everywhere.unreachable == ["profiles"])
    hub.harness.connect(.profiles)
    #expect(try hub.here(1, completeOnly: true).response.unreachable == [])
    hub.harness.disconnect(.profiles)
    #expect(try hub.firstNames(1) == ["P0", "P1"])
    #expect(try hub.here(0, completeOnly: true).code == .ok, "nobody is there, certainly")
  }

  @Test("D6: a profile service that is silent is waited for, though not until the caller is gone")
  func silentProfiles() throws {
    let hub = try Hub()
    hub.move(0, to: 1)
    hub.tell()
    hub.profiles.other = { _ in nil }
    let call = hub.harness.send(
      ListPeopleHereRequest(locationID: Hub.place(1)), RequestHeader(timeoutMs: 1_000))
    hub.harness.pass(ms: 990)
    let reply = try #require(hub.harness.take(ListPeopleHereRequest.self, call))
    #expect(reply.code == .ok && reply.response.people.map(\.profileUnavailable) == [true])
    #expect(reply.response.unreachable == ["profiles"])
  }

  @Test("names follow the profile log: an update is seen at once")
  func update() throws {
    let hub = try Hub()
    hub.move(0, to: 1)
    hub.tell()
    #expect(try hub.firstNames(1) == ["P0"])
    hub.put(person: 0, first: "Ada")
    hub.tell()
    #expect(try hub.firstNames(1) == ["Ada"])
  }

  @Test("a profile that changes while its name is being fetched is shown as it is then")
  func changedWhileFetched() throws {
    let hub = try Hub()
    hub.move(0, to: 1)
    hub.tell()
    hub.profiles.other = { _ in nil }
    let call = hub.harness.send(ListPeopleHereRequest(locationID: Hub.place(1)))
    hub.harness.finish()
    let asked = try #require(hub.harness.asked.last { $0.header.method == .batchGetProfiles })
    let old = try #require(hub.profiles.names(asked, limit: hub.namesPerAnswer))
    hub.put(person: 0, first: "Ada")
    hub.tell()
    hub.harness.respond(to: asked, old)
    hub.harness.finish()
    let reply = try #require(hub.harness.take(ListPeopleHereRequest.self, call))
    #expect(reply.response.people.map(\.firstName) == ["Ada"])
    #expect(try hub.firstNames(1) == ["Ada"])
  }

  @Test("a name fetched before the profile log began anew is not kept: what changed was not told")
  func logBeganAnew() throws {
    let hub = try Hub()
    hub.move(0, to: 1)
    hub.tell()
    hub.profiles.other = { _ in nil }
    let call = hub.harness.send(ListPeopleHereRequest(locationID: Hub.place(1)))
    hub.harness.finish()
    let asked = try #require(hub.harness.asked.last { $0.header.method == .batchGetProfiles })
    let old = try #require(hub.profiles.names(asked, limit: hub.namesPerAnswer))
    hub.put(person: 0, first: "Ada")
    hub.profiles.compactedThrough = hub.profiles.lastRevision
    // The feed tells too late of what the log has no more.
    hub.harness.publish(
      ChangesPublished(
        previousRevision: hub.profiles.lastRevision, lastRevision: hub.profiles.lastRevision),
      of: .profiles)
    hub.harness.finish()
    hub.profiles.other = { hub.profiles.names($0, limit: hub.namesPerAnswer) }
    hub.harness.respond(to: asked, old)
    hub.harness.finish()
    let reply = try #require(hub.harness.take(ListPeopleHereRequest.self, call))
    #expect(reply.response.people.map(\.firstName) == ["Ada"])
    #expect(try hub.firstNames(1) == ["Ada"])
  }

  @Test("an older answer never replaces what the log has told since")
  func overtaken() {
    var names = Names(size: 100)
    let asked = names.beganToAsk()
    let other = names.beganToAsk()
    names.changed(Profile(id: id(1), firstName: "new", revision: 9), revision: 9)
    names.deleted(id(2), revision: 10)
    let old = [
      Profile(id: id(1), firstName: "old", revision: 3), Profile(id: id(2), revision: 4),
    ]
    for question in [asked, other] {
      let isGood = names.answered(old, to: question)
      #expect(isGood)
    }
    let entries = [id(1), id(2)].map { names.entry($0).map { names.person($0).firstName } }
    #expect(entries == ["new", nil])
    // An answer may also be ahead of the log.
    let ahead = names.beganToAsk()
    _ = names.answered([Profile(id: id(1), firstName: "newest", revision: 20)], to: ahead)
    names.changed(Profile(id: id(1), firstName: "between", revision: 15), revision: 15)
    let newest = names.entry(id(1)).map { names.person($0).firstName }
    #expect(newest == "newest")
    names.changed(Profile(id: id(3), firstName: "not asked for", revision: 21), revision: 21)
    #expect(names.count == 1, "only who was asked for is kept")
  }

  @Test("B6: a deleted profile goes with its check-out; where none is told, without a name")
  func deleted() throws {
    let hub = try Hub()
    hub.move(0, to: 1)
    hub.move(1, to: 1)
    hub.tell()
    #expect(try hub.firstNames(1) == ["P0", "P1"])
    hub.delete(person: 0)
    hub.tell()
    // The departure is about to be told: until then all is as it was.
    let before = try hub.here(1, completeOnly: true)
    #expect(before.response.people.map(\.firstName) == ["P0", "P1"])
    #expect(before.header.asOf.profiles == hub.profiles.lastRevision - 1)
    hub.harness.pass(ms: Limits.earlyMs + 10)
    // The check-in service tells nothing: the list is whole, and says no name.
    let between = try hub.here(1, completeOnly: true).response
    #expect(between.count == 2 && between.people.count == 2 && between.unreachable == [])
    #expect(between.people.map(\.firstName) == ["", "P1"])
    #expect(between.people.map(\.profileUnavailable) == [false, false])
    let status = hub.forward(GetStatusRequest(profileID: Hub.person(0)))
    #expect(status.asked != nil, "the check-in service knows")
    hub.move(0, to: nil, .profileDeleted)
    hub.tell()
    #expect(try hub.firstNames(1) == ["P1"])
    #expect(hub.gateway.presence.person(Hub.person(0)) == nil)
  }

  @Test("D5: all places at once: their first people and exact counts, in pages, each place once")
  func everywhere() throws {
    let hub = try Hub(people: 60, places: 9)
    for person in 0..<60 where person % 9 != 4 { hub.move(person, to: person % 9) }
    hub.tell()
    var places: [PeopleAtLocation] = []
    var token = ""
    repeat {
      let page = try hub.harness.ask(
        ListPeopleEverywhereRequest(peoplePerLocation: 2, pageSize: 3, pageToken: token))
      #expect(page.locations.count <= 3)
      places += page.locations
      token = page.nextPageToken
    } while !token.isEmpty
    #expect(places.map(\.locationID) == [0, 1, 2, 3, 5, 6, 7, 8].map(Hub.place))
    #expect(places.allSatisfy { $0.people.count == 2 && (6...7).contains($0.count) })
    #expect(places.first?.people.map(\.firstName) == ["P0", "P9"])
    let usual = try hub.harness.ask(ListPeopleEverywhereRequest())
    #expect(usual.locations.allSatisfy { $0.people.count == 4 })
    let most = try hub.harness.ask(ListPeopleEverywhereRequest(peoplePerLocation: 4_000))
    #expect(most.locations.allSatisfy { $0.people.count == Int($0.count) })
    #expect(
      try hub.harness.call(
        ListPeopleEverywhereRequest(peoplePerLocation: 3, pageToken: token + "x")
      ).reason == "PAGE_TOKEN_INVALID")
  }

  @Test("D5: pages of everywhere end where their names end, and nothing is lost")
  func everywhereManyPeople() throws {
    let hub = try Hub(people: 2_400, places: 60)
    for person in 0..<2_400 { hub.move(person, to: person % 60) }
    hub.tell()
    var people = 0
    var places = 0
    var token = ""
    repeat {
      let page = try hub.harness.ask(
        ListPeopleEverywhereRequest(peoplePerLocation: 50, pageSize: 1_000, pageToken: token))
      people += page.locations.reduce(0) { $0 + $1.people.count }
      places += page.locations.count
      #expect(page.locations.flatMap(\.people).allSatisfy { !$0.firstName.isEmpty })
      token = page.nextPageToken
    } while !token.isEmpty
    #expect(people == 2_400 && places == 60)
  }

  @Test("without the check-in service counts and status are not known; lists say how old they are")
  func withoutCheckIns() throws {
    let hub = try Hub()
    hub.move(0, to: 1)
    hub.tell()
    hub.harness.disconnect(.checkIns)
    #expect(try hub.harness.call(GetCountsRequest()).reason == "SERVICE_UNREACHABLE")
    #expect(
      try hub.harness.call(GetStatusRequest(profileID: Hub.person(0))).reason
        == "SERVICE_UNREACHABLE")
    #expect(try hub.here(1).response.unreachable == ["check-ins"])
    #expect(try hub.harness.ask(GetBoardRequest()).unreachable == ["check-ins"])
    hub.harness.connect(.checkIns)
    #expect(try hub.harness.ask(GetCountsRequest()).total == 1)
  }

  @Test("C7: status comes from the view, with what the log has told of it")
  func status() throws {
    let hub = try Hub()
    hub.move(0, to: 1, expireMs: 77_000)
    hub.move(1, to: 2)
    hub.move(1, to: nil)
    hub.tell()
    let here = try #require(
      try hub.harness.ask(GetStatusRequest(profileID: Hub.person(0)), as: "desk", .staff).status)
    #expect(
      here
        == CheckInStatus(
          profileID: Hub.person(0), state: .checkedIn, locationID: Hub.place(1), sinceMs: 1_001,
          expireTimeMs: 77_000, revision: 1))
    let out = try #require(
      try hub.harness.ask(GetStatusRequest(profileID: Hub.person(1))).status)
    #expect(
      out
        == CheckInStatus(profileID: Hub.person(1), state: .checkedOut, sinceMs: 1_003, revision: 3))
    #expect(hub.forward(GetStatusRequest(profileID: Hub.person(2))).asked != nil)
    #expect(
      hub.forward(
        GetStatusRequest(profileID: Hub.person(0)),
        RequestHeader(actingUser: "user 0", actingRoles: .user)
      ).asked != nil, "whose a profile is the check-in service knows")
    #expect(try hub.harness.call(GetStatusRequest()).reason == "NO_IDENTITY")
  }

  @Test("what each role may read at the gateway")
  func roles() throws {
    let hub = try Hub()
    hub.move(0, to: 1)
    hub.tell()
    func reasons(_ roles: Roles) throws -> [String] {
      [
        try hub.harness.call(GetCountsRequest(), as: "u", roles).reason,
        try hub.harness.call(GetBoardRequest(), as: "u", roles).reason,
        try hub.harness.call(
          ListPeopleHereRequest(locationID: Hub.place(1)), as: "u", roles
        ).reason,
        try hub.harness.call(ListPeopleEverywhereRequest(), as: "u", roles).reason,
        try hub.harness.call(GetStatsRequest(), as: "u", roles).reason,
      ]
    }
    let no = "NOT_ALLOWED"
    #expect(try reasons(.display) == ["", "", no, no, no])
    #expect(try reasons(.user) == ["", "", "", "", no])
    #expect(try reasons(.staff) == ["", "", "", "", no])
    #expect(try reasons(.admin) == ["", "", "", "", ""])
    let distrusting = try Hub(trustsClients: false)
    #expect(try distrusting.harness.call(GetCountsRequest()).reason == "NO_IDENTITY")
    #expect(try distrusting.harness.call(ListProfilesRequest()).reason == "NO_IDENTITY")
  }
}
