import Foundation
import LoadDriver
import Terminal

/// `limits`: what this machine cannot do better, whatever runs on it.
enum LimitsCommand {
  static let table = Command<LoadAction>(
    "limits", "Measure the machine's own limits: an echo, direct and through a proxy, and a sync",
    details:
      "An echo of a check-in's frames over ipc with nothing done to them, direct and through "
      + "a proxy, and appends of 4 KiB that are on disk before the next. Figures of a system are "
      + "best stated beside these, from the same hour.",
    options: [
      Option("duration", value: "TIME", "How long each row takes; 2s by default"),
      Option("data", value: "DIR", "Where to write; the folder for temporary files by default"),
    ],
    action: run)

  private static let run: LoadAction = { typed, around in
    let said = SaidOptions(typed)
    let seconds = Double(try said.milliseconds("duration", in: 1...3_600_000) ?? 2_000) / 1_000
    let temporary = FileManager.default.temporaryDirectory.path(percentEncoded: false)
    let folder = typed.option("data") ?? (temporary.count > 1 ? String(temporary.dropLast()) : "/")
    let echo = EchoLimit(folder: folder)
    let threads = [echo.serve, echo.passOn].map { work in
      Thread {
        do {
          try work()
        } catch {
          // Without it, the echo that is waited for never comes.
          FileHandle.standardError.write(Data("muster-load: \(error)\n".utf8))
          exit(1)
        }
      }
    }
    for thread in threads { thread.start() }
    defer { echo.stop() }
    var rows = [try SyncLimit.measure(folder: folder, seconds: seconds)]
    for byProxy in [false, true] {
      for outstanding in [1, 64, 1_024] {
        if Interruption.isWanted { return 2 }
        rows.append(
          try echo.measure(byProxy: byProxy, outstanding: outstanding, seconds: seconds))
      }
    }
    let report = LimitsReport(rows)
    around.console.write(
      typed.option("output") == "json"
        ? report.json.write(pretty: true) + "\n" : report.text(color: around.console.hasColor))
    return 0
  }
}
