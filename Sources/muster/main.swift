import Foundation
import Terminal

// Ctrl-C ends any command with 2; `up`, which has something to stop first, takes it itself.
signal(SIGINT) { _ in _exit(ExitCode.interrupted.rawValue) }

let exitCode = Program.run(
  Array(CommandLine.arguments.dropFirst()), environment: ProcessInfo.processInfo.environment)
exit(exitCode.rawValue)
