import Harness
import Model
import ServiceKit
import Testing
import Wire

@Suite("F3: the board")
struct BoardTests {
  /// Names by number: 0 "f", 1 "e", … so that names and ids go opposite ways.
  private func hub() throws -> Hub {
    let hub = try Hub(people: 12, places: 0)
    for number in 0..<6 {
      hub.put(
        place: number, name: String(UnicodeScalar(UInt8(102 - number))),
        at: GeoPoint(latitude: Double((number * 5) % 6), longitude: 10))
    }
    for (person, place) in [(0, 1), (1, 1), (2, 1), (3, 4), (4, 4), (5, 2), (6, 2), (7, 5)] {
      hub.move(person, to: place)
    }
    hub.tell()
    return hub
  }

  @Test("by name, with counts", arguments: [1, 2, 3, 100] as [UInt32])
  func byName(pageSize: UInt32) throws {
    let rows = try hub().board(GetBoardRequest(), pageSize: pageSize)
    #expect(rows.map { $0.location?.name ?? "" } == ["a", "b", "c", "d", "e", "f"])
    #expect(rows.map(\.count) == [1, 2, 0, 2, 3, 0])
  }

  @Test(
    "busiest first; among those with as many, by name; then those where nobody is",
    arguments: [1, 2, 3, 4, 100] as [UInt32])
  func byCount(pageSize: UInt32) throws {
    let hub = try hub()
    let rows = try hub.board(GetBoardRequest(order: .count), pageSize: pageSize)
    #expect(rows.map { $0.location?.name ?? "" } == ["e", "b", "d", "a", "c", "f"])
    #expect(rows.map(\.count) == [3, 2, 2, 1, 0, 0])
    let occupied = try hub.board(
      GetBoardRequest(order: .count, occupiedOnly: true), pageSize: pageSize)
    #expect(occupied == Array(rows.prefix(4)))
    let part = try hub.board(GetBoardRequest(order: .count, nameContains: "B"), pageSize: pageSize)
    #expect(part.map { $0.location?.name ?? "" } == ["b"])
  }

  @Test("nearest first, with distances, within a radius", arguments: [1, 2, 100] as [UInt32])
  func byDistance(pageSize: UInt32) throws {
    let hub = try hub()
    let near = GeoPoint(latitude: 0, longitude: 10)
    let rows = try hub.board(
      GetBoardRequest(order: .distance, near: near, radiusM: 400_000), pageSize: pageSize)
    #expect(rows.map(\.location?.point?.latitude) == [0, 1, 2, 3])
    #expect(rows.map(\.distanceM) == rows.map(\.distanceM).sorted())
    let byCount = try hub.board(
      GetBoardRequest(order: .count, near: near, radiusM: 400_000, occupiedOnly: true),
      pageSize: pageSize)
    #expect(byCount.map(\.count) == byCount.map(\.count).sorted(by: >))
    #expect(Set(byCount.map(\.location?.id)).isSubset(of: Set(rows.map(\.location?.id))))
    #expect(byCount.allSatisfy { $0.distanceM <= 400_000 })
    #expect(try hub.harness.call(GetBoardRequest(order: .distance)).fields == ["near"])
  }

  @Test("those where nobody is can be left out in every order; the total counts everybody")
  func occupiedOnly() throws {
    let hub = try hub()
    let names = try hub.board(GetBoardRequest(occupiedOnly: true), pageSize: 2)
    #expect(names.map { $0.location?.name ?? "" } == ["a", "b", "d", "e"])
    #expect(try hub.harness.ask(GetBoardRequest(nameContains: "zz")).total == 8)
  }

  @Test("the board follows: places change their names, come and go; counts change")
  func follows() throws {
    let hub = try hub()
    hub.put(place: 0, name: "0 first")
    hub.locations.append(.locationDeleted(Hub.place(3)))
    hub.move(0, to: 0)
    hub.tell()
    let rows = try hub.board(GetBoardRequest(), pageSize: 10)
    #expect(rows.map { $0.location?.name ?? "" } == ["0 first", "a", "b", "d", "e"])
    #expect(rows.map(\.count) == [1, 1, 2, 2, 2])
  }

  @Test("a token belongs to one board")
  func tokens() throws {
    let hub = try hub()
    let token = try hub.harness.ask(GetBoardRequest(pageSize: 2, order: .count)).nextPageToken
    for request in [
      GetBoardRequest(pageToken: token),
      GetBoardRequest(pageToken: token, order: .count, occupiedOnly: true),
      GetBoardRequest(pageToken: token, order: .count, nameContains: "a"),
      GetBoardRequest(pageToken: "AAAA"),
    ] { #expect(try hub.harness.call(request).reason == "PAGE_TOKEN_INVALID") }
  }

  @Test(
    "1 200 places are on the board, each once, busiest first, in pages",
    arguments: [7, 333, 1_000] as [UInt32])
  func manyPlaces(pageSize: UInt32) throws {
    let hub = try Hub(people: 500, places: 0)
    for number in 0..<1_200 { hub.put(place: number, name: "place \(number % 400)") }
    for person in 0..<500 { hub.move(person, to: (person * person) % 1_200) }
    hub.tell()
    let byName = try hub.board(GetBoardRequest(), pageSize: pageSize)
    #expect(byName.count == 1_200 && Set(byName.map(\.location?.id)).count == 1_200)
    #expect(byName.reduce(0) { $0 + $1.count } == 500)
    // Those with as many people stay in the order by name.
    let counts = Set(byName.map(\.count)).sorted(by: >)
    let expected = counts.flatMap { count in byName.filter { $0.count == count } }
    #expect(counts.count > 3)
    #expect(try hub.board(GetBoardRequest(order: .count), pageSize: pageSize) == expected)
    #expect(
      try hub.board(GetBoardRequest(order: .count, occupiedOnly: true), pageSize: pageSize)
        == expected.filter { $0.count > 0 })
    #expect(
      try hub.board(GetBoardRequest(order: .count, nameContains: "E 3"), pageSize: pageSize)
        == expected.filter { $0.location?.name.hasPrefix("place 3") ?? false })
  }
}
