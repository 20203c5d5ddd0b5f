import Harness
import Model
import ServiceKit
import Testing
import Wire

@testable import CheckIns

@Suite("C9: a check-in with an end")
struct EndTests {
  @Test("C9: it ends by itself within a second, at one revision in status, list, count and feed")
  func ends() throws {
    let venue = try Venue()
    let begun = venue.harness.now.wallMs
    let reply = try venue.checkIn(0, 1, ttlS: 10)
    #expect(reply.response.status?.expireTimeMs == begun + 1 + 10_000)
    venue.harness.pass(ms: 9_900)
    #expect(try venue.count(1) == 1)
    venue.harness.published = []
    venue.harness.pass(ms: 600)
    let status = try venue.status(0)
    #expect(status.state == .checkedOut && status.revision == 2 && status.expireTimeMs == 0)
    #expect(try venue.list(1) == [] && venue.count(1) == 0)
    let last = try #require(try venue.log().last)
    #expect(last.reason == .expired && last.actingUser == "" && last.revision == 2)
    #expect(last.fromLocationID == Venue.place(1) && last.toLocationID == nil)
    #expect(venue.harness.published.flatMap(\.changes).map(\.revision) == [2])
    #expect(try venue.stateOnDisk() == venue.state)
  }

  @Test("C9: what was to be over by then is over for whoever comes after a standstill")
  func standstill() throws {
    let venue = try Venue()
    venue.addPlace(5, capacity: 1)
    venue.tell()
    _ = try venue.checkIn(0, 5, ttlS: 10)
    venue.harness.now.monotonicUs += 12_000_000
    venue.harness.now.wallMs += 12_000
    #expect(try venue.checkIn(1, 5, ttlS: 10).code == .ok, "the seat is free")
    venue.harness.now.monotonicUs += 12_000_000
    venue.harness.now.wallMs += 12_000
    #expect(try venue.checkIn(1, 5).response.changed, "it is another stay")
    let reasons: [ChangeReason] = [.requested, .expired, .requested, .expired, .requested]
    #expect(try venue.log().map(\.reason) == reasons)
  }

