/// How long to wait before something is tried again: longer each time, and by chance, so that many
/// who lost the same server do not come back at the same moment.
struct Backoff {
  /// The longest first pause.
  let firstMs: Int
  /// No pause is longer.
  let mostMs: Int

  /// The pause before the attempt that follows `failures` failed ones, at least half of its
  /// longest; `chance` is from 0 to 1.
  func pauseMs(failures: Int, chance: Double) -> Int {
    guard failures > 0 else { return 0 }
    let longest = min(mostMs, firstMs << min(failures - 1, 20))
    return longest / 2 + Int(Double(longest - longest / 2) * chance)
  }
}

/// How often refused calls may be repeated, so that a server that is in trouble is not asked many
/// times as much: every call earns a tenth of a repetition, up to a limit.
struct RetryBudget {
  private static let most = 1_000
  private static let costOfOne = 10
  private var tokens = RetryBudget.most

  /// A new call has been made.
  mutating func earn() { tokens = min(RetryBudget.most, tokens + 1) }

  /// Takes one repetition out. False: there is none left.
  mutating func spend() -> Bool {
    guard tokens >= RetryBudget.costOfOne else { return false }
    tokens -= RetryBudget.costOfOne
    return true
  }
}
