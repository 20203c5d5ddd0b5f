import Foundation
import Model
import Terminal

/// `up`, `help` and `completion`: the program itself.
enum ProgramCommands {
  static let up = Command<Action>(
    "up", "Run Muster: the three services and the gateway on one data folder",
    details: "Starts the four programs that stand beside this one, starts again what dies, and "
      + "stops them all on Ctrl-C or SIGTERM. The gateway trusts its clients. 'ready ENDPOINT' is "
      + "written on a line of its own when calls are answered.",
    options: [
      Option("data", value: "DIR", "The data folder; made where there is none"),
      Option(
        "listen", value: "ENDPOINT", repeatable: true,
        "Also listen there: tcp://127.0.0.1:PORT"),
    ],
    examples: ["muster up --data data", "muster up --data data --listen tcp://127.0.0.1:7400"],
    action: runUp)

  static let completion = Command<Action>(
    "completion", "Write a shell's completion script",
    arguments: [
      Argument("SHELL", choices: Shell.allCases.map(\.rawValue), "Which shell")
    ],
    examples: ["source <(muster completion bash)"], action: writeCompletion)

  /// What there is help on besides commands.
  private static let topics = ["exit-codes", "environment", "man"]

  static let help = Command<Action>(
    "help", "Help on a command, on exit codes or on the environment",
    details: "'muster help man' writes all of it as a manual page, for man(1).",
    arguments: [
      Argument(
        "TOPIC", optional: true, offers: [.words(topics), .commands],
        "A command, 'exit-codes', 'environment' or 'man'"),
      Argument("COMMAND", optional: true, "A command below it"),
    ],
    examples: ["muster help profile import", "muster help exit-codes"], action: showHelp)

  private static let runUp: Action = { session, typed in
    guard let data = typed.option("data"), !data.isEmpty else {
      throw UsageError("'muster up' needs a folder for its data", hint: "say --data DIR")
    }
    let own = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
    let plan = try UpPlan(
      data: data, listen: typed.options("listen"),
      programsFolder: URL(filePath: own).deletingLastPathComponent().path(percentEncoded: false))
    try Supervisor(plan: plan, console: session.console, user: session.user).run()
  }

  private static let writeCompletion: Action = { session, typed in
    guard let shell = typed.argument("SHELL").flatMap(Shell.init) else { return }
    session.console.write(Program.table.completion(for: shell))
  }

  private static let showHelp: Action = { session, typed in
    switch typed.argument("TOPIC") {
    case nil: session.console.write(Program.table.help(for: [], width: session.console.width))
    case "exit-codes": session.console.write(ExitCode.helpText())
    case "environment": session.console.write(environmentText)
    case "man":
      session.console.write(
        Program.table.manPage(
          version: Program.version,
          sections: [
            ("Environment", environmentText), ("Exit status", ExitCode.helpText()),
          ]))
    case .some(let topic):
      let path = [topic] + (typed.argument("COMMAND").map { [$0] } ?? [])
      guard Program.table.root.find(path) != nil else {
        let names = Program.table.root.subcommands.map(\.name) + topics
        let guess = Suggestion.nearest(to: topic, among: names, limit: 1).first
        throw UsageError(
          "there is no help on '\(path.joined(separator: " "))'",
          hint: guess.map { "did you mean 'muster help \($0)'?" } ?? "see 'muster help'")
      }
      session.console.write(Program.table.help(for: path, width: session.console.width))
    }
  }

  private static let environmentText = """
    What the environment says, where the command line does not:

      MUSTER_ENDPOINT  the gateway, or several with commas between;
                       \(Session.defaultEndpoint) where it is not set
      MUSTER_CONTEXT   which context to use; see 'muster context'
      MUSTER_USER      who you are; your login name where it is not set
      NO_COLOR         not empty: no colour
      TERM             'dumb': no colour
      TZ               the zone that times are shown in
      COLUMNS          how wide tables may get, where no terminal says so

    """
}
