import ServiceKit

/// When watches are due for a heartbeat: buckets of watches by time, so that ten thousand of them
/// cost no more than those that are due.
struct HeartbeatWheel {
  private static let tickUs: Int64 = 50_000
  /// Longer than the longest heartbeat.
  private static let ticks = 2_048

  private var buckets: [[Watch]] = Array(repeating: [], count: ticks)
  /// The first of them that has a watch in it; nil: none.
  private var soonest: Int64?

  /// When the next watch is due, in monotonic microseconds; nil: there is none.
  var nextUs: Int64? { soonest.map { $0 * Self.tickUs } }

  /// - Parameter dueUs: in monotonic microseconds; at least one tick from now.
  mutating func add(_ watch: Watch, dueUs: Int64, at now: Moment) {
    let earliest = now.monotonicUs / Self.tickUs + 1
    let wanted = (dueUs + Self.tickUs - 1) / Self.tickUs
    let tick = min(max(wanted, earliest), earliest + Int64(Self.ticks) - 2)
    soonest = min(soonest ?? .max, tick)
    buckets[Int(tick % Int64(Self.ticks))].append(watch)
  }

  /// Takes those that are due.
  mutating func take(at now: Moment) -> [Watch] {
    let current = now.monotonicUs / Self.tickUs
    guard let first = soonest, current >= first else { return [] }
    var due: [Watch] = []
    for passed in first...min(current, first + Int64(Self.ticks) - 1) {
      let index = Int(passed % Int64(Self.ticks))
      guard !buckets[index].isEmpty else { continue }
      due += buckets[index]
      buckets[index] = []
    }
    // Whoever is not due yet is less than a turn away.
    soonest = ((current + 1)...(current + Int64(Self.ticks))).first {
      !buckets[Int($0 % Int64(Self.ticks))].isEmpty
    }
    return due
  }
}
