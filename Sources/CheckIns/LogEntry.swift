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
  /// The entries before this one of the same person, and of each of its places; 0: there is none.
  var personBefore: UInt64
  var fromBefore: UInt64
  var toBefore: UInt64

  /// The columns that `init(_:)` reads.
  static let columns = """
    revision, time_ms, person, from_place, to_place, reason, actor, expire_ms, key, request,
    person_before, from_before, to_before
    """
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
    personBefore = row.uint64(10)
    fromBefore = row.uint64(11)
    toBefore = row.uint64(12)
  }
}

/// A check-in or check-out with an idempotency key that found things to be so already. It is no
/// entry of the log; what it was answered with is kept beside it for whoever repeats it.
struct UnchangedWrite {
  /// Counted from 1.
  var number: UInt64
  var timeMs: Int64
  var key: WriteKey
  var person: Presence.Slot
  /// How things stood, and at which revision of the log.
  var stay: Presence.Stay
  var asOf: UInt64

  /// The columns that `init(_:)` reads.
  static let columns =
    "number, time_ms, key, request, person, place, since_ms, revision, expire_ms, as_of"
}

extension UnchangedWrite {
  init?(_ row: Statement) {
    guard let key = row.id(2) else { return nil }
    number = row.uint64(0)
    timeMs = row.int64(1)
    self.key = WriteKey(key: key, request: UInt64(bitPattern: row.int64(3)))
    person = Presence.Slot(row.int64(4))
    stay = Presence.Stay(
      place: row.isNull(5) ? nil : Presence.Slot(row.int64(5)), sinceMs: row.int64(6),
      revision: row.uint64(7), expireMs: row.int64(8))
    asOf = row.uint64(9)
  }
}
