import Harness
import Model
import ServiceKit
import Testing
import Wire

@testable import Gateway

@Suite("Counts")
struct CountTests {
  @Test("E1, E2: counts are read from the view, equal to the lists, in pages")
  func counts() throws {
    let hub = try Hub(people: 30, places: 10)
    for person in 0..<30 { hub.move(person, to: person % 7) }
    hub.tell()
    var counts: [LocationCount] = []
    var token = ""
    repeat {
      let page = try hub.harness.ask(GetCountsRequest(pageSize: 2, pageToken: token))
      #expect(page.total == 30)
      counts += page.counts
      token = page.nextPageToken
    } while !token.isEmpty
    #expect(counts.map(\.locationID) == (0..<7).map(Hub.place))
    for place in 0..<7 {
      let list = try hub.here(place, pageSize: 100).response
      #expect(Int(counts[place].count) == list.people.count && counts[place].count == list.count)
    }
    let named = try hub.harness.ask(GetCountsRequest(locationIDs: [8, 3].map(Hub.place)))
    #expect(named.counts.map(\.count) == [0, 4])
  }

  @Test("E3: counting reads no profile: nobody is asked for one, whoever owns them is not there")
  func withoutProfiles() throws {
    let hub = try Hub(people: 30, places: 10)
    hub.profiles.answers = false
    try hub.start()
    for person in 0..<30 { hub.move(person, to: person % 7) }
    hub.tell()
    #expect(try hub.harness.ask(GetCountsRequest()).counts.map(\.count) == [5, 5, 4, 4, 4, 4, 4])
    hub.harness.disconnect(.profiles)
    hub.move(0, to: 9)
    hub.tell()
    #expect(
      try hub.harness.ask(GetCountsRequest()).counts.map(\.count) == [4, 5, 4, 4, 4, 4, 4, 1])
    #expect(!hub.harness.asked.contains { $0.header.method == .batchGetProfiles })
    #expect(hub.gateway.names.count == 0)
  }

  @Test("E3: a hundred times as many people cost no more to count")
  func cost() throws {
    let clock = ContinuousClock()
    let times = try [1_000, 100_000].map { people in
      let presence = Presence()
      for number in 0..<100 { _ = presence.addPlace(Hub.place(number)) }
      for number in 0..<people {
        let person = presence.addPerson(Hub.person(number))
        presence.set(
          person,
          Presence.Stay(
            place: Presence.Slot(number % 100), sinceMs: Int64(number), revision: 1, expireMs: 0))
      }
      // The quickest of some: whatever else the machine does only adds to it.
      return try (0..<50).map { _ in
        try clock.measure {
          let counts = try CountsPage.read(GetCountsRequest(), presence)
          #expect(counts.counts.count == 100 && counts.total == UInt64(people))
        }
      }.min() ?? .zero
    }
    #expect(times[1] < times[0] * 10, "\(times)")
  }
}
