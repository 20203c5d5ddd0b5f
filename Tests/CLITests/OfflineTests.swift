import Foundation
import Testing

/// What needs no server, and what happens where there is none.
@Suite struct OfflineTests {
  @Test("A3: without a gateway a command ends in time and says what to do")
  func noGateway() throws {
    let clock = ContinuousClock()
    let start = clock.now
    let said = try Programs.muster(
      ["in", "SJC", "--timeout", "300ms", "--endpoint", "ipc:///tmp/muster-no-such.sock"])
    #expect(clock.now - start < .seconds(3))
    #expect(said.code == 69)
    #expect(
      said.errors == "muster: no answer from ipc:///tmp/muster-no-such.sock within 0.3 s: is the "
        + "gateway running? start one with 'muster up --data DIR', or name another with "
        + "--endpoint\n"
    )
  }

  @Test("An endpoint without a name is no endpoint", arguments: [",", "ipc:///a,,ipc:///b", ""])
  func emptyEndpoint(text: String) throws {
    let said = try Programs.muster(["me", "--endpoint", text])
    #expect(said.code == 64)
    #expect(said.errors.contains("names an empty endpoint"))
  }

  @Test("Ctrl-C ends a command that waits, with 2")
  func interrupted() throws {
    let process = Process()
    process.executableURL = Programs.folder.appending(path: "muster")
    process.arguments = ["me", "--timeout", "60s", "--endpoint", "ipc:///tmp/muster-no-such.sock"]
    try process.run()
    // It has to have come so far that it takes the signal by itself.
    let status = "/proc/\(process.processIdentifier)/status"
    let isReady = try eventually {
      let lines = try String(contentsOfFile: status, encoding: .utf8).split(separator: "\n")
      let caught = lines.first { $0.hasPrefix("SigCgt:") }?.split(separator: "\t").last ?? ""
      // Before it has become the program, it has the signals of this one.
      let isProgram = lines.first == "Name:\tmuster"
      return isProgram && (UInt64(caught, radix: 16) ?? 0) & 1 << (SIGINT - 1) != 0
    }
    #expect(isReady)
    process.interrupt()
    process.waitUntilExit()
    #expect(process.terminationReason == .exit)
    #expect(process.terminationStatus == 2)
  }

  @Test("Errors are a JSON object where JSON was asked for, also of a wrong command line")
  func jsonErrors() throws {
    let said = try Programs.muster(["bord", "-o", "json"])
    #expect(said.code == 64)
    #expect(said.output == "")
    #expect(said.errors.hasPrefix("{\"error\":{\"code\":\"CODE_INVALID_ARGUMENT\""))
    #expect(said.errors.contains("did you mean 'muster board'?"))
    #expect(said.errors.contains("\"exit_code\":64"))
  }

  @Test(
    "Every command has help",
    arguments: [
      "up", "me", "profile", "profile create", "profile get", "profile list", "profile update",
      "profile delete", "profile avatar", "profile import", "profile export", "location",
      "location create", "location get", "location list", "location update", "location delete",
      "location image", "location import", "location export", "in", "out", "status", "history",
      "here", "everywhere", "board", "watch", "replay", "empty", "batch", "call", "describe",
      "health", "info",
      "stats", "completion", "help",
    ])
  func help(command: String) throws {
    let words = command.split(separator: " ").map(String.init)
    let asked = try Programs.muster(words + ["--help"])
    #expect(asked.code == 0)
    #expect(asked.output.contains("Usage: muster \(command)"))
    #expect(try Programs.muster(["help"] + words).output == asked.output)
  }

  @Test("Help has the exit codes of all sixteen codes, and the environment")
  func helpTopics() throws {
    let codes = try Programs.muster(["help", "exit-codes"]).output
    for code in [
      "CANCELLED", "UNKNOWN", "INVALID_ARGUMENT", "DEADLINE_EXCEEDED", "NOT_FOUND",
      "ALREADY_EXISTS", "PERMISSION_DENIED", "RESOURCE_EXHAUSTED", "FAILED_PRECONDITION",
      "ABORTED", "OUT_OF_RANGE", "UNIMPLEMENTED", "INTERNAL", "UNAVAILABLE", "DATA_LOSS",
      "UNAUTHENTICATED",
    ] {
      #expect(codes.contains(code))
    }
    #expect(try Programs.muster(["help", "environment"]).output.contains("MUSTER_ENDPOINT"))
    #expect(try Programs.muster(["--version"]).output.hasPrefix("muster "))
  }

  @Test("describe tells the methods and their fields without a server")
  func describe() throws {
    let all = try Programs.muster(["describe", "-o", "ndjson"])
    #expect(all.lines.count > 35)
    let one = try Programs.muster(["describe", "CheckIn"]).output
    #expect(one.hasPrefix("muster.v1.CheckInService/CheckIn\n"))
    #expect(one.contains("location_id"))
    #expect(one.contains("previous_location_id"))
    #expect(try Programs.muster(["describe", "Profil"]).errors.contains("did you mean Profile?"))
  }

  @Test("A context that is added is said to be used where it is the one in use")
  func contexts() throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "home-\(UUID())")
    defer { try? FileManager.default.removeItem(at: folder) }  // A temporary folder more or less.
    func context(_ words: String...) throws -> Said {
      try Programs.muster(["context"] + words, environment: ["XDG_CONFIG_HOME": folder.path])
    }
    let hint = "'muster context use home' makes it the one that is used.\n"
    #expect(try context("add", "home", "--endpoint", "ipc:///a").errors == hint)
    let used = try context("use", "home").errors
    #expect(used == "home is used from now on: ipc:///a.\n")
    #expect(
      try context("add", "home", "--endpoint", "ipc:///b").errors
        == "home is used from now on: ipc:///b.\n")
    #expect(try context("add", "work", "--endpoint", "ipc:///c").errors.contains("use work'"))
    #expect(try context("add", "no", "--endpoint", "nowhere").errors.contains("is no endpoint"))
    let hidden = try Programs.muster(
      ["context", "use", "home"],
      environment: ["XDG_CONFIG_HOME": folder.path, "MUSTER_ENDPOINT": "ipc:///d"])
    #expect(hidden.errors.contains("But MUSTER_ENDPOINT is set, and comes first"))

    for (words, expected) in [
      (["context", "use", ""], ["home", "work"]), (["context", "remove", "w"], ["work"]),
      (["me", "--context", ""], ["home", "work"]), (["help", "ex"], ["exit-codes"]),
      (["help", "prof"], ["profile"]), (["help", "context", "a"], ["add"]),
      (["describe", "GetM"], ["GetMe", "GetMeRequest", "GetMeResponse"]),
      (["call", "GetM"], ["GetMe"]),
    ] {
      #expect(try completed(words, home: folder.path) == expected, "\(words)")
    }
  }

  /// What bash offers for the last of these words.
  private func completed(_ words: [String], home: String) throws -> [String] {
    let program = Programs.folder.appending(path: "muster").path
    let array = ([program] + words).map { "'\($0)'" }.joined(separator: " ")
    let script = """
      source <('\(program)' completion bash)
      COMP_WORDS=(\(array)); COMP_CWORD=\(words.count); _muster; printf '%s\\n' "${COMPREPLY[@]}"
      """
    let said = try Programs.run(
      "/usr/bin/env", ["bash", "-c", script], "", ["XDG_CONFIG_HOME": home])
    #expect(said.errors == "")
    return said.lines
  }

  @Test("Completions know every command", arguments: ["bash", "zsh", "fish"])
  func completions(shell: String) throws {
    let script = try Programs.muster(["completion", shell]).output
    for word in ["everywhere", "export", "check-out-everyone", "ndjson"] {
      #expect(script.contains(word))
    }
  }
}
