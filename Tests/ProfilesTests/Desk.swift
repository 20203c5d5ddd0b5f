import Foundation
import Model
import Profiles
import SQLite
import ServiceKit
import Testing
import Wire
import ZeroMQ

/// The profile service without its sockets: calls go in as bytes, and what it sends comes out.
final class Desk: Outlet {
  private(set) var core: ServiceCore!
  private(set) var store: SQLiteProfileStore!
  private(set) var database: Database!
  private let path: String
  private let rules: ProfileRules
  private let historyMs: Int64

  var now = Moment(wallMs: 1_700_000_000_000, monotonicUs: 1_000_000)
  /// What the feed has told.
  private(set) var published: [ChangesPublished] = []
  /// What the check-in service is asked, where it is there.
  private(set) var questions: [AttendDeletesResponse] = []
  private var responses: [UInt64: (ResponseHeader, [UInt8])] = [:]
  private var lastCall: UInt64 = 0
  private var attends = false
  private let encoder = Encoder()
  private let decoder = Decoder()

  /// A service on a new database, in memory unless a path is given.
  init(
    path: String = ":memory:", required: Set<ProfileText> = [], historyMs: Int64 = 86_400_000,
    attended: Bool = true
  ) throws {
    self.path = path
    self.historyMs = historyMs
    rules = ProfileRules(required: required)
    try start()
    if attended { attend() }
  }

  /// Starts the service, again after the first time: what it then knows is what is on disk.
  func start() throws {
    database?.close()
    database = try Database(path: path)
    store = try SQLiteProfileStore(
      database, historyMs: historyMs, random: SystemRandomNumberGenerator())
    core = ServiceCore(
      ProfileService(store: store, rules: rules),
      store: ServiceCore.Store(
        keptResponses: store.keptResponses, changeLog: store, secret: store.secret),
      follows: [], options: ServiceCore.Options(), outlet: self, connections: Connections(),
      log: .none)
    if attends { attend() }
  }

  /// The check-in service comes, and asks to be asked.
  func attend() {
    attends = true
    send(AttendDeletesRequest(), RequestHeader(method: .attendDeletes), from: 2)
    core.finish(at: now)
  }

  // MARK: - Calls

  struct Reply<P> {
    var header: ResponseHeader
    var response: P
    var reason: String { header.status?.reason ?? "" }
    var code: Code { header.status?.code ?? .ok }
    /// The fields that were refused.
    var fields: [String] { header.status?.fieldViolations.map(\.field) ?? [] }
  }

  /// Makes a call and takes its response; nil: none came.
  func tryCall<Q: Request>(
    _ request: Q, as user: String = "", _ roles: Roles = [], key: ID? = nil,
    atLeast: Revisions = Revisions()
  ) throws -> Reply<Q.Response>? {
    let id = send(
      request,
      RequestHeader(
        method: Q.method, idempotencyKey: key, atLeast: atLeast, actingUser: user,
        actingRoles: roles), from: 1)
    core.finish(at: now)
    return try takeReply(to: request, id)
  }

  /// Makes a call; the check-in service, where it is there, answers at once.
  func call<Q: Request>(
    _ request: Q, as user: String = "", _ roles: Roles = [], key: ID? = nil,
    atLeast: Revisions = Revisions()
  ) throws -> Reply<Q.Response> {
    now.wallMs += 1
    now.monotonicUs += 1_000
    let reply = try tryCall(request, as: user, roles, key: key, atLeast: atLeast)
    if let reply { return reply }
    answerQuestions()
    return try #require(try takeReply(to: request, lastCall - 1))
  }

  /// The response of a call that must succeed.
  func ask<Q: Request>(
    _ request: Q, as user: String = "", _ roles: Roles = [], key: ID? = nil
  ) throws -> Q.Response {
    let reply = try call(request, as: user, roles, key: key)
    try #require(reply.code == .ok, "\(reply.header.status?.message ?? "")")
    return reply.response
  }

  /// The check-in service answers the last question from its revision 77.
  func answerQuestions() {
    guard let question = questions.last else { return }
    send(
      AnswerDeleteRequest(question: question.question, checkInsRevision: 77),
      RequestHeader(method: .answerDelete), from: 2)
    core.finish(at: now)
  }

  func takeReply<Q: Request>(to _: Q, _ id: UInt64) throws -> Reply<Q.Response>? {
    guard let (header, body) = responses.removeValue(forKey: id) else { return nil }
    return Reply(header: header, response: try decode(Q.Response.self, body))
  }

  @discardableResult
  private func send<Q: Request>(_ request: Q, _ header: RequestHeader, from peer: UInt8) -> UInt64 {
    lastCall += 1
    var header = header
    header.id = lastCall
    let body = Frame(encoder.bytes(request))
    let headerBytes = encoder.bytes(header)
    [0, 0, 0, 0, peer].withUnsafeBytes { routingID in
      headerBytes.withUnsafeBytes {
        core.receive(from: routingID, hasDelimiter: true, header: $0, body: body, at: now)
      }
    }
    return lastCall
  }

  private func decode<M: Message>(_: M.Type, _ bytes: [UInt8]) throws -> M {
    var violations: [FieldViolation] = []
    let message = try bytes.withUnsafeBytes {
      try decoder.decode(M.self, from: $0, violations: &violations)
    }
    #expect(violations == [])
    return message
  }

  // MARK: - What it sends

  func respond(to _: Int, delimiter _: Bool, header: Frame, body: Frame) -> Bool {
    do {
      let header = try decode(ResponseHeader.self, Array(header.bytes))
      let bytes = Array(body.bytes)
      if header.more {
        let question = try decode(AttendDeletesResponse.self, bytes)
        if question.question != 0 { questions.append(question) }
      } else {
        responses[header.id] = (header, bytes)
      }
    } catch {
      Issue.record(error)
    }
    return true
  }

  func publish(_ body: Frame) {
    do {
      published.append(try decode(ChangesPublished.self, Array(body.bytes)))
    } catch {
      Issue.record(error)
    }
  }

  func ask(_: LogName, header _: Frame, body _: Frame) -> Bool { false }
}

extension Desk {
  /// A profile of a user, made by an administrator.
  @discardableResult
  func create(_ user: String, _ first: String = "Ada", _ last: String = "") throws -> Profile {
    let request = CreateProfileRequest(
      profile: Profile(userID: user, firstName: first, lastName: last))
    return try #require(try ask(request).profile)
  }

  /// Every page of the list, as users' ids.
  func list(pageSize: UInt32) throws -> [String] {
    var users: [String] = []
    var token = ""
    repeat {
      let page = try ask(ListProfilesRequest(pageSize: pageSize, pageToken: token))
      users += page.profiles.map(\.userID)
      token = page.nextPageToken
    } while !token.isEmpty
    return users
  }

  /// All changes that the log tells.
  func changes() throws -> [Change] { try ask(ListChangesRequest()).changes }
}

/// What begins like a PNG; no two of different seeds are the same.
func png(_ seed: UInt8, count: Int = 100) -> [UInt8] {
  [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A] + [UInt8](repeating: seed, count: count - 8)
}

/// Runs `body` with a folder of its own, which is gone afterwards.
func withFolder(_ body: (String) throws -> Void) throws {
  let folder = FileManager.default.temporaryDirectory.appending(path: "profiles-\(UUID())")
  try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
  defer { try? FileManager.default.removeItem(at: folder) }
  try body(folder.path)
}
