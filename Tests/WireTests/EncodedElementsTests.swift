import Model
import Testing

@testable import Wire

@Suite("Elements encoded one by one")
struct EncodedElementsTests {
  private let encoder = Encoder()

  /// What the message is when its bytes are read.
  private func read<M: Message>(_ message: M, then elements: EncodedElements) throws -> M {
    var room = UnsafeMutableRawBufferPointer.allocate(byteCount: 0, alignment: 1)
    defer { room.deallocate() }
    encoder.encode(message, then: elements) { size in
      room.deallocate()
      room = .allocate(byteCount: size, alignment: 1)
      return room
    }
    var violations: [FieldViolation] = []
    let read = try Decoder().decode(
      M.self, from: UnsafeRawBufferPointer(room), violations: &violations)
    #expect(violations.isEmpty)
    return read
  }

  @Test("counts are read as those that protobuf-c writes")
  func counts() throws {
    let numbers: [UInt32] = [0, 1, 127, 128, 16_383, 16_384, 2_097_152, .max]
    let counts = numbers.map { LocationCount(locationID: ID(high: 1, low: UInt64($0)), count: $0) }
    var elements = EncodedElements(field: 1)
    for count in counts {
      elements.append(try #require(count.locationID), field: 2, UInt64(count.count))
    }
    let message = GetCountsResponse(total: 7, nextPageToken: "next")
    var whole = message
    whole.counts = counts
    #expect(try read(message, then: elements) == whole)
    elements.removeAll()
    #expect(try read(message, then: elements) == message)
    #expect(try read(GetCountsResponse(), then: elements) == GetCountsResponse())
  }

  @Test("people are read as those that protobuf-c writes, negative times too")
  func people() throws {
    let long = String(repeating: "가", count: 200)
    let people = [
      Person(profileID: ID(high: 1, low: 2), firstName: "Ada", sinceMs: 1_764_500_000_000),
      Person(profileID: ID(high: 1, low: 3), firstName: long, lastName: "b", sinceMs: -1),
      Person(profileID: ID(high: 1, low: 4), avatarID: Array(repeating: 9, count: 32)),
      Person(profileID: ID(high: 1, low: 5), sinceMs: .max, profileUnavailable: true),
    ]
    var elements = EncodedElements(field: 3)
    for person in people {
      var timeless = person
      timeless.sinceMs = 0
      elements.append(
        encoder.bytes(timeless), field: 6, UInt64(bitPattern: person.sinceMs))
    }
    var message = ListPeopleHereResponse(count: 4, unreachable: ["profiles"])
    let told = try read(message, then: elements)
    message.people = people
    #expect(told == message)
  }
}
