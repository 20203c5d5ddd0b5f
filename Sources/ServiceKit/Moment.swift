import Glibc

/// A point in time, by both clocks: what time of day it is, for what people and other machines are
/// told, and how much time has passed, for deadlines.
package struct Moment: Hashable, Sendable {
  /// Milliseconds since 1970-01-01 UTC. May jump either way when the machine's clock is set.
  package var wallMs: Int64
  /// Microseconds since some point of this boot. Never falls; means nothing to another process.
  package var monotonicUs: Int64

  package init(wallMs: Int64, monotonicUs: Int64) {
    self.wallMs = wallMs
    self.monotonicUs = monotonicUs
  }
}

/// The machine's clocks. Only the loop asks; everybody else is told.
package enum SystemClock {
  /// What time it is now.
  package static func now() -> Moment {
    let wall = read(CLOCK_REALTIME)
    // BOOTTIME, not MONOTONIC: it also counts the time that the machine was suspended. A request
    // that slept through its deadline together with the machine is not carried out on waking.
    let boot = read(CLOCK_BOOTTIME)
    return Moment(
      wallMs: Int64(wall.tv_sec) * 1_000 + Int64(wall.tv_nsec) / 1_000_000,
      monotonicUs: Int64(boot.tv_sec) * 1_000_000 + Int64(boot.tv_nsec) / 1_000)
  }

  /// Waits until the clock shows another second than now, and says what it is then. For restores:
  /// no two of them fall into one second, and so no two logs begin at one number.
  package static func waitForNextSecond() -> Moment {
    let second = now().wallMs / 1_000
    while true {
      let moment = now()
      if moment.wallMs / 1_000 != second { return moment }
      // A signal may end this early.
      usleep(UInt32(1_000 - moment.wallMs % 1_000) * 1_000)
    }
  }

  private static func read(_ clock: clockid_t) -> timespec {
    var time = timespec()
    let result = clock_gettime(clock, &time)
    precondition(result == 0, "clock_gettime fails only for a clock that Linux does not have")
    return time
  }
}
