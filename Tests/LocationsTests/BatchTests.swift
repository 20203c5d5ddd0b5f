import Model
import ServiceKit
import Testing
import Wire

@Suite("Importing places")
struct BatchTests {
  @Test("F1: an import makes what is new, changes what is known, and can be run twice")
  func twice() throws {
    let desk = try Desk()
    let known = try desk.create(Location(name: "Old name", description: "old", externalID: "A"))
    _ = try desk.ask(
      SetLocationImageRequest(locationID: known.id, which: .square, image: png(1)))
    let batch = BatchCreateLocationsRequest(locations: [
      Location(name: "New", externalID: "B"), Location(name: "New name", externalID: "A"),
      Location(name: "No key"), Location(name: "No key"),
    ])
    let first = try desk.ask(batch)
    #expect(first.created == 3 && first.changed == 1)
    #expect(first.ids.count == 4 && first.ids[1] == known.id && Set(first.ids).count == 4)
    let changed = try desk.get(known.id)
    #expect(changed.name == "New name" && changed.description == "")
    #expect(!changed.squareImageID.isEmpty)
    #expect(changed.createTimeMs == known.createTimeMs)
    let second = try desk.ask(
      BatchCreateLocationsRequest(locations: Array(batch.locations.prefix(2))))
    #expect(second.created == 0 && second.changed == 0)
    #expect(second.ids == Array(first.ids.prefix(2)))
    #expect(try desk.changes().count == 6)
  }

  @Test("All or none: one that is wrong keeps all the others out, and is named")
  func allOrNone() throws {
    let desk = try Desk()
    var locations = (0..<10).map { Location(name: "Place \($0)") }
    locations[3].name = ""
    locations[7].phoneNumber = "x"
    locations[7].id = ID(high: 1, low: 1)
    let reply = try desk.call(BatchCreateLocationsRequest(locations: locations))
    #expect(
      reply.fields == ["locations[3].name", "locations[7].id", "locations[7].phone_number"])
    #expect(try desk.list().isEmpty)
  }

  @Test("The same external id twice in one batch is refused, and both are named")
  func sameTwice() throws {
    let desk = try Desk()
    let reply = try desk.call(
      BatchCreateLocationsRequest(locations: [
        Location(name: "A", externalID: "X"), Location(name: "B"),
        Location(name: "C", externalID: "X"),
      ]))
    #expect(reply.reason == "INVALID_FIELDS")
    let told = reply.header.status?.fieldViolations.map { "\($0.field) \($0.description)" } ?? []
    #expect(told.joined().contains("locations[0]"))
    #expect(told.joined().contains("locations[2].external_id"))
    #expect(try desk.list().isEmpty)
  }

  @Test("Up to 1 000 at once; none is no error")
  func size() throws {
    let desk = try Desk()
    let places = (0..<1_001).map { Location(name: "Place \($0)") }
    let reply = try desk.call(BatchCreateLocationsRequest(locations: places))
    #expect(reply.fields == ["locations"])
    let full = try desk.ask(BatchCreateLocationsRequest(locations: Array(places.dropLast())))
    #expect(full.created == 1_000 && full.ids.count == 1_000)
    let empty = try desk.ask(BatchCreateLocationsRequest())
    #expect(empty == BatchCreateLocationsResponse())
    #expect(try desk.list(ListLocationsRequest(pageSize: 1_000)).count == 1_000)
  }
}
