import Harness
import Model
import SQLite
import ServiceKit
import Testing
import Wire

@testable import CheckIns

@Suite("What the check-in service knows of profiles and places")
struct FollowTests {
  @Test("C10: deleting a profile checks it out, with its reason, and it is found nowhere")
  func deletedProfile() throws {
    let venue = try Venue()
    _ = try venue.checkIn(0, 1)
    _ = try venue.checkIn(1, 1)
    venue.deletePerson(0)
    #expect(try venue.list(1).map(\.profileID) == [Venue.person(1)])
    #expect(try venue.count(1) == 1)
    let last = try #require(try venue.log().last)
    #expect(last.reason == .profileDeleted && last.fromLocationID == Venue.place(1))
    for restarts in [false, true] {
      if restarts { try venue.start() }
      let status = try venue.harness.call(GetStatusRequest(profileID: Venue.person(0)))
      #expect(status.reason == "PROFILE_NOT_FOUND")
      #expect(try venue.checkIn(0, 1).reason == "PROFILE_NOT_FOUND")
      #expect(try venue.checkIn(nil, 1, as: "user 0").reason == "NO_PROFILE")
    }
    venue.deletePerson(0)
    #expect(try venue.log().count == 3, "twice is once")
  }

  @Test("C10: deleting a place checks everybody out of it")
  func deletedPlace() throws {
    let venue = try Venue()
    for person in 0..<3 { _ = try venue.checkIn(person, person == 2 ? 0 : 1) }
    venue.deletePlace(1)
    #expect(try venue.log().suffix(2).map(\.reason) == [.locationDeleted, .locationDeleted])
    for restarts in [false, true] {
      if restarts { try venue.start() }
      #expect(try venue.status(0).state == .checkedOut && venue.status(0).locationID == nil)
      #expect(
        try venue.harness.ask(GetCountsRequest()).counts.map(\.locationID) == [Venue.place(0)])
      #expect(try venue.count(1) == 0)
      #expect(try venue.checkIn(0, 1).reason == "LOCATION_NOT_FOUND")
      #expect(
        try venue.harness.call(ListCheckedInRequest(locationID: Venue.place(1))).reason
          == "LOCATION_NOT_FOUND")
    }
    #expect(try venue.stateOnDisk() == venue.state)
  }

  @Test("a profile that changes, and one of a user who had another, are followed")
  func puts() throws {
    let venue = try Venue()
    _ = try venue.checkIn(0, 1)
    venue.addPerson(0, user: "user 0")
    venue.tell()
    #expect(try venue.count(1) == 1, "an update is no leaving")
    venue.addPerson(5, user: "user 0")
    venue.tell()
    #expect(try venue.count(1) == 0)
    #expect(try venue.checkIn(nil, 2, as: "user 0").response.status?.profileID == Venue.person(5))
    #expect(try venue.stateOnDisk() == venue.state)
  }

  @Test(
    "a snapshot in pages replaces all that was known; who is not in it has been deleted",
    arguments: [false, true])
  func snapshot(together: Bool) throws {
    let venue = try Venue(people: 10, places: 10)
    for person in 0..<10 { _ = try venue.checkIn(person, person) }
    venue.harness.disconnect(.profiles)
    venue.harness.disconnect(.locations)
    for number in 0..<3 {
      venue.profiles.append(.profileDeleted(Venue.person(number)))
      venue.locations.append(.locationDeleted(Venue.place(9 - number)))
    }
    venue.addPerson(20)
    venue.addPlace(20)
    venue.profiles.compactedThrough = venue.profiles.lastRevision
    venue.locations.compactedThrough = venue.locations.lastRevision
    venue.profiles.snapshotPageItems = 3
    venue.locations.snapshotPageItems = 3
    // Page by page in turns, or one after the other.
    venue.profiles.answers = !together
    venue.harness.connect(.profiles)
    venue.profiles.answers = true
    venue.harness.connect(.locations)
    #expect(try venue.harness.ask(GetCountsRequest()).total == 4)
    #expect(try venue.checkIn(20, 20).code == .ok)
    #expect(try venue.checkIn(0, 20).reason == "PROFILE_NOT_FOUND")
    #expect(try venue.checkIn(5, 9).reason == "LOCATION_NOT_FOUND")
    #expect(try venue.stateOnDisk() == venue.state)
    #expect(venue.service.revisions.profiles == venue.profiles.lastRevision)
  }

  @Test("who was deleted and comes back with a backup is known, after a restart too")
  func backFromABackup() throws {
    let venue = try Venue()
    _ = try venue.checkIn(0, 1)
    let people = venue.profiles.lastRevision
    let places = venue.locations.lastRevision
    venue.deletePerson(0)
    venue.deletePlace(1)
    venue.profiles.restore(to: people, base: 1 << 40)
    venue.locations.restore(to: places, base: 1 << 40)
    venue.tell()
    for restarts in [false, true] {
      if restarts { try venue.start() }
      #expect(try venue.checkIn(0, 1, as: "user 0", .user).code == .ok)
      #expect(try venue.checkIn(nil, 1, as: "user 0").code == .ok)
      #expect(try venue.list(1).count == 1)
      #expect(try venue.stateOnDisk() == venue.state)
    }
    #expect(try venue.checkOut(0).code == .ok)
  }

  @Test("changes that could not be written are read again: none is lost", arguments: [0, 1, 2])
  func failedBatch(failure: Int) throws {
    let venue = try Venue()
    venue.addPerson(10)
    venue.harness.publish(.profiles)
    switch failure {
    case 0: venue.fault.nextCommit = .before(FaultyService.full)
    case 1:
      // The batch is open already: what opens it next fails.
      venue.harness.finish()
      venue.addPerson(11)
      venue.fault.nextBegin = FaultyService.full
      venue.harness.publish(.profiles)
    default:
      venue.harness.finish()
      try venue.database.execute(
        "CREATE TEMP TRIGGER no BEFORE INSERT ON person BEGIN SELECT RAISE(ABORT, 'no'); END")
      venue.addPerson(11)
      venue.harness.publish(.profiles)
      try venue.database.execute("DROP TRIGGER no")
    }
    venue.harness.finish()
    #expect(try venue.stateOnDisk() == venue.state)
    venue.addPerson(12)
    venue.harness.publish(.profiles)
    venue.harness.pass(ms: 3_000)
    let known = [10, 12] + (failure == 0 ? [] : [11])
    for person in known {
      #expect(venue.service.presence.person(Venue.person(person)) != nil)
    }
    #expect(venue.service.revisions.profiles == venue.profiles.lastRevision)
    #expect(try venue.stateOnDisk() == venue.state)
  }

  @Test("an answer to a question from before a failure is not taken for one that came after it")
  func staleAnswer() throws {
    let venue = try Venue()
    venue.profiles.answers = false
    // It has applied 4 and asks for what follows, and then the batch comes to nothing.
    venue.addPerson(10)
    venue.profiles.answers = true
    venue.harness.publish(.profiles)
    venue.profiles.answers = false
    venue.harness.publish(ChangesPublished(previousRevision: 5, lastRevision: 6), of: .profiles)
    let question = try #require(
      venue.harness.asked.last { $0.log == .profiles && $0.header.method == .listChanges })
    #expect(
      venue.harness.decode(ListChangesRequest.self, question.body).afterRevision == 4)
    venue.fault.nextCommit = .before(FaultyService.full)
    venue.harness.finish()
    venue.addPerson(11)
    venue.addPerson(12)
    venue.harness.respond(
      to: question,
      venue.profiles.response(
        ListChangesResponse(
          changes: venue.profiles.changes.filter { $0.revision > 4 }, lastRevision: 6)))
    venue.harness.finish()
    venue.profiles.answers = true
    venue.harness.asked = []
    venue.harness.pass(ms: 6_000)
    for person in [10, 11, 12] {
      #expect(venue.service.presence.person(Venue.person(person)) != nil)
    }
  }
}
