// Feeds random bytes to one entry, under libFuzzer: see tools/fuzz.
//
//   muster-fuzz --list              the entries and their messages, one a line
//   muster-fuzz --entry=NAME …   and what libFuzzer takes; it passes over flags with two dashes

import Glibc
import Wire

/// libFuzzer's own entry point, which its documentation calls "using libFuzzer as a library".
/// Swift's calling convention is C's for these few pointers.
@_silgen_name("LLVMFuzzerRunDriver")
private func runDriver(
  _ argumentCount: UnsafeMutablePointer<Int32>,
  _ arguments: UnsafeMutablePointer<UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>>,
  _ feed: @convention(c) (UnsafePointer<UInt8>?, Int) -> Int32
) -> Int32

if CommandLine.arguments.contains("--list") {
  for entry in Entry.all {
    for (index, message) in entry.messages.enumerated() { print(entry.name, index, message.name) }
  }
  exit(0)
}

let wanted = CommandLine.arguments.first { $0.hasPrefix("--entry=") }?.dropFirst(8)
guard let entry = Entry.all.first(where: { $0.name == wanted ?? "" }) else {
  print("There is no such entry; --list lists them.")
  exit(2)
}

Run.current = Run(entry)
// libFuzzer ends the process itself.
atexit { Run.current?.report() }
var argumentCount = CommandLine.argc
var arguments = CommandLine.unsafeArgv
exit(runDriver(&argumentCount, &arguments) { feed($0, $1) })
