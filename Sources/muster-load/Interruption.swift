import Foundation
import Synchronization

/// Whether somebody wants the program to end.
enum Interruption {
  private static let count = Atomic(0)

  static var isWanted: Bool { count.load(ordering: .relaxed) > 0 }

  /// Called from a signal handler: does nothing that may not be done there.
  static func note() {
    if count.add(1, ordering: .relaxed).oldValue > 0 { _exit(2) }
  }
}
