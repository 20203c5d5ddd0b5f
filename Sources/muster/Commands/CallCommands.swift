import Client
import Foundation
import Model
import Terminal
import Wire

/// `call` and `describe`: the contract itself, any method and message of it.
enum CallCommands {
  /// What methods and messages are called for short.
  private static let shortMethods = Method.allCases.map { short($0.fullName, "/") }
  private static let shortMessages = Wire.messageNames.map { short($0, ".") }

  private static func short(_ name: String, _ separator: Character) -> String {
    name.split(separator: separator).last.map(String.init) ?? name
  }

  static let call = Command<Action>(
    "call", "Call any method, with JSON in and out",
    details: "METHOD may be short where that is clear: GetMe, ProfileService/GetMe. JSON stands "
      + "there itself, or in a file after an @, or comes from standard input for '-'.",
    arguments: [
      Argument(
        "METHOD", offers: [.words(shortMethods)], "The method; 'muster describe' lists them"),
      Argument("JSON", optional: true, file: true, "The request; empty, where it is left out"),
    ],
    examples: [
      "muster call GetMe", "muster call GetProfile '{\"user_id\": \"anna\"}'",
      "muster call BatchCreateProfiles @people.json",
    ], action: doCall)

  static let describe = Command<Action>(
    "describe", "The methods and messages there are, and their fields",
    arguments: [
      Argument(
        "NAME", optional: true, offers: [.words(shortMethods + shortMessages)],
        "A method or message; all, where left out")
    ],
    examples: ["muster describe", "muster describe CheckIn", "muster describe Profile"],
    action: doDescribe)

  private static let doCall: Action = { session, typed in
    let method = try method(typed.argument("METHOD") ?? "")
    let text = typed.argument("JSON") ?? "{}"
    let bytes =
      text == "-"
      ? try Files.read("-")
      : text.hasPrefix("@") ? try Files.read(String(text.dropFirst())) : Array(text.utf8)
    let request = try JSONText.value(
      bytes, from: text.hasPrefix("@") ? String(text.dropFirst()) : "the request")
    let body = try encoded(request, for: method)
    let client = try session.client()
    let reply = try client.finish(client.start(method, body: body))
    let answer = try answer(method, reply.body)
    session.console.write(answer.write(pretty: session.format != .ndjson) + "\n")
  }

  /// The method of this name, full or short.
  static func method(_ name: String) throws -> Method {
    let found = Method.allCases.filter { method in
      let full = method.fullName
      return full == name || full.hasSuffix(".\(name)") || full.hasSuffix("/\(name)")
    }
    if let only = found.first, found.count == 1 { return only }
    let guess = Suggestion.nearest(to: short(name, "/"), among: shortMethods, limit: 1).first
    throw UsageError(
      "there is no method '\(name)'",
      hint: guess.map { "did you mean \($0)?" } ?? "'muster describe' lists them")
  }

  /// A request as bytes; what does not fit its message is a usage error that says where.
  static func encoded(_ request: JSONValue, for method: Method) throws -> [UInt8] {
    do throws(JSONFault) {
      return try Wire.bytes(method.types.request.name, request)
    } catch {
      let guess = Suggestion.nearest(to: error.unknownName, among: error.knownNames, limit: 1).first
      let name = short(method.fullName, "/")
      throw UsageError(
        "the request does not fit: \(error)",
        hint: guess.map { "did you mean '\($0)'?" } ?? "'muster describe \(name)' shows its fields")
    }
  }

  /// A response as JSON.
  static func answer(_ method: Method, _ body: [UInt8]) throws -> JSONValue {
    do {
      return try body.withUnsafeBytes { try Wire.json(method.types.response.name, $0) }
    } catch {
      throw Failure(.serverError, "the answer is no \(method.types.response.name)")
    }
  }

  private static let doDescribe: Action = { session, typed in
    guard let name = typed.argument("NAME") else { return try listMethods(session) }
    let messages = Wire.messageNames.filter { $0 == name || $0.hasSuffix(".\(name)") }
    if let message = messages.first { return try showFields(of: message, session) }
    let method: Method
    do {
      method = try CallCommands.method(name)
    } catch let error as UsageError {
      guard let guess = Suggestion.nearest(to: name, among: shortMessages, limit: 1).first else {
        throw error
      }
      throw UsageError("there is no method or message '\(name)'", hint: "did you mean \(guess)?")
    }
    if session.isForPeople {
      session.console.write("\(method.fullName)\n\(method.comment)\n\nRequest:\n")
    }
    try showFields(of: method.types.request.name, session)
    if session.isForPeople {
      session.console.write("\nResponse:\n")
      try showFields(of: method.types.response.name, session)
    }
  }

  private static func listMethods(_ session: Session) throws {
    let rows: [JSONValue] = Method.allCases.map { method in
      .object([
        .init("method", .text(method.fullName)),
        .init("request", .text(method.types.request.name)),
        .init("response", .text(method.types.response.name)),
        .init("stream", .bool(method.streams)), .init("comment", .text(method.comment)),
      ])
    }
    let columns = [
      Column("method"), Column("request", wide: true), Column("response", wide: true),
      Column("stream", wide: true),
      Column("summary", cuttable: true) { .text(firstSentence($0["comment"]?.plainText ?? "")) },
      Column("comment", wide: true, cuttable: true),
    ]
    try session.show(rows, columns)
  }

  private static func firstSentence(_ text: String) -> String {
    text.range(of: ". ").map { String(text[..<$0.lowerBound]) + "." } ?? text
  }

  private static func showFields(of message: String, _ session: Session) throws {
    let rows: [JSONValue] = (Wire.fields(of: message) ?? []).map { field in
      .object([
        .init("field", .text(field.name)),
        .init("type", .text(field.isRepeated ? "list of \(field.type)" : field.type)),
        .init("values", .array(field.values.map { .text($0) })),
        .init("comment", .text(field.comment)),
      ])
    }
    if rows.isEmpty { session.note("\(message) has no fields.") }
    let columns = [
      Column("field"), Column("type"), Column("values", cuttable: true),
      Column("comment", cuttable: true),
    ]
    try session.show(rows, columns)
  }
}
