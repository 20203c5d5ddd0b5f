package import SQLite

/// What a log does not hold: changes that were compacted away, and numbers that a restore from a
/// backup has skipped. Shared by all logs, whatever their entries look like.
package final class LogBounds {
  /// Goes into the first migration of a service with a log.
  package static let schema = """
    CREATE TABLE log_compacted (
      only INTEGER PRIMARY KEY CHECK (only = 1),
      through INTEGER NOT NULL
    ) STRICT;
    INSERT INTO log_compacted VALUES (1, 0);
    CREATE TABLE log_restored (
      base INTEGER PRIMARY KEY,
      lost_after INTEGER NOT NULL
    ) STRICT;
    """

  /// Nothing up to this revision needs to be in the log any more; 0: everything is there.
  package private(set) var compactedThrough: UInt64 = 0
  /// Oldest first.
  private var restores: [Restore] = []

  private struct Restore {
    /// The backup's last revision.
    var lostAfter: UInt64
    /// Where the log has stood at once: above every number that it had ever given out.
    var base: UInt64
  }

  private let updateCompacted: Statement
  private let insertRestore: Statement
  private let selectCompacted: Statement
  private let selectRestores: Statement

  /// The database has the schema.
  package init(_ database: Database) throws(SQLiteError) {
    updateCompacted = try database.prepare("UPDATE log_compacted SET through = ?")
    insertRestore = try database.prepare("INSERT INTO log_restored VALUES (?, ?)")
    selectCompacted = try database.prepare("SELECT through FROM log_compacted")
    selectRestores = try database.prepare("SELECT lost_after, base FROM log_restored ORDER BY base")
    try reload()
  }

  /// Reads again what is in the database; after a transaction was rolled back.
  package func reload() throws(SQLiteError) {
    compactedThrough = try selectCompacted.first(row: { $0.uint64(0) }) ?? 0
    restores = []
    try selectRestores.forEach(row: { row in
      restores.append(Restore(lostAfter: row.uint64(0), base: row.uint64(1)))
      return true
    })
  }

  /// Where the log stands by its restores alone; 0: it never was restored.
  package var lastBase: UInt64 { restores.last?.base ?? 0 }

  /// Whether somebody who knows the log up to `revision` can go on from there with what it holds.
  /// - Parameter last: the log's last revision.
  /// - Throws: `LOG_RESTORED`, where the log never gave out that revision or has lost it, and
  ///   `LOG_COMPACTED`, where it does not reach back that far.
  package func check(after revision: UInt64, last: UInt64) throws(Refusal) {
    // At `lostAfter` everything is as the backup has it, at `base` as the restore left it; only
    // what lies between is of another history.
    let isLost = restores.contains { revision > $0.lostAfter && revision < $0.base }
    if isLost || revision > last {
      throw Refusal(
        .logRestored, "The log has no revision \(revision) any more; start from a snapshot.")
    }
    if revision < compactedThrough {
      throw Refusal(
        .logCompacted,
        "The log begins after revision \(compactedThrough); start from a snapshot.")
    }
  }

  /// Whether the state at a revision, which a page token has kept, can still be told.
  package func reaches(back revision: UInt64, last: UInt64) -> Bool {
    let isLost = restores.contains { revision > $0.lostAfter && revision < $0.base }
    return !isLost && revision >= compactedThrough && revision <= last
  }

  /// The first of some numbers that the log does not hold although it was neither compacted away
  /// nor skipped by a restore; nil: there is none.
  func firstUnaccounted(_ missing: Range<UInt64>) -> UInt64? {
    var next = max(missing.lowerBound, compactedThrough + 1)
    for restore in restores where next > restore.lostAfter && next <= restore.base {
      next = restore.base + 1
    }
    return next < missing.upperBound ? next : nil
  }

  /// Notes, in the transaction that removes them, that changes up to a revision may be missing.
  package func compact(through revision: UInt64) throws(SQLiteError) {
    precondition(revision >= compactedThrough, "what is gone does not come back")
    try updateCompacted.run(revision)
    compactedThrough = revision
  }

  /// The database was restored from a backup: moves the log above every number that it can have
  /// given out since, to (seconds since 1970) × 2^20, or to its last revision + 1 if that is more.
  /// No log writes 2^20 changes a second.
  ///
  /// Two restores must not fall into one second, also where the second one is of a backup that does
  /// not know of the first. So the program waits for `SystemClock.waitForNextSecond` first.
  ///
  /// - Parameters:
  ///   - last: the backup's last revision.
  ///   - lastTimeMs: when its newest change was made.
  /// - Returns: where the log stands now.
  /// - Throws: `RestoreRefusal`, or `SQLiteError`.
  package func restore(now: Moment, last: UInt64, lastTimeMs: Int64) throws -> UInt64 {
    guard now.wallMs >= max(0, lastTimeMs) else {
      throw RestoreRefusal.clockIsBehind(nowMs: now.wallMs, newestChangeMs: lastTimeMs)
    }
    let ofTheClock = UInt64(now.wallMs / 1_000) << 20
    guard ofTheClock > lastBase else {
      throw RestoreRefusal.tooSoon(untilMs: (Int64(lastBase >> 20) + 1) * 1_000)
    }
    let base = max(ofTheClock, last + 1)
    try insertRestore.run(base, last)
    restores.append(Restore(lostAfter: last, base: base))
    return base
  }
}

/// Why a restore was not done. Nothing has been changed.
package enum RestoreRefusal: Error, Equatable, CustomStringConvertible {
  /// The numbers of the new log could be those that the old one has given out.
  case clockIsBehind(nowMs: Int64, newestChangeMs: Int64)
  /// The log was restored in this second already, or in a later one.
  case tooSoon(untilMs: Int64)

  package var description: String {
    switch self {
    case .clockIsBehind(let nowMs, let newestChangeMs):
      "the clock says \(timeText(nowMs)), which is before the newest change of the backup, "
        + "\(timeText(newestChangeMs)); set the clock and restore again"
    case .tooSoon(let untilMs):
      "the log was restored a moment ago; restore again after \(timeText(untilMs))"
    }
  }
}
