/// One thing that an operator can set: by flag, environment or file, always under the same name.
package struct Setting: Sendable {
  package enum Kind: Sendable {
    /// Any text; the word stands for it in the help.
    case text(String)
    /// On or off; a flag without a value is on.
    case flag
    case number(ClosedRange<Int>, unit: String)
    /// Texts with commas between, or given several times; only those that are named.
    case texts(of: [String])
    /// One of these words.
    case choice([String])
    case endpoint
    /// Any number of endpoints: given several times, or with commas between.
    case endpoints
    /// `RPC,FEED`, and by TCP `RPC,FEED,KEY`
    case backend
  }

  /// In lower case with `-` between words, as the flag is written.
  package let name: String
  package let kind: Kind
  /// As an operator would write it; nil: none.
  package let byDefault: String?
  /// Whether the program cannot start without it.
  package let isNeeded: Bool
  /// One line for people.
  package let help: String

  package init(
    _ name: String, _ kind: Kind, byDefault: String? = nil, isNeeded: Bool = false, help: String
  ) {
    self.name = name
    self.kind = kind
    self.byDefault = byDefault
    self.isNeeded = isNeeded
    self.help = help
  }

  /// What every program has.
  package static let common =
    ProgramKeys.settings + [
      Setting(
        "log-level", .choice(Log.Level.allCases.map(\.text)), byDefault: Log.Level.info.text,
        help: "Leaves out what is less important than this."),
      Setting(
        "log-format", .choice(Log.Format.allCases.map(\.rawValue)),
        byDefault: Log.Format.text.rawValue, help: "Lines for people, or one JSON object a line."),
    ]

  /// The name in the environment: `MUSTER_LOG_LEVEL`.
  var environmentName: String {
    "MUSTER_" + name.uppercased().map { $0 == "-" ? "_" : String($0) }.joined()
  }

  /// What stands for the value in the help; nil: a flag has none.
  var placeholder: String? {
    switch kind {
    case .text(let word): word
    case .flag: nil
    case .number: "NUMBER"
    case .texts: "LIST"
    case .choice(let words): words.joined(separator: "|")
    case .endpoint, .endpoints: "ENDPOINT"
    case .backend: "RPC,FEED[,KEY]"
    }
  }

  /// Whether several values of one source add up.
  var isRepeatable: Bool {
    switch kind {
    case .texts, .endpoints: true
    default: false
    }
  }

  /// What is set, from the texts of one source.
  func parse(_ texts: [String]) throws(SettingProblem) -> Value {
    let text = texts.last ?? ""
    switch kind {
    case .text: return .text(text)
    case .flag: return .flag(try Self.flag(text))
    case .number(let range, let unit):
      guard let number = Int(text), range.contains(number) else {
        throw SettingProblem(
          "\"\(text)\" is not a whole number from \(range.lowerBound) to \(range.upperBound) "
            + "(\(unit))")
      }
      return .number(number)
    case .texts(let known):
      let words = Self.split(texts)
      for word in words where !known.contains(word) {
        throw SettingProblem("\"\(word)\" is none of \(known.joined(separator: ", "))")
      }
      return .texts(words)
    case .choice(let words):
      guard words.contains(text) else {
        throw SettingProblem("\"\(text)\" is none of \(words.joined(separator: ", "))")
      }
      return .text(text)
    case .endpoint: return .endpoints([try Self.endpoint(text)])
    case .endpoints:
      return .endpoints(try Self.split(texts).map(Self.endpoint))
    case .backend:
      do { return .backend(try BackendEndpoints(text)) } catch {
        throw SettingProblem(error.description)
      }
    }
  }

  private static func flag(_ text: String) throws(SettingProblem) -> Bool {
    switch text.lowercased() {
    case "true", "yes", "on", "1": true
    case "false", "no", "off", "0": false
    default: throw SettingProblem("\"\(text)\" is neither true nor false")
    }
  }

  private static func endpoint(_ text: String) throws(SettingProblem) -> Endpoint {
    do { return try Endpoint(text) } catch { throw SettingProblem(error.description) }
  }

  /// The parts of texts that have commas between them.
  package static func split(_ texts: [String]) -> [String] {
    texts.flatMap { $0.split(separator: ",") }.map { word in
      String(word.drop { $0 == " " }.reversed().drop { $0 == " " }.reversed())
    }
  }
}

extension Setting {
  /// A setting's value, understood.
  enum Value: Equatable, Sendable {
    case text(String)
    case flag(Bool)
    case number(Int)
    case texts([String])
    case endpoints([Endpoint])
    case backend(BackendEndpoints)

    /// As an operator would write it.
    var text: String {
      switch self {
      case .text(let text): text
      case .flag(let isOn): String(isOn)
      case .number(let number): String(number)
      case .texts(let texts): texts.joined(separator: ",")
      case .endpoints(let endpoints): endpoints.map(\.description).joined(separator: ",")
      case .backend(let backend): backend.description
      }
    }
  }
}

/// What is wrong with a value; the configuration adds whose, and where it came from.
struct SettingProblem: Error {
  let text: String
  init(_ text: String) { self.text = text }
}
