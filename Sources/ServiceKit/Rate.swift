/// How many tokens a bucket gets in a second, and how many it holds.
package struct Rate: Hashable, Sendable {
  package let perSecond: Int
  package let burst: Int

  /// Nil: no limit, which is what 0 a second says.
  package init?(perSecond: Int, burst: Int) {
    guard perSecond > 0 else { return nil }
    precondition(burst > 0, "a bucket that holds nothing lets nothing through")
    self.perSecond = perSecond
    self.burst = burst
  }

  /// How long it takes to fill a bucket, in milliseconds.
  var fillMs: UInt32 { UInt32(clamping: Int64(burst) * tokenNs / 1_000_000) }

  /// How long it takes for one token to come.
  fileprivate var tokenNs: Int64 { 1_000_000_000 / Int64(perSecond) }
}

/// What one caller has left of a rate. It begins full, and is kept as the time at which it will be
/// full again: so it is one number, needs no timer, and is as good as none once that time is past.
/// (As the generic cell rate algorithm of ITU-T I.371 does it.)
struct TokenBucket: Hashable {
  private var fullAtNs: Int64 = 0

  /// How long it is until there are so many tokens, in milliseconds; 0: they are there.
  /// - Parameter tokens: no more than the rate's burst, since there never are more.
  func waitMs(for tokens: Int, _ rate: Rate, at now: Moment) -> UInt32 {
    let nowNs = now.monotonicUs * 1_000
    let room = Int64(rate.burst - tokens) * rate.tokenNs
    let waitNs = max(0, fullAtNs - nowNs - room)
    return UInt32(clamping: (waitNs + 999_999) / 1_000_000)
  }

  /// Takes tokens out, also some that have yet to come.
  mutating func take(_ tokens: Int, _ rate: Rate, at now: Moment) {
    fullAtNs = max(fullAtNs, now.monotonicUs * 1_000) + Int64(tokens) * rate.tokenNs
  }

  func isFull(at now: Moment) -> Bool { fullAtNs <= now.monotonicUs * 1_000 }
}
