import Glibc

// Swift's hashing is by chance, and what goes through a dictionary goes in its order: the process
// begins anew without that chance, so that a seed decides everything.
let withoutChance = "SWIFT_DETERMINISTIC_HASHING"
if getenv(withoutChance) == nil {
  setenv(withoutChance, "1", 1)
  execv("/proc/self/exe", CommandLine.unsafeArgv)
  perror("execv")
  exit(2)
}
do throws(WrongOption) {
  var runner = Runner(try Options(Array(CommandLine.arguments.dropFirst())))
  exit(runner.run())
} catch {
  say("muster-sim: what is \(error.name)?")
  exit(64)
}