  @Test("C9: the server's setting is the end of whoever says nothing, and \"never\" is never")
  func setting() throws {
    let venue = try Venue(ttlS: 5)
    #expect(
      try venue.checkIn(0, 1).response.status?.expireTimeMs == venue.harness.now.wallMs + 5_000)
    #expect(try venue.checkIn(1, 1, ttlS: .max).response.status?.expireTimeMs == 0)
    _ = try venue.checkIn(2, 1, ttlS: .max - 1)
    venue.harness.pass(ms: 6_000)
    #expect(try venue.list(1).map(\.profileID) == [1, 2].map(Venue.person))
  }

  @Test("C3: another ttl_s moves the end, and is told as a renewal; the same since, no arrival")
  func renewal() throws {
    let venue = try Venue()
    let first = try venue.checkIn(0, 1, ttlS: 10)
    venue.harness.pass(ms: 8_000)
    let second = try venue.checkIn(0, 1, ttlS: 10)
    #expect(!second.response.changed)
    #expect(second.response.status?.sinceMs == first.response.status?.sinceMs)
    #expect(second.response.status?.revision == 1 && second.header.asOf.checkIns == 2)
    let entry = try #require(try venue.log().last)
    #expect(entry.reason == .renewed && entry.fromLocationID == entry.toLocationID)
    #expect(entry.expireTimeMs == second.response.status?.expireTimeMs)
    #expect(try venue.history(person: 0).count == 1, "history is without renewals")
    venue.harness.pass(ms: 8_000)
    #expect(try venue.count(1) == 1, "the first end has passed and means nothing any more")
    venue.harness.pass(ms: 2_500)
    #expect(try venue.count(1) == 0)
  }

  @Test("C3: an end can come earlier, and go")
  func otherEnds() throws {
    let venue = try Venue()
    _ = try venue.checkIn(0, 1, ttlS: 1_000)
    _ = try venue.checkIn(0, 1, ttlS: 5)
    _ = try venue.checkIn(1, 1, ttlS: 5)
    #expect(try venue.checkIn(1, 1, ttlS: .max).response.status?.expireTimeMs == 0)
    #expect(try venue.checkIn(1, 1).response.status?.expireTimeMs == 0, "0 moves nothing")
    venue.harness.pass(ms: 6_000)
    #expect(try venue.list(1).map(\.profileID) == [Venue.person(1)])
    #expect(try venue.stateOnDisk() == venue.state)
  }

  @Test("C9: whoever has left, or has come anew, is not thrown out by the old end")
  func oldEnds() throws {
    let venue = try Venue()
    _ = try venue.checkIn(0, 1, ttlS: 5)
    _ = try venue.checkOut(0)
    _ = try venue.checkIn(0, 1)
    _ = try venue.checkIn(1, 1, ttlS: 5)
    _ = try venue.checkIn(1, 2)
    venue.harness.pass(ms: 7_000)
    #expect(try venue.whereabouts(0) == Venue.place(1))
    #expect(try venue.whereabouts(1) == Venue.place(2))
  }

  @Test("C9: a wall clock that jumps an hour ends nobody's stay early or late")
  func clockJumps() throws {
    let venue = try Venue()
    _ = try venue.checkIn(0, 1, ttlS: 60)
    _ = try venue.checkIn(1, 1, ttlS: 60)
    venue.harness.now.wallMs += 3_600_000
    venue.harness.pass(ms: 59_000)
    #expect(try venue.count(1) == 2)
    venue.harness.now.wallMs -= 7_200_000
    venue.harness.pass(ms: 2_000)
    #expect(try venue.count(1) == 0)
    let times = try venue.log().map(\.timeMs)
    #expect(times == times.sorted(), "the time of a log does not fall")
  }

  @Test(
    "C9: across a restart the wall clock tells, and who should have gone meanwhile goes at once")
  func restart() throws {
    let venue = try Venue()
    _ = try venue.checkIn(0, 1, ttlS: 60)
    _ = try venue.checkIn(1, 1, ttlS: 600)
    // The machine was off: the monotonic clock begins anew.
    venue.harness.now.wallMs += 120_000
    venue.harness.now.monotonicUs = 5_000_000
    try venue.start()
    #expect(try venue.list(1).map(\.profileID) == [Venue.person(1)])
    venue.harness.pass(ms: 470_000)
    #expect(try venue.count(1) == 1)
    venue.harness.pass(ms: 12_000)
    #expect(try venue.count(1) == 0)
  }

  @Test("C9: a stay whose end could not be written ends when it can", arguments: [false, true])
  func endThatFails(isReadAgain: Bool) throws {
    let venue = try Venue()
    _ = try venue.checkIn(0, 1, ttlS: 5)
    _ = try venue.checkIn(1, 1, ttlS: 5)
    // While it is tried, the clock has jumped; what is read again is not by that clock.
    venue.harness.now.wallMs -= 3_600_000
    venue.harness.now.monotonicUs += 6_000_000
    if isReadAgain {
      venue.addPerson(8)
      venue.harness.publish(.profiles)
    }
    venue.fault.nextCommit = .before(FaultyService.full)
    venue.harness.finish()
    #expect(try venue.stateOnDisk() == venue.state)
    // A store that has failed is tried again after a second.
    venue.harness.pass(ms: 1_600)
    #expect(try venue.count(1) == 0)
    #expect(try venue.log().map(\.reason) == [.requested, .requested, .expired, .expired])
  }

  @Test("thousands that end at once do not hold up a call, and all of them go")
  func manyAtOnce() throws {
    let venue = try Venue(people: 3_000)
    for person in 0..<3_000 {
      venue.harness.send(
        CheckInRequest(profileID: Venue.person(person), locationID: Venue.place(0), ttlS: 5))
      if person % 1_000 == 999 { venue.harness.finish() }
    }
    venue.harness.now.wallMs += 5_000
    venue.harness.now.monotonicUs += 5_000_000
    venue.harness.core.finish(at: venue.harness.now)
    #expect(venue.service.lastRevision == 3_000 + UInt64(Limits.messagesPerRound))
    for _ in 0..<3_000 / Limits.messagesPerRound { venue.harness.finish() }
    #expect(try venue.count(0) == 0 && venue.service.lastRevision == 6_000)
  }

  @Test("a stay that is renewed all the time takes no more room than another")
  func renewalsTakeNoRoom() {
    var ends = Ends()
    for second in 0..<10_000 { ends.set(1, dueUs: Int64(second + 86_400)) }
    #expect(ends.roomTaken <= 2)
    for end in [500, 90_000, 400, 90_000, 450, 90_000] { ends.set(1, dueUs: Int64(end)) }
    #expect(ends.roomTaken <= 4)
    ends.set(2, dueUs: 300)
    var due = [299, 1_000, 1_000].map { ends.firstDue(atUs: $0) }
    #expect(due == [nil, 2, 2])
    ends.set(2, dueUs: nil)
    due = [89_999, 90_000].map { ends.firstDue(atUs: $0) }
    #expect(due == [nil, 1])
    ends.set(1, dueUs: nil)
    due = [ends.firstDue(atUs: .max)]
    #expect(due == [nil] && ends.nextDueUs == nil && ends.roomTaken == 0)
  }
}
