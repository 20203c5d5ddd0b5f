import Model

/// What the sources said, before one of them is chosen; with all that is wrong with it.
struct SaidSettings {
  /// Where something was said; a later case wins.
  private enum Rank: Int, Comparable {
    case sharedSection, ownSection, environment, flag
    static func < (a: Rank, b: Rank) -> Bool { a.rawValue < b.rawValue }
  }

  private struct Assignment {
    var rank: Rank
    var text: String
    var origin: String
  }

  let program: Program
  let settings: [Setting]
  private(set) var problems: [String] = []
  private(set) var wantsHelp = false
  private(set) var wantsVersion = false
  private(set) var wantsCheck = false
  private(set) var configPath: String?
  private var assignments: [String: [Assignment]] = [:]

  private static let own = ["help", "version", "check-config", "config"]

  init(program: Program, settings: [Setting]) {
    self.program = program
    self.settings = settings
    let names = settings.map(\.name) + Self.own
    precondition(Set(names).count == names.count, "two settings have one name")
  }

  mutating func readFlags(_ arguments: [String]) {
    var rest = arguments[...]
    while let argument = rest.popFirst() {
      guard argument.hasPrefix("--") else {
        problems.append("\"\(argument)\" is no flag; flags begin with --")
        continue
      }
      let parts = argument.dropFirst(2).split(
        separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      let name = parts.first.map(String.init) ?? ""
      let inline = parts.count == 2 ? String(parts[1]) : nil
      switch name {
      case "help": wantsHelp = true
      case "version": wantsVersion = true
      case "check-config": wantsCheck = true
      default: readFlag(name, inline, &rest)
      }
    }
  }

  private mutating func readFlag(
    _ name: String, _ inline: String?, _ rest: inout ArraySlice<String>
  ) {
    let setting = settings.first { $0.name == name }
    guard setting != nil || name == "config" else {
      problems.append("--\(name) is no flag of \(program.name)" + didYouMean(name, prefix: "--"))
      // What follows was most likely meant as its value, and is no second mistake.
      if inline == nil, let next = rest.first, !next.hasPrefix("--") { rest.removeFirst() }
      return
    }
    var value = inline
    if value == nil, let setting, case .flag = setting.kind { value = "true" }
    // What begins with -- is the next flag: a forgotten value must not swallow it.
    if value == nil, let next = rest.first, !next.hasPrefix("--") { value = rest.popFirst() }
    guard let value else {
      problems.append("--\(name) needs a value: --\(name) \(setting?.placeholder ?? "FILE")")
      return
    }
    if name == "config" {
      if configPath != nil { problems.append("--config is given twice") }
      configPath = value
    } else {
      assign(name, .flag, value, "flag --\(name)")
    }
  }

  mutating func readFile(_ path: String, with read: (String) throws -> [UInt8]) {
    let bytes: [UInt8]
    do { bytes = try read(path) } catch {
      problems.append("the file \(path) of --config cannot be read: \(error)")
      return
    }
    let file = IniFile(bytes)
    problems += file.problems.map { "\(path):\($0)" }
    for entry in file.entries {
      let origin = "\(path):\(entry.line)"
      guard entry.section == "muster" || Program.all.contains(entry.section) else {
        let place = entry.section.isEmpty ? "before any section" : "in [\(entry.section)]"
        problems.append(
          "\(origin): \(entry.name) stands \(place); sections are [muster], "
            + Program.all.map { "[\($0)]" }.joined(separator: ", "))
        continue
      }
      guard entry.section == "muster" || entry.section == program.name else { continue }
      let name = entry.name.replacing("_", with: "-")
      guard settings.contains(where: { $0.name == name }) else {
        problems.append(
          "\(origin): \(entry.name) is no setting of \(program.name)"
            + didYouMean(name, prefix: ""))
        continue
      }
      assign(name, entry.section == "muster" ? .sharedSection : .ownSection, entry.value, origin)
    }
  }

  mutating func readEnvironment(_ environment: [String: String]) {
    for setting in settings {
      let name = setting.environmentName
      guard let value = environment[name], !value.isEmpty else { continue }
      assign(setting.name, .environment, value, "environment \(name)")
    }
  }

  private mutating func assign(_ name: String, _ rank: Rank, _ text: String, _ origin: String) {
    assignments[name, default: []].append(Assignment(rank: rank, text: text, origin: origin))
  }

  /// The value of the highest source, or the default; nil: neither, or a problem.
  mutating func choose(_ setting: Setting) -> Configuration.Chosen? {
    let said = assignments[setting.name] ?? []
    let highest = said.map(\.rank).max()
    let winners = said.filter { $0.rank == highest }
    guard let first = winners.first else { return chooseDefault(setting) }
    if winners.count > 1, !setting.isRepeatable {
      let origins = winners.map(\.origin).joined(separator: " and ")
      problems.append("\(setting.name) is given twice: \(origins)")
      return nil
    }
    do {
      let value = try setting.parse(winners.map(\.text))
      if setting.isNeeded && value.text.isEmpty { return chooseDefault(setting) }
      return Configuration.Chosen(value: value, origin: first.origin)
    } catch {
      problems.append("\(setting.name) (\(first.origin)): \(error.text)")
      return nil
    }
  }

  private mutating func chooseDefault(_ setting: Setting) -> Configuration.Chosen? {
    if let text = setting.byDefault {
      do {
        return Configuration.Chosen(value: try setting.parse([text]), origin: "by default")
      } catch { preconditionFailure("the default of \(setting.name): \(error.text)") }
    }
    if setting.isNeeded {
      problems.append(
        "\(setting.name) is needed: give --\(setting.name) \(setting.placeholder ?? "")"
          + ", \(setting.environmentName), or \(setting.name) in the file of --config")
    }
    return nil
  }

  private func didYouMean(_ name: String, prefix: String) -> String {
    let names = settings.map(\.name) + (prefix.isEmpty ? [] : Self.own)
    let guess = Suggestion.nearest(to: name, among: names, limit: 1).first
    return guess.map { "; did you mean \(prefix)\($0)?" } ?? ""
  }

  /// What `--help` shows.
  var help: String {
    var rows = settings.map { setting in
      let value = setting.placeholder.map { " \($0)" } ?? ""
      var text = setting.help
      if case .number(let range, let unit) = setting.kind {
        text += " \(range.lowerBound) to \(range.upperBound) \(unit)."
      }
      if case .texts(let known) = setting.kind { text += " Of: \(known.joined(separator: ", "))." }
      if setting.isNeeded { text += " Needed." }
      if case .endpoints = setting.kind { text += " May be given several times." }
      if let byDefault = setting.byDefault { text += " Default: \(byDefault)." }
      return ("--\(setting.name)\(value)", text)
    }
    rows += [
      ("--config FILE", "Reads settings from an INI file."),
      ("--check-config", "Shows each setting and where it came from, and ends."),
      ("--help", "Shows this, and ends."),
      ("--version", "Shows the version, and ends."),
    ]
    let width = rows.map(\.0.count).max() ?? 0
    let lines = rows.map { "  " + padded($0.0, width) + "  " + $0.1 + "\n" }.joined()
    return """
      \(program.name): \(program.summary)

      \(lines)
      Each setting is also read from MUSTER_NAME in the environment and, below that, from
      "name = value" in the sections [\(program.name)] and [muster] of the file.

      """
  }
}
