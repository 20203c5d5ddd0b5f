import Model
import ServiceKit

/// Finds what an idempotency key was used for: in memory, since an index on disk would cost each
/// write more than all the rest of it. It holds the last 24 hours at least.
struct KeyIndex {
  /// Where the response can be told from.
  enum Use {
    /// The log's entry of this revision.
    case entry(UInt64)
    /// The write of this number that changed nothing.
    case unchanged(UInt64)
  }

  /// Set in what stands for a write that changed nothing. Revisions do not come that far.
  private static let unchangedBit: UInt64 = 1 << 63

  private var newer: [UInt64: UInt64] = [:]
  private var older: [UInt64: UInt64] = [:]
  /// When `newer` began.
  private var beganMs: Int64 = 0

  var count: Int { newer.count + older.count }

  /// Where to look. What is there tells whether the key is really the same: this is only the
  /// fingerprint of a fingerprint.
  func use(of key: WriteKey) -> Use? {
    guard let number = newer[key.key.low] ?? older[key.key.low] else { return nil }
    return number & Self.unchangedBit == 0
      ? .entry(number) : .unchanged(number & ~Self.unchangedBit)
  }

  mutating func add(_ key: WriteKey, _ use: Use, timeMs: Int64) {
    if timeMs - beganMs >= Limits.idempotencyMs {
      older = newer
      newer = [:]
      beganMs = timeMs
    }
    switch use {
    case .entry(let revision): newer[key.key.low] = revision
    case .unchanged(let number): newer[key.key.low] = number | Self.unchangedBit
    }
  }

  /// A write that was rolled back.
  mutating func remove(_ key: WriteKey) { newer[key.key.low] = nil }
}
