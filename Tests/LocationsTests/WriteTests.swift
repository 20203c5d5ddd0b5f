import Model
import ServiceKit
import Testing
import Wire

@Suite("Writing places")
struct WriteTests {
  @Test("F1: a place is kept with every field, and comes back with its id, times and revision")
  func create() throws {
    let desk = try Desk()
    let reply = try desk.call(CreateLocationRequest(location: harbour))
    let made = try #require(reply.response.location)
    #expect(reply.header.asOf == Revisions(locations: 1))
    var expected = harbour
    expected.id = made.id
    expected.revision = 1
    expected.createTimeMs = desk.now.wallMs
    expected.updateTimeMs = desk.now.wallMs
    #expect(made == expected && made.id != nil)
    #expect(try desk.get(made.id) == made)
    #expect(try desk.ask(GetLocationRequest(externalID: "HRB")).location == made)
  }

  @Test("B8: a missing position is absent, and 0,0 is a position")
  func point() throws {
    let desk = try Desk()
    let nowhere = try desk.create(Location(name: "Nowhere"))
    let zero = try desk.create(
      Location(name: "Null Island", point: GeoPoint(latitude: 0, longitude: 0)))
    #expect(try desk.get(nowhere.id).point == nil)
    #expect(try desk.get(zero.id).point == GeoPoint(latitude: 0, longitude: 0))
    let near = ListLocationsRequest(near: GeoPoint(latitude: 0, longitude: 0), radiusM: 3e7)
    #expect(try desk.list(near).names == ["Null Island"])
    let update = UpdateLocationRequest(location: Location(id: zero.id), updateMask: ["point"])
    #expect(try desk.ask(update).location?.point == nil)
    #expect(try desk.list(near).isEmpty)
  }

  @Test("F1: everything that is wrong is told at once, each with its field, and nothing is kept")
  func violations() throws {
    let desk = try Desk()
    let wrong = Location(
      id: ID(high: 1, low: 1), name: " \u{3000}", description: String(repeating: "x", count: 1_001),
      address: String(repeating: "y", count: 201),
      point: GeoPoint(latitude: 90.1, longitude: -180.5), websiteURL: "harbour.example",
      phoneNumber: "call me", squareImageID: [UInt8](repeating: 1, count: 32),
      bannerImageID: [UInt8](repeating: 1, count: 32),
      externalID: String(repeating: "z", count: 101), createTimeMs: 1, updateTimeMs: 1, revision: 1)
    let reply = try desk.call(CreateLocationRequest(location: wrong))
    #expect(reply.reason == "INVALID_FIELDS")
    let fields = [
      "id", "name", "description", "address", "point.latitude", "point.longitude", "website_url",
      "phone_number", "external_id", "square_image_id", "banner_image_id", "create_time_ms",
      "update_time_ms", "revision",
    ]
    #expect(Set(reply.fields) == Set(fields.map { "location.\($0)" }))
    #expect(reply.fields.count == fields.count)
    #expect(try desk.call(CreateLocationRequest()).fields == ["location.name"])
    #expect(try desk.changes().isEmpty)
  }

  @Test(
    "F1: limits hold for what a reader counts",
    arguments: ["한", "👩‍👩‍👧‍👦", "e\u{301}"])
  func limits(character: String) throws {
    let desk = try Desk()
    let name = String(repeating: character, count: 100)
    try desk.create(Location(name: name))
    let tooLong = CreateLocationRequest(location: Location(name: name + character))
    #expect(try desk.call(tooLong).fields == ["location.name"])
  }

  @Test("An external id belongs to one place, until that gives it up or is deleted")
  func externalID() throws {
    let desk = try Desk()
    let first = try desk.create(Location(name: "A", externalID: "X"))
    let second = try desk.create(Location(name: "B", externalID: "Y"))
    try desk.create(Location(name: "C"))
    try desk.create(Location(name: "D"))
    let again = CreateLocationRequest(location: Location(name: "E", externalID: "X"))
    let refused = try desk.call(again)
    #expect(refused.reason == "EXTERNAL_ID_EXISTS" && refused.code == .alreadyExists)
    func take(_ externalID: String, _ id: ID?) throws -> String {
      try desk.call(
        UpdateLocationRequest(
          location: Location(id: id, externalID: externalID), updateMask: ["external_id"])
      ).reason
    }
    #expect(try take("X", second.id) == "EXTERNAL_ID_EXISTS")
    #expect(try take("Y", second.id) == "")
    #expect(try take("", first.id) == "")
    #expect(try take("X", second.id) == "")
    #expect(try desk.call(again).reason == "EXTERNAL_ID_EXISTS")
    _ = try desk.ask(DeleteLocationRequest(id: second.id))
    #expect(try desk.call(again).reason == "")
    #expect(try desk.call(GetLocationRequest(externalID: "Y")).reason == "LOCATION_NOT_FOUND")
  }

  @Test("An update changes the fields it names, and no others")
  func update() throws {
    let desk = try Desk()
    let made = try desk.create(harbour)
    let asked = Location(
      id: made.id, name: "Port", description: "gone", capacity: 7, revision: 99)
    let reply = try desk.call(
      UpdateLocationRequest(location: asked, updateMask: ["name", "capacity", "phone_number"]))
    var expected = made
    expected.name = "Port"
    expected.capacity = 7
    expected.phoneNumber = ""
    expected.revision = 2
    expected.updateTimeMs = desk.now.wallMs
    #expect(reply.response.location == expected)
    #expect(reply.header.asOf == Revisions(locations: 2))
    #expect(try desk.get(made.id) == expected)
    #expect(try desk.list(ListLocationsRequest(nameContains: "harb")).isEmpty)
  }

