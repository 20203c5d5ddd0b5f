import Client
import Foundation
import LoadDriver
import Terminal

/// What a command does, and what the program then ends with.
typealias LoadAction = @Sendable (Invocation, LoadSurroundings) throws -> Int32

/// What a command finds around it.
struct LoadSurroundings {
  var console: Console
  var environment: [String: String]

  /// The folder of this program, links resolved.
  var programsFolder: URL {
    get throws {
      let own = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
      return URL(filePath: own).deletingLastPathComponent()
    }
  }
}

/// The whole program: its table of commands, and running one of them.
enum LoadProgram {
  static let version = "0.1.0"

  static let table = CommandTable<LoadAction>(
    root: Command(
      "muster-load", "Puts load on Muster, and tells the truth about how it bears it",
      details: "An open loop (--rate, --stage) sends on a schedule and counts latency from when a "
        + "request should have been sent; a closed loop (--outstanding) keeps so many calls in "
        + "flight. Latencies are in histograms of three digits, and errors in others. Exit codes: "
        + "0 ok, 1 could not run, 2 interrupted, 3 a rule is broken, 4 no verdict (the driver was "
        + "the bottleneck), 5 verification failed, 64 usage.",
      options: LoadOptions.all,
      examples: [
        "muster-load --up --prepare --outstanding 64 --duration 10s",
        "muster-load --rate 2000 --arrivals poisson --slo 'check-in.p99<20ms'",
        "muster-load --stage 30s:0..5000 --mix status=9,who=1 -o html >report.html",
        "muster-load --up --prepare --rate 500 --verify --kill check-ins@5s",
        "muster-load --up --prepare --scenario evening",
      ],
      subcommands: [
        Command(
          "scenarios", "List the scenarios that --scenario knows by name",
          action: ScenarioFiles.list),
        LimitsCommand.table,
        Command(
          "completion", "Write a shell's completion script",
          arguments: [Argument("SHELL", choices: Shell.allCases.map(\.rawValue), "Which shell")],
          action: writeCompletion),
        Command(
          "help", "Show this help",
          arguments: [Argument("COMMAND", optional: true, "One of the commands")],
          action: showHelp),
      ],
      action: RunCommand.run),
    globalOptions: LoadOptions.global)

  /// Runs one command line and gives what to exit with.
  static func run(_ words: [String], environment: [String: String]) -> Int32 {
    var console = Console(color: .auto, environment: environment)
    do {
      let typed = try table.parse(words)
      if let color = typed.option("color").flatMap(Console.Color.init) {
        console = Console(color: color, environment: environment)
      }
      defer { console.flush() }
      if typed.flag("version") {
        console.write("muster-load \(version)\n")
        return 0
      }
      guard !typed.wantsHelp, let action = table.root.find(typed.path)?.action else {
        console.write(table.help(for: typed.path, width: console.width))
        return 0
      }
      return try action(typed, LoadSurroundings(console: console, environment: environment))
    } catch let error as UsageError {
      console.message(line(error.message, error.hint))
      return ExitCode.usage.rawValue
    } catch let error as LoadFailure {
      console.message(line(error.message, error.hint))
    } catch let error as CallError {
      let message = error.status.message
      console.message(
        line(message.hasSuffix(".") ? String(message.dropLast()) : message, ""))
    } catch {
      console.message(line("\(error)", ""))
    }
    return Interruption.isWanted ? 2 : 1
  }

  private static func line(_ message: String, _ hint: String) -> String {
    let text = hint.isEmpty ? message : message + (message.hasSuffix("?") ? " " : ": ") + hint
    return "muster-load: \(TerminalText.visible(text))"
  }

  private static let writeCompletion: LoadAction = { typed, around in
    guard let shell = typed.argument("SHELL").flatMap(Shell.init) else { return 0 }
    around.console.write(table.completion(for: shell))
    return 0
  }

  private static let showHelp: LoadAction = { typed, around in
    let path = typed.argument("COMMAND").map { [$0] } ?? []
    guard table.root.find(path) != nil else {
      throw UsageError("there is no command '\(path[0])'", hint: "see 'muster-load help'")
    }
    around.console.write(table.help(for: path, width: around.console.width))
    return 0
  }
}
