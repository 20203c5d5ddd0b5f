import Model
import ServiceKit
import Testing
import Wire

@Suite("Reading places")
struct ListTests {
  @Test("F2: by name, by code points, then by id; pages give everybody once while others come")
  func byName() throws {
    let desk = try Desk()
    let names = ["b", "Zürich", "a", "é", "Zurich", "𝒳", "\u{FFFD}", "b", "東京"]
    for name in names { try desk.create(Location(name: name)) }
    let all = try desk.list()
    #expect(all.names == ["Zurich", "Zürich", "a", "b", "b", "é", "東京", "\u{FFFD}", "𝒳"])
    let ids = all.compactMap(\.location?.id)
    #expect(ids[3] < ids[4] && all.allSatisfy { $0.distanceM == 0 })
    var seen: [ID] = []
    var request = ListLocationsRequest(pageSize: 2)
    repeat {
      let page = try desk.ask(request)
      #expect(page.results.count <= 2)
      seen += page.results.compactMap(\.location?.id)
      request.pageToken = page.nextPageToken
      try desk.create(Location(name: "a new one"))
      try desk.create(Location(name: "ｚ new one"))
    } while !request.pageToken.isEmpty
    #expect(seen.filter(ids.contains) == ids)
    #expect(Set(seen).count == seen.count)
  }

  @Test("F2: within a radius, nearest first, with the distance in metres")
  func near() throws {
    let desk = try Desk()
    for (name, latitude, longitude) in [
      ("far", 10.0, -170.0), ("east", 0, 179.99), ("here", 0, 180), ("west", 0, -179.98),
      ("nowhere", 0, 0),
    ] {
      try desk.create(
        Location(name: name, point: GeoPoint(latitude: latitude, longitude: longitude)))
    }
    try desk.create(Location(name: "unknown"))
    let here = GeoPoint(latitude: 0, longitude: -180)
    let near = try desk.list(ListLocationsRequest(near: here, radiusM: 5_000))
    #expect(near.names == ["here", "east", "west"])
    let degreeM = 6_371_008.8 * Double.pi / 180
    for (result, distanceM) in zip(near, [0, degreeM / 100, degreeM / 50]) {
      #expect(abs(result.distanceM - distanceM) < 1e-6)
    }
    let paged = ListLocationsRequest(pageSize: 1, near: here, radiusM: 2.1e7)
    #expect(try desk.list(paged).names == ["here", "east", "west", "far", "nowhere"])
    let both = ListLocationsRequest(nameContains: "E", near: here, radiusM: 2.1e7)
    #expect(try desk.list(both).names == ["here", "east", "west", "nowhere"])
  }

