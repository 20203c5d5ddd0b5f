import Foundation
import Terminal
import Testing

@Suite struct ManPageTests {
  private let table = CommandTable<String>(
    root: Command(
      "tool", "Does things", examples: ["tool make 'a \\ b'"],
      subcommands: [
        Command(
          "make", "Make one", details: "First.\n.Second, with a leading dot.",
          arguments: [Argument("NAME", "What it is called")],
          options: [Option("size", short: "s", value: "N", "How big")], action: "m")
      ]),
    globalOptions: [Option("output", value: "FORMAT", choices: ["a", "b"], "The format")])

  @Test("a manual page says what the help says, and man has nothing to complain of")
  func page() throws {
    let page = table.manPage(version: "1.2", sections: [("Exit status", "  0  fine\n")])
    let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let file = folder.appending(path: "tool.1")
    try Data(page.utf8).write(to: file)
    let path = file.path(percentEncoded: false)
    let shown = try run("groff", ["-man", "-Tascii", "-P-cbou", "-wall", "-rLL=100n", path])
    for text in [
      "tool - Does things", "tool make NAME [OPTIONS]", ".Second, with a leading dot.",
      "-s, --size N", "How big.", "--output FORMAT", "The format: a, b.", "tool make 'a \\ b'",
      "EXIT STATUS", "0  fine",
    ] { #expect(shown.contains(text), "\(text) is missing in\n\(shown)") }
  }

  /// What a program writes, warnings included, which there must be none of.
  private func run(_ program: String, _ arguments: [String]) throws -> String {
    let process = Process()
    process.executableURL = URL(filePath: "/usr/bin/env")
    process.arguments = [program] + arguments
    let output = Pipe()
    let errors = Pipe()
    process.standardOutput = output
    process.standardError = errors
    try process.run()
    let shown = output.fileHandleForReading.readDataToEndOfFile()
    let said = errors.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    #expect(process.terminationStatus == 0)
    #expect(String(decoding: said, as: UTF8.self) == "")
    return String(decoding: shown, as: UTF8.self)
  }
}
