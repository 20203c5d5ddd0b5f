/// What a program was told at its start. Sources in rising order: what is built in, the file named
/// by `--config` (its `[muster]` section, then the program's own), the environment, the flags. The
/// highest source that names a setting gives all of it; lists of two sources do not add up.
package struct Configuration: Sendable {
  /// A value and where it came from: "by default", "flag --rpc", "muster.conf:3".
  struct Chosen: Sendable {
    var value: Setting.Value
    var origin: String
  }

  let program: Program
  let settings: [Setting]
  private(set) var chosen: [String: Chosen] = [:]

  /// What a program does with its command line.
  package enum Start: Sendable {
    case run(Configuration)
    /// Writes this to standard output and ends with 0: help, version, a checked configuration.
    case say(String)
  }

  /// Reads everything that was said. Nothing is read or written but through `readFile`.
  ///
  /// - Parameters:
  ///   - program: whose configuration it is.
  ///   - settings: what it can be told, besides `Setting.common`.
  ///   - arguments: without the program's name.
  ///   - environment: variables for others are passed over; so are empty ones.
  ///   - readFile: gives the content of a file.
  ///   - check: what is wrong with settings that make no sense together.
  /// - Throws: everything that is wrong, at once.
  package static func load(
    program: Program, settings: [Setting], arguments: [String], environment: [String: String],
    readFile: (String) throws -> [UInt8], check: (Configuration) -> [String] = { _ in [] }
  ) throws(ConfigurationError) -> Start {
    var said = SaidSettings(program: program, settings: settings + Setting.common)
    said.readFlags(arguments)
    if said.wantsHelp { return .say(said.help) }
    if said.wantsVersion { return .say("\(program.name) \(program.version)\n") }
    if let path = said.configPath { said.readFile(path, with: readFile) }
    said.readEnvironment(environment)
    var configuration = Configuration(program: program, settings: said.settings)
    for setting in said.settings {
      configuration.chosen[setting.name] = said.choose(setting)
    }
    let problems = said.problems.isEmpty ? check(configuration) : said.problems
    if !problems.isEmpty { throw ConfigurationError(problems: problems) }
    return said.wantsCheck ? .say(configuration.table) : .run(configuration)
  }

  private init(program: Program, settings: [Setting]) {
    self.program = program
    self.settings = settings
  }

  /// Whether the program has this setting at all.
  package func knows(_ name: String) -> Bool { settings.contains { $0.name == name } }

  /// A text or a choice; empty where nothing was said.
  package func text(_ name: String) -> String {
    switch self[name] {
    case nil: ""
    case .text(let text): text
    default: preconditionFailure("the setting \(name) is no text")
    }
  }

  /// False where nothing was said.
  package func flag(_ name: String) -> Bool {
    switch self[name] {
    case nil: false
    case .flag(let isOn): isOn
    default: preconditionFailure("the setting \(name) is no flag")
    }
  }

  /// A number that has a default, or is needed.
  package func number(_ name: String) -> Int {
    guard case .number(let number) = self[name] else {
      preconditionFailure("the setting \(name) is no number, or has no default")
    }
    return number
  }

  /// Empty where nothing was said.
  package func texts(_ name: String) -> [String] {
    switch self[name] {
    case nil: []
    case .texts(let texts): texts
    default: preconditionFailure("the setting \(name) is no list of texts")
    }
  }

  /// One or several endpoints; empty where nothing was said.
  package func endpoints(_ name: String) -> [Endpoint] {
    switch self[name] {
    case nil: []
    case .endpoints(let endpoints): endpoints
    default: preconditionFailure("the setting \(name) is no endpoint")
    }
  }

  /// Nil where nothing was said.
  package func backend(_ name: String) -> BackendEndpoints? {
    switch self[name] {
    case nil: nil
    case .backend(let backend): backend
    default: preconditionFailure("the setting \(name) is no backend")
    }
  }

  /// Of a setting of whatever kind; nil: it is none of a service behind, or nothing was said.
  func backend(of setting: Setting) -> BackendEndpoints? {
    if case .backend(let backend) = self[setting.name] { backend } else { nil }
  }

  private subscript(_ name: String) -> Setting.Value? {
    precondition(knows(name), "there is no setting \(name)")
    return chosen[name]?.value
  }

  /// What `--check-config` shows: each setting, its value and where that came from.
  private var table: String {
    let rows = settings.map { setting in
      let chosen = chosen[setting.name]
      return (setting.name, chosen?.value.text ?? "", chosen?.origin ?? "not set")
    }
    let nameWidth = rows.map(\.0.count).max() ?? 0
    let valueWidth = rows.map(\.1.count).max() ?? 0
    return rows.map { name, value, origin in
      padded(name, nameWidth) + "  " + padded(value, valueWidth) + "  " + origin + "\n"
    }.joined()
  }
}

/// Which program is asking.
package struct Program: Sendable {
  /// As it is called: "muster-gateway". Its section in the file has the same name.
  package var name: String
  /// One sentence for the help.
  package var summary: String
  package var version: String

  package init(name: String, summary: String, version: String) {
    self.name = name
    self.summary = summary
    self.version = version
  }

  /// The programs that may have a section in one and the same file.
  static let all = ["muster-profiles", "muster-locations", "muster-checkins", "muster-gateway"]
}

/// Everything that is wrong with a configuration; each problem names the setting, the source and
/// what would be right.
package struct ConfigurationError: Error, Equatable, CustomStringConvertible {
  package let problems: [String]

  /// `EX_CONFIG` of sysexits(3). systemd does not start a program again after this one
  /// (`RestartPreventExitStatus=78`).
  package static let exitStatus: Int32 = 78

  /// One problem a line.
  package var description: String { problems.joined(separator: "\n") }
}

func padded(_ text: String, _ width: Int) -> String {
  text + String(repeating: " ", count: max(0, width - text.count))
}
