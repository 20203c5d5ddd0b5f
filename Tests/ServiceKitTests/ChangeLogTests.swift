import Model
import SQLite
import ServiceKit
import Testing
import Wire

@Suite("The change log")
struct ChangeLogTests {
  private let database: Database
  private let log: ChangeLog

  init() throws {
    database = try ServiceKitTests.database(LogBounds.schema, ChangeLog.schema)
    log = try ChangeLog(database, .profiles)
  }

  private func put(_ number: UInt64, bio: String = "", timeMs: Int64 = 1_000) throws {
    let profile = Profile(id: id(number), bio: bio, revision: log.lastRevision + 1)
    try log.append(.profilePut(profile), entity: id(number), timeMs: max(timeMs, log.lastTimeMs))
  }

  private func delete(_ number: UInt64, timeMs: Int64 = 1_000) throws {
    try log.append(
      .profileDeleted(id(number)), entity: id(number), timeMs: max(timeMs, log.lastTimeMs))
  }

  /// A change in short: "5+1" at revision 5 profile 1 was put, "6-1" it was deleted.
  private func short(_ changes: [Change]) -> [String] {
    changes.map { change in
      switch change.what {
      case .profilePut(let profile): "\(change.revision)+\(profile.id?.low ?? 0)"
      case .profileDeleted(let id): "\(change.revision)-\(id.low)"
      default: "?"
      }
    }
  }

  private func listed(_ log: ChangeLog, after: UInt64, limit: Int = 0) throws -> [String] {
    short(try log.changes(after: after, limit: limit).changes)
  }

  private func reason(_ body: () throws -> Void) -> String? {
    do {
      try body()
      return nil
    } catch { return (error as? Refusal)?.status.reason }
  }

  @Test("changes are numbered without gaps from 1, and come back as they were")
  func numbered() throws {
    try put(1, bio: "한글")
    try put(2)
    try delete(1)
    let response = try log.changes(after: 0, limit: 0)
    #expect(response.lastRevision == 3)
    #expect(short(response.changes) == ["1+1", "2+2", "3-1"])
    #expect(
      response.changes[0]
        == Change(
          revision: 1, timeMs: 1_000,
          what: .profilePut(Profile(id: id(1), bio: "한글", revision: 1))))
    #expect(try listed(log, after: 2) == ["3-1"])
    #expect(try listed(log, after: 3) == [])
    #expect(try listed(log, after: 0, limit: 2) == ["1+1", "2+2"])
  }

  @Test("a process that starts anew goes on where the log ended")
  func again() throws {
    try put(1, timeMs: 5_000)
    let again = try ChangeLog(database, .profiles)
    #expect(again.lastRevision == 1)
    #expect(again.nextTimeMs(Moment(wallMs: 10, monotonicUs: 0)) == 5_000)
    #expect(again.nextTimeMs(Moment(wallMs: 6_000, monotonicUs: 0)) == 6_000)
    #expect(again.takeAppended().isEmpty)
  }

  @Test("the feed is given what was appended, once")
  func appended() throws {
    try put(1)
    try put(2)
    #expect(short(log.takeAppended()) == ["1+1", "2+2"])
    #expect(log.takeAppended().isEmpty)
  }

  @Test("a batch that was rolled back has never been")
  func rolledBack() throws {
    try put(1)
    _ = log.takeAppended()
    try database.begin()
    try put(2, timeMs: 9_000)
    try log.erase(id(1))
    try database.rollback()
    try log.rolledBack()
    #expect(log.lastRevision == 1)
    #expect(log.lastTimeMs == 1_000)
    #expect(log.takeAppended().isEmpty)
    #expect(try listed(log, after: 0) == ["1+1"])
    try put(3)
    #expect(try listed(log, after: 0) == ["1+1", "2+3"])
  }

  @Test("B6: whatever a deleted profile was is told as its deletion, on the feed too")
  func erased() throws {
    try put(1, bio: "secret")
    try put(2)
    try put(1, bio: "secret")
    try log.erase(id(1))
    try delete(1)
    #expect(short(log.takeAppended()) == ["1-1", "2+2", "3-1", "4-1"])
    #expect(try listed(log, after: 0) == ["1-1", "2+2", "3-1", "4-1"])
    #expect(try listed(ChangeLog(database, .profiles), after: 2) == ["3-1", "4-1"])
    let left = try database.prepare("SELECT count(*) FROM log WHERE body LIKE '%secret%'")
    #expect(try left.first { $0.int(0) } == 0)
  }

  @Test("one answer has at most 512 KiB, and always something")
  func bounded() throws {
    let bio = String(repeating: "a", count: 5_000)
    for number in 0..<300 as Range<UInt64> { try put(number, bio: bio) }
    var after: UInt64 = 0
    var answers = 0
    while true {
      let response = try log.changes(after: after, limit: 10_000)
      guard let last = response.changes.last else { break }
      #expect(Encoder().bytes(response).count <= 524_288)
      #expect(response.changes.first?.revision == after + 1)
      after = last.revision
      answers += 1
    }
    #expect(after == 300)
    #expect(answers == 3)
  }

  @Test("the version of an entity at a revision is the newest up to there")
  func versions() throws {
    try put(1, bio: "a")
    try put(2)
    try put(1, bio: "b")
    try log.erase(id(2))
    try delete(2)
    func version(_ number: UInt64, at revision: UInt64) throws -> [String] {
      short(try log.version(of: id(number), at: revision).map { [$0] } ?? [])
    }
    #expect(try version(1, at: 0) == [])
    #expect(try version(1, at: 2) == ["1+1"])
    #expect(try version(1, at: 9) == ["3+1"])
    #expect(try version(2, at: 3) == ["2-2"])
    #expect(try version(3, at: 3) == [])
  }

  @Test("a log of places tells the deletion of places")
  func places() throws {
    let log = try ChangeLog(database, .locations)
    try log.append(.locationDeleted(id(1)), entity: id(1), timeMs: 0)
    #expect(try log.changes(after: 0, limit: 0).changes.first?.what == .locationDeleted(id(1)))
  }

  @Test("a revision that was never given out is LOG_RESTORED")
  func ahead() throws {
    try put(1)
    #expect(reason { _ = try log.changes(after: 2, limit: 0) } == "LOG_RESTORED")
    #expect(reason { _ = try log.changes(after: .max, limit: 0) } == "LOG_RESTORED")
    #expect(reason { _ = try log.changes(after: 1, limit: 0) } == nil)
  }

  @Test("an entry that is not what was written is named, and nothing is made up")
  func corrupt() throws {
    try put(1)
    try database.execute("UPDATE log SET body = x'FFFF'")
    let error = #expect(throws: CorruptLog.self) { try log.changes(after: 0, limit: 0) }
    #expect(error?.revision == 1)
    #expect(throws: CorruptLog.self) { try log.version(of: id(1), at: 1) }
  }
}
