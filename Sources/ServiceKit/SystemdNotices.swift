import CSystemd
import Model
import Wire

/// What systemd is told of a process that it has started with `Type=notify`, see sd_notify(3).
/// Nobody is told anything where a process was started otherwise.
struct SystemdNotices {
  private var status = ""
  private var toldUs = Int64.min

  /// Calls are answered from now on.
  func tellReady() { tell("READY=1") }

  /// No new work is taken any more.
  func tellStopping() { tell("STOPPING=1") }

  /// That the loop still goes round, for the watchdog, and how the process is, for people who ask
  /// `systemctl status`. At most once in `Limits.healthToldMs`; the unit's WatchdogSec has to be a
  /// multiple of that.
  mutating func tellHealth(of core: ServiceCore, at now: Moment) {
    guard toldUs == .min || now.monotonicUs - toldUs >= Limits.healthToldMs * 1_000 else { return }
    toldUs = now.monotonicUs
    let newStatus = Self.status(of: core.health(at: now))
    tell(newStatus == status ? "WATCHDOG=1" : "WATCHDOG=1\nSTATUS=\(newStatus)")
    status = newStatus
  }

  /// One line: "serving", or what it has to do without.
  static func status(of health: CheckHealthResponse) -> String {
    switch health.state {
    case .serving: return "serving"
    case .draining: return "draining: what is in flight is answered"
    default:
      let reasons = health.services.filter { !$0.detail.isEmpty }
        .map { "\($0.service): \($0.detail)" }
      return "serving in part; \(reasons.joined(separator: "; "))"
    }
  }

  private func tell(_ state: String) {
    // Zero is that nobody asked; a manager that cannot be reached notices by itself.
    _ = sd_notify(0, state)
  }
}
