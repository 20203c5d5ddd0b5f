extension CommandTable {
  /// The manual page of the whole program, in the macros of man(7).
  ///
  /// - Parameters:
  ///   - version: of the program.
  ///   - sections: what stands behind the options, each with its title, as lines that are kept as
  ///     they are.
  package func manPage(version: String, sections: [(title: String, text: String)]) -> String {
    let name = root.name
    var page = ManPage()
    page.request("TH", [name.uppercased(), "1", "", "\(name) \(version)", "User commands"])
    page.section("NAME")
    page.text("\(name) - \(root.summary)")
    page.section("SYNOPSIS")
    page.request("B", [usage(of: root, spelled: name)])
    if !root.details.isEmpty {
      page.section("DESCRIPTION")
      page.paragraphs(root.details)
    }
    if !root.subcommands.isEmpty { page.section("COMMANDS") }
    for command in root.subcommands { add(command, spelled: "\(name) \(command.name)", to: &page) }
    page.section("OPTIONS")
    for option in root.options + globalOptions { page.item(option) }
    if !root.examples.isEmpty {
      page.section("EXAMPLES")
      page.verbatim(root.examples.joined(separator: "\n"))
    }
    for section in sections {
      page.section(section.title)
      page.verbatim(section.text)
    }
    return page.source
  }

  private func add(_ command: Command<Action>, spelled: String, to page: inout ManPage) {
    page.subsection(usage(of: command, spelled: spelled))
    page.paragraphs("\(command.summary).\n\(command.details)")
    for argument in command.arguments {
      page.item(argument.name, HelpText.sentence(argument.help, argument.choices))
    }
    for option in command.options { page.item(option) }
    if !command.examples.isEmpty {
      page.paragraphs("For example:")
      page.verbatim(command.examples.joined(separator: "\n"))
    }
    for below in command.subcommands { add(below, spelled: "\(spelled) \(below.name)", to: &page) }
  }
}

/// The source of a manual page as it grows. Whatever is in a text is shown as it is.
private struct ManPage {
  private(set) var source = ""

  /// A macro with its arguments.
  mutating func request(_ macro: String, _ arguments: [String]) {
    let quoted = arguments.map { "\"\(Self.escaped($0).replacing("\"", with: "\\(dq"))\"" }
    source += ".\(macro) \(quoted.joined(separator: " "))\n"
  }

  mutating func section(_ title: String) { request("SH", [title.uppercased()]) }

  mutating func subsection(_ title: String) { request("SS", [title]) }

  mutating func item(_ option: Option) {
    let (label, help) = HelpText.row(option)
    item(String(label.drop { $0 == " " }), help)
  }

  mutating func item(_ label: String, _ help: String) {
    source += ".TP\n"
    request("B", [label])
    text("\(help).")
  }

  mutating func paragraphs(_ text: String) {
    for paragraph in text.split(separator: "\n") {
      source += ".PP\n"
      self.text(String(paragraph))
    }
  }

  mutating func verbatim(_ text: String) {
    source += ".PP\n.nf\n"
    self.text(text)
    source += ".fi\n"
  }

  mutating func text(_ text: String) {
    for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
      let escaped = Self.escaped(String(line))
      // A line that begins so would be taken for a macro.
      source += (escaped.hasPrefix(".") || escaped.hasPrefix("'") ? "\\&" : "") + escaped + "\n"
    }
  }

  private static func escaped(_ text: String) -> String {
    text.replacing("\\", with: "\\e").replacing("-", with: "\\-")
  }
}
