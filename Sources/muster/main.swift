import Foundation
import Terminal

// Ctrl-C ends any command with 2; those that have something to stop or to say first take it
// themselves.
signal(SIGINT) { _ in _exit(ExitCode.interrupted.rawValue) }
// Whoever starts this may have blocked what ends it, as threads that wait for work do.
var endings = sigset_t()
sigemptyset(&endings)
for number in [SIGINT, SIGTERM, SIGHUP] { sigaddset(&endings, number) }
sigprocmask(SIG_UNBLOCK, &endings, nil)

// Swift mends what is no UTF-8, and a mended name is another name.
for (index, argument) in UnsafeBufferPointer(
  start: CommandLine.unsafeArgv, count: Int(CommandLine.argc)
).enumerated() {
  guard let argument, String(validatingCString: argument) == nil else { continue }
  FileHandle.standardError.write(
    Data("muster: argument \(index) is not UTF-8: set your terminal to UTF-8\n".utf8))
  exit(ExitCode.usage.rawValue)
}

let exitCode = Program.run(
  Array(CommandLine.arguments.dropFirst()), environment: ProcessInfo.processInfo.environment)
exit(exitCode.rawValue)
