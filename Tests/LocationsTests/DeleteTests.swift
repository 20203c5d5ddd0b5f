import Model
import ServiceKit
import Testing
import Wire

@Suite("Deleting places")
struct DeleteTests {
  @Test("C10: a place where nobody is goes, and the answer has both logs")
  func nobody() throws {
    let desk = try Desk()
    let made = try desk.create(harbour)
    let reply = try desk.call(DeleteLocationRequest(id: made.id))
    #expect(reply.code == .ok && reply.response.checkedOut == 0)
    #expect(reply.header.asOf == Revisions(locations: 2, checkIns: 77))
    #expect(try desk.call(GetLocationRequest(id: made.id)).reason == "LOCATION_NOT_FOUND")
    #expect(try desk.list().isEmpty)
    #expect(try desk.list(ListLocationsRequest(nameContains: "harb")).isEmpty)
    #expect(
      try desk.list(ListLocationsRequest(near: made.point, radiusM: 10)).isEmpty)
    #expect(try desk.call(DeleteLocationRequest(id: made.id)).reason == "LOCATION_NOT_FOUND")
    let last = try #require(try desk.changes().last)
    #expect(last.what == .locationDeleted(try #require(made.id)) && last.revision == 2)
  }

  @Test("C10: a place where somebody is stays, unless everybody is to be checked out")
  func occupied() throws {
    let desk = try Desk()
    let made = try desk.create(harbour)
    desk.harness.attendant.occupants = 3
    let refused = try desk.call(DeleteLocationRequest(id: made.id))
    #expect(refused.reason == "LOCATION_OCCUPIED" && refused.code == .failedPrecondition)
    #expect(try desk.get(made.id) == made)
    let reply = try desk.call(DeleteLocationRequest(id: made.id, checkOutEveryone: true))
    #expect(reply.code == .ok && reply.response.checkedOut == 3)
    #expect(reply.header.asOf == Revisions(locations: 2, checkIns: 77))
  }

  @Test(
    "C10: what is asked names the place, and after the delete the state that must be seen",
    arguments: [false, true])
  func questions(checkOutEveryone: Bool) throws {
    let desk = try Desk()
    let attendant = desk.harness.attendant
    let made = try desk.create(harbour)
    attendant.answers = false
    let call = desk.harness.send(
      DeleteLocationRequest(id: made.id, checkOutEveryone: checkOutEveryone))
    desk.harness.finish()
    let before = try #require(attendant.questions.first)
    #expect(before.locationID == made.id && before.atLeast == nil)
    #expect(try desk.get(made.id) == made)
    desk.harness.answer(before)
    let after = try #require(attendant.questions.first)
    #expect(after.locationID == made.id && after.atLeast == Revisions(locations: 2))
    // It is deleted, and nobody has been told so yet.
    #expect(desk.harness.take(DeleteLocationRequest.self, call) == nil)
    #expect(try desk.call(GetLocationRequest(id: made.id)).reason == "LOCATION_NOT_FOUND")
    desk.harness.answer(after)
    #expect(try #require(desk.harness.take(DeleteLocationRequest.self, call)).code == .ok)
  }

  @Test("C10: what comes first decides, before anybody is asked")
  func order() throws {
    let desk = try Desk()
    let made = try desk.create(harbour)
    desk.harness.attendant.answers = false
    let wrong = DeleteLocationRequest(id: made.id, expectedRevision: 9)
    #expect(try desk.call(wrong).reason == "REVISION_MISMATCH")
    let unknown = DeleteLocationRequest(id: ID(high: 1, low: 1), expectedRevision: 9)
    #expect(try desk.call(unknown).reason == "LOCATION_NOT_FOUND")
    #expect(try desk.call(DeleteLocationRequest()).fields == ["id"])
    #expect(desk.harness.attendant.questions.isEmpty)
  }

  @Test("C10: what check-ins could not note is not deleted, and its caller is told at once")
  func fullDiskOfCheckIns() throws {
    let desk = try Desk()
    let made = try desk.create(harbour)
    desk.harness.attendant.answers = false
    let call = desk.harness.send(DeleteLocationRequest(id: made.id, checkOutEveryone: true))
    desk.harness.finish()
    let question = try #require(desk.harness.attendant.questions.first)
    desk.harness.refuse(question)
    let reply = try #require(desk.harness.take(DeleteLocationRequest.self, call))
    #expect(reply.reason == "STORAGE_FULL" && reply.code == .resourceExhausted)
    #expect((reply.header.status?.retryAfterMs ?? 0) > 0)
    #expect(try desk.get(made.id) == made)
    // The call is over: an answer that comes after all is nobody's.
    desk.harness.answer(question)
    #expect(try desk.get(made.id) == made)
  }

  @Test("C10: a place that changes while it is asked about is looked at again")
  func meanwhile() throws {
    let desk = try Desk()
    let made = try desk.create(harbour)
    desk.harness.attendant.answers = false
    let call = desk.harness.send(DeleteLocationRequest(id: made.id, expectedRevision: 1))
    desk.harness.finish()
    let question = try #require(desk.harness.attendant.questions.first)
    _ = try desk.ask(
      UpdateLocationRequest(location: Location(id: made.id, name: "B"), updateMask: ["name"]))
    desk.harness.answer(question)
    let reply = try #require(desk.harness.take(DeleteLocationRequest.self, call))
    #expect(reply.reason == "REVISION_MISMATCH")
    #expect(try desk.get(made.id).name == "B")
  }

  @Test(
    "C10: what the check-in service cannot be asked about is not deleted, nor left in a count",
    arguments: [false, true])
  func unattended(checkOutEveryone: Bool) throws {
    let desk = try Desk(attended: false)
    let made = try desk.create(harbour)
    let call = desk.harness.send(
      DeleteLocationRequest(id: made.id, checkOutEveryone: checkOutEveryone))
    desk.harness.finish()
    desk.harness.pass(ms: Limits.attendanceGraceMs + 1_000)
    let reply = try #require(desk.harness.take(DeleteLocationRequest.self, call))
    #expect(reply.reason == "SERVICE_UNREACHABLE" && reply.code == .unavailable)
    #expect(try desk.get(made.id) == made)
    #expect(try desk.changes().count == 1)
  }

  @Test("a delete that cannot be asked about ends, though its caller has left before")
  func unattendedAndAlone() throws {
    let desk = try Desk(attended: false)
    let made = try desk.create(harbour)
    desk.harness.send(DeleteLocationRequest(id: made.id), from: 7)
    desk.harness.finish()
    desk.harness.gonePeers = [7]
    desk.harness.pass(ms: Limits.attendanceGraceMs + 1_000)
    #expect(desk.harness.core.isDrained)
    #expect(try desk.get(made.id) == made)
  }

  @Test("A3: a delete under way when the service drains is finished, and then the stream ends")
  func draining() throws {
    let desk = try Desk()
    let attendant = desk.harness.attendant
    let made = try desk.create(harbour)
    attendant.answers = false
    let call = desk.harness.send(DeleteLocationRequest(id: made.id))
    desk.harness.finish()
    desk.harness.core.drain(at: desk.now)
    #expect(try desk.call(GetLocationRequest(id: made.id)).reason == "DRAINING")
    for _ in 0..<2 {
      #expect(!desk.harness.core.isDrained)
      desk.harness.answer(try #require(attendant.questions.first))
    }
    #expect(try #require(desk.harness.take(DeleteLocationRequest.self, call)).code == .ok)
    #expect(desk.harness.core.isDrained)
  }

  @Test("A delete that is repeated with its key is told again")
  func replay() throws {
    let desk = try Desk()
    let made = try desk.create(harbour)
    let request = DeleteLocationRequest(id: made.id)
    let key = ID(high: 5, low: 6)
    let first = try desk.call(request, as: "root", key: key)
    let again = try desk.call(request, as: "root", key: key)
    #expect(again.header.replayed && again.code == .ok)
    #expect(again.header.asOf.locations == first.header.asOf.locations)
    #expect(try desk.call(request, as: "root").reason == "LOCATION_NOT_FOUND")
  }
}
