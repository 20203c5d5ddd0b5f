import Foundation
import Terminal

// The first Ctrl-C ends the load and leaves a report of what there is; a second one ends it all.
signal(SIGINT) { _ in Interruption.note() }
signal(SIGTERM) { _ in Interruption.note() }
signal(SIGPIPE, SIG_IGN)
// Whoever starts this may have blocked them, as threads that wait for work do.
var interrupts = sigset_t()
sigemptyset(&interrupts)
sigaddset(&interrupts, SIGINT)
sigaddset(&interrupts, SIGTERM)
sigprocmask(SIG_UNBLOCK, &interrupts, nil)

exit(
  LoadProgram.run(
    Array(CommandLine.arguments.dropFirst()), environment: ProcessInfo.processInfo.environment))
