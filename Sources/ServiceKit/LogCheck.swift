package import SQLite

/// Looks whether the log of a store is whole. All three logs have the same columns for it.
package struct LogCheck {
  /// The newest number that the log has given out.
  package let lastRevision: UInt64
  /// When its newest change was made; 0: it has none.
  package let lastTimeMs: Int64
  /// The first and the last of each run of numbers that are missing, and should not be.
  package let gaps: [ClosedRange<UInt64>]
  /// The first change that is older than the one before it; nil: time does not fall.
  package let fallsAt: UInt64?

  /// Reads all of the log.
  package init(_ database: Database) throws(SQLiteError) {
    let bounds = try LogBounds(database)
    var previous: (revision: UInt64, timeMs: Int64) = (0, .min)
    var gaps: [ClosedRange<UInt64>] = []
    var fallsAt: UInt64?
    try database.prepare("SELECT revision, time_ms FROM log ORDER BY revision").forEach { row in
      let revision = row.uint64(0)
      let timeMs = row.int64(1)
      if revision > previous.revision + 1,
        let first = bounds.firstUnaccounted(previous.revision + 1..<revision)
      {
        gaps.append(first...revision - 1)
      }
      if timeMs < previous.timeMs, fallsAt == nil { fallsAt = revision }
      previous = (revision, timeMs)
      return true
    }
    lastRevision = max(previous.revision, bounds.lastBase, bounds.compactedThrough)
    lastTimeMs = max(previous.timeMs, 0)
    self.gaps = gaps
    self.fallsAt = fallsAt
  }
}
