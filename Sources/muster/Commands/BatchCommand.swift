import Client
import Foundation
import Model
import Terminal
import Wire

/// `batch`: many check-ins, check-outs or calls from a file, one JSON object a line.
enum BatchCommand {
  static let table = Command<Action>(
    "batch", "Check many people in and out, or make many calls",
    details: "Each line of the file is one JSON object: a check-in as the contract's "
      + "BatchCheckInItem has it ({\"profile_id\": …, \"location_id\": …, \"ttl_s\": …}), "
      + "where \"person\", \"place\" and \"ttl\" may stand for the three; or any call: "
      + "{\"method\": \"GetProfile\", \"request\": {…}}. Without a place, the person is checked "
      + "out.\n"
      + "For each line one comes out as JSON, in order: the outcome of the check-in, "
      + "{\"response\": …}, or {\"error\": …}; blank lines are passed over. Ends with 7 where "
      + "any of them failed.",
    arguments: [Argument("FILE", file: true, "The file, or '-' for standard input")],
    examples: ["echo '{\"person\": \"anna\", \"place\": \"SJC\"}' | muster batch -"], action: run)

  private static let run: Action = { session, typed in
    if let format = typed.option("output"), !["json", "ndjson"].contains(format) {
      throw UsageError(
        "what comes out has no columns in common, and cannot be written as \(format)",
        hint: "each line is JSON, with -o ndjson or without it")
    }
    guard session.fields.isEmpty else {
      throw UsageError("--fields has nothing to choose from here", hint: "leave it out")
    }
    let path = typed.argument("FILE") ?? "-"
    let file = path == "-" ? "standard input" : path
    let lines = try Files.read(path).split(separator: 10, omittingEmptySubsequences: false)
    var names = NameCache(session: session)
    var pipeline = Pipeline(session: session)
    for (index, line) in lines.enumerated() {
      if line.allSatisfy({ $0 == 32 || $0 == 9 || $0 == 13 }) { continue }
      do {
        let value = try JSONText.value(Array(line), from: file, firstLine: index + 1)
        if let name = value["method"] {
          let method = try CallCommands.method(name.plainText)
          let request = value["request"] ?? .object([])
          try pipeline.add(method, try CallCommands.encoded(request, for: method))
        } else {
          try pipeline.add(try item(value, &names))
        }
      } catch let error as CallError where isFatal(error) {
        throw error
      } catch {
        try pipeline.add(Failure(error).asStatus)
      }
    }
    try pipeline.finish()
    if pipeline.failed > 0 {
      throw Failure(
        .partlyFailed, "\(pipeline.failed) of \(pipeline.done) failed",
        hint: "each has its error in its line of output")
    }
  }

  /// Without a server there is nothing to go on with.
  private static func isFatal(_ error: CallError) -> Bool { error.status.code == .unavailable }

  private static func item(
    _ value: JSONValue, _ names: inout NameCache
  ) throws -> BatchCheckInItem {
    guard case .object(let members) = value else {
      throw Failure(.usage, "\(value.kind) where an object is expected")
    }
    var item = BatchCheckInItem()
    // What makes no sense is told before anybody is asked for names.
    let texts = try members.filter { $0.value != .null }.map { ($0.name, try text(of: $0)) }
    for (name, text) in texts {
      switch name {
      case "person": item.profileID = try names.person(text)
      case "place": item.locationID = text.isEmpty ? nil : try names.place(text)
      case "profile_id": item.profileID = try id(text, name)
      case "location_id": item.locationID = text.isEmpty ? nil : try id(text, name)
      case "ttl": item.ttlS = try CheckInCommands.seconds(text, name)
      case "ttl_s":
        guard let seconds = UInt32(text) else {
          throw Failure(.usage, "ttl_s is '\(text)', and has to be a number of seconds")
        }
        item.ttlS = seconds
      default: break
      }
    }
    guard item.profileID != nil else {
      throw Failure(.usage, "it is not said who", hint: "give a profile_id, or a person")
    }
    return item
  }

  /// What is called otherwise elsewhere.
  private static let meant = [
    "location": "place", "external_id": "place", "location_external_id": "place",
    "profile": "person", "user": "person", "user_id": "person",
  ]

