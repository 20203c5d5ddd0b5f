import Harness
import Model
import ServiceKit
import Testing
import Wire

@testable import Gateway

@Suite("Calls that are wrong in their header, and are answered by a service behind")
struct FormTests {
  private let request = CheckInRequest(profileID: Hub.person(0), locationID: Hub.place(1))

  /// A call that is wrong in its header, and what reaches the service of it.
  private func forwardWrong(
    _ hub: Hub, _ request: some Request = GetProfileRequest()
  ) throws -> (id: UInt64, asked: Harness.Asked) {
    let header = RequestHeader(
      timeoutMs: 300_001, idempotencyKey: id(7), actingUser: "user 0", actingRoles: .admin)
    let (call, asked) = hub.forward(request, header)
    return (call, try #require(asked))
  }

  private func violations(_ fields: [String]) -> Harness.Response {
    let all = fields.map { FieldViolation(field: $0, description: "No.") }
    return Harness.Response(header: ResponseHeader(status: Status(all)), body: [])
  }

  @Test("A3: what is wrong with header and body is told together; nobody can carry that out")
  func wrongHeader() throws {
    let hub = try Hub()
    let (call, asked) = try forwardWrong(hub, request)
    #expect(asked.header.timeoutMs > Limits.timeoutMs, "what goes out is wrong too")
    #expect(asked.header.actingUser == "" && asked.header.idempotencyKey == nil)
    #expect(asked.body == Encoder().bytes(request))
    hub.harness.respond(to: asked, violations(["header.timeout_ms", "location_id"]))
    hub.harness.finish()
    let status = try #require(hub.harness.take(call)?.header.status)
    #expect(status.reason == "INVALID_FIELDS")
    #expect(status.fieldViolations.map(\.field) == ["header.timeout_ms", "location_id"])
  }

  @Test("A3: twenty violations are the most, those of the header first")
  func manyViolations() throws {
    let hub = try Hub()
    let (call, asked) = try forwardWrong(hub)
    let fields = (0..<19).map { "profiles[\($0)].bio" }
    hub.harness.respond(to: asked, violations(["header.timeout_ms"] + fields))
    hub.harness.finish()
    let status = try #require(hub.harness.take(call)?.header.status)
    #expect(status.fieldViolations.map(\.field) == ["header.timeout_ms"] + fields)
  }

  @Test("A3: a header that is wrong is told alone where the service says nothing of the body")
  func wrongHeaderAlone() throws {
    let hub = try Hub()
    let (refused, asked) = try forwardWrong(hub)
    let draining = ResponseHeader(status: Status(.draining, "No."))
    hub.harness.respond(to: asked, Harness.Response(header: draining, body: []))
    let lost = try forwardWrong(hub).id
    hub.harness.disconnect(.profiles)
    let never = hub.forward(GetProfileRequest(), RequestHeader(timeoutMs: 300_001)).id
    hub.harness.connect(.profiles)
    let silent = try forwardWrong(hub).id
    hub.harness.pass(ms: Int64(Limits.namesTimeoutMs) + 500)
    for call in [refused, lost, never, silent] {
      let status = try #require(hub.harness.take(call)?.header.status)
      #expect(status.fieldViolations.map(\.field) == ["header.timeout_ms"])
    }
    let (malformed, last) = try forwardWrong(hub)
    let unreadable = ResponseHeader(status: Status(.malformedRequest, "No."))
    hub.harness.respond(to: last, Harness.Response(header: unreadable, body: []))
    hub.harness.finish()
    #expect(hub.harness.take(malformed)?.header.status?.reason == "MALFORMED_REQUEST")
  }
}
