import Glibc
import ServiceKit
import ZeroMQ

/// The process that answers at an endpoint, found by the lock that it holds there.
package struct RunningProcess {
  package let processID: Int32
  private let name: String

  /// - Throws: `UpkeepError`, where nobody answers there.
  package init(_ name: String, at endpoint: String) throws {
    self.name = name
    let path = endpoint.dropFirst("ipc://".count) + ".lock"
    guard endpoint.hasPrefix("ipc://") else {
      throw UpkeepError(
        .usage, "\(name) is at \(endpoint), and is found by an ipc endpoint alone",
        hint: "add one to its rpc; 'systemctl restart' drains, too")
    }
    // Whoever has never run has left no lock, and none is to be made.
    if try Files.exists(String(path)) {
      do {
        _ = try EndpointLock(endpoint)
      } catch EndpointLockError.inUse(_, let processID?) {
        self.processID = processID
        return
      }
    }
    throw UpkeepError(
      .conflict, "no \(name) is running at \(endpoint)",
      hint: "name the folder or settings that it uses")
  }

  /// Has it take on nothing more, and end.
  package func drain() throws {
    guard kill(processID, SIGTERM) == 0 || errno == ESRCH else {
      throw SystemError(number: errno, what: "process \(processID) of \(name)")
    }
  }

  /// Whether it is gone, or only waits for whoever started it to notice.
  package var hasEnded: Bool { state == nil || state == UInt8(ascii: "Z") }

  /// What to do where it does not do what it was asked for.
  package var advice: String {
    // By a signal, or by a debugger.
    state == UInt8(ascii: "T") || state == UInt8(ascii: "t")
      ? "it was stopped, and 'kill -CONT \(processID)' lets it go on"
      : "its log says what it waits for"
  }

  /// The letter that the system has for what it does; nil: it is gone.
  private var state: UInt8? {
    // Without an entry there is no process.
    guard let status = try? Files.content(of: "/proc/\(processID)/stat") else { return nil }
    // The state stands behind the name, which may have brackets in it: proc_pid_stat(5).
    let end = status.lastIndex(of: UInt8(ascii: ")")) ?? status.startIndex
    return status[end...].dropFirst(") ".utf8.count).first
  }
}
