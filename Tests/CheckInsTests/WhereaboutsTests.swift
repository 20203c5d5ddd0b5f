import Harness
import Model
import ServiceKit
import Testing
import Wire

@Suite("Where somebody is")
struct WhereaboutsTests {
  @Test("C1, C4: a check-in says what is then true: place, since when, and that it changed")
  func arrival() throws {
    let venue = try Venue()
    let reply = try venue.checkIn(0, 1)
    let status = try #require(reply.response.status)
    #expect(reply.response.changed && reply.response.previousLocationID == nil)
    #expect(status.state == .checkedIn && status.locationID == Venue.place(1))
    #expect(status.sinceMs == venue.harness.now.wallMs && status.expireTimeMs == 0)
    #expect(status.revision == 1 && reply.header.asOf == Revisions(checkIns: 1))
    #expect(try venue.status(0) == status, "and it can be asked")
    #expect(try venue.list(1) == [status])
    #expect(try venue.stateOnDisk() == venue.state, "and is on disk")
  }

  @Test("C2: going elsewhere is leaving the old place, in one change")
  func move() throws {
    let venue = try Venue()
    _ = try venue.checkIn(0, 1)
    let reply = try venue.checkIn(0, 2)
    #expect(reply.response.previousLocationID == Venue.place(1) && reply.response.changed)
    #expect(try venue.count(1) == 0 && venue.count(2) == 1)
    let log = try venue.log()
    #expect(log.count == 2)
    #expect(log.last?.fromLocationID == Venue.place(1) && log.last?.toLocationID == Venue.place(2))
  }

  @Test("C3: checking in twice at the same place is one arrival")
  func twice() throws {
    let venue = try Venue()
    let first = try venue.checkIn(0, 1)
    let second = try venue.checkIn(0, 1)
    #expect(!second.response.changed)
    #expect(second.response.status == first.response.status, "the same since, too")
    #expect(second.response.previousLocationID == Venue.place(1))
    #expect(try venue.count(1) == 1 && venue.log().count == 1)
  }

  @Test("C4: checking out twice changes something once")
  func out() throws {
    let venue = try Venue()
    _ = try venue.checkIn(0, 1)
    let first = try venue.checkOut(0)
    #expect(first.response.changed && first.response.previousLocationID == Venue.place(1))
    #expect(first.response.status?.state == .checkedOut)
    #expect(first.response.status?.locationID == nil && first.response.status?.revision == 2)
    let second = try venue.checkOut(0)
    #expect(!second.response.changed && second.response.previousLocationID == nil)
    #expect(second.response.status == first.response.status)
    #expect(try venue.log().count == 2)
  }

  @Test("A5: whoever has no profile reads who is here, and cannot check in")
  func withoutProfile() throws {
    let venue = try Venue()
    _ = try venue.checkIn(0, 1)
    let list = try venue.harness.call(
      ListCheckedInRequest(locationID: Venue.place(1)), as: "nobody", .user)
    #expect(list.code == .ok && list.response.count == 1)
    #expect(try venue.checkIn(nil, 1, as: "nobody", .user).reason == "NO_PROFILE")
    #expect(try venue.list(1).count == 1)
  }

  @Test("C5: no profile, an unknown place and a place without anybody are three answers")
  func unknown() throws {
    let venue = try Venue()
    #expect(try venue.checkIn(9, 1).reason == "PROFILE_NOT_FOUND")
    #expect(try venue.checkIn(0, 9).reason == "LOCATION_NOT_FOUND")
    #expect(try venue.checkIn(nil, 1, as: "nobody").reason == "NO_PROFILE")
    let list = try venue.harness.call(ListCheckedInRequest(locationID: Venue.place(9)))
    #expect(list.reason == "LOCATION_NOT_FOUND")
    #expect(try venue.list(1) == [], "nobody there is an answer")
    #expect(try venue.log() == [], "and nothing was written")
  }

