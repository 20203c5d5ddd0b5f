import LoadDriver
import Terminal

/// The options of the program, each described once.
enum LoadOptions {
  static let all = load + work + truth + surroundings

  /// What every command takes.
  static let global = [
    Option(
      "output", short: "o", value: "FORMAT", choices: ["text", "json", "csv", "html"],
      "How to write the report; text by default"),
    Option(
      "color", value: "WHEN", choices: Console.Color.allCases.map(\.rawValue),
      "Whether to colour text; auto is on a terminal, and without NO_COLOR"),
    Option("version", "Show the version"),
  ]

  private static let load = [
    Option("rate", value: "R", "Open loop: so many requests a second"),
    Option(
      "stage", value: "TIME:R", repeatable: true,
      "Open loop: a stretch at one rate, or a ramp, as 30s:0..1000; any number"),
    Option(
      "arrivals", value: "HOW", choices: Arrivals.allCases.map(\.rawValue),
      "Open loop: evenly apart, or at random around the rate; uniform by default"),
    Option(
      "catch-up", value: "HOW", choices: CatchUp.allCases.map(\.rawValue),
      "Open loop: what becomes of requests that could not be sent in time: dropped; sent within "
        + "the time-out; or sent all, which is the default"),
    Option(
      "outstanding", value: "N",
      "Closed loop: so many calls in flight; with a rate, the most that there may be"),
    Option("duration", value: "TIME", "How long to measure; 10s by default"),
    Option("requests", value: "N", "End after so many requests"),
    Option("warm-up", value: "TIME", "Run so long before measuring; 0s by default"),
    Option("clients", value: "N", "How many users the calls are for; 1 by default"),
    Option("connections", value: "N", "How many sockets; one for each client by default"),
    Option("timeout", value: "TIME", "How long a call may take; 5s by default"),
    Option("watchers", value: "N", "Keep so many watches of places open, and time what they show"),
  ]

  private static let work = [
    Option(
      "mix", value: "OP=N,…",
      "Shares of \(Operation.allCases.map(\.name).joined(separator: ", ")); "
        + "check-in=10,status=70,who=10,counts=10 by default"),
    Option("batch-items", value: "N", "Items of a batch; 100 by default"),
    Option("profiles", value: "N", "How many people; 1000 by default"),
    Option("locations", value: "N", "How many places; 100 by default"),
    Option(
      "keys", value: "HOW",
      "How places are picked: uniform, zipf:EXPONENT or hotspot:KEYS:PICKS; uniform by default"),
    Option("seed", value: "N", "What chance starts from; 1 by default"),
    Option("ttl", value: "TIME", "Let check-ins end by themselves after so long"),
    Option("no-keys", "Send writes without idempotency keys"),
    Option("prepare", "Make the people and places first, and check everybody in"),
    Option("cleanup", "Take them away at the end"),
    Option("scenario", value: "NAME", "Take options from a scenario, by its name or its file"),
  ]

  private static let truth = [
    Option(
      "slo", value: "RULE", repeatable: true,
      "What has to hold, as check-in.p99<20ms, rate>1000 or errors<0.1%; any number"),
    Option("verify", "Check at the end that what was acknowledged is true"),
    Option(
      "check-ins", value: "ENDPOINT",
      "With --verify: the check-in service itself, whose log is read; found by itself where it is "
        + "beside the gateway's socket"),
    Option(
      "kill", value: "PROCESS@TIME", repeatable: true,
      "With --up: kill a process then, as check-ins@10s; any number"),
  ]

  private static let surroundings = [
    Option(
      "endpoint", value: "ENDPOINT",
      "The gateway; MUSTER_ENDPOINT, or ipc:///run/muster/gateway.sock, by default"),
    Option(
      "context", value: "NAME",
      "Where, and with which key, as 'muster context' keeps it; MUSTER_CONTEXT by default"),
    Option("up", "Start a Muster of its own with 'muster up', and stop it at the end"),
    Option("data", value: "DIR", "With --up: its data folder; by default one that is removed"),
    Option(
      "report", value: "FILE", repeatable: true,
      "Write the report into a file as well, in the format of its suffix: txt, json, csv, html"),
    Option(
      "histograms", value: "FILE",
      "Write the histograms of every second, as a log that HdrHistogram's tools read"),
  ]
}
