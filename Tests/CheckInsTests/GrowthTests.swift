import CSQLite
import Model
import ServiceKit
import Testing
import Wire

@testable import CheckIns
@testable import SQLite

@Suite("What is looked through for what is old")
struct GrowthTests {
  /// Steps of SQLite's virtual machine, in hundreds: what a statement reads costs steps, however
  /// fast the machine is.
  private func hundredsOfSteps(_ database: Database, _ body: () throws -> Void) rethrows -> Int {
    let count = UnsafeMutablePointer<Int>.allocate(capacity: 1)
    count.initialize(to: 0)
    defer { count.deallocate() }
    sqlite3_progress_handler(
      database.openHandle, 100,
      { count in
        count?.assumingMemoryBound(to: Int.self).pointee += 1
        return 0
      }, count)
    defer { sqlite3_progress_handler(database.openHandle, 0, nil, nil) }
    try body()
    return count.pointee
  }

  /// Each costs some steps: to have looked at all of them takes a thousand hundreds at least.
  private let rows = 20_000
  private let most = 300

  @Test("E4: where nothing is old, the check-in service looks at the oldest writes alone")
  func unchanged() throws {
    let venue = try Venue()
    _ = try venue.checkIn(0, 0)
    let nowMs = venue.harness.now.wallMs
    try venue.database.execute(
      """
      WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < \(rows))
      INSERT INTO unchanged SELECT i, \(nowMs), randomblob(16), i, 0, 0, 0, 1, 0, 1 FROM n
      """)
    let young = hundredsOfSteps(venue.database) { venue.harness.workBehind() }
    #expect(young < most)
    try venue.database.execute("UPDATE unchanged SET time_ms = 0 WHERE number <= 700")
    for hasMore in [true, false] {
      try venue.service.begin()
      #expect(try venue.service.workBehind(at: venue.harness.now) == hasMore)
      try venue.service.commit()
    }
    let left = try venue.database.prepare("SELECT min(number) FROM unchanged").first { $0.int(0) }
    #expect(left == 701, "what is old goes all the same")
  }

  @Test("E4: where nothing is old, a log of people or places is not read to its end")
  func changeLog() throws {
    let database = try Database(path: ":memory:")
    try database.execute(LogBounds.schema)
    try database.execute(ChangeLog.schema)
    try database.execute(
      """
      WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < \(rows))
      INSERT INTO log SELECT i, 1000 + i, randomblob(16), NULL FROM n
      """)
    let log = try ChangeLog(database, .profiles)
    var hasMore = true
    let young = try hundredsOfSteps(database) {
      hasMore = try log.compact(olderThanMs: 1_000, limit: 500)
    }
    #expect(young < most && !hasMore)
    #expect(try log.compact(olderThanMs: 2_000, limit: 500), "what is old is found all the same")
  }
}
