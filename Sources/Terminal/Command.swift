/// What a shell offers for a value that may be something else, too.
package enum Offer: Sendable {
  case nothing
  case words([String])
  /// The names of the program's own commands, and those below them.
  case commands
  /// The one column of the CSV that the program writes when it is called so.
  case column(String)
}

/// An option of a command: a flag, or a name that takes a value.
package struct Option: Sendable {
  /// Without the dashes: "person".
  package var name: String
  package var short: Character?
  /// What stands for the value in help, for example "DURATION"; nil: a flag.
  package var value: String?
  /// The only values there are, where the option takes one of a few.
  package var choices: [String]
  package var isRepeatable: Bool
  package var offers: Offer
  /// One sentence without its full stop.
  package var help: String

  package init(
    _ name: String, short: Character? = nil, value: String? = nil, choices: [String] = [],
    repeatable: Bool = false, offers: Offer = .nothing, _ help: String
  ) {
    self.name = name
    self.short = short
    self.value = value
    self.choices = choices
    isRepeatable = repeatable
    self.offers = offers
    self.help = help
  }
}

/// A positional argument of a command.
package struct Argument: Sendable {
  /// As help writes it: "PLACE".
  package var name: String
  package var isOptional: Bool
  package var choices: [String]
  /// Whether the shell should complete file names for it.
  package var isFile: Bool
  package var offers: [Offer]
  package var help: String

  package init(
    _ name: String, optional: Bool = false, choices: [String] = [], file: Bool = false,
    offers: [Offer] = [], _ help: String
  ) {
    self.name = name
    isOptional = optional
    self.choices = choices
    isFile = file
    self.offers = offers
    self.help = help
  }
}

/// One command of a program, with those below it. The whole tree is the table that parsing, help,
/// suggestions and completions are made of; `Action` is what the program runs.
package struct Command<Action: Sendable>: Sendable {
  package var name: String
  /// One line for the list of commands.
  package var summary: String
  /// Paragraphs for the command's own help.
  package var details: String
  package var arguments: [Argument]
  package var options: [Option]
  /// Lines that can be typed as they stand.
  package var examples: [String]
  package var subcommands: [Command]
  /// Nil where only the commands below do something.
  package var action: Action?

  package init(
    _ name: String, _ summary: String, details: String = "", arguments: [Argument] = [],
    options: [Option] = [], examples: [String] = [], subcommands: [Command] = [],
    action: Action? = nil
  ) {
    self.name = name
    self.summary = summary
    self.details = details
    self.arguments = arguments
    self.options = options
    self.examples = examples
    self.subcommands = subcommands
    self.action = action
  }

  /// The command below this one at the end of `path`, where there is one.
  package func find(_ path: some Sequence<String>) -> Command? {
    var found = self
    for name in path {
      guard let next = found.subcommands.first(where: { $0.name == name }) else { return nil }
      found = next
    }
    return found
  }
}

/// A program's commands and the options that all of them take.
package struct CommandTable<Action: Sendable>: Sendable {
  /// Named as the program is.
  package var root: Command<Action>
  package var globalOptions: [Option]

  package init(root: Command<Action>, globalOptions: [Option]) {
    self.root = root
    self.globalOptions = globalOptions
  }
}
