import Model
import Wire

/// Publications that have come before what they belong together with: see `Service.isEarly`.
extension ServiceCore {
  /// Keeps a publication that is early, or that comes after one that is. False: it can be taken.
  func keepEarly(_ published: ChangesPublished, of log: LogName, _ now: Moment) -> Bool {
    guard early[log] != nil || service.isEarly(published.changes, of: log) else { return false }
    early[log, default: []].append(
      EarlyPublication(
        published: published, untilUs: now.monotonicUs + Limits.earlyMs * 1_000))
    return true
  }

  func take(_ published: ChangesPublished, of log: LogName, _ now: Moment) {
    perform(backends[log]?.follower.receive(published, at: now) ?? [], of: log, now)
  }

  /// Takes what was early and is not any more, or has waited for long enough.
  func takeEarly(_ now: Moment) {
    for log in LogName.allCases {
      while let first = early[log]?.first,
        first.untilUs <= now.monotonicUs || !service.isEarly(first.published.changes, of: log)
      {
        early[log]?.removeFirst()
        take(first.published, of: log, now)
      }
      if early[log]?.isEmpty == true { early[log] = nil }
    }
  }

  /// When something that was early has waited for long enough; nil: nothing was.
  var nextEarlyUs: Int64? { early.values.compactMap(\.first?.untilUs).min() }
}
