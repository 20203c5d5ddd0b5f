import CProcess
import Foundation
import Synchronization
import Terminal

/// Ctrl-C was pressed, and there is nothing to say.
struct Interrupted: Error {}

/// Ctrl-C, for commands that have something to finish or to say before they end. A second one ends
/// the program at once.
enum Interruption {
  private static let count = Atomic<Int>(0)
  private static let writeEnd = Atomic<Int32>(-1)

  /// From now on Ctrl-C is noted instead of ending the program. Gives a descriptor that has
  /// something to read once it was pressed, for whoever waits for other things too.
  @discardableResult
  static func hold() throws -> Int32 {
    var ends: [Int32] = [-1, -1]
    guard pipe2(&ends, O_CLOEXEC | O_NONBLOCK) == 0 else { throw POSIXError.now }
    writeEnd.store(ends[1], ordering: .releasing)
    count.store(0, ordering: .releasing)
    // Only what is safe in a signal handler: atomics, write(2) and _exit(2).
    signal(SIGINT) { _ in
      if Interruption.count.add(1, ordering: .acquiringAndReleasing).newValue > 1 {
        _exit(ExitCode.interrupted.rawValue)
      }
      var byte: UInt8 = 1
      write(Interruption.writeEnd.load(ordering: .acquiring), &byte, 1)
    }
    return ends[0]
  }

  /// Whether Ctrl-C was pressed since `hold`.
  static var isAsked: Bool { count.load(ordering: .acquiring) > 0 }
}
