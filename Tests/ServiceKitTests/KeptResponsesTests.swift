import Model
import SQLite
import ServiceKit
import Testing
import Wire

@Suite("Kept responses")
struct KeptResponsesTests {
  private func response(_ body: [UInt8] = [1]) -> KeptResponse {
    KeptResponse(request: .max, asOf: Revisions(profiles: 1, locations: 2, checkIns: 3), body: body)
  }

  @Test("C8: what a key was answered with is found again; an unknown key is not")
  func found() throws {
    let database = try database(KeptResponses.schema)
    let first = try KeptResponses(database)
    try first.keep(response(), key: id(1), telling: [], timeMs: 5)
    try first.keep(response([]), key: id(2), telling: [], timeMs: 5)
    // And by another one, as after a restart.
    for kept in [first, try KeptResponses(database)] {
      #expect(try kept.find(id(1)) == response())
      #expect(try kept.find(id(2)) == response([]), "an empty response is not an erased one")
      #expect(try kept.find(id(3)) == nil)
    }
  }

  @Test("a key is kept once: used again after more than a day, it has the later response")
  func once() throws {
    let database = try database(KeptResponses.schema)
    let kept = try KeptResponses(database)
    for (number, day) in [(1, 0), (2, 1), (3, 2), (4, 3), (1, 4)] as [(UInt64, Int64)] {
      let timeMs = day * Limits.idempotencyMs
      #expect(try kept.find(id(number)) == nil)
      try kept.keep(response([UInt8(day)]), key: id(number), telling: [], timeMs: timeMs)
    }
    #expect(try kept.find(id(1)) == response([4]))
    #expect(try count("kept_response", in: database) == 4)
  }

  @Test("B6: with a profile go the responses that tell of it, a batch's too; their keys stay")
  func erased() throws {
    let database = try database(KeptResponses.schema)
    let kept = try KeptResponses(database)
    try kept.keep(response(), key: id(1), telling: [id(100)], timeMs: 5)
    try kept.keep(response(), key: id(2), telling: [id(99), id(100), id(101)], timeMs: 5)
    try kept.keep(response(), key: id(3), telling: [id(101), id(101)], timeMs: 5)
    try kept.erase(id(100))
    for number in [1, 2] as [UInt64] {
      let found = try #require(try kept.find(id(number)))
      #expect(found.body == nil)
      #expect(found.request == .max)
    }
    #expect(try kept.find(id(3))?.body == [1])
    try kept.erase(id(101))
    #expect(try kept.find(id(3))?.body == nil)
  }

  @Test("what is too old goes, oldest first and a few at a time, and nothing younger")
  func pruned() throws {
    let database = try database(KeptResponses.schema)
    let kept = try KeptResponses(database)
    for number in 1...10 as ClosedRange<UInt64> {
      try kept.keep(response(), key: id(number), telling: [id(100)], timeMs: Int64(number))
    }
    #expect(try kept.prune(olderThanMs: 7, limit: 4))
    #expect(try kept.find(id(4)) == nil)
    #expect(try kept.find(id(5)) != nil)
    #expect(try !kept.prune(olderThanMs: 7, limit: 4))
    #expect(try kept.find(id(6)) == nil)
    #expect(try kept.find(id(7)) != nil)
    #expect(try !kept.prune(olderThanMs: 7, limit: 4))
    #expect(try count("kept_response", in: database) == 4)
    #expect(try count("kept_response_profile", in: database) == 4)
    #expect(try !kept.prune(olderThanMs: 100, limit: 100))
    #expect(try count("kept_response_profile", in: database) == 0)
    #expect(try !kept.prune(olderThanMs: 100, limit: 100))
  }
}