  @Test("An update that changes nothing makes no change in the log")
  func noChange() throws {
    let desk = try Desk()
    let made = try desk.create(harbour)
    var asked = harbour
    asked.id = made.id
    let all = [
      "name", "description", "address", "point", "website_url", "phone_number", "capacity",
      "external_id",
    ]
    let reply = try desk.ask(UpdateLocationRequest(location: asked, updateMask: all))
    #expect(reply.location == made)
    #expect(try desk.changes().count == 1)
  }

  @Test("What an update names is checked, all at once; what it does not name is not looked at")
  func updateFields() throws {
    let desk = try Desk()
    let made = try desk.create(harbour)
    let wrong = Location(
      id: made.id, name: "", point: GeoPoint(latitude: 91, longitude: 0), websiteURL: "ftp://x",
      phoneNumber: "?")
    func fields(_ location: Location, _ mask: [String]) throws -> [String] {
      try desk.call(UpdateLocationRequest(location: location, updateMask: mask)).fields
    }
    #expect(try fields(wrong, []) == ["update_mask"])
    #expect(try fields(wrong, ["capacity"]) == [])
    #expect(
      try fields(wrong, ["name", "point", "website_url", "phone_number"])
        == [
          "location.name", "location.point.latitude", "location.website_url",
          "location.phone_number",
        ])
    #expect(
      try fields(Location(), ["id", "revision", "square_image_id", "Name"])
        == ["location.id"] + (0..<4).map { "update_mask[\($0)]" })
  }

  @Test("C6: an update of another revision is refused; of one that is not there, first of all")
  func revisions() throws {
    let desk = try Desk()
    let made = try desk.create(harbour)
    func update(_ id: ID?, _ name: String, _ revision: UInt64) throws -> String {
      try desk.call(
        UpdateLocationRequest(
          location: Location(id: id, name: name), updateMask: ["name"],
          expectedRevision: revision)
      ).reason
    }
    #expect(try update(made.id, "A", 1) == "")
    #expect(try update(made.id, "B", 1) == "REVISION_MISMATCH")
    #expect(try update(made.id, "B", 3) == "REVISION_MISMATCH")
    #expect(try update(made.id, "B", 2) == "")
    #expect(try update(ID(high: 1, low: 2), "C", 9) == "LOCATION_NOT_FOUND")
    // Already there comes after the revision.
    try desk.create(Location(name: "Other", externalID: "X"))
    let taken = UpdateLocationRequest(
      location: Location(id: made.id, externalID: "X"), updateMask: ["external_id"],
      expectedRevision: 1)
    #expect(try desk.call(taken).reason == "REVISION_MISMATCH")
  }

  @Test("Places are made and changed by administrators, and read by everybody")
  func roles() throws {
    let desk = try Desk()
    let made = try desk.create(harbour)
    for role in [Roles.display, .user, .staff] {
      let writes = [
        try desk.call(CreateLocationRequest(location: Location(name: "A")), as: "u", role).reason,
        try desk.call(BatchCreateLocationsRequest(), as: "u", role).reason,
        try desk.call(
          UpdateLocationRequest(location: Location(id: made.id), updateMask: ["address"]),
          as: "u", role
        ).reason,
        try desk.call(DeleteLocationRequest(id: made.id), as: "u", role).reason,
        try desk.call(
          SetLocationImageRequest(locationID: made.id, which: .square), as: "u", role
        ).reason,
      ]
      #expect(writes == Array(repeating: "NOT_ALLOWED", count: 5))
      #expect(try desk.call(GetLocationRequest(id: made.id), as: "u", role).code == .ok)
      #expect(try desk.call(ListLocationsRequest(), as: "u", role).code == .ok)
    }
    // What is wrong with the form is told first.
    #expect(try desk.call(CreateLocationRequest(), as: "u", .user).reason == "INVALID_FIELDS")
  }

  @Test("A retry with the same key gives the first response, also after a restart")
  func replay() throws {
    try withFolder { folder in
      let desk = try Desk(path: folder + "/locations.db")
      let key = ID(high: 3, low: 4)
      let request = CreateLocationRequest(location: harbour)
      let first = try desk.call(request, as: "root", key: key)
      try desk.start()
      let again = try desk.call(request, as: "root", key: key)
      #expect(again.header.replayed && again.response == first.response)
      let other = CreateLocationRequest(location: Location(name: "B"))
      #expect(try desk.call(other, as: "root", key: key).reason == "IDEMPOTENCY_KEY_REUSED")
      #expect(try desk.call(request, key: key).reason == "NO_IDENTITY")
      #expect(try desk.list().count == 1)
    }
  }

  @Test("A disk that is full keeps nothing of the batch; when there is room again, all goes on")
  func full() throws {
    try withFolder { folder in
      let desk = try Desk(path: folder + "/locations.db")
      let made = try desk.create(harbour)
      let pages = try desk.database.prepare("PRAGMA page_count").first { $0.int(0) } ?? 0
      try desk.database.execute("PRAGMA max_page_count = \(pages)")
      let many = BatchCreateLocationsRequest(
        locations: (0..<500).map { Location(name: "Place \($0)", externalID: "P\($0)") })
      #expect(try desk.call(many).reason == "STORAGE_FULL")
      #expect(try desk.list().map(\.location) == [made])
      #expect(desk.published.flatMap(\.changes).count == 1)
      try desk.database.execute("PRAGMA max_page_count = 100000")
      #expect(try desk.ask(many).created == 500)
      #expect(try desk.list().count == 501)
      #expect(try desk.changes().map(\.revision) == (1...501).map { UInt64($0) })
    }
  }
}
