import Foundation
import Terminal
import Testing

private let table = CommandTable<String>(
  root: Command(
    "tool", "Does things",
    subcommands: [
      Command(
        "profile", "People's data",
        subcommands: [
          Command("create", "Make one", options: [Option("bio", value: "TEXT", "It")], action: "c"),
          Command("list", "All", action: "l"),
        ]),
      Command(
        "completion", "For shells",
        arguments: [Argument("SHELL", choices: ["bash", "zsh", "fish"], "Which")], action: "s"),
      Command(
        "help", "On what",
        arguments: [Argument("TOPIC", offers: [.words(["codes"]), .commands], "It")], action: "h"),
      Command("open", "It", arguments: [Argument("DOOR", offers: [.column("doors")], "It")]),
    ]),
  globalOptions: [
    Option("door", value: "NAME", offers: .column("doors"), "Which"),
    Option("output", short: "o", value: "FORMAT", choices: ["table", "json"], "The format"),
  ])

@Suite struct CompletionTests {
  @Test(
    "bash completes commands, those below, options and values",
    arguments: [
      (["tool", "p"], ["profile"]), (["tool", "profile", ""], ["create", "list"]),
      (["tool", "-o", "json", "profile", "c"], ["create"]),
      (["tool", "-o", ""], ["table", "json"]),
      (["tool", "profile", "create", "--b"], ["--bio"]),
      (["tool", "completion", "z"], ["zsh"]),
      (["tool", "profile", "create", "--o"], ["--output"]),
      (["tool", "help", ""], ["codes", "completion", "help", "open", "profile"]),
      (["tool", "help", "profile", ""], ["create", "list"]),
      (["tool", "help", "open", ""], ["codes", "completion", "help", "open", "profile"]),
      (["tool", "open", ""], ["back", "front"]), (["tool", "--door", "f"], ["front"]),
    ])
  func bash(words: [String], expected: [String]) throws {
    let array = words.map { "'\($0)'" }.joined(separator: " ")
    let script = """
      tool() { [[ $* == doors ]] && printf 'name\\nback\\nfront\\n'; }
      \(table.completion(for: .bash))
      COMP_WORDS=(\(array)); COMP_CWORD=\(words.count - 1); _tool; printf '%s\\n' "${COMPREPLY[@]}"
      """
    #expect(try run("bash", ["-c", script]).sorted() == expected.sorted())
  }

  @Test(
    "Every shell's script names every command, and the shells there are accept it",
    arguments: Shell.allCases)
  func scripts(shell: Shell) throws {
    let script = table.completion(for: shell)
    for word in ["profile", "create", "list", "completion", "output", "bio"] {
      #expect(script.contains(word))
    }
    guard FileManager.default.isExecutableFile(atPath: "/usr/bin/\(shell.rawValue)") else { return }
    _ = try run(shell.rawValue, ["-n", "-c", script])
  }

  private func run(_ program: String, _ arguments: [String]) throws -> [String] {
    let process = Process()
    process.executableURL = URL(filePath: "/usr/bin/env")
    process.arguments = [program] + arguments
    let pipe = Pipe()
    process.standardOutput = pipe
    try process.run()
    let data = try pipe.fileHandleForReading.readToEnd() ?? Data()
    process.waitUntilExit()
    #expect(process.terminationStatus == 0)
    return String(decoding: data, as: UTF8.self).split(separator: "\n").map(String.init)
  }
}
