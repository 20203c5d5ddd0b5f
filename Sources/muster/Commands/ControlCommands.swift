import Foundation
import Terminal
import Wire

/// `health`, `info` and `stats`: what the processes say of themselves.
enum ControlCommands {
  private static let service = Argument(
    "SERVICE", optional: true, choices: ["profiles", "locations", "check-ins", "gateway"],
    "Which one; the gateway, where it is left out")

  static let health = Command<Action>(
    "health", "Whether everything is serving",
    details: "Ends with 69 where anything is not. For monitoring, --format nagios is one line, and "
      + "ends with 0 (all serve), 1 (a service behind the gateway does not), 2 (the gateway does "
      + "not) or 3 (it cannot be told).",
    options: [
      Option("format", value: "FORMAT", choices: ["nagios"], "One line for a monitoring program")
    ],
    examples: ["muster health", "muster health --format nagios --timeout 2s"], action: showHealth)
  static let info = Command<Action>(
    "info", "What a process is, and what it answers", arguments: [service], action: showInfo)
  static let stats = Command<Action>(
    "stats", "Calls, latencies and gauges since a process started", arguments: [service],
    options: [Option("gauges", "The gauges instead of the calls, where only one list can be had")],
    action: showStats)

  private static let showHealth: Action = { session, typed in
    if typed.option("format") == "nagios" {
      let check = HealthCheck(of: session)
      session.console.write(check.line + "\n")
      session.console.flush()
      exit(check.state.rawValue)
    }
    let health = try session.call(CheckHealthRequest())
    let columns = [
      Column("service"),
      Column("state") { .text(state($0)) },
      Column("revision", nil, .number), Column("silent_ms", "SILENT MS", .number),
      Column("detail", cuttable: true),
    ]
    try session.show(health.services.map { Wire.json($0) }, columns, health)
    let check = HealthCheck(health)
    guard check.state == .ok else {
      throw Failure(.unavailable, check.text, hint: "the logs say why")
    }
    let name = state(Wire.json(health))
    session.note("The gateway at \(session.endpoints.joined(separator: " or ")) is \(name).")
  }

  private static let showInfo: Action = { session, typed in
    let info = try session.call(GetInfoRequest(service: asked(typed)))
    let columns = [
      Column("service"), Column("version"), Column("start_time_ms", "STARTED", .time),
      Column("durability"), Column("methods", wide: true),
      Column("file_descriptor_set", wide: true),
    ]
    try session.show(one: Wire.json(info), columns, info)
  }

  private static let showStats: Action = { session, typed in
    let stats = try session.call(GetStatsRequest(service: asked(typed)))
    let calls = [
      Column("method"), Column("code"), Column("calls", nil, .number),
      Column("p50_us", "P50 US", .number), Column("p99_us", "P99 US", .number),
      Column("max_us", "MAX US", .number),
    ]
    let gauges = [Column("name", "GAUGE"), Column("value", nil, .number)]
    let isForPeople = session.isForPeople || session.format == .wide && session.fields.isEmpty
    if isForPeople || !typed.flag("gauges") {
      try session.show(stats.methods.map { Wire.json($0) }, calls, stats)
    }
    if isForPeople { session.console.write("\n") }
    if isForPeople || typed.flag("gauges") {
      try session.show(stats.gauges.map { Wire.json($0) }, gauges, stats)
    }
  }

  /// The gateway answers for itself where no service is named.
  private static func asked(_ typed: Invocation) -> String {
    let name = typed.argument("SERVICE") ?? ""
    return name == "gateway" ? "" : name
  }

  /// The state that a message of health tells, in words.
  static func state(_ health: JSONValue) -> String {
    let name = health["state"]?.plainText ?? ""
    let prefix = "SERVING_STATE_"
    guard name.hasPrefix(prefix) else { return name }
    return name.dropFirst(prefix.count).lowercased().replacing("_", with: " ")
  }
}
