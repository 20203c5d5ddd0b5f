// What check-in service and gateway do without sockets. Each line is one measure.
//
// Usage: muster-bench-micro [CALLS]        how many of each kind; 200 000 by default
//        muster-bench-micro PATH CALLS     of one hot path alone, as tools/instructions wants it
import Foundation

let arguments = CommandLine.arguments.dropFirst()
let checkIns = arguments.first.flatMap(Int.init) ?? 200_000

/// Runs `body` on a service in a folder of its own.
func withDesk(people: Int, _ body: (Desk) throws -> Void) throws {
  let folder = FileManager.default.temporaryDirectory.appending(path: "muster-bench-\(getpid())")
  try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
  // What is left of it is the system's to remove.
  defer { try? FileManager.default.removeItem(at: folder) }
  let desk = try Desk(folder: folder.path, people: people, places: 200)
  desk.fill(min(people, 100_000))
  try body(desk)
  if desk.refused > 0 {
    print(desk.refused, "calls were refused, so these are no measures")
    exit(1)
  }
}

/// The gateway's own part of a call.
let gatewayPaths: [(name: String, run: (Front) -> (Int) -> Double)] = [
  ("status", Front.status), ("who's here of 50", { front in { front.people($0) } }),
  ("counts of 1 000 places", Front.counts), ("check-in passed on", Front.checkIns),
]

if arguments.count == 2, let name = arguments.first, let calls = arguments.last.flatMap(Int.init) {
  if name == "check-in" {
    // Few enough that getting there does not take long where every instruction is counted.
    try withDesk(people: 20_000) { _ = $0.run(checkIns: calls, round: 64, isKeyed: true) }
  } else if let path = gatewayPaths.first(where: { $0.name == name }) {
    _ = path.run(try Front())(calls)
  } else {
    print("there is no hot path '\(name)'")
    exit(64)
  }
  print(Allocations.measured, "allocations")
  exit(0)
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

let front = try Front()
for path in gatewayPaths {
  let us = path.run(front)(checkIns) * 1e6 / Double(checkIns)
  print("the gateway's part of a \(path.name):", String(format: "%.1f µs", us))
}
if front.refused > 0 {
  print(front.refused, "calls were refused, so these are no measures")
  exit(1)
}