  @Test("C5: what its owner cannot be asked about cannot be known now")
  func unreachable() throws {
    let venue = try Venue()
    venue.harness.disconnect(.profiles)
    venue.harness.disconnect(.locations)
    // For as long as a restart takes they are waited for.
    let call = venue.harness.send(
      CheckInRequest(profileID: Venue.person(9), locationID: Venue.place(1)))
    venue.harness.finish()
    #expect(venue.harness.take(call) == nil)
    venue.harness.pass(ms: 1_500)
    #expect(
      try #require(venue.harness.take(CheckInRequest.self, call)).reason == "SERVICE_UNREACHABLE")
    #expect(try venue.checkIn(9, 1).reason == "SERVICE_UNREACHABLE")
    #expect(try venue.checkIn(0, 9).reason == "SERVICE_UNREACHABLE")
    #expect(try venue.checkIn(nil, 1, as: "nobody").reason == "SERVICE_UNREACHABLE")
    #expect(try venue.checkIn(0, 1).code == .ok, "what is known goes on")
  }

  @Test("C5: an id that its owner has, and has not told of yet, is found")
  func catchesUp() throws {
    let venue = try Venue()
    venue.addPerson(7)
    venue.addPlace(7)
    #expect(try venue.checkIn(7, 7).code == .ok)
    venue.addPerson(8)
    #expect(try venue.checkIn(nil, 7, as: "user 8").code == .ok)
    #expect(try venue.count(7) == 2)
  }

  @Test("C5: an owner that is there and does not answer makes it unknown, in time")
  func silentOwner() throws {
    let venue = try Venue()
    venue.locations.answers = false
    let id = venue.harness.send(
      CheckInRequest(profileID: Venue.person(0), locationID: Venue.place(9)),
      RequestHeader(timeoutMs: 300))
    venue.harness.finish()
    #expect(venue.harness.take(id) == nil)
    venue.harness.pass(ms: 400)
    #expect(
      try #require(venue.harness.take(CheckInRequest.self, id)).reason == "SERVICE_UNREACHABLE")
  }

  @Test("C6: an expectation that does not hold writes nothing and says what holds")
  func expectations() throws {
    let venue = try Venue()
    #expect(try venue.checkIn(0, 1, expect: .checkedOut(true)).code == .ok)
    let stale = try venue.checkIn(0, 2, expect: .checkedOut(true))
    #expect(stale.reason == "STATUS_CHANGED" && stale.code == .failedPrecondition)
    #expect(stale.response.status == (try venue.status(0)))
    #expect(stale.response.previousLocationID == Venue.place(1) && !stale.response.changed)
    #expect(try venue.checkIn(0, 2, expect: .locationID(Venue.place(0))).reason == "STATUS_CHANGED")
    #expect(try venue.checkIn(0, 2, expect: .locationID(Venue.place(1))).code == .ok)
    #expect(try venue.checkIn(0, 1, expect: .revision(1)).reason == "STATUS_CHANGED")
    let out = try venue.checkOut(0, expect: .revision(1))
    #expect(out.reason == "STATUS_CHANGED" && out.response.status?.revision == 2)
    #expect(try venue.checkOut(0, expect: .revision(2)).code == .ok)
    #expect(try venue.checkOut(0, expect: .locationID(Venue.place(2))).reason == "STATUS_CHANGED")
    #expect(try venue.checkIn(1, 1, expect: .revision(0)).code == .ok, "never was anywhere")
    #expect(try venue.log().count == 4)
  }

  @Test("C6: a renewal is no change that an expectation sees")
  func renewalAndExpectation() throws {
    let venue = try Venue()
    _ = try venue.checkIn(0, 1)
    _ = try venue.checkIn(0, 1, ttlS: 60)
    #expect(try venue.status(0).revision == 1)
    #expect(try venue.checkOut(0, expect: .revision(1)).code == .ok)
  }

  @Test(
    "C6: an expectation that says nothing is refused",
    arguments: [nil, .checkedOut(false)] as [Wire.Expectation.What?])
  func emptyExpectation(what: Wire.Expectation.What?) throws {
    let venue = try Venue()
    let reply = try venue.harness.call(
      CheckInRequest(
        profileID: Venue.person(0), locationID: Venue.place(0), expect: Wire.Expectation(what: what)
      ))
    #expect(reply.reason == "INVALID_FIELDS" && reply.fields.first?.hasPrefix("expect") == true)
  }

