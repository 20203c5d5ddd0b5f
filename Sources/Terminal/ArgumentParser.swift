import Model

/// What somebody typed makes no sense to the command table. Ends the program with 64.
package struct UsageError: Error, Equatable {
  /// One sentence, without a full stop.
  package var message: String
  /// What to type instead.
  package var hint: String

  package init(_ message: String, hint: String = "") {
    self.message = message
    self.hint = hint
  }
}

/// What somebody typed, taken apart after the command table.
package struct Invocation: Sendable {
  /// The command's path below the program: ["profile", "create"].
  package var path: [String] = []
  package var wantsHelp = false
  var values: [String: [String]] = [:]
  var positionals: [String: String] = [:]

  package init() {}

  /// Whether a flag was given.
  package func flag(_ name: String) -> Bool { values[name] != nil }
  /// An option's last value.
  package func option(_ name: String) -> String? { values[name]?.last }
  /// All values of an option that may be repeated.
  package func options(_ name: String) -> [String] { values[name] ?? [] }
  /// A positional argument by the name that the table gives it.
  package func argument(_ name: String) -> String? { positionals[name] }
}

extension CommandTable {
  /// Takes a command line apart, the program's own name left out.
  package func parse(_ words: [String]) throws(UsageError) -> Invocation {
    var parser = ArgumentParser(table: self, command: root)
    return try parser.parse(words)
  }
}

/// Walks through the words once; what an option may be depends on the command found so far.
struct ArgumentParser<Action: Sendable> {
  let table: CommandTable<Action>
  var command: Command<Action>
  var invocation = Invocation()
  var words: [String] = []
  var positionals: [String] = []

  init(table: CommandTable<Action>, command: Command<Action>) {
    self.table = table
    self.command = command
  }

  mutating func parse(_ line: [String]) throws(UsageError) -> Invocation {
    words = line.reversed()
    var onlyPositionals = false
    while let word = words.popLast() {
      if onlyPositionals || word == "-" || !word.hasPrefix("-") {
        try take(word: word)
      } else if word == "--" {
        onlyPositionals = true
      } else if word.hasPrefix("--") {
        try take(long: word.dropFirst(2))
      } else {
        try take(shorts: word.dropFirst())
      }
    }
    if !invocation.wantsHelp { try finish() }
    return invocation
  }

  private var spelled: String { ([table.root.name] + invocation.path).joined(separator: " ") }
  private var seeHelp: String { "see '\(spelled) --help'" }

  private mutating func take(word: String) throws(UsageError) {
    guard !command.subcommands.isEmpty, positionals.isEmpty else {
      return positionals.append(word)
    }
    if let next = command.subcommands.first(where: { $0.name == word }) {
      command = next
      return invocation.path.append(word)
    }
    guard command.arguments.isEmpty else { return positionals.append(word) }
    let names = command.subcommands.map(\.name)
    let guess = Suggestion.nearest(to: word, among: names, limit: 1).first
    throw UsageError(
      "there is no command '\(spelled) \(word)'",
      hint: guess.map { "did you mean '\(spelled) \($0)'?" } ?? seeHelp)
  }

  private mutating func take(long: Substring) throws(UsageError) {
    let parts = long.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
    let name = String(parts[0])
    if name == "help" {
      invocation.wantsHelp = true
      return
    }
    let known = command.options + table.globalOptions
    guard let option = known.first(where: { $0.name == name }) else {
      let guess = Suggestion.nearest(to: name, among: known.map(\.name), limit: 1).first
      throw UsageError(
        "'\(spelled)' has no option --\(name)",
        hint: guess.map { "did you mean --\($0)?" } ?? seeHelp)
    }
    try take(option, attached: parts.count > 1 ? String(parts[1]) : nil)
  }

  /// Short options, together or with a value attached: "-h", "-ojson".
  private mutating func take(shorts: Substring) throws(UsageError) {
    var rest = shorts
    while let letter = rest.popFirst() {
      if letter == "h" {
        invocation.wantsHelp = true
        continue
      }
      let known = command.options + table.globalOptions
      guard let option = known.first(where: { $0.short == letter }) else {
        throw UsageError("'\(spelled)' has no option -\(letter)", hint: seeHelp)
      }
      if option.value == nil {
        try take(option, attached: nil)
      } else {
        if rest.first == "=" { rest.removeFirst() }
        return try take(option, attached: rest.isEmpty ? nil : String(rest))
      }
    }
  }

  private mutating func take(_ option: Option, attached: String?) throws(UsageError) {
    guard let valueName = option.value else {
      guard attached == nil else {
        throw UsageError("--\(option.name) takes no value", hint: seeHelp)
      }
      invocation.values[option.name] = []
      return
    }
    guard let value = attached ?? words.popLast() else {
      throw UsageError("--\(option.name) needs a value, \(valueName)", hint: seeHelp)
    }
    try check(value, among: option.choices, of: "--\(option.name)")
    guard option.isRepeatable || invocation.values[option.name] == nil else {
      throw UsageError("--\(option.name) is given twice", hint: seeHelp)
    }
    invocation.values[option.name, default: []].append(value)
  }

  private func check(_ value: String, among choices: [String], of name: String) throws(UsageError) {
    guard !choices.isEmpty, !choices.contains(value) else { return }
    let guess = Suggestion.nearest(to: value, among: choices, limit: 1).first
    throw UsageError(
      "\(name) is '\(value)', and may be \(choices.joined(separator: ", "))",
      hint: guess.map { "did you mean '\($0)'?" } ?? seeHelp)
  }

  private mutating func finish() throws(UsageError) {
    guard command.action != nil else {
      if command.subcommands.isEmpty || invocation.path.isEmpty {
        invocation.wantsHelp = true
        return
      }
      let names = command.subcommands.map(\.name).joined(separator: ", ")
      throw UsageError("'\(spelled)' needs one of: \(names)", hint: seeHelp)
    }
    for (index, argument) in command.arguments.enumerated() {
      guard index < positionals.count else {
        guard argument.isOptional else {
          throw UsageError("'\(spelled)' needs \(argument.name)", hint: seeHelp)
        }
        break
      }
      try check(positionals[index], among: argument.choices, of: argument.name)
      invocation.positionals[argument.name] = positionals[index]
    }
    if positionals.count > command.arguments.count {
      throw UsageError(
        "'\(spelled)' does not take '\(positionals[command.arguments.count])'", hint: seeHelp)
    }
  }
}
