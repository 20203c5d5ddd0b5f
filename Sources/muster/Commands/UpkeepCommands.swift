import Foundation
import Terminal
import Upkeep
import Wire

/// `check`, `migrate` and `drain`: what an operator looks into, and tells a process.
enum UpkeepCommands {
  static let check = Command<Action>(
    "check", "Whether the stores are whole, and agree with each other",
    details:
      "Reads the logs, what is made of them, the indexes and the images; a running service is "
      + "asked for a copy. Ends with 0 where everything is right, or is now, and with 6 where "
      + "it is not. --repair makes right what the store itself still knows, with the services "
      + "stopped.",
    options: StoreOptions.place + [Option("repair", "Make right what can be made right")],
    examples: ["muster check", "muster check --repair --data data"], action: runCheck)

  static let migrate = Command<Action>(
    "migrate", "Bring the stores to the schema of this version",
    details:
      "The services do that themselves when they start. With --dry-run it is tried on copies, "
      + "also while they run, and told how long it takes. A store of a newer version is refused, "
      + "and not touched.",
    options: StoreOptions.place + [Option("dry-run", "Try it on copies, and change nothing")],
    examples: ["muster migrate --dry-run"], action: runMigrate)

  static let drain = Command<Action>(
    "drain", "Have a process answer what it has taken on, and end",
    details: "It takes no new calls, and its watches end, so that clients go elsewhere. Whoever "
      + "started it (systemd, 'muster up') starts it again; 'systemctl stop' drains, too, and it "
      + "stays away. --timeout says how long to wait until it has ended; 30s by default. Said "
      + "again meanwhile, it ends at once.",
    arguments: [
      Argument(
        "PROCESS", choices: ["gateway", "profiles", "locations", "check-ins"], "Which one")
    ],
    options: StoreOptions.place, examples: ["muster drain gateway"], action: runDrain)

  private static let runCheck: Action = { session, typed in
    let installation = try StoreOptions.installation(typed)
    let reports = try upkeep {
      try StoreCheck.run(
        installation, repairs: typed.flag("repair"),
        copyOf: { try StoreCopyCall($0, session).path() })
    }
    let rows = reports.flatMap { report -> [JSONValue] in
      let faults = report.faults.map { ($0.what, $0.outcome.rawValue) }
      return (faults.isEmpty ? [("", "whole")] : faults).map { what, outcome in
        JSONValue.object([
          .init("service", .text(report.service)),
          .init("revision", report.revision.map { .number($0) } ?? .null),
          .init("outcome", .text(outcome)), .init("found", .text(what)),
        ])
      }
    }
    try session.show(
      rows,
      [
        Column("service"), Column("revision", nil, .number), Column("outcome"),
        Column("found", cuttable: true),
      ])
    let open = reports.flatMap(\.faults).filter { $0.outcome != .repaired }
    let first = { (outcome: StoreCheck.Outcome) in open.first { $0.outcome == outcome } }
    guard let worst = first(.lost) ?? first(.unknown) ?? open.first else { return }
    let what = worst.outcome == .unknown ? "cannot tell" : "the stores are not whole"
    throw Failure(.conflict, "\(what): \(worst.what)", hint: hint(worst.outcome))
  }

  private static func hint(_ outcome: StoreCheck.Outcome) -> String {
    switch outcome {
    case .lost: "restore a backup with 'muster restore'"
    case .unknown: "look with the version that wrote it"
    case .repairable, .repaired: "back up, stop the services and say 'muster check --repair'"
    }
  }

  private static let runMigrate: Action = { session, typed in
    let installation = try StoreOptions.installation(typed)
    let isTrial = typed.flag("dry-run")
    let plans = try upkeep {
      try installation.stores.map { store in
        try MigrationRun(
          store, copyOf: isTrial ? { try StoreCopyCall($0, session).path() } : nil)
      }
    }
    try session.show(
      plans.map { plan in
        .object([
          .init("service", .text(plan.service)), .init("schema", .integer(Int64(plan.schema))),
          .init("newest", .integer(Int64(plan.newest))),
          .init("took_ms", .integer(plan.tookMs)),
        ])
      },
      [
        Column("service"), Column("schema", nil, .number), Column("newest", nil, .number),
        Column("took_ms", "TOOK MS", .number),
      ])
    let count = plans.count { $0.schema < $0.newest }
    session.note(
      count == 0
        ? "All stores have the newest schema."
        : isTrial
          ? "\(count) would be brought to the newest schema; it was tried on copies."
          : "\(count) have been brought to the newest schema.")
  }

  private static let runDrain: Action = { session, typed in
    guard let name = typed.argument("PROCESS") else { return }
    let endpoint = try StoreOptions.endpoint(of: name, typed)
    let process = try upkeep { try RunningProcess(name, at: endpoint) }
    try upkeep { try process.drain() }
    let timeoutMs = session.hasTimeout ? session.timeoutMs : 30_000
    let end = ContinuousClock.now + .milliseconds(timeoutMs)
    while !process.hasEnded {
      guard ContinuousClock.now < end else {
        let time = DurationText.seconds(milliseconds: timeoutMs)
        throw Failure(
          .tryAgain, "\(name) (process \(process.processID)) has not ended in \(time)",
          hint: process.advice)
      }
      poll(nil, 0, 20)
    }
    session.note("\(name) (process \(process.processID)) has ended.")
  }
}
