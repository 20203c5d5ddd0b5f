import Harness
import Keys
import Model
import Testing
import Wire
import ZeroMQ

@testable import Gateway
@testable import ServiceKit

/// Callers who come with a key, to a gateway that believes nobody.
@Suite struct KeyTests {
  private let hub: Hub
  private let key: PublicKey

  init() throws {
    hub = try Hub(trustsClients: false)
    key = try CurveKeyPair().publicKey
  }

  private func allow(_ line: String) throws {
    let keys = try AllowedKeys(Array("\(key) \(line)\n".utf8), file: "keys")
    hub.harness.core.allow(keys, at: hub.harness.now)
  }

  private func reason<Q: Request>(
    _ request: Q, from sender: Sender? = nil, as user: String = "", _ roles: Roles = []
  ) throws -> String {
    hub.harness.sender = sender ?? .key(key)
    return try hub.harness.call(request, as: user, roles).reason
  }

  @Test("A key is asked for at each call, and is its user with its roles")
  func eachCall() throws {
    #expect(try reason(GetCountsRequest()) == "KEY_REVOKED")
    try allow("ada display")
    #expect(try reason(GetCountsRequest()) == "")
    #expect(try reason(ListPeopleEverywhereRequest()) == "NOT_ALLOWED")
    try allow("ada user")
    #expect(try reason(ListPeopleEverywhereRequest()) == "")
    try allow("ada user 2023-11-13")
    #expect(try reason(GetCountsRequest()) == "KEY_REVOKED", "its last day is over")
    #expect(try reason(ListProfilesRequest()) == "KEY_REVOKED", "also of what is passed on")
  }

  @Test("What is passed on is for the key's user, whatever the caller writes")
  func passedOn() throws {
    try allow("ada user,staff")
    hub.harness.owners[.profiles] = nil
    hub.harness.sender = .key(key)
    hub.harness.send(GetMeRequest())
    let asked = try #require(hub.harness.asked.last)
    #expect(asked.header.actingUser == "ada" && asked.header.actingRoles == [.user, .staff])
  }

  @Test("Who has a key cannot say to be somebody else, nor oneself")
  func acting() throws {
    try allow("ada admin")
    #expect(try reason(GetCountsRequest(), as: "bob") == "INVALID_FIELDS")
    #expect(try reason(GetCountsRequest(), as: "ada") == "INVALID_FIELDS")
    #expect(try reason(GetCountsRequest(), as: "", .display) == "INVALID_FIELDS")
    // Also of what is passed on: what a service is then asked is for nobody, and it cannot do it.
    hub.harness.owners[.profiles] = nil
    hub.harness.sender = .key(key)
    let call = hub.harness.send(GetMeRequest(), RequestHeader(actingUser: "bob"))
    let asked = try #require(hub.harness.asked.last)
    #expect(asked.header.actingUser == "" && asked.header.actingRoles == [])
    #expect(asked.header.timeoutMs > Limits.timeoutMs)
    let refused = Status([FieldViolation(field: "header.timeout_ms", description: "No.")])
    hub.harness.respond(
      to: asked, Harness.Response(header: ResponseHeader(status: refused), body: []))
    hub.harness.finish()
    let told = try #require(hub.harness.take(call)?.header.status)
    #expect(told.fieldViolations.map(\.field) == ["header.acting_user"])
  }

  @Test("Where it is not known who sends, nobody is believed, trusting or not")
  func unknown() throws {
    #expect(try reason(GetCountsRequest(), from: .unknown, as: "ada", .admin) == "NO_IDENTITY")
    #expect(try reason(GetCountsRequest(), from: .plain, as: "ada", .admin) == "NO_IDENTITY")
    try hub.start(trustsClients: true)
    #expect(try reason(GetCountsRequest(), from: .unknown, as: "ada", .admin) == "NO_IDENTITY")
    #expect(try reason(GetCountsRequest(), from: .plain, as: "ada", .admin) == "")
  }

  @Test(
    "A watch ends when its key is taken away, given to somebody else, or has other roles",
    arguments: ["", "bob user", "ada display", "ada user,staff", "ada user 2023-11-13"])
  func watches(line: String) throws {
    try allow("ada user")
    hub.harness.sender = .key(key)
    var screen = hub.watch(place: 0)
    #expect(screen.responses.count == 1)
    if line.isEmpty {
      hub.harness.core.allow(AllowedKeys(), at: hub.harness.now)
    } else {
      try allow(line)
    }
    #expect(hub.end(of: screen) == "KEY_REVOKED")
    screen.forget()
    hub.move(0, to: 0)
    hub.tell(&screen)
    #expect(screen.responses == [])
  }

  @Test("A watch goes on where another line of the list changes")
  func goesOn() throws {
    try allow("ada user")
    hub.harness.sender = .key(key)
    var screen = hub.watch(place: 0)
    let other = try CurveKeyPair().publicKey
    let keys = try AllowedKeys(
      Array("\(other) bob admin\n\(key) ada user # laptop\n".utf8), file: "keys")
    hub.harness.core.allow(keys, at: hub.harness.now)
    screen.forget()
    hub.move(0, to: 0)
    hub.tell(&screen)
    #expect(screen.responses.count == 1)
  }
}
