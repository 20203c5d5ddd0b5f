import Client
import Foundation
import Keys
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
  /// What says how to shake hands; nil: without keys.
  private let context: SavedContext?
  let timeoutMs: Int
  /// Whether somebody said how data is to be written.
  let hasFormat: Bool
  /// Whether somebody said how long a call may take.
  let hasTimeout: Bool
  let mayAsk: Bool
  private var openClient: Client?
  private var hasCheckedFields = false

  static let defaultEndpoint = "ipc:///run/muster/gateway.sock"

  init(_ typed: Invocation, environment: [String: String]) throws {
    self.environment = environment
    let color = typed.option("color").flatMap(Console.Color.init) ?? .auto
    console = Console(color: color, environment: environment)
    format = typed.option("output").flatMap(OutputFormat.init) ?? .table
    hasFormat = typed.option("output") != nil
    fields = (typed.option("fields") ?? "").split(separator: ",").map(String.init)
    context = try Session.context(typed, environment)
    endpoints = try Session.endpoints(typed, environment, context)
    let contextUser = context.flatMap { $0.user.isEmpty ? nil : $0.user }
    user =
      typed.option("as") ?? contextUser ?? environment.value("MUSTER_USER")
      ?? Session.loginName(environment)
    if context?.secretKey.isEmpty == false, typed.option("as") != nil, typed.path.first != "context"
    {
      throw UsageError(
        "--as says nothing beside a key, which says who you are", hint: "use another context")
    }
    mayAsk = !typed.flag("no-input") && console.inputIsTerminal && console.errorIsTerminal
    hasTimeout = typed.option("timeout") != nil
    timeoutMs = try typed.option("timeout").map(Session.timeout) ?? Int(Limits.defaultTimeoutMs)
  }

  /// The connection, made at the first call.
  func client() throws -> Client {
    if let openClient { return openClient }
    let client = try Client(
      endpoints: endpoints, user: user, timeoutMs: timeoutMs, curve: context?.curve())
    openClient = client
    return client
  }

  func call<R: Request>(_ request: R) throws -> R.Response {
    if R.method.isWrite, !fields.isEmpty, !hasCheckedFields {
      throw UsageError("--fields has nothing to choose from here", hint: "leave it out")
    }
    return try client().call(request)
  }

  /// For what changes something: refuses --fields that are none of these columns before anything is
  /// done.
  func checkFields(of columns: [Column]) throws(UsageError) {
    _ = try Listing(columns: columns, rows: []).chosenColumns(fields, format)
    hasCheckedFields = true
  }

  /// Makes a call for each of these, some at a time, and gives what is there.
  func each<R: Request>(
    _ requests: [(index: Int, request: R)], _ body: (Int, R.Response) -> Void
  ) throws {
    let client = try client()
    var sent: [(index: Int, call: PendingCall)] = []
    func settle() throws(CallError) {
      let (index, call) = sent.removeFirst()
      do throws(CallError) {
        body(index, try client.finish(call, as: R.Response.self))
      } catch {
        guard error.status.code == .notFound else { throw error }
      }
    }
    for (index, request) in requests {
      if sent.count == 64 { try settle() }
      sent.append((index, try client.start(request)))
    }
    while !sent.isEmpty { try settle() }
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

  /// A variable's value; nil where it is not set, or empty.
  func variable(_ name: String) -> String? { environment.value(name) }

  /// Where contexts are kept.
  func contexts() throws -> SavedContexts { try Session.contexts(environment) }

  private static func contexts(_ environment: [String: String]) throws -> SavedContexts {
    guard let contexts = SavedContexts(environment: environment) else {
      throw Failure(.usage, "there is no home for contexts", hint: "set HOME or XDG_CONFIG_HOME")
    }
    return contexts
  }

  /// The context of this name.
  func context(named name: String) throws -> SavedContext {
    guard let context = try contexts().read(name) else { throw Session.noContext(name) }
    return context
  }

  static func noContext(_ name: String) -> Failure {
    Failure(
      .notFound, "there is no context '\(name)'", hint: "'muster context list' shows what there is")
  }

  /// The one that is said; or else, where no endpoint is said either, the one in use.
  private static func context(
    _ typed: Invocation, _ environment: [String: String]
  ) throws -> SavedContext? {
    let callsNobody = ["context", "key", "up", "help", "completion"]
    let looksAfterStores = ["backup", "restore", "check", "migrate", "drain"]
    if (callsNobody + looksAfterStores).contains(typed.path.first) { return nil }
    let said = typed.option("context") ?? environment.value("MUSTER_CONTEXT")
    if said == nil {
      let hasEndpoint = !typed.options("endpoint").isEmpty
      if hasEndpoint || environment.value("MUSTER_ENDPOINT") != nil { return nil }
      guard let contexts = SavedContexts(environment: environment),
        let current = try contexts.current
      else { return nil }
      guard let context = try contexts.read(current) else { throw noContext(current) }
      return context
    }
    guard let said, let context = try contexts(environment).read(said) else {
      throw noContext(said ?? "")
    }
    return context
  }

  /// Those that options name, or else the environment, or the context: any number of them, with
  /// commas between. A context that an option names goes before the environment.
  private static func endpoints(
    _ typed: Invocation, _ environment: [String: String], _ context: SavedContext?
  ) throws(UsageError) -> [String] {
    let variable = typed.option("context") == nil ? environment.value("MUSTER_ENDPOINT") : nil
    let options = typed.options("endpoint")
    let said =
      options.isEmpty
      ? variable.map { [$0] } ?? context?.endpoints ?? [defaultEndpoint] : options
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
