import Model
import Testing

@testable import Wire

@Suite struct EnvelopeTests {
  private let encoder = Encoder()
  private let decoder = Decoder()

  private func decode<M: Message>(
    _ type: M.Type, _ bytes: [UInt8]
  ) throws -> (M, [FieldViolation]) {
    let (message, violations) = try WireTests.decode(type, bytes, by: decoder)
    return (try #require(message as? M), violations)
  }

  @Test("A request header comes back as it was sent")
  func requestHeader() throws {
    let sent = RequestHeader(
      id: .max, method: .checkIn, timeoutMs: 300_000, idempotencyKey: ID(high: 1, low: 2),
      atLeast: Revisions(profiles: 1, locations: 2, checkIns: .max), actingUser: "anna",
      actingRoles: [.user, .admin], traceID: ID(high: 3, low: 4))
    let (received, violations) = try decode(RequestHeader.self, encoder.bytes(sent))
    #expect(received == sent)
    #expect(violations.isEmpty)
  }

  @Test("A response header comes back as it was sent")
  func responseHeader() throws {
    let status = Status(
      .invalidFields, "Bad\u{0}.", violations: [FieldViolation(field: "a", description: "b")])
    let sent = ResponseHeader(
      id: 7, status: status, asOf: Revisions(checkIns: 4711), replayed: true, more: true)
    let (received, violations) = try decode(ResponseHeader.self, encoder.bytes(sent))
    #expect(received == sent)
    #expect(received.status?.message == "Bad\\u{0}.")
    #expect(violations.isEmpty)
  }

  @Test("Every method is found by its full name, and no other name is", arguments: Method.allCases)
  func methods(method: Method) {
    func found(_ name: String) -> Method? {
      Array(name.utf8).withUnsafeBytes { Method(fullName: $0) }
    }
    #expect(found(method.fullName) == method)
    #expect(found(method.fullName + "x") == nil)
    #expect(found(String(method.fullName.dropLast())) == nil)
    #expect(found("x" + method.fullName.dropFirst()) == nil)
    #expect(method.fullName.hasPrefix(method.service.rawValue + "/"))
  }

  @Test("A header's violations are named under header")
  func headerViolations() throws {
    var bytes: [UInt8] = [0x18] + [0xE1, 0xA7, 0x12]  // timeout_ms 300 001
    bytes += [0x22, 1, 9]  // idempotency_key of one byte
    bytes += [0x3A, 2, 9, 9]  // trace_id of two
    bytes += [0x32, 1, 0x80]  // acting_user that is not UTF-8
    bytes += [0x42, 4] + Array("user".utf8) + [0x42, 4] + Array("boss".utf8)
    let (_, violations) = try decode(RequestHeader.self, bytes)
    #expect(
      Set(violations.map(\.field)) == [
        "header.timeout_ms", "header.idempotency_key", "header.trace_id", "header.acting_user",
        "header.acting_roles[1]",
      ])
  }
}