  @Test("F2: a search is refused where it says too little, too much or nothing possible")
  func violations() throws {
    let desk = try Desk()
    let point = GeoPoint(latitude: 1, longitude: 1)
    func fields(_ request: ListLocationsRequest) throws -> [String] {
      try desk.call(request).fields
    }
    #expect(try fields(ListLocationsRequest(near: point)) == ["radius_m"])
    #expect(try fields(ListLocationsRequest(near: point, radiusM: -1)) == ["radius_m"])
    #expect(try fields(ListLocationsRequest(radiusM: 5)) == ["radius_m"])
    for number in [Double.nan, .infinity] {
      #expect(try fields(ListLocationsRequest(near: point, radiusM: number)).contains("radius_m"))
    }
    let outside = GeoPoint(latitude: -91, longitude: 181)
    #expect(
      try fields(ListLocationsRequest(near: outside, radiusM: 1))
        == ["near.latitude", "near.longitude"])
    let long = String(repeating: "x", count: 101)
    #expect(try fields(ListLocationsRequest(nameContains: long)) == ["name_contains"])
  }

  @Test("A page token belongs to its question, and outlives a restart")
  func tokens() throws {
    try withFolder { folder in
      let desk = try Desk(path: folder + "/locations.db")
      for number in 0..<5 { try desk.create(Location(name: "Gate \(number)")) }
      let first = ListLocationsRequest(pageSize: 2, nameContains: "gate")
      let token = try desk.ask(first).nextPageToken
      try desk.start()
      // Another size is the same question.
      let next = ListLocationsRequest(pageSize: 3, pageToken: token, nameContains: "gate")
      #expect(try desk.ask(next).results.names == ["Gate 2", "Gate 3", "Gate 4"])
      for request in [
        ListLocationsRequest(pageToken: token),
        ListLocationsRequest(pageToken: token, nameContains: "Gate"),
        ListLocationsRequest(
          pageToken: token, nameContains: "gate", near: GeoPoint(latitude: 0, longitude: 0),
          radiusM: 1),
        ListLocationsRequest(pageToken: "x" + token, nameContains: "gate"),
        ListLocationsRequest(pageToken: String(token.dropLast()), nameContains: "gate"),
      ] {
        let reply = try desk.call(request)
        #expect(reply.reason == "PAGE_TOKEN_INVALID" && reply.code == .invalidArgument)
      }
    }
  }

  @Test("Pages are of 100, at most of 1 000, and end at 512 KiB")
  func sizes() throws {
    let desk = try Desk()
    let small = (0..<1_000).map { Location(name: "A \($0)") }
    _ = try desk.ask(BatchCreateLocationsRequest(locations: small))
    let long = String(repeating: "👩‍👩‍👧‍👦", count: 300)
    for _ in 0..<2 {
      let large = (0..<60).map { Location(name: "B \($0)", description: long) }
      _ = try desk.ask(BatchCreateLocationsRequest(locations: large))
    }
    #expect(try desk.ask(ListLocationsRequest()).results.count == 100)
    #expect(try desk.ask(ListLocationsRequest(pageSize: 5_000)).results.count == 1_000)
    let page = try desk.ask(ListLocationsRequest(pageSize: 1_000, nameContains: "b"))
    let size = Encoder().size(of: page)
    #expect(size <= Limits.pageBytes && size > Limits.pageBytes - 2 * Limits.placeBytes)
    #expect(!page.nextPageToken.isEmpty)
    let request = ListLocationsRequest(pageSize: 1_000)
    #expect(Set(try desk.list(request).compactMap(\.location?.id)).count == 1_120)
  }

  @Test("One place is asked for by its id, or by its external id")
  func one() throws {
    let desk = try Desk()
    let made = try desk.create(harbour)
    #expect(try desk.call(GetLocationRequest()).reason == "INVALID_FIELDS")
    let both = GetLocationRequest(id: made.id, externalID: "HRB")
    #expect(try desk.call(both).reason == "INVALID_FIELDS")
    let unknown = try desk.call(GetLocationRequest(externalID: "hrb"))
    #expect(unknown.reason == "LOCATION_NOT_FOUND" && unknown.code == .notFound)
  }

  @Test("Several places: in the order asked, each once, and which there are not")
  func several() throws {
    let desk = try Desk()
    let ids = try (0..<4).map { try #require(try desk.create(Location(name: "P\($0)")).id) }
    let unknown = ID(high: 1, low: 1)
    let response = try desk.ask(
      BatchGetLocationsRequest(ids: [ids[2], unknown, ids[0], ids[2], unknown]))
    #expect(response.locations.map(\.name) == ["P2", "P0"])
    #expect(response.missing == [unknown] && response.unread.isEmpty)
    let many = Array(repeating: unknown, count: 1_001)
    #expect(try desk.call(BatchGetLocationsRequest(ids: many)).fields == ["ids"])
    #expect(try desk.ask(BatchGetLocationsRequest()) == BatchGetLocationsResponse())
  }

  @Test("Several places that do not fit into one response are named as unread")
  func unread() throws {
    let desk = try Desk()
    let long = String(repeating: "👩‍👩‍👧‍👦", count: 300)
    let large = (0..<100).map { Location(name: "\($0)", description: long) }
    let ids = try desk.ask(BatchCreateLocationsRequest(locations: large)).ids
    var rest = ids
    var names: [String] = []
    while !rest.isEmpty {
      let response = try desk.ask(BatchGetLocationsRequest(ids: rest))
      #expect(Encoder().size(of: response) <= Limits.pageBytes)
      #expect(response.locations.count + response.unread.count == rest.count)
      names += response.locations.map(\.name)
      rest = response.unread
    }
    #expect(names == (0..<100).map { "\($0)" })
  }

  @Test("Asked for a state that has not come yet, it waits for it")
  func atLeast() throws {
    let desk = try Desk()
    try desk.create(harbour)
    #expect(
      try desk.call(ListLocationsRequest(), atLeast: Revisions(profiles: 9, locations: 1)).code
        == .ok)
    let request = ListLocationsRequest()
    let call = desk.harness.send(request, RequestHeader(atLeast: Revisions(locations: 2)))
    desk.harness.finish()
    #expect(desk.harness.take(ListLocationsRequest.self, call) == nil)
    try desk.create(Location(name: "B"))
    let reply = try #require(desk.harness.take(ListLocationsRequest.self, call))
    #expect(reply.response.results.count == 2)
  }
}
