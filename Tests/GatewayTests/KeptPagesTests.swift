import Harness
import Model
import ServiceKit
import Testing
import Wire

@testable import Gateway

@Suite("Answers that are kept until something changes")
struct KeptPagesTests {
  @Test("D2: a list that was asked for before shows what has become of it meanwhile")
  func keptPages() throws {
    let hub = try Hub(people: 4, places: 2)
    for person in 0..<3 { hub.move(person, to: 0) }
    hub.tell()
    func list() throws -> [String] {
      let asked = try [0, 1].map { _ in try hub.here(0) }
      #expect(asked[0].response == asked[1].response, "made anew, and as it was kept")
      let counts = try hub.harness.ask(GetCountsRequest(locationIDs: [Hub.place(0)]))
      let all = try hub.harness.ask(GetCountsRequest())
      let count = all.counts.first { $0.locationID == Hub.place(0) }?.count ?? 0
      #expect(counts.counts.first?.count == count && asked[0].response.count == count)
      return asked[1].response.people.map(\.firstName) + [asked[1].response.location?.name ?? ""]
    }
    #expect(try list() == ["P0", "P1", "P2", "a"])
    hub.move(1, to: nil)
    hub.tell()
    #expect(try list() == ["P0", "P2", "a"])
    hub.move(3, to: 0)
    hub.tell()
    #expect(try list() == ["P0", "P2", "P3", "a"])
    hub.move(0, to: 1)
    hub.put(person: 2, first: "Ada")
    hub.tell()
    #expect(try list() == ["Ada", "P3", "a"])
    hub.put(place: 0, name: "Hall")
    hub.tell()
    #expect(try list() == ["Ada", "P3", "Hall"])
    hub.delete(person: 3)
    hub.move(3, to: nil, .profileDeleted)
    hub.tell()
    #expect(try list() == ["Ada", "Hall"])
    hub.harness.disconnect(.profiles)
    #expect(try hub.here(0).response.people.map(\.profileUnavailable) == [true])
    hub.harness.connect(.profiles)
    #expect(try list() == ["Ada", "Hall"])
    #expect(try hub.here(0, pageSize: 1).response.people.count == 1)
    hub.move(1, to: 0)
    hub.tell()
    #expect(try hub.here(0, pageSize: 1).response.nextPageToken != "")
  }
}
