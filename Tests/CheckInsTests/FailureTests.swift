import Harness
import Model
import SQLite
import ServiceKit
import Testing
import Wire

@testable import CheckIns

@Suite("A disk that is full, or fails")
struct FailureTests {
  /// Writes until the disk is full; gives the answers of the last round, of several calls.
  private func writeUntilFull(_ venue: Venue) throws -> [Reply<CheckInResponse>] {
    try venue.fillDisk()
    for round in 0..<2_000 {
      let calls = (0..<20).map { number in
        venue.harness.send(
          CheckInRequest(
            profileID: Venue.person(number), locationID: Venue.place((number + round) % 3),
            ttlS: UInt32(round + 1)),
          RequestHeader(
            idempotencyKey: id(UInt64(round * 20 + number)), actingUser: "user \(round)"))
      }
      venue.harness.finish()
      let replies = try calls.map { try #require(venue.harness.take(CheckInRequest.self, $0)) }
      if replies.contains(where: { $0.code != .ok }) { return replies }
      if round % 50 == 49 { try venue.database.checkpoint() }
    }
    Issue.record("the disk never was full")
    return []
  }

  @Test("a full disk refuses every write of its batch, and memory is what is on disk")
  func full() throws {
    let venue = try Venue(people: 20)
    // Where little was left, what came after the batch that failed may have found room.
    let refused = try writeUntilFull(venue).filter { $0.code != .ok }
    #expect(refused.allSatisfy { $0.reason == "STORAGE_FULL" && $0.code == .resourceExhausted })
    #expect(refused.allSatisfy { ($0.header.status?.retryAfterMs ?? 0) > 0 })
    #expect(venue.harness.core.fatalError == nil)
    #expect(try venue.stateOnDisk() == venue.state)
    #expect(try venue.list(0).count + venue.list(1).count + venue.list(2).count == 20)
    try venue.freeDisk()
    #expect(try venue.checkIn(0, 1, ttlS: 77, key: id(1 << 40)).code == .ok)
    #expect(try venue.stateOnDisk() == venue.state)
    venue.harness.workBehind()
    #expect(try venue.stateOnDisk() == venue.state)
  }

  @Test("C5: who is new is not denied because the disk is full, but told so")
  func newcomer() throws {
    let venue = try Venue()
    venue.addPerson(9)
    venue.fault.nextCommit = .before(FaultyService.full)
    let refused = try venue.checkIn(9, 0)
    #expect(!venue.fault.isArmed, "what the owner has told was not kept")
    #expect(refused.reason == "STORAGE_FULL" && refused.code == .resourceExhausted)
    #expect(try venue.checkIn(9, 0).code == .ok)
  }

  @Test("C7: nobody waits for what a full disk cannot take; what is known is told, and health is")
  func whatCannotBeTaken() throws {
    let venue = try Venue()
    _ = try venue.checkIn(0, 0)
    venue.fault.isFull = true
    venue.addPerson(0)  // It has changed its profile, and its calls ask for that.
    let own = Revisions(profiles: venue.profiles.lastRevision)
    for _ in 0..<3 {
      let status = try venue.harness.call(GetStatusRequest(), as: "user 0", atLeast: own)
      let out = try venue.harness.call(CheckOutRequest(), as: "user 0", atLeast: own)
      #expect(status.reason == "STORAGE_FULL" && out.reason == "STORAGE_FULL")
      #expect((status.header.status?.retryAfterMs ?? 0) > 0)
      #expect(try venue.checkIn(7, 0).reason == "STORAGE_FULL", "somebody may be new")
      #expect(
        try venue.harness.ask(GetStatusRequest(), as: "user 0").status?.state == .checkedIn)
    }
    let health = try venue.harness.ask(CheckHealthRequest())
    #expect(health.state == .degraded && health.services[0].detail.contains("disk is full"))
    venue.fault.isFull = false
    venue.harness.pass(ms: 3_000)
    #expect(
      try venue.harness.ask(GetStatusRequest(), as: "user 0", atLeast: own).status?.state
        == .checkedIn)
    #expect(try venue.harness.ask(CheckHealthRequest()).state == .serving)
  }

  @Test("a disk that is full no more is found out though nobody writes")
  func freed() throws {
    let venue = try Venue()
    venue.fault.isFull = true
    #expect(try venue.checkIn(0, 0).reason == "STORAGE_FULL")
    venue.harness.pass(ms: 5_000)
    #expect(try venue.harness.ask(CheckHealthRequest()).state == .degraded)
    venue.fault.isFull = false
    venue.harness.pass(ms: 2_500)
    #expect(try venue.harness.ask(CheckHealthRequest()).state == .serving)
    #expect(try venue.stateOnDisk() == venue.state)
  }

  @Test("a service that starts on a full disk says so before anybody writes")
  func started() throws {
    let venue = try Venue()
    try venue.start(connects: false)
    venue.fault.isFull = true
    venue.harness.finish()
    #expect(try venue.harness.ask(CheckHealthRequest()).services[0].detail.contains("full"))
    venue.fault.isFull = false
    venue.harness.pass(ms: 2_500)
    #expect(try venue.harness.ask(CheckHealthRequest()).services[0].detail == "")
  }

  @Test("what is on a full disk goes on being read")
  func readsOnAFullDisk() throws {
    let venue = try Venue(people: 20)
    _ = try writeUntilFull(venue)
    #expect(try venue.harness.ask(GetCountsRequest()).total == 20)
    #expect(try !venue.history(place: 0).isEmpty)
    #expect(try !venue.harness.ask(ListChangesRequest()).changes.isEmpty)
  }

  /// What may be in a batch that fails.
  enum Work: CaseIterable {
    case checkIns, keys, newUsers, everyoneOut, batch, profiles, places, deletes, ends, behind
  }

  @Test("after a commit that failed, memory is what is on disk", arguments: Work.allCases)
  func rollBack(work: Work) throws {
    let venue = try Venue(people: 8, places: 4)
    for person in 0..<6 {
      _ = try venue.checkIn(person, person % 4, ttlS: person == 5 ? 30 : 0, as: "user \(person)")
    }
    if work != .behind { venue.harness.workBehind() }
    let before = venue.state
    for attempt in 0..<2 {
      if attempt == 0 { venue.fault.nextCommit = .before(FaultyService.full) }
      arrange(work, attempt, venue)
      venue.harness.finish()
      if attempt == 0 {
        var now = venue.state
        // Owners have been asked again, and have answered, within the same round.
        if work == .profiles || work == .places || work == .deletes {
          now = try venue.stateOnDisk()
        }
        #expect(now == before || [.profiles, .places, .deletes, .ends].contains(work))
      }
      #expect(try venue.stateOnDisk() == venue.state)
    }
    venue.harness.pass(ms: 3_000)
    #expect(venue.state != before || work == .behind)
    #expect(try venue.stateOnDisk() == venue.state)
    #expect(venue.service.revisions.profiles == venue.profiles.lastRevision)
    #expect(venue.service.revisions.locations == venue.locations.lastRevision)
  }

  /// Has something done, a part of which the batch that fails takes back.
  private func arrange(_ work: Work, _ attempt: Int, _ venue: Venue) {
    switch work {
    case .checkIns:
      venue.harness.send(
        CheckInRequest(profileID: Venue.person(0), locationID: Venue.place(3), ttlS: 9),
        RequestHeader(actingUser: "user 0"))
      venue.harness.send(
        CheckOutRequest(profileID: Venue.person(0)), RequestHeader(actingUser: "user 0"))
      venue.harness.send(
        CheckInRequest(profileID: Venue.person(0), locationID: Venue.place(1)),
        RequestHeader(actingUser: "user 0"))
    case .keys:
      venue.harness.send(
        CheckInRequest(profileID: Venue.person(0), locationID: Venue.place(3)),
        RequestHeader(idempotencyKey: id(5), actingUser: "user 0"))
      venue.harness.send(
        CheckInRequest(profileID: Venue.person(1), locationID: Venue.place(1)),
        RequestHeader(idempotencyKey: id(6), actingUser: "user 0"))
    case .newUsers:
      venue.harness.send(
        CheckInRequest(profileID: Venue.person(0), locationID: Venue.place(3)),
        RequestHeader(actingUser: "somebody new"))
    case .everyoneOut:
      venue.harness.send(CheckOutEveryoneRequest(locationID: Venue.place(0)))
    case .batch:
      venue.harness.send(
        BatchCheckInRequest(
          items: (0..<8).map {
            BatchCheckInItem(profileID: Venue.person($0), locationID: Venue.place(2))
          }))
    case .profiles:
      venue.addPerson(30 + attempt)
      venue.harness.publish(.profiles)
    case .places:
      venue.addPlace(1, capacity: UInt32(5 + attempt))
      venue.addPlace(40 + attempt)
      venue.harness.publish(.locations)
    case .deletes:
      if attempt == 0 {
        venue.profiles.append(.profileDeleted(Venue.person(0)))
        venue.locations.append(.locationDeleted(Venue.place(2)))
      }
      venue.harness.publish(.profiles)
      venue.harness.publish(.locations)
    case .ends:
      venue.harness.now.monotonicUs += 31_000_000
      venue.harness.now.wallMs += 31_000
    case .behind: venue.harness.core.workBehind(at: venue.harness.now)
    }
  }

  @Test("an error in the middle of a batch undoes all of it", arguments: 0..<6)
  func errorInTheMiddle(failing: Int) throws {
    let venue = try Venue(people: 6)
    _ = try venue.checkIn(0, 0)
    let before = venue.state
    try venue.database.execute(
      """
      CREATE TEMP TRIGGER no BEFORE INSERT ON log WHEN NEW.person = \(failing)
      BEGIN SELECT RAISE(\(failing % 2 == 0 ? "ABORT" : "ROLLBACK"), 'no'); END
      """)
    let calls = (0..<6).map { person in
      venue.harness.send(
        CheckInRequest(profileID: Venue.person(person), locationID: Venue.place(1)))
    }
    venue.harness.finish()
    let codes = try calls.map { try #require(venue.harness.take($0)).header.status?.code ?? .ok }
    // Those that came later began another batch.
    #expect(codes.prefix(failing + 1).allSatisfy { $0 == .internal })
    #expect(codes.dropFirst(failing + 1).allSatisfy { $0 == .ok })
    #expect(try venue.stateOnDisk() == venue.state)
    if failing == 5 { #expect(venue.state == before) }
    #expect(try venue.log().count == 1 + 5 - failing)
  }

  @Test(
    "a commit of which nobody knows whether it was done is answered so, and ends the process",
    arguments: [false, true])
  func unknownOutcome(wasDone: Bool) throws {
    let venue = try Venue()
    _ = try venue.checkIn(0, 0)
    venue.fault.nextCommit =
      wasDone ? .after(FaultyService.ioError) : .before(FaultyService.ioError)
    let write = venue.harness.send(
      CheckInRequest(profileID: Venue.person(0), locationID: Venue.place(1)),
      RequestHeader(idempotencyKey: id(1), actingUser: "desk"))
    let read = venue.harness.send(GetStatusRequest(profileID: Venue.person(0)))
    venue.harness.published = []
    venue.harness.finish()
    let reply = try #require(venue.harness.take(CheckInRequest.self, write))
    #expect(reply.reason == "OUTCOME_UNKNOWN" && reply.code == .unavailable)
    #expect(venue.harness.core.fatalError?.kind == .ioError)
    #expect(venue.harness.published == [], "nothing is told that may not be")
    let status = try #require(venue.harness.take(GetStatusRequest.self, read))
    #expect(status.code == .unavailable, "nor read")
    let later = try venue.checkIn(1, 1)
    #expect(later.code == .unavailable, "nor is anything else done")
    // The process starts again, and the call is repeated with its key.
    try venue.start()
    let again = try venue.checkIn(0, 1, key: id(1))
    #expect(again.header.replayed == wasDone && again.response.changed)
    #expect(try venue.log().count == 2)
    #expect(try venue.whereabouts(1) == nil)
  }

  @Test(
    "a read that was refused beside a batch is told why, whatever becomes of the batch",
    arguments: [FaultyService.ioError, FaultyService.full])
  func refusedBeside(failure: SQLiteError) throws {
    let venue = try Venue()
    venue.fault.nextCommit = .before(failure)
    _ = venue.harness.send(
      CheckInRequest(profileID: Venue.person(0), locationID: Venue.place(1)),
      RequestHeader(actingUser: "desk"))
    let malformed = venue.harness.send(
      GetStatusRequest(), RequestHeader(actingUser: String(repeating: "desk", count: 1_000)))
    venue.harness.finish()
    #expect(!venue.fault.isArmed, "there was a batch, and it failed")
    let reply = try #require(venue.harness.take(GetStatusRequest.self, malformed))
    #expect(reply.reason == "INVALID_FIELDS" && reply.code == .invalidArgument)
  }
}
