import Harness
import Model
import ServiceKit
import Testing
import Wire

@testable import CheckIns

@Suite("Anything in any order")
struct RandomTests {
  /// What must hold whatever was done.
  private func check(_ venue: Venue, _ seed: UInt64) throws {
    let presence = venue.service.presence
    var total = 0
    for (slot, place) in presence.places.enumerated() {
      total += place.members.count
      let keys = place.members.map { (presence[person: $0].sinceMs, presence[person: $0].id) }
      #expect(zip(keys, keys.dropFirst()).allSatisfy { $0 < $1 }, "seed \(seed)")
      for member in place.members {
        #expect(presence[person: member].place == Int32(slot), "seed \(seed)")
      }
      let isOccupied = presence.occupied.contains(Int32(slot))
      #expect(isOccupied == !place.members.isEmpty, "seed \(seed)")
    }
    #expect(total == presence.total, "seed \(seed)")
    #expect(presence.people.count { $0.place != nil } == total, "seed \(seed)")
    var revisions: [UInt64] = []
    try venue.service.store.entries(after: 0) { entry in
      revisions.append(entry.revision)
      return true
    }
    let first = revisions.first ?? 1
    #expect(revisions == Array(first..<(first + UInt64(revisions.count))), "seed \(seed)")
    let onDisk = try venue.stateOnDisk()
    var live = venue.state
    // Where the log is empty, the time of a renewal is known to nobody any more.
    if revisions.isEmpty { live.lastTimeMs = onDisk.lastTimeMs }
    #expect(onDisk == live, "seed \(seed)")
  }

  @Test(
    "C1: after random operations and failures, what is loaded is what is live", arguments: 1...6)
  func operations(seed: Int) throws {
    var random = SeededGenerator(seed: UInt64(seed))
    let venue = try Venue(people: 12, places: 5, historyMs: 86_400_000)
    for step in 0..<400 {
      let person = Int.random(in: 0..<14, using: &random)
      let place = Int.random(in: 0..<6, using: &random)
      let choice = Int.random(in: 0..<40, using: &random)
      do {
        switch choice {
        case 0: venue.deletePerson(person)
        case 1:
          if venue.service.presence.person(Venue.person(person)) == nil {
            venue.addPerson(person)
            venue.tell()
          }
        case 2: venue.deletePlace(place)
        case 3:
          venue.addPlace(place, capacity: UInt32.random(in: 0...3, using: &random))
          venue.tell()
        case 4: _ = try venue.harness.call(CheckOutEveryoneRequest(locationID: Venue.place(place)))
        case 5: venue.harness.core.workBehind(at: venue.harness.now)
        case 6: try venue.start()
        case 7: venue.fault.nextCommit = .before(FaultyService.full)
        case 8: venue.harness.pass(ms: Int64.random(in: 1...20_000, using: &random))
        case 9: venue.harness.now.wallMs += Int64.random(in: -3_600_000...3_600_000, using: &random)
        case 10:
          venue.harness.now.wallMs += 80_000_000
          venue.harness.now.monotonicUs += 80_000_000_000
        case 11...15: _ = try venue.checkOut(person)
        case 16:
          let items = (0..<6).map { _ in
            BatchCheckInItem(
              profileID: Venue.person(Int.random(in: 0..<14, using: &random)),
              locationID: Venue.place(Int.random(in: 0..<6, using: &random)))
          }
          _ = try venue.harness.call(
            BatchCheckInRequest(items: items), as: "desk", key: id(UInt64(step)))
        case 17...25:
          let ttlS = UInt32.random(in: 0...40, using: &random)
          _ = try venue.checkIn(
            person, place, ttlS: ttlS, as: "user \(place)", key: id(UInt64(step)))
        default: _ = try venue.checkIn(person, place, as: "user \(place)")
        }
      } catch is Unanswered {
        // A commit that failed took a question to an owner with it; it is asked again.
        venue.harness.pass(ms: 3_000)
      }
      if step % 50 == 49 { try check(venue, UInt64(seed)) }
    }
    venue.harness.workBehind()
    try check(venue, UInt64(seed))
    let live = venue.state
    try venue.start(connects: false)
    #expect(venue.state.people == live.people && venue.state.places == live.places)
  }
}
