import Terminal
import Upkeep
import Wire

/// `check`: what an operator looks into.
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

  private static let runCheck: Action = { session, typed in
    let installation = try StoreOptions.installation(typed)
    let reports = try upkeep {
      try StoreCheck.run(
        installation, repairs: typed.flag("repair"),
        copyOf: { try StoreCommands.copy(of: $0, session) })
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
    guard let worst = open.first(where: { $0.outcome == .lost }) ?? open.first else { return }
    throw Failure(
      .conflict, "the stores are not whole: \(worst.what)",
      hint: worst.outcome == .lost
        ? "restore a backup with 'muster restore'"
        : "back up, stop the services and say 'muster check --repair'")
  }
}
