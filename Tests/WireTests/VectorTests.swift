import Testing

@testable import Wire

@Suite("Every message of the contract, against Google's protobuf")
struct VectorTests {
  @Test("All messages have a vector")
  func complete() {
    #expect(Set(Vector.all.map(\.name)) == Set(messageNames))
  }

  @Test("Decoding and encoding gives the same bytes", arguments: Vector.all)
  func bytes(vector: Vector) throws {
    let type = try #require(messageType(vector.name))
    let (message, violations) = try decode(type, vector.bytes)
    #expect(violations.isEmpty)
    #expect(encode(message) == vector.bytes)
  }

  @Test(
    "As JSON it is what the contract says, and from that JSON the same bytes", arguments: Vector.all
  )
  func json(vector: Vector) throws {
    let value = try vector.bytes.withUnsafeBytes { try Wire.json(vector.name, $0) }
    #expect(value.write() == vector.json)
    #expect(try Wire.bytes(vector.name, value) == vector.bytes)
  }

  @Test("A value as JSON is the same as its bytes as JSON", arguments: Vector.all)
  func jsonOfValue(vector: Vector) throws {
    func open<M: Message>(_ message: M) -> String { Wire.json(message).write() }
    let type = try #require(messageType(vector.name))
    #expect(try open(decode(type, vector.bytes).message) == vector.json)
  }

  @Test(
    "The empty message has no bytes, and comes from none", arguments: frameTypes.map { $0.name })
  func empty(name: String) throws {
    let type = try #require(messageType(name))
    #expect(encode(try decode(type, []).message).isEmpty)
  }
}
