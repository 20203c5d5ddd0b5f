import CProcess
import Foundation

/// One program that runs for us: started, read from, started again when it dies.
final class ChildProcess {
  let program: UpPlan.Program
  /// Nil while it does not run.
  private(set) var processID: pid_t?
  /// What it writes comes out here; -1 when there is nothing more to come.
  private(set) var output: Int32 = -1
  private(set) var startedAtMs = 0
  /// When to start it again; nil: it runs, or is not to.
  var restartAtMs: Int?
  /// The last line that it wrote, for whoever asks why it died.
  private(set) var lastLine = ""
  private var unfinished: [UInt8] = []
  private var pauseMs = ChildProcess.shortestPauseMs

  /// It starts again after a pause that doubles up to the longest, and is short again for one that
  /// has run for a while.
  private static let shortestPauseMs = 100
  private static let longestPauseMs = 5_000
  private static let steadyMs = 10_000

  init(_ program: UpPlan.Program) {
    self.program = program
  }

  /// Starts it; errno where there can be no process.
  func start(nowMs: Int) throws {
    restartAtMs = nil
    closeOutput()
    lastLine = ""
    var ends: [Int32] = [-1, -1]
    guard pipe2(&ends, O_CLOEXEC | O_NONBLOCK) == 0 else { throw POSIXError.now }
    defer { close(ends[1]) }
    // The program itself gets a descriptor that waits.
    _ = fcntl(ends[1], F_SETFL, 0)
    var arguments: [UnsafeMutablePointer<CChar>?] =
      ([program.executable] + program.arguments).map { strdup($0) }
    arguments.append(nil)
    defer { for argument in arguments { free(argument) } }
    let child = muster_spawn(program.executable, arguments, ends[1])
    guard child > 0 else {
      close(ends[0])
      throw POSIXError.now
    }
    processID = child
    output = ends[0]
    startedAtMs = nowMs
  }

  /// Notes that it has ended, and gives when it should be started again.
  func ended(nowMs: Int) {
    processID = nil
    if nowMs - startedAtMs >= ChildProcess.steadyMs { pauseMs = ChildProcess.shortestPauseMs }
    restartAtMs = nowMs + pauseMs
    pauseMs = min(pauseMs * 2, ChildProcess.longestPauseMs)
  }

  func send(_ signal: Int32) {
    if let processID { kill(processID, signal) }
  }

  /// What it has written since, in whole lines. What is left over at its end counts as a line.
  func readLines() -> [String] {
    guard output >= 0 else { return [] }
    var lines: [String] = []
    var buffer = [UInt8](repeating: 0, count: 16_384)
    while true {
      let count = read(output, &buffer, buffer.count)
      if count > 0 {
        unfinished += buffer[..<count]
        while let end = unfinished.firstIndex(of: 10) {
          lines.append(String(decoding: unfinished[..<end], as: UTF8.self))
          unfinished.removeSubrange(...end)
        }
      } else if count == 0 {
        closeOutput()
        if !unfinished.isEmpty { lines.append(String(decoding: unfinished, as: UTF8.self)) }
        unfinished = []
        break
      } else if errno != EINTR {
        break
      }
    }
    if let last = lines.last { lastLine = last }
    return lines
  }

  private func closeOutput() {
    if output >= 0 { close(output) }
    output = -1
  }
}

extension POSIXError {
  /// The error that errno says.
  static var now: POSIXError { POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO) }
}
