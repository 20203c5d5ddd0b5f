import Harness
import Model
import Testing
import Wire

@testable import Gateway

@Suite("Deletions, and the departures that they cause")
struct DeletionTests {
  @Test("C10: who was deleted leaves every list together, whichever log tells it first")
  func deletedTogether() throws {
    let hub = try Hub()
    for person in 0..<3 { hub.move(person, to: person % 2) }
    hub.tell()
    #expect(try hub.firstNames(0) == ["P0", "P2"])
    hub.delete(person: 2)
    hub.locations.append(.locationDeleted(Hub.place(1)))
    hub.harness.publish(.profiles)
    hub.harness.publish(.locations)
    hub.harness.finish()
    // What comes meanwhile keeps its order behind what waits.
    hub.put(person: 0, first: "Ada")
    hub.harness.publish(.profiles)
    hub.harness.finish()
    #expect(try hub.firstNames(0) == ["P0", "P2"])
    #expect(try hub.here(1).response.count == 1)
    let board = try hub.harness.ask(GetBoardRequest())
    #expect(board.total == 3 && board.rows.map(\.count).reduce(0, +) == 3)
    hub.move(2, to: nil, .profileDeleted)
    hub.move(1, to: nil, .locationDeleted)
    hub.harness.publish(.checkIns)
    hub.harness.finish()
    #expect(try hub.firstNames(0) == ["Ada"])
    #expect(try hub.here(1).reason == "LOCATION_NOT_FOUND")
    let after = try hub.harness.ask(GetBoardRequest())
    #expect(after.total == 1 && after.rows.map(\.count).reduce(0, +) == 1)
  }
}
