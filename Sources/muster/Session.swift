import Client
import Foundation
import Model
import Terminal
import Wire

/// What a command does, given the program's surroundings and what was typed.
typealias Action = @Sendable (Session, Invocation) throws -> Void

/// The surroundings of one command: who asks, of whom, and how the answer is to look.
final class Session {
  let console: Console
  let environment: [String: String]
  let format: OutputFormat
  /// The only fields to show; empty: those that the command shows by itself.
  let fields: [String]
  /// The gateways, in order; calls go by one that answers.
  let endpoints: [String]
  let user: String
  let timeoutMs: Int
  /// Whether somebody said how data is to be written.
  let hasFormat: Bool
  /// Whether somebody said how long a call may take.
  let hasTimeout: Bool
  let mayAsk: Bool
  private var openClient: Client?

  static let defaultEndpoint = "ipc:///run/muster/gateway.sock"

  init(_ typed: Invocation, environment: [String: String]) throws {
    self.environment = environment
    let color = typed.option("color").flatMap(Console.Color.init) ?? .auto
    console = Console(color: color, environment: environment)
    format = typed.option("output").flatMap(OutputFormat.init) ?? .table
    hasFormat = typed.option("output") != nil
    fields = (typed.option("fields") ?? "").split(separator: ",").map(String.init)
    endpoints = try Session.endpoints(
      typed.options("endpoint"), environment.value("MUSTER_ENDPOINT"))
    user = typed.option("as") ?? environment.value("MUSTER_USER") ?? Session.loginName(environment)
    mayAsk = !typed.flag("no-input") && console.inputIsTerminal && console.errorIsTerminal
    hasTimeout = typed.option("timeout") != nil
    timeoutMs = try typed.option("timeout").map(Session.timeout) ?? Int(Limits.defaultTimeoutMs)
  }

  /// The connection, made at the first call.
  func client() throws -> Client {
    if let openClient { return openClient }
    let client = try Client(endpoints: endpoints, user: user, timeoutMs: timeoutMs)
    openClient = client
    return client
  }

  func call<R: Request>(_ request: R) throws -> R.Response {
    try client().call(request)
  }

  /// Asks before something is lost. Without a terminal, only --yes is a yes.
  func confirm(_ question: String, _ typed: Invocation) throws {
    if typed.flag("yes") { return }
    guard mayAsk else {
      throw Failure(.usage, "\(question) Nobody can be asked here", hint: "say --yes")
    }
    guard console.confirm(TerminalText.visible(question)) else {
      throw Failure(.interrupted, "nothing was done")
    }
  }

  /// Whether a sentence says it best: a plain table, and no fields asked for.
  var isForPeople: Bool { format == .table && fields.isEmpty }

  /// A sentence about what is now true, as data for people.
  func say(_ text: String) {
    console.write(TerminalText.visible(text) + "\n")
  }

  /// A sentence beside the data, on standard error; only people get it.
  func note(_ text: String) {
    if format == .table || format == .wide { console.message(TerminalText.visible(text)) }
  }

  /// Many entries; `document` is what JSON shows: the response.
  func show<M: Message>(_ rows: [JSONValue], _ columns: [Column], _ document: M) throws {
    try Listing(columns: columns, rows: rows).write(
      to: console, format: format, fields: fields, document: Wire.json(document))
  }

  /// Many entries that are no message of the contract.
  func show(_ rows: [JSONValue], _ columns: [Column]) throws {
    try Listing(columns: columns, rows: rows).write(
      to: console, format: format, fields: fields, document: .array(rows))
  }

  /// One entry; `document` is what JSON shows: the response.
  func show<M: Message>(one row: JSONValue, _ columns: [Column], _ document: M) throws {
    try Listing(columns: columns, rows: [row], single: true).write(
      to: console, format: format, fields: fields, document: Wire.json(document))
  }

  /// Those that options name, or else the environment: any number of them, with commas between.
  private static func endpoints(
    _ options: [String], _ variable: String?
  ) throws(UsageError) -> [String] {
    let said = options.isEmpty ? variable.map { [$0] } ?? [defaultEndpoint] : options
    var endpoints: [String] = []
    for text in said.flatMap({ $0.split(separator: ",", omittingEmptySubsequences: false) }) {
      let endpoint = text.drop { $0 == " " }
      guard !endpoint.isEmpty else {
        throw UsageError(
          "'\(said.joined(separator: ","))' names an empty endpoint",
          hint: "write one or more, with commas between")
      }
      if !endpoints.contains(String(endpoint)) { endpoints.append(String(endpoint)) }
    }
    return endpoints
  }

  private static func timeout(_ text: String) throws -> Int {
    guard let milliseconds = DurationText.milliseconds(text),
      (1...Int64(Limits.timeoutMs)).contains(milliseconds)
    else {
      throw UsageError(
        "--timeout is '\(text)', and may be up to \(Limits.timeoutMs / 1000) seconds",
        hint: "write it as 10s or 2m")
    }
    return Int(milliseconds)
  }

  private static func loginName(_ environment: [String: String]) -> String {
    if let entry = getpwuid(getuid()), let name = entry.pointee.pw_name {
      return String(cString: name)
    }
    return environment.value("LOGNAME") ?? environment.value("USER") ?? ""
  }
}

extension [String: String] {
  /// A variable's value; nil where it is not set, or empty.
  fileprivate func value(_ name: String) -> String? {
    self[name].flatMap { $0.isEmpty ? nil : $0 }
  }
}
