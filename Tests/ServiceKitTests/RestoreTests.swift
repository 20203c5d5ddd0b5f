import Model
import SQLite
import ServiceKit
import Testing
import Wire

@Suite("Restored and compacted logs")
struct RestoreTests {
  private let database: Database
  private let log: ChangeLog

  init() throws {
    database = try ServiceKitTests.database(LogBounds.schema, ChangeLog.schema)
    log = try ChangeLog(database, .profiles)
  }

  private func put(_ number: UInt64, timeMs: Int64 = 1_000) throws {
    let profile = Profile(id: id(number), revision: log.lastRevision + 1)
    try log.append(.profilePut(profile), entity: id(number), timeMs: max(timeMs, log.lastTimeMs))
  }

  private func reason(after revision: UInt64, _ log: ChangeLog? = nil) -> String? {
    do {
      _ = try (log ?? self.log).changes(after: revision, limit: 0)
      return nil
    } catch { return (error as? Refusal)?.status.reason ?? "\(error)" }
  }

  private func moment(_ wallMs: Int64) -> Moment { Moment(wallMs: wallMs, monotonicUs: 0) }

  @Test("a restored log stands at once at (seconds since 1970) × 2^20, its only gap")
  func restored() throws {
    for number in 1...3 as ClosedRange<UInt64> { try put(number) }
    let base: UInt64 = 1_790_000_000 << 20
    #expect(try log.restore(now: moment(1_790_000_000_999)) == base)
    for log in [log, try ChangeLog(database, .profiles)] {
      #expect(log.lastRevision == base)
      #expect(reason(after: 3, log) == nil, "it has all that the backup has")
      #expect(reason(after: 0, log) == nil)
      #expect(reason(after: 4, log) == "LOG_RESTORED", "that change was lost")
      #expect(reason(after: base - 1, log) == "LOG_RESTORED")
      #expect(reason(after: base, log) == nil)
      #expect(reason(after: base + 1, log) == "LOG_RESTORED")
    }
    try put(4)
    let response = try log.changes(after: 2, limit: 0)
    #expect(response.changes.map(\.revision) == [3, base + 1])
    #expect(response.lastRevision == base + 1)
  }

  @Test("a log that has come further than the clock would say stands at its last revision + 1")
  func further() throws {
    try put(1)
    try database.execute("UPDATE log SET revision = \(UInt64(2_000_000_000) << 20)")
    let log = try ChangeLog(database, .profiles)
    #expect(try log.restore(now: moment(1_790_000_000_000)) == UInt64(2_000_000_000) << 20 + 1)
  }

  @Test("a clock behind the newest change of the backup makes the restore refuse")
  func clock() throws {
    try put(1, timeMs: 1_790_000_000_000)
    #expect(throws: RestoreRefusal.self) { try log.restore(now: moment(1_789_999_999_999)) }
    #expect(log.lastRevision == 1)
    #expect(try log.restore(now: moment(1_790_000_000_000)) > 1)
  }

  @Test("a second restore in the same second is refused until the next one")
  func twice() throws {
    let first = try log.restore(now: moment(5_100))
    #expect(throws: RestoreRefusal.tooSoon(untilMs: 6_000)) {
      try log.restore(now: moment(5_900))
    }
    let second = try log.restore(now: moment(6_000))
    #expect(second > first)
    #expect(reason(after: first) == nil, "nothing was lost between the two")
    #expect(reason(after: first + 1) == "LOG_RESTORED")
    #expect(reason(after: first - 1) == "LOG_RESTORED")
  }

  @Test("a restore that is rolled back has never been")
  func rolledBack() throws {
    try put(1)
    try database.begin()
    _ = try log.restore(now: moment(5_000))
    try database.rollback()
    try log.rolledBack()
    #expect(log.lastRevision == 1)
    #expect(reason(after: 2) == "LOG_RESTORED")
    #expect(try log.restore(now: moment(5_000)) == 5 << 20)
  }

  @Test("what was compacted away is LOG_COMPACTED, and what was not is told in full")
  func compacted() throws {
    for number in 1...10 as ClosedRange<UInt64> { try put(number % 3, timeMs: Int64(number)) }
    #expect(try log.compact(olderThanMs: 7, limit: 4))
    #expect(try !log.compact(olderThanMs: 7, limit: 4))
    for log in [log, try ChangeLog(database, .profiles)] {
      #expect(reason(after: 5, log) == "LOG_COMPACTED")
      #expect(reason(after: 0, log) == "LOG_COMPACTED")
      #expect(reason(after: 6, log) == nil)
      #expect(try log.changes(after: 6, limit: 0).changes.map(\.revision) == [7, 8, 9, 10])
      #expect(reason(after: 11, log) == "LOG_RESTORED")
      #expect(log.bounds.reaches(back: 6, last: log.lastRevision))
      #expect(!log.bounds.reaches(back: 5, last: log.lastRevision))
    }
  }

  @Test("every version that a snapshot can still ask for outlives the compaction")
  func versionsStay() throws {
    try put(1)
    try put(2)
    try put(2)
    try put(3)
    try log.erase(id(3))
    try log.append(.profileDeleted(id(3)), entity: id(3), timeMs: log.lastTimeMs)
    for number in 4...6 as ClosedRange<UInt64> { try put(number) }
    #expect(try !log.compact(olderThanMs: 2_000, limit: 100))
    #expect(log.bounds.compactedThrough == 7)
    #expect(try log.version(of: id(1), at: 7)?.revision == 1)
    #expect(try log.version(of: id(2), at: 7)?.revision == 3)
    #expect(try log.version(of: id(3), at: 7) == nil)
    #expect(try count("log", in: database) == 5)
    try put(1)
    try put(7)
    #expect(try !log.compact(olderThanMs: 2_000, limit: 100))
    #expect(try log.version(of: id(1), at: 9)?.revision == 9)
    #expect(try log.version(of: id(1), at: 8) == nil)
  }

  @Test("the newest change is never compacted, also across a restore")
  func newestStays() throws {
    try put(1, timeMs: 500)
    _ = try log.restore(now: moment(5_000))
    #expect(try !log.compact(olderThanMs: 9_000, limit: 10))
    let again = try ChangeLog(database, .profiles)
    #expect(again.lastTimeMs == 500)
    #expect(again.lastRevision == 5 << 20)
  }
}
