import Harness
import Model
import ServiceKit
import Testing
import Wire

@testable import CheckIns

@Suite("What owners ask the check-in service about deletes")
struct AttendTests {
  @Test(
    "C10: owners are told how many are there before a delete, and how many it checked out after")
  func questions() throws {
    let venue = try Venue()
    _ = try venue.checkIn(0, 1)
    _ = try venue.checkIn(1, 1)
    func answer(_ place: Int, deletedAt revision: UInt64? = nil) throws -> AnswerDeleteRequest {
      try venue.service.answer(
        AttendDeletesResponse(
          question: 5, locationID: Venue.place(place),
          atLeast: revision.map { Revisions(locations: $0) }), at: venue.harness.now)
    }
    #expect(try answer(1) == AnswerDeleteRequest(question: 5, count: 2, checkInsRevision: 2))
    #expect(try answer(9).count == 0)
    venue.deletePlace(1)
    venue.deletePlace(0)
    for isIndexed in [false, true] {
      if isIndexed { venue.harness.workBehind() }
      let after = try answer(1, deletedAt: venue.locations.lastRevision)
      #expect(after == AnswerDeleteRequest(question: 5, count: 2, checkInsRevision: 4))
      #expect(try answer(0, deletedAt: venue.locations.lastRevision).count == 0)
    }
  }

  @Test("C10: a question waits for the state that it is about")
  func questionsWait() throws {
    let venue = try Venue()
    _ = try venue.checkIn(0, 1)
    venue.locations.answers = false
    venue.locations.append(.locationDeleted(Venue.place(1)))
    let question = AttendDeletesResponse(
      question: 3, locationID: Venue.place(1),
      atLeast: Revisions(locations: venue.locations.lastRevision))
    try ask([question], venue)
    #expect(answers(venue).isEmpty)
    venue.locations.answers = true
    venue.harness.publish(.locations)
    venue.locations.answers = false
    venue.harness.finish()
    #expect(answers(venue) == [AnswerDeleteRequest(question: 3, count: 1, checkInsRevision: 2)])
  }

  @Test("C10: on a disk that is full, a delete is refused, and what is deleted already waits")
  func fullDisk() throws {
    let venue = try Venue()
    _ = try venue.checkIn(0, 1)
    venue.locations.answers = false
    venue.fault.isFull = true
    let before = AttendDeletesResponse(question: 3, locationID: Venue.place(1))
    let after = AttendDeletesResponse(
      question: 4, locationID: Venue.place(2), atLeast: Revisions(locations: 1))
    try ask([before, after], venue)
    #expect(answers(venue) == [AnswerDeleteRequest(refusedQuestion: 3)])
    venue.harness.asked = []
    // It is known that the disk is full, and not tried again for each question.
    try ask([before, after], venue)
    #expect(answers(venue) == [AnswerDeleteRequest(refusedQuestion: 3)])
    venue.fault.isFull = false
    venue.harness.pass(ms: Limits.storeRetryMs * 2)
    #expect(answers(venue).last == AnswerDeleteRequest(question: 4, checkInsRevision: 1))
    try ask([before], venue)
    #expect(
      answers(venue).last == AnswerDeleteRequest(question: 3, count: 1, checkInsRevision: 1))
    #expect(try venue.stateOnDisk() == venue.state)
  }

  @Test("C10: a batch that cannot be opened on a full disk refuses deletes, too")
  func noBatch() throws {
    let venue = try Venue()
    venue.locations.answers = false
    venue.fault.nextBegin = FaultyService.full
    try ask([AttendDeletesResponse(question: 3, locationID: Venue.place(1))], venue)
    #expect(answers(venue) == [AnswerDeleteRequest(refusedQuestion: 3)])
  }

  @Test("C10: an answer before a delete has been written for, and leaves nothing behind")
  func proof() throws {
    let venue = try Venue()
    venue.locations.answers = false
    try venue.database.checkpoint()
    try ask([AttendDeletesResponse(question: 1)], venue)
    #expect(answers(venue).count == 1)
    let pages = try venue.database.prepare("PRAGMA wal_checkpoint").first { $0.int(1) }
    #expect((pages ?? 0) > 0, "nothing was written")
    #expect(try venue.database.prepare("SELECT count(*) FROM actor").first { $0.int(0) } == 0)
  }

  @Test("C10: what an owner asked before it was lost is not answered to the one that comes")
  func lostOwner() throws {
    let venue = try Venue()
    venue.locations.answers = false
    venue.fault.nextCommit = .before(FaultyService.full)
    let question = AttendDeletesResponse(
      question: 3, locationID: Venue.place(1), atLeast: Revisions(locations: 1))
    try ask([question], venue)
    venue.harness.disconnect(.locations)
    venue.harness.connect(.locations)
    venue.harness.pass(ms: Limits.storeRetryMs * 2)
    #expect(answers(venue).isEmpty)
  }

  /// The owner of places asks, on a stream that is opened anew.
  private func ask(_ questions: [AttendDeletesResponse], _ venue: Venue) throws {
    venue.harness.disconnect(.locations)
    venue.harness.connect(.locations)
    let stream = try #require(
      venue.harness.asked.last { $0.log == .locations && $0.header.method == .attendDeletes })
    for question in questions {
      venue.harness.respond(
        to: stream,
        Harness.Response(
          header: ResponseHeader(more: true), body: Encoder().bytes(question)))
    }
    venue.harness.finish()
  }

  /// What the owner has been answered.
  private func answers(_ venue: Venue) -> [AnswerDeleteRequest] {
    venue.harness.asked.filter { $0.header.method == .answerDelete }
      .map { venue.harness.decode(AnswerDeleteRequest.self, $0.body) }
  }
}
