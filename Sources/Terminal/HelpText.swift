extension CommandTable {
  /// The help of the command at `path`, as text for a terminal `width` columns wide.
  package func help(for path: [String], width: Int) -> String {
    guard let command = root.find(path) else { return "" }
    let spelled = ([root.name] + path).joined(separator: " ")
    var text = "\(command.summary).\n\nUsage: \(usage(of: command, spelled: spelled))\n"
    if !command.details.isEmpty {
      for paragraph in command.details.split(separator: "\n") {
        text += "\n" + HelpText.wrapped(String(paragraph), indent: 0, width: width) + "\n"
      }
    }
    text += HelpText.section(
      "Commands", command.subcommands.map { ($0.name, $0.summary) }, width: width)
    text += HelpText.section(
      "Arguments", command.arguments.map { ($0.name, HelpText.sentence($0.help, $0.choices)) },
      width: width)
    text += HelpText.section("Options", command.options.map(HelpText.row), width: width)
    let help = Option("help", short: "h", "Show this help")
    text += HelpText.section(
      "Options of every command", (globalOptions + [help]).map(HelpText.row), width: width)
    if !command.examples.isEmpty {
      text += "\nExamples:\n" + command.examples.map { "  \($0)\n" }.joined()
    }
    if path.isEmpty {
      text += "\nMore about one of them: '\(root.name) help COMMAND'.\n"
    }
    return text
  }

  func usage(of command: Command<Action>, spelled: String) -> String {
    var words = [spelled]
    if !command.subcommands.isEmpty, command.arguments.isEmpty { words.append("COMMAND") }
    words += command.arguments.map { $0.isOptional ? "[\($0.name)]" : $0.name }
    words.append("[OPTIONS]")
    return words.joined(separator: " ")
  }
}

/// Lines of help, folded to a width.
enum HelpText {
  static func row(_ option: Option) -> (String, String) {
    var label = option.short.map { "-\($0), " } ?? "    "
    label += "--\(option.name)"
    if let value = option.value { label += " \(value)" }
    return (label, sentence(option.help, option.choices))
  }

  static func sentence(_ help: String, _ choices: [String]) -> String {
    choices.isEmpty ? help : "\(help): \(choices.joined(separator: ", "))"
  }

  static func section(_ title: String, _ rows: [(String, String)], width: Int) -> String {
    guard !rows.isEmpty else { return "" }
    let column = min(30, (rows.map(\.0.count).max() ?? 0) + 2)
    var text = "\n\(title):\n"
    for (label, help) in rows {
      let folded = wrapped(help, indent: column + 2, width: width)
      if label.count + 2 > column {
        text += "  \(label)\n\(String(repeating: " ", count: column + 2))\(folded)\n"
      } else {
        let gap = String(repeating: " ", count: column - label.count)
        text += "  \(label)\(gap)\(folded)\n"
      }
    }
    return text
  }

  /// Folds between words; every line but the first is indented.
  static func wrapped(_ text: String, indent: Int, width: Int) -> String {
    let room = max(24, width - indent)
    var lines: [String] = []
    var line = ""
    for word in text.split(separator: " ") {
      if !line.isEmpty, line.count + 1 + word.count > room {
        lines.append(line)
        line = ""
      }
      line += line.isEmpty ? String(word) : " \(word)"
    }
    lines.append(line)
    return lines.joined(separator: "\n" + String(repeating: " ", count: indent))
  }
}