  /// A member as text; throws where there is no such field, or this cannot stand there.
  private static func text(of member: JSONValue.Member) throws -> String {
    let known = ["profile_id", "location_id", "ttl_s", "person", "place", "ttl"]
    guard known.contains(member.name) else {
      let guess =
        meant[member.name] ?? Suggestion.nearest(to: member.name, among: known, limit: 1).first
      throw Failure(
        .usage, "there is no field '\(member.name)'",
        hint: guess.map { "did you mean '\($0)'?" }
          ?? "there are \(known.joined(separator: ", "))")
    }
    switch (member.name, member.value) {
    case (_, .text(let text)): return text
    case ("ttl", .integer), ("ttl_s", _): return member.value.plainText
    default:
      throw Failure(.usage, "\(member.name) is \(member.value.kind), and has to be a text")
    }
  }

  private static func id(_ text: String, _ field: String) throws -> ID {
    guard let id = ID(text) else { throw Failure(.usage, "\(field) is '\(text)', which is no id") }
    return id
  }
}

/// People and places that lines name, each looked up once.
private struct NameCache {
  let session: Session
  private var people: [String: ID] = [:]
  private var places: [String: ID] = [:]

  init(session: Session) { self.session = session }

  mutating func person(_ name: String) throws -> ID? {
    if let id = people[name] { return id }
    people[name] = try session.person(name).id
    return people[name]
  }

  mutating func place(_ name: String) throws -> ID? {
    if let id = places[name] { return id }
    places[name] = try session.place(name).id
    return places[name]
  }
}

/// Sends lines on their way, neighbouring check-ins in batches, and writes their outcomes in order.
private struct Pipeline {
  private enum Step {
    case outcome(Status)
    case items(Int, PendingCall)
    case call(PendingCall)
  }

  let session: Session
  private var items: [BatchCheckInItem] = []
  private var steps: [Step] = []
  private(set) var done = 0
  private(set) var failed = 0

  /// Calls on their way at a time.
  private static let window = 64

  init(session: Session) { self.session = session }

  mutating func add(_ item: BatchCheckInItem) throws {
    items.append(item)
    if items.count == Limits.batchItems { try sendItems() }
  }

  mutating func add(_ status: Status) throws {
    try sendItems()
    try append(.outcome(status))
  }

  mutating func add(_ method: Method, _ body: [UInt8]) throws {
    try sendItems()
    try append(.call(try session.client().start(method, body: body)))
  }

  mutating func finish() throws {
    try sendItems()
    while !steps.isEmpty { try writeFirst() }
    session.console.flush()
  }

  private mutating func sendItems() throws {
    guard !items.isEmpty else { return }
    let call = try session.client().start(BatchCheckInRequest(items: items))
    try append(.items(items.count, call))
    items = []
  }

  private mutating func append(_ step: Step) throws {
    steps.append(step)
    if steps.count >= Pipeline.window { try writeFirst() }
  }

  private mutating func writeFirst() throws {
    switch steps.removeFirst() {
    case .outcome(let status): write(failure: status)
    case .call(let call):
      do {
        let reply = try session.client().finish(call)
        let answer = try CallCommands.answer(call.method, reply.body)
        write(.object([.init("response", answer)]), isFailure: false)
      } catch let error as CallError {
        write(failure: error.status)
      }
    case .items(let count, let call):
      do {
        let response = try session.client().finish(call, as: BatchCheckInResponse.self)
        for outcome in response.outcomes {
          write(Wire.json(outcome), isFailure: outcome.error != nil)
        }
      } catch let error as CallError {
        for _ in 0..<count { write(failure: error.status) }
      }
    }
  }

  private mutating func write(failure status: Status) {
    write(.object([.init("error", Wire.json(status))]), isFailure: true)
  }

  private mutating func write(_ value: JSONValue, isFailure: Bool) {
    done += 1
    if isFailure { failed += 1 }
    session.console.write(value.write() + "\n")
  }
}

extension Failure {
  /// What a program is told of a line that never left.
  fileprivate var asStatus: Status {
    if let status { return status }
    let text = hint.isEmpty ? message : "\(message): \(hint)"
    return Status(.invalidFields, text)
  }
}
