import Foundation
import Locations
import Model
import SQLite
import ServiceKit
import Testing
import Wire
import ZeroMQ

/// The location service without its sockets: calls go in as bytes, and what it sends comes out.
final class Desk: Outlet {
  private(set) var core: ServiceCore!
  private(set) var store: LocationStore!
  private(set) var database: Database!
  private let path: String
  private let historyMs: Int64

  var now = Moment(wallMs: 1_700_000_000_000, monotonicUs: 1_000_000)
  /// What the feed has told.
  private(set) var published: [ChangesPublished] = []
  /// What the check-in service has been asked and has not answered.
  private(set) var questions: [AttendDeletesResponse] = []
  /// How many the check-in service says are at a place.
  var occupants: UInt32 = 0
  /// Whether it answers at once.
  var answersAtOnce = true
  private var responses: [UInt64: (ResponseHeader, [UInt8])] = [:]
  private var lastCall: UInt64 = 0
  private let encoder = Encoder()
  private let decoder = Decoder()

  /// A service on a new database, in memory unless a path is given.
  init(
    path: String = ":memory:", historyMs: Int64 = 86_400_000, attended: Bool = true
  ) throws {
    self.path = path
    self.historyMs = historyMs
    try start()
    if attended { attend() }
  }

  /// Starts the service, again after the first time: what it then knows is what is on disk.
  func start() throws {
    database?.close()
    database = try Database(path: path)
    store = try LocationStore(
      database, historyMs: historyMs, random: SystemRandomNumberGenerator())
    core = ServiceCore(
      LocationService(store: store),
      store: ServiceCore.Store(
        keptResponses: store.keptResponses, changeLog: store, secret: store.secret),
      follows: [], options: ServiceCore.Options(), outlet: self, connections: Connections(),
      log: .none)
  }

  /// The check-in service comes, and asks to be asked.
  func attend() {
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

  /// Makes a call, and gives its number.
  func begin<Q: Request>(
    _ request: Q, as user: String = "", _ roles: Roles = [], key: ID? = nil,
    atLeast: Revisions = Revisions()
  ) -> UInt64 {
    now.wallMs += 1
    now.monotonicUs += 1_000
    return send(
      request,
      RequestHeader(
        method: Q.method, idempotencyKey: key, atLeast: atLeast, actingUser: user,
        actingRoles: roles), from: 1)
  }

  /// Makes a call and takes its response.
  func call<Q: Request>(
    _ request: Q, as user: String = "", _ roles: Roles = [], key: ID? = nil,
    atLeast: Revisions = Revisions()
  ) throws -> Reply<Q.Response> {
    let id = begin(request, as: user, roles, key: key, atLeast: atLeast)
    core.finish(at: now)
    while answersAtOnce, !questions.isEmpty { answer(questions.removeFirst()) }
    return try #require(try takeReply(to: request, id))
  }

  /// The response of a call that must succeed.
  func ask<Q: Request>(
    _ request: Q, as user: String = "", _ roles: Roles = [], key: ID? = nil
  ) throws -> Q.Response {
    let reply = try call(request, as: user, roles, key: key)
    try #require(reply.code == .ok, "\(reply.header.status?.message ?? "")")
    return reply.response
  }

  /// The check-in service answers from its revision 77.
  func answer(_ question: AttendDeletesResponse) {
    questions.removeAll { $0.question == question.question }
    send(
      AnswerDeleteRequest(question: question.question, count: occupants, checkInsRevision: 77),
      RequestHeader(method: .answerDelete), from: 2)
    core.finish(at: now)
  }

  /// The response of a call that was begun; nil: it has none yet.
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
  @discardableResult
  func create(_ location: Location) throws -> Location {
    try #require(try ask(CreateLocationRequest(location: location)).location)
  }

  func get(_ id: ID?) throws -> Location {
    try #require(try ask(GetLocationRequest(id: id)).location)
  }

  /// Every page of a list.
  func list(_ request: ListLocationsRequest = ListLocationsRequest()) throws -> [LocationResult] {
    var results: [LocationResult] = []
    var request = request
    repeat {
      let page = try ask(request)
      results += page.results
      request.pageToken = page.nextPageToken
    } while !request.pageToken.isEmpty
    return results
  }

  /// All changes that the log tells.
  func changes() throws -> [Change] { try ask(ListChangesRequest()).changes }
}

extension [LocationResult] {
  var names: [String] { compactMap(\.location?.name) }
}

/// What begins like a PNG; no two of different seeds are the same.
func png(_ seed: UInt8, count: Int = 100) -> [UInt8] {
  [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A] + [UInt8](repeating: seed, count: count - 8)
}

/// Runs `body` with a folder of its own, which is gone afterwards.
func withFolder(_ body: (String) throws -> Void) throws {
  let folder = FileManager.default.temporaryDirectory.appending(path: "locations-\(UUID())")
  try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
  defer { try? FileManager.default.removeItem(at: folder) }
  try body(folder.path)
}

/// A place with something in each field that a caller gives.
let harbour = Location(
  name: "Harbour", description: "Two\nlines", address: "Quay 1\n8000 Zürich",
  point: GeoPoint(latitude: 47.36, longitude: 8.54), websiteURL: "https://harbour.example/x?y=1",
  phoneNumber: "+41 (44) 123-45.67", capacity: 120, externalID: "HRB")
