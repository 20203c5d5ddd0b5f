import Client
import Foundation
import Keys
import Terminal
import Wire
import ZeroMQ

/// `context`: where and as whom to call, kept under names.
enum ContextCommands {
  private static let name = Argument(
    "NAME", offers: [CommonOptions.contexts], "What it is called")

  static let table = Command<Action>(
    "context", "Where and as whom to call, kept under names",
    details: "A context has the gateway's endpoints, its public key, and the file of one's own "
      + "secret key. --context and MUSTER_CONTEXT choose one for a command, 'muster context use' "
      + "for all that say nothing else. While a gateway changes its key, a context can have both: "
      + "each is tried.",
    subcommands: [
      Command(
        "add", "Keep one, in the place of another one of its name",
        details: "--endpoint names the gateway, and --as the user where there is no key to say.",
        arguments: [name],
        options: [
          Option(
            "server-key", value: "KEY", repeatable: true,
            "The gateway's public key; twice while it changes"),
          Option("secret-key", value: "FILE", "One's own secret key, from 'muster key new'"),
        ],
        examples: [
          "muster context add home --endpoint tcp://muster.example:7400 --server-key "
            + "'rq:rM>}U?@Lns47E1%kR.o@n%FcmmsL/@{H8]yf7' --secret-key ~/.config/muster/ada.key"
        ], action: add),
      Command(
        "use", "Use one from now on", arguments: [name], examples: ["muster context use home"],
        action: use),
      Command("list", "Show all", action: list),
      Command(
        "show", "Show one",
        arguments: [
          Argument(
            "NAME", optional: true, offers: [CommonOptions.contexts],
            "Which; the one in use by default")
        ],
        action: show),
      Command("remove", "Forget one", arguments: [name], action: remove),
    ])

  private static let add: Action = { session, typed in
    let name = typed.argument("NAME") ?? ""
    guard SavedContexts.isName(name) else {
      throw UsageError(
        "'\(name)' is no name of a context", hint: "letters, digits, '.', '_' and '-' will do")
    }
    guard !typed.options("endpoint").isEmpty else {
      throw UsageError("a context has an endpoint", hint: "say --endpoint tcp://HOST:PORT")
    }
    let serverKeys = try typed.options("server-key").map { text in
      guard let key = PublicKey(text: text) else {
        throw UsageError("--server-key '\(text)' is no public key, which is 40 characters of Z85")
      }
      return key
    }
    var secretKey = typed.option("secret-key") ?? ""
    guard serverKeys.isEmpty == secretKey.isEmpty else {
      throw UsageError(
        "a key is of no use without the other", hint: "say both --server-key and --secret-key")
    }
    if !secretKey.isEmpty {
      secretKey = URL(filePath: secretKey).standardizedFileURL.path(percentEncoded: false)
      _ = try SecretKeyFile.read(secretKey)
    }
    let context = SavedContext(
      name: name, endpoints: session.endpoints, serverKeys: serverKeys, secretKey: secretKey,
      user: typed.option("as") ?? "")
    // It connects to nobody yet, but finds what is no endpoint.
    _ = try Client(endpoints: context.endpoints, user: context.user, curve: context.curve())
    let contexts = try session.contexts()
    try contexts.write(context)
    guard try contexts.current != name else { return noteInUse(context, session) }
    session.note("'muster context use \(name)' makes it the one that is used.")
  }

  private static let use: Action = { session, typed in
    let context = try session.context(named: typed.argument("NAME") ?? "")
    try session.contexts().use(context.name)
    noteInUse(context, session)
  }

  private static func noteInUse(_ context: SavedContext, _ session: Session) {
    let endpoints = context.endpoints.joined(separator: ", ")
    session.note("\(context.name) is used from now on: \(endpoints).")
    for variable in ["MUSTER_CONTEXT", "MUSTER_ENDPOINT"]
    where ![nil, context.name].contains(session.variable(variable)) {
      session.note("But \(variable) is set, and comes first: 'unset \(variable)'.")
    }
  }

  private static let list: Action = { session, _ in
    let contexts = try session.contexts()
    let current = try contexts.current
    let rows = try contexts.names.map { name in
      row(try session.context(named: name), isCurrent: name == current)
    }
    try session.show(rows, columns)
    if rows.isEmpty { session.note("There is none yet: 'muster context add' keeps one.") }
  }

  private static let show: Action = { session, typed in
    let contexts = try session.contexts()
    let current = try contexts.current
    let said =
      typed.argument("NAME") ?? typed.option("context") ?? session.variable("MUSTER_CONTEXT")
    guard let name = said ?? current else {
      throw Failure(.notFound, "no context is in use", hint: "'muster context list' shows all")
    }
    try session.show(
      [row(try session.context(named: name), isCurrent: name == current)], columns)
  }

  private static let remove: Action = { session, typed in
    let name = typed.argument("NAME") ?? ""
    let contexts = try session.contexts()
    let wasInUse = try contexts.current == name
    guard try contexts.remove(name) else { throw Session.noContext(name) }
    let rest = wasInUse ? " None is in use now." : ""
    session.note("\(name) is forgotten; the file of its secret key is not.\(rest)")
  }

  private static let columns = [
    Column("name"), Column("current"), Column("endpoints"), Column("user"),
    Column("secret_key", "SECRET KEY"), Column("server_keys", "SERVER KEYS"),
  ]

  private static func row(_ context: SavedContext, isCurrent: Bool) -> JSONValue {
    .object([
      .init("name", .text(context.name)), .init("current", .bool(isCurrent)),
      .init("endpoints", .text(context.endpoints.joined(separator: ","))),
      .init("user", .text(context.user)), .init("secret_key", .text(context.secretKey)),
      .init("server_keys", .text(context.serverKeys.map(\.description).joined(separator: ","))),
    ])
  }
}
