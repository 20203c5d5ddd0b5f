import CTimer
import Glibc

/// Nanoseconds of the clock that never jumps.
enum Clock {
  static var nowNs: Int { read(CLOCK_MONOTONIC) }
  /// CPU time of this thread, and of the whole process.
  static var threadNs: Int { read(CLOCK_THREAD_CPUTIME_ID) }
  static var processNs: Int { read(CLOCK_PROCESS_CPUTIME_ID) }
  /// Milliseconds since 1970.
  static var wallMs: Int64 { Int64(read(CLOCK_REALTIME) / 1_000_000) }

  private static func read(_ clock: clockid_t) -> Int {
    var time = timespec()
    clock_gettime(clock, &time)
    return time.tv_sec * 1_000_000_000 + time.tv_nsec
  }
}

/// A descriptor that can be read from a set time on: libzmq waits in whole milliseconds only.
final class Alarm {
  let descriptor: Int32

  init() throws(LoadFailure) {
    let flags = Int32(TFD_NONBLOCK | TFD_CLOEXEC)
    descriptor = timerfd_create(CLOCK_MONOTONIC, flags)
    guard descriptor >= 0 else { throw LoadFailure.system("there is no timer to be had") }
  }

  deinit { close(descriptor) }

  /// Sets it to a time of the clock; nil: to never. What has rung is forgotten.
  func set(atNs timeNs: Int?) {
    var setting = itimerspec()
    if let timeNs {
      // 0 would be never.
      let time = max(timeNs, 1)
      setting.it_value = timespec(tv_sec: time / 1_000_000_000, tv_nsec: time % 1_000_000_000)
    }
    timerfd_settime(descriptor, Int32(TFD_TIMER_ABSTIME), &setting, nil)
  }
}

/// Why a run could not be made.
package struct LoadFailure: Error, Equatable {
  /// One sentence without a full stop.
  package var message: String
  /// What to do about it.
  package var hint: String

  package init(_ message: String, hint: String = "") {
    self.message = message
    self.hint = hint
  }

  /// With what the system says is the reason.
  static func system(_ message: String) -> LoadFailure {
    LoadFailure("\(message): \(String(cString: strerror(errno)))")
  }
}
