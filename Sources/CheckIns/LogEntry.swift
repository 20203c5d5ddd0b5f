import Model
import SQLite
import ServiceKit
import Wire

/// One entry of the check-in log, as it is stored.
struct LogEntry {
  var revision: UInt64
  var timeMs: Int64
  var person: Presence.Slot
  /// Nil: from nowhere.
  var from: Presence.Slot?
  /// Nil: to nowhere.
  var to: Presence.Slot?
  var reason: ChangeReason
  /// The number of the user who asked for it.
  var actor: Int64?
  /// When the stay ends by itself; 0: never.
  var expireMs: Int64
  /// The key that the write came with, where its response can be told from the entry.
  var key: WriteKey?

  /// The columns that `init(_:)` reads.
  static let columns =
    "revision, time_ms, person, from_place, to_place, reason, actor, expire_ms, key, request"
}

extension LogEntry {
  init(_ row: Statement) {
    revision = row.uint64(0)
    timeMs = row.int64(1)
    person = Presence.Slot(row.int64(2))
    from = row.isNull(3) ? nil : Presence.Slot(row.int64(3))
    to = row.isNull(4) ? nil : Presence.Slot(row.int64(4))
    reason = ChangeReason(rawValue: Int32(row.int64(5))) ?? .unspecified
    actor = row.isNull(6) ? nil : row.int64(6)
    expireMs = row.int64(7)
    key = row.id(8).map { WriteKey(key: $0, request: UInt64(bitPattern: row.int64(9))) }
  }
}
