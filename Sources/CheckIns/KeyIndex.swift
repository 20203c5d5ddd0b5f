import Model
import ServiceKit

/// Finds the log's entry for an idempotency key: in memory, since an index on disk would cost each
/// write more than all the rest of it. It holds the last 24 hours at least.
struct KeyIndex {
  private var newer: [UInt64: UInt64] = [:]
  private var older: [UInt64: UInt64] = [:]
  /// When `newer` began.
  private var beganMs: Int64 = 0

  var count: Int { newer.count + older.count }

  /// The revision to look at. The entry there tells whether the key is really the same: this is
  /// only the fingerprint of a fingerprint.
  func revision(for key: WriteKey) -> UInt64? {
    newer[key.key.low] ?? older[key.key.low]
  }

  mutating func add(_ key: WriteKey, _ revision: UInt64, timeMs: Int64) {
    if timeMs - beganMs >= Limits.idempotencyMs {
      older = newer
      newer = [:]
      beganMs = timeMs
    }
    newer[key.key.low] = revision
  }

  /// A write that was rolled back.
  mutating func remove(_ key: WriteKey) { newer[key.key.low] = nil }
}
