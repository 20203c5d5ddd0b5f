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
    desk.occupants = 3
    let refused = try desk.call(DeleteLocationRequest(id: made.id))
    #expect(refused.reason == "LOCATION_OCCUPIED" && refused.code == .failedPrecondition)
    #expect(try desk.get(made.id) == made)
    let reply = try desk.call(DeleteLocationRequest(id: made.id, checkOutEveryone: true))
    #expect(reply.code == .ok && reply.response.checkedOut == 3)
    #expect(reply.header.asOf == Revisions(locations: 2, checkIns: 77))
  }

  @Test("C10: what is asked names the place, and after the delete the state that must be seen")
  func questions() throws {
    let desk = try Desk()
    let made = try desk.create(harbour)
    desk.answersAtOnce = false
    let request = DeleteLocationRequest(id: made.id)
    let call = desk.begin(request)
    desk.core.finish(at: desk.now)
    let before = try #require(desk.questions.first)
    #expect(before.locationID == made.id && before.atLeast == nil)
    #expect(try desk.get(made.id) == made)
    desk.answer(before)
    let after = try #require(desk.questions.first)
    #expect(after.locationID == made.id && after.atLeast == Revisions(locations: 2))
    // It is deleted, and nobody has been told so yet.
    #expect(try desk.takeReply(to: request, call) == nil)
    #expect(try desk.call(GetLocationRequest(id: made.id)).reason == "LOCATION_NOT_FOUND")
    desk.answer(after)
    #expect(try desk.takeReply(to: request, call)?.code == .ok)
  }

  @Test("C10: what comes first decides, before anybody is asked")
  func order() throws {
    let desk = try Desk()
    let made = try desk.create(harbour)
    desk.answersAtOnce = false
    desk.occupants = 1
    let wrong = DeleteLocationRequest(id: made.id, expectedRevision: 9)
    #expect(try desk.call(wrong).reason == "REVISION_MISMATCH")
    let unknown = DeleteLocationRequest(id: ID(high: 1, low: 1), expectedRevision: 9)
    #expect(try desk.call(unknown).reason == "LOCATION_NOT_FOUND")
    #expect(try desk.call(DeleteLocationRequest()).fields == ["id"])
    #expect(desk.questions.isEmpty)
  }

  @Test("C10: a place that changes while it is asked about is looked at again")
  func meanwhile() throws {
    let desk = try Desk()
    let made = try desk.create(harbour)
    desk.answersAtOnce = false
    let request = DeleteLocationRequest(id: made.id, expectedRevision: 1)
    let call = desk.begin(request)
    desk.core.finish(at: desk.now)
    let question = try #require(desk.questions.first)
    _ = try desk.ask(
      UpdateLocationRequest(location: Location(id: made.id, name: "B"), updateMask: ["name"]))
    desk.answer(question)
    #expect(try desk.takeReply(to: request, call)?.reason == "REVISION_MISMATCH")
    #expect(try desk.get(made.id).name == "B")
  }

  @Test("C5: who is there cannot be known without the check-in service: nothing is deleted")
  func unattended() throws {
    let desk = try Desk(attended: false)
    let made = try desk.create(harbour)
    let request = DeleteLocationRequest(id: made.id)
    let call = desk.begin(request)
    var reply: Desk.Reply<DeleteLocationResponse>?
    // Until it gives up, at the latest when the call's own time is over.
    for _ in 0..<60 where reply == nil {
      desk.core.finish(at: desk.now)
      desk.now.monotonicUs += 100_000
      reply = try desk.takeReply(to: request, call)
    }
    #expect(reply?.reason == "SERVICE_UNREACHABLE" && reply?.code == .unavailable)
    #expect(try desk.get(made.id) == made)
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
