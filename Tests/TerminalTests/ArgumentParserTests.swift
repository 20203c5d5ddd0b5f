import Terminal
import Testing

/// A small program's table: one level, two levels, flags, values, choices.
private let table = CommandTable<String>(
  root: Command(
    "tool", "Does things",
    subcommands: [
      Command(
        "profile", "People",
        subcommands: [
          Command(
            "create", "Make one", arguments: [Argument("NAME", optional: true, "The name")],
            options: [
              Option("bio", value: "TEXT", "About them"), Option("yes", short: "y", "Sure"),
            ],
            examples: ["tool profile create Ada"], action: "create"),
          Command("list", "All of them", action: "list"),
        ]),
      Command(
        "in", "Check in", arguments: [Argument("PLACE", "Where")],
        options: [Option("map", value: "A=B", repeatable: true, "Columns")], action: "in"),
      Command(
        "completion", "For shells",
        arguments: [Argument("SHELL", choices: ["bash", "zsh", "fish"], "Which one")],
        action: "completion"),
    ]),
  globalOptions: [
    Option("output", short: "o", value: "FORMAT", choices: ["table", "json"], "The format")
  ])

@Suite struct ArgumentParserTests {
  @Test("A command is found with its arguments, options before and behind it")
  func command() throws {
    let typed = try table.parse([
      "-ojson", "profile", "create", "--bio=a=b", "Ada Lovelace", "-y",
    ])
    #expect(typed.path == ["profile", "create"])
    #expect(typed.argument("NAME") == "Ada Lovelace")
    #expect(typed.option("bio") == "a=b")
    #expect(typed.option("output") == "json")
    #expect(typed.flag("yes"))
    #expect(!typed.flag("map"))
  }

  @Test("A value may begin with a dash, and -- ends the options")
  func dashes() throws {
    let typed = try table.parse(["profile", "create", "--bio", "-17.5,3", "--", "--name"])
    #expect(typed.option("bio") == "-17.5,3")
    #expect(typed.argument("NAME") == "--name")
    #expect(try table.parse(["in", "-"]).argument("PLACE") == "-")
  }

  @Test("A repeatable option keeps all its values in order")
  func repeated() throws {
    let typed = try table.parse(["in", "SJC", "--map", "a=b", "--map", "c=d"])
    #expect(typed.options("map") == ["a=b", "c=d"])
  }

  @Test("Help is asked for anywhere, whatever is missing")
  func help() throws {
    #expect(try table.parse(["profile", "create", "-h"]).wantsHelp)
    #expect(try table.parse(["in", "--help"]).path == ["in"])
    #expect(try table.parse([]).wantsHelp)
  }

  @Test(
    "What makes no sense is an error that says what to type",
    arguments: [
      (["profil"], "there is no command 'tool profil'", "did you mean 'tool profile'?"),
      (["profile", "lsit"], "no command 'tool profile lsit'", "did you mean 'tool profile list'?"),
      (["profile"], "'tool profile' needs one of: create, list", "see 'tool profile --help'"),
      (["in"], "'tool in' needs PLACE", "see 'tool in --help'"),
      (["in", "a", "b"], "'tool in' does not take 'b'", "see 'tool in --help'"),
      (["profile", "create", "--boi", "x"], "has no option --boi", "did you mean --bio?"),
      (["profile", "create", "-z"], "has no option -z", "see"),
      (["profile", "create", "--bio"], "--bio needs a value, TEXT", "see"),
      (["profile", "create", "--yes=1"], "--yes takes no value", "see"),
      (["profile", "create", "--bio", "a", "--bio", "b"], "--bio is given twice", "see"),
      (["profile", "list", "-o", "jso"], "--output is 'jso', and may be table, json", "'json'"),
      (["completion", "tcsh"], "SHELL is 'tcsh', and may be bash, zsh, fish", "see"),
    ])
  func errors(words: [String], message: String, hint: String) {
    let error = #expect(throws: UsageError.self) { try table.parse(words) }
    #expect(error?.message.contains(message) == true, "\(error?.message ?? "")")
    #expect(error?.hint.contains(hint) == true, "\(error?.hint ?? "")")
  }

  @Test("Help tells usage, arguments, options, choices and examples, folded to the width")
  func helpText() {
    let text = table.help(for: ["profile", "create"], width: 60)
    #expect(text.contains("Usage: tool profile create [NAME] [OPTIONS]"))
    #expect(text.contains("      --bio TEXT"))
    #expect(text.contains("  -y, --yes"))
    #expect(text.contains("-o, --output FORMAT"))
    #expect(text.contains("table, json"))
    #expect(text.contains("  tool profile create Ada"))
    #expect(text.split(separator: "\n").allSatisfy { $0.count <= 60 })
    #expect(table.help(for: [], width: 80).contains("  completion  For shells"))
  }
}
