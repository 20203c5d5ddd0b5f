// What the check-in service does without sockets. Each line is one measure.
//
// Usage: muster-bench-micro [CHECK-INS]    how many of each kind; 200 000 by default
import Foundation

let checkIns = CommandLine.arguments.dropFirst().first.flatMap(Int.init) ?? 200_000

/// Runs `body` on a service in a folder of its own.
func withDesk(people: Int, _ body: (Desk) throws -> Void) throws {
  let folder = FileManager.default.temporaryDirectory.appending(path: "muster-bench-\(getpid())")
  try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
  // What is left of it is the system's to remove.
  defer { try? FileManager.default.removeItem(at: folder) }
  let desk = try Desk(folder: folder.path, people: people, places: 200)
  desk.fill(100_000)
  try body(desk)
  if desk.refused > 0 {
    print(desk.refused, "calls were refused, so these are no measures")
    exit(1)
  }
}

func ms(_ seconds: Double) -> String { String(format: "%.1f ms", seconds * 1_000) }

try withDesk(people: 100_000) { desk in
  print("indexing 100 000 entries:", ms(desk.workBehind()))
  for round in [64, 1_024] {
    for isKeyed in [false, true] {
      let seconds = desk.run(checkIns: checkIns, round: round, isKeyed: isKeyed)
      print(
        "rounds of \(round), \(isKeyed ? "with" : "without") a key:",
        Int(Double(checkIns) / seconds), "check-ins/s; then a history takes",
        ms((0..<10).map { desk.history(of: $0 * 999) }.max() ?? 0))
    }
  }
}
try withDesk(people: 100_000) { desk in
  for round in [64, 1_024] {
    let seconds = try desk.append(entries: checkIns, round: round)
    print("the log alone, in commits of \(round):", Int(Double(checkIns) / seconds), "a second")
  }
}
try withDesk(people: 1_000_000) { desk in
  print("start with a million people, the last 100 000 check-ins not in the snapshot:")
  print(" ", ms(try desk.start()))
  _ = desk.workBehind()
  print("  and in it:", ms(try desk.start()))
}
