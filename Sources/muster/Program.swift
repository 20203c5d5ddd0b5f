import Foundation
import Terminal

/// The whole program: its table of commands, and running one of them.
enum Program {
  static let version = "0.1.0"

  static let table = CommandTable<Action>(
    root: Command(
      "muster", "Who is here, and how many are where",
      examples: [
        "muster up --data data", "muster in SJC", "muster here SJC", "muster board --top 5",
      ],
      subcommands: [
        ProfileCommands.me, CheckInCommands.checkIn, CheckInCommands.checkOut,
        CheckInCommands.status, HistoryCommand.table, PresenceCommands.here,
        PresenceCommands.everywhere, PresenceCommands.board, WatchCommand.table,
        CheckInCommands.empty, ReplayCommand.table, ProfileCommands.table, LocationCommands.table,
        BatchCommand.table, CallCommands.call,
        CallCommands.describe, ControlCommands.health, ControlCommands.info, ControlCommands.stats,
        StoreCommands.backup, StoreCommands.restore, UpkeepCommands.check, UpkeepCommands.migrate,
        UpkeepCommands.drain, ContextCommands.table, KeyCommands.table, ProgramCommands.up,
        ProgramCommands.completion, ProgramCommands.help,
      ]),
    globalOptions: CommonOptions.global)

  /// Runs one command line and gives what to exit with.
  static func run(_ words: [String], environment: [String: String]) -> ExitCode {
    let console = Console(color: .auto, environment: environment)
    var wantsJSON = false
    var options: [Option] = []
    do {
      let typed = try table.parse(words)
      options = (table.root.find(typed.path)?.options ?? []) + CommonOptions.global
      wantsJSON = ["json", "ndjson"].contains(typed.option("output"))
      if typed.flag("version") {
        console.write("muster \(version)\n")
      } else if typed.wantsHelp {
        console.write(table.help(for: typed.path, width: console.width))
      } else if let action = table.root.find(typed.path)?.action {
        let session = try Session(typed, environment: environment)
        defer { session.console.flush() }
        try action(session, typed)
      }
      console.flush()
      return .success
    } catch is Interrupted {
      return .interrupted
    } catch {
      let failure = Failure(error, options: options)
      if wantsJSON || asksForJSON(words) {
        console.message(failure.json.write())
      } else {
        console.message(failure.line)
      }
      return failure.exit
    }
  }

  /// Where the command line itself is wrong, nothing of it was taken apart.
  private static func asksForJSON(_ words: [String]) -> Bool {
    for (index, word) in words.enumerated() {
      let next = index + 1 < words.count ? words[index + 1] : ""
      if ["-ojson", "--output=json", "-ondjson", "--output=ndjson"].contains(word) { return true }
      if ["-o", "--output"].contains(word), ["json", "ndjson"].contains(next) { return true }
    }
    return false
  }
}