  @Test("C7: here, elsewhere and nowhere can be told, after a restart too")
  func restart() throws {
    let venue = try Venue()
    _ = try venue.checkIn(0, 1)
    _ = try venue.checkIn(1, 1)
    _ = try venue.checkIn(1, 2)
    _ = try venue.checkIn(2, 1)
    _ = try venue.checkOut(2)
    let before = try (0...2).map { try venue.status($0) }
    try venue.start(connects: false)
    #expect(try (0...2).map { try venue.status($0) } == before)
    #expect(before.map(\.locationID) == [Venue.place(1), Venue.place(2), nil])
    #expect(try venue.status(2).state == .checkedOut)
  }

  @Test("C8: 32 check-ins of one person to 32 places at once end at exactly one")
  func parallel() throws {
    let venue = try Venue(people: 1, places: 32)
    let calls = (0..<32).map { place in
      venue.harness.send(
        CheckInRequest(profileID: Venue.person(0), locationID: Venue.place(place)),
        from: UInt8(place + 1))
    }
    venue.harness.finish()
    for (place, call) in calls.enumerated() {
      let reply = try #require(
        venue.harness.take(CheckInRequest.self, call, from: UInt8(place + 1)))
      #expect(reply.code == .ok)
    }
    let counts = try venue.harness.ask(GetCountsRequest())
    #expect(counts.total == 1 && counts.counts.map(\.count) == [1])
    #expect(try venue.whereabouts(0) == Venue.place(31))
  }

  @Test("a read that comes with a write sees it, and every caller gets its own answer")
  func readsWaitForTheBatch() throws {
    let venue = try Venue(people: 40, places: 40)
    for round in 0..<4 {
      var calls: [(person: Int, write: UInt64, status: UInt64, list: UInt64)] = []
      for person in 0..<40 {
        let place = (person + round) % 40
        calls.append(
          (
            person,
            venue.harness.send(
              CheckInRequest(profileID: Venue.person(person), locationID: Venue.place(place))),
            venue.harness.send(GetStatusRequest(profileID: Venue.person(person))),
            venue.harness.send(ListCheckedInRequest(locationID: Venue.place(place)))
          ))
      }
      venue.harness.finish()
      for call in calls {
        let place = Venue.place((call.person + round) % 40)
        let write = try #require(venue.harness.take(CheckInRequest.self, call.write))
        let status = try #require(venue.harness.take(GetStatusRequest.self, call.status))
        let list = try #require(venue.harness.take(ListCheckedInRequest.self, call.list))
        #expect(write.response.status?.profileID == Venue.person(call.person))
        #expect(status.response.status?.profileID == Venue.person(call.person))
        #expect(status.response.status?.locationID == place)
        #expect(list.response.statuses.map(\.locationID) == [place])
      }
    }
  }

  @Test("the number that fit is kept to, and whoever is there already stays")
  func capacity() throws {
    let venue = try Venue(places: 1)
    venue.addPlace(5, capacity: 2)
    venue.tell()
    _ = try venue.checkIn(0, 5)
    _ = try venue.checkIn(1, 5)
    #expect(try venue.checkIn(2, 5).reason == "LOCATION_FULL")
    #expect(try venue.checkIn(1, 5).code == .ok, "already there")
    #expect(try venue.checkIn(1, 5, ttlS: 60).response.status?.expireTimeMs != 0)
    _ = try venue.checkOut(0)
    #expect(try venue.checkIn(2, 5).code == .ok)
    // Fewer fit by now than are there: they stay, and nobody comes.
    venue.addPlace(5, capacity: 1)
    venue.tell()
    #expect(try venue.count(5) == 2)
    #expect(try venue.checkIn(0, 5).reason == "LOCATION_FULL")
    venue.addPlace(5, capacity: 0)
    venue.tell()
    #expect(try venue.checkIn(0, 5).code == .ok, "no limit any more")
    #expect(try venue.stateOnDisk() == venue.state)
  }

  @Test("D1: a list has those who came first, first; a renewal moves nobody")
  func order() throws {
    let venue = try Venue(people: 5)
    // Two in one millisecond: by id.
    for person in [3, 2] {
      venue.harness.send(
        CheckInRequest(profileID: Venue.person(person), locationID: Venue.place(0)))
    }
    venue.harness.finish()
    for person in [4, 0, 1] { _ = try venue.checkIn(person, 0) }
    _ = try venue.checkIn(3, 0, ttlS: 100)
    #expect(try venue.list(0).map(\.profileID) == [2, 3, 4, 0, 1].map(Venue.person))
    #expect(try venue.list(0, pageSize: 2).map(\.profileID) == [2, 3, 4, 0, 1].map(Venue.person))
  }

  @Test("D3: 1 001 people make 1 001 rows, and whoever stays is on one page though others move")
  func pages() throws {
    let venue = try Venue(people: 1_001, places: 2)
    for person in 0..<1_001 {
      venue.harness.now.wallMs += 1
      venue.harness.send(
        CheckInRequest(profileID: Venue.person(person), locationID: Venue.place(0)))
    }
    venue.harness.finish()
    #expect(try venue.list(0, pageSize: 4_000_000).count == 1_001)
    var seen: [ID: Int] = [:]
    var token = ""
    var pages = 0
    repeat {
      let page = try venue.harness.ask(
        ListCheckedInRequest(locationID: Venue.place(0), pageSize: 100, pageToken: token))
      for status in page.statuses { if let id = status.profileID { seen[id, default: 0] += 1 } }
      token = page.nextPageToken
      // Everybody whose number ends in 7 goes, some of them back again.
      for person in stride(from: pages * 100 + 7, to: min(1_001, pages * 100 + 100), by: 10) {
        _ = try venue.checkIn(person, 1)
        if person % 20 == 7 { _ = try venue.checkIn(person, 0) }
      }
      pages += 1
    } while !token.isEmpty
    for person in 0..<1_001 where person % 10 != 7 {
      #expect(seen[Venue.person(person)] == 1)
    }
  }

  @Test("E1, E2: counts are the lengths of the lists; who is not named has none")
  func counts() throws {
    let venue = try Venue(people: 6, places: 4)
    #expect(try venue.harness.ask(GetCountsRequest()).counts == [])
    for (person, place) in [(0, 1), (1, 1), (2, 3), (3, 1), (4, 3)] {
      _ = try venue.checkIn(person, place)
    }
    let all = try venue.harness.call(GetCountsRequest())
    #expect(all.response.counts.map(\.locationID) == [1, 3].map(Venue.place))
    #expect(all.response.counts.map(\.count) == [3, 2] && all.response.total == 5)
    #expect(all.header.asOf == Revisions(checkIns: 5))
    let named = try venue.harness.ask(
      GetCountsRequest(locationIDs: [3, 0, 9, 1].map(Venue.place)))
    #expect(named.counts.map(\.count) == [2, 0, 0, 3])
    #expect(named.counts.map(\.locationID) == [3, 0, 9, 1].map(Venue.place))
    _ = try venue.checkOut(2)
    _ = try venue.checkIn(4, 1)
    let fewer = try venue.harness.ask(GetCountsRequest())
    #expect(fewer.counts.map(\.count) == [4] && fewer.total == 4, "and no place with 0")
  }

  @Test("E1: counts of many places come in pages, each place once")
  func countPages() throws {
    let venue = try Venue(people: 25, places: 25)
    for person in 0..<25 { _ = try venue.checkIn(person, (person * 7) % 25) }
    var places: [ID?] = []
    var token = ""
    repeat {
      let page = try venue.harness.ask(GetCountsRequest(pageSize: 4, pageToken: token))
      places += page.counts.map(\.locationID)
      #expect(page.total == 25)
      // The place that the page ended with is empty when the next one is asked for.
      if places.count == 4 { _ = try venue.checkIn(17, 0) }
      if places.count == 4 { #expect(try venue.count(19) == 0) }
      token = page.nextPageToken
    } while !token.isEmpty
    #expect(Set(places).isSuperset(of: (0..<25).filter { $0 != 19 }.map(Venue.place)))
    #expect(places.count == Set(places).count)
  }
}
