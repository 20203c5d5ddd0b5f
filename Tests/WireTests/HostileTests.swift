import Model
import Testing

@testable import Wire

@Suite("No bytes of a peer make it trap, or take more than its budget")
struct HostileTests {
  @Test("Cut off anywhere but at the end of a field, a message is malformed", arguments: Vector.all)
  func truncated(vector: Vector) throws {
    let type = try #require(messageType(vector.name))
    let decoder = Decoder()
    let ends = fieldEnds(vector.bytes)
    for count in 0...vector.bytes.count {
      let cut = Array(vector.bytes[..<count])
      if ends.contains(count) {
        #expect(throws: Never.self) { try decode(type, cut, by: decoder) }
      } else {
        #expect(throws: MalformedMessage.self) { try decode(type, cut, by: decoder) }
        #expect(throws: MalformedMessage.self) {
          try cut.withUnsafeBytes { try Wire.json(vector.name, $0) }
        }
      }
    }
  }

  /// Where the fields of a good message end, and where it begins.
  private func fieldEnds(_ bytes: [UInt8]) -> Set<Int> {
    var ends: Set = [0]
    var place = 0
    func varint() -> Int {
      var value = 0
      var shift = 0
      repeat {
        value |= Int(truncatingIfNeeded: UInt64(bytes[place] & 0x7F) << UInt64(shift))
        shift += 7
        place += 1
      } while bytes[place - 1] >= 0x80
      return value
    }
    while place < bytes.count {
      switch varint() & 7 {
      case 0: _ = varint()
      case 1: place += 8
      default:
        let length = varint()
        place += length
      }
      ends.insert(place)
    }
    return ends
  }

  @Test(
    "A known field of another wire type is malformed",
    arguments: [
      [0x08, 1], [0x09, 0, 0, 0, 0, 0, 0, 0, 0], [0x0D, 0, 0, 0, 0],  // profile_id
      [0x1A, 1, 1], [0x19, 0, 0, 0, 0, 0, 0, 0, 0], [0x1D, 0, 0, 0, 0],  // ttl_s
      [0x20, 1], [0x25, 0, 0, 0, 0],  // expect
    ] as [[UInt8]])
  func wireTypes(bytes: [UInt8]) {
    #expect(throws: MalformedMessage(name: "muster.v1.CheckInRequest")) {
      try decode(CheckInRequest.self, bytes)
    }
  }

  @Test(
    "What is no protobuf is malformed",
    arguments: [
      [0x0B, 0x0C], [0x7B, 0x7C], [0x7C],  // groups, known and unknown field
      [0x0F], [0x0E],  // no such wire types
      [0x00], [0x02, 0],  // field 0
      [0x0A], [0x0A, 2, 1], [0x0A, 0xFF, 0xFF, 0xFF, 0xFF, 0x0F],  // longer than there is
      [0x0A, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0x01],
      [0x0A, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x00],
      [0x18], [0x18, 0xFF], [0x18] + [UInt8](repeating: 0xFF, count: 11),  // endless varints
      [0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0x01],  // a tag too large
    ] as [[UInt8]])
  func malformed(bytes: [UInt8]) {
    #expect(throws: MalformedMessage(name: "muster.v1.CheckInRequest")) {
      try decode(CheckInRequest.self, bytes)
    }
  }

  @Test("Unknown fields of every wire type are passed over")
  func unknownFields() throws {
    let known = field(3, 60)
    let unknown =
      field(1000, 1) + field(1001, [1, 2, 3]) + varint(1002 << 3 | 1) + [1, 2, 3, 4, 5, 6, 7, 8]
      + varint(1003 << 3 | 5) + [1, 2, 3, 4] + field(536_870_911, 1)
    let (message, violations) = try decode(CheckInRequest.self, unknown + known + unknown)
    #expect(message as? CheckInRequest == CheckInRequest(ttlS: 60))
    #expect(violations.isEmpty)
  }

  @Test("Numbers are cut to their width as protobuf does, and never trap")
  func numbers() throws {
    let (message, _) = try decode(CheckInRequest.self, field(3, .max))
    #expect(message as? CheckInRequest == CheckInRequest(ttlS: .max))
    let (history, _) = try decode(ListHistoryRequest.self, field(3, .max) + field(4, 1 << 63))
    #expect(history as? ListHistoryRequest == ListHistoryRequest(startTimeMs: -1, endTimeMs: .min))
    let (header, violations) = try decode(RequestHeader.self, field(1, .max) + field(3, .max))
    #expect((header as? RequestHeader)?.id == .max)
    #expect(violations.map(\.field) == ["header.timeout_ms"])
    let (watch, _) = try decode(WatchRequest.self, field(2, 77))
    #expect(watch as? WatchRequest == WatchRequest(allCounts: true))
  }

  @Test("Of a field that is there twice the last counts, of a message both")
  func repeated() throws {
    let one = field(1, field(3, Array("Anna".utf8)) + field(4, Array("Old".utf8)))
    let two = field(1, field(4, Array("New".utf8)))
    let (message, _) = try decode(CreateProfileRequest.self, one + two)
    let expected = CreateProfileRequest(profile: Profile(firstName: "Anna", lastName: "New"))
    #expect(message as? CreateProfileRequest == expected)
    let id = ID(high: 1, low: 2)
    let both = field(4, field(1, id.bytes) + field(2, 1) + field(3, 9))
    let (request, _) = try decode(CheckInRequest.self, both)
    #expect(request as? CheckInRequest == CheckInRequest(expect: Expectation(what: .revision(9))))
  }

  @Test("A megabyte that would need far more memory is malformed, and the decoder goes on")
  func budget() throws {
    let decoder = Decoder()
    let half = Limits.frameBytes / 2
    let empties = [[UInt8]](repeating: [0x0A, 0], count: half).flatMap { $0 }
    for type in [BatchCreateLocationsRequest.self, BatchCreateProfilesRequest.self]
      as [any Message.Type]
    {
      #expect(throws: MalformedMessage(name: type.name)) { try decode(type, empties, by: decoder) }
    }
    // One message said half a million times is merged anew each time.
    #expect(throws: MalformedMessage(name: CreateLocationRequest.name)) {
      try decode(CreateLocationRequest.self, empties, by: decoder)
    }
    let unknown = [[UInt8]](repeating: [0x78, 0], count: half).flatMap { $0 }
    #expect(throws: MalformedMessage(name: GetMeRequest.name)) {
      try decode(GetMeRequest.self, unknown, by: decoder)
    }
    let good = try #require(Vector.all.first { $0.name == CheckInRequest.name })
    #expect(throws: Never.self) { try decode(CheckInRequest.self, good.bytes, by: decoder) }
  }

  @Test("The longest batches and pages that mean something are within the budget")
  func roomy() throws {
    let location = Location(
      id: ID(high: 1, low: 2), name: "A place with a name of some length", point: GeoPoint(),
      websiteURL: "https://example.org/a/rather/long/path", phoneNumber: "+1 408 392 3600",
      externalID: "SJC", revision: 1)
    let batch = BatchCreateLocationsRequest(locations: .init(repeating: location, count: 1_000))
    #expect(
      try decode(BatchCreateLocationsRequest.self, encode(batch)).message
        as? BatchCreateLocationsRequest == batch)
    let change = Change(
      revision: 1, timeMs: 1,
      what: .checkIn(CheckInChange(revision: 1, profileID: ID(high: 1, low: 2))))
    let page = ListChangesResponse(changes: .init(repeating: change, count: 10_000))
    #expect(
      try decode(ListChangesResponse.self, encode(page)).message as? ListChangesResponse == page)
  }

  @Test("A megabyte of combining marks is put in order at once")
  func marks() throws {
    // utf8proc alone swaps neighbours: a quarter of a million marks would take minutes.
    let count = Limits.frameBytes / 5
    let text =
      "a" + String(repeating: "\u{301}", count: count) + String(repeating: "\u{323}", count: count)
    var composed = ""
    let taken = ContinuousClock().measure { composed = Text.nfc(text) }
    #expect(composed.unicodeScalars.count == 2 * count)
    #expect(composed.unicodeScalars.first == "\u{1EA1}")
    #expect(composed.unicodeScalars.last == "\u{301}")
    #expect(taken < .seconds(10))
  }

  @Test("Any bytes changed at random: no trap, and what is read is written and read the same")
  func mutations() throws {
    let seed = UInt64.random(in: 0 ... .max)
    var random = SplitMix(state: seed)
    let decoder = Decoder()
    for vector in Vector.all {
      let type = try #require(messageType(vector.name))
      for _ in 0..<200 {
        let bytes = mutated(vector.bytes, &random)
        // Most are malformed now, which is as good an answer.
        guard let (message, violations) = try? decode(type, bytes, by: decoder) else { continue }
        _ = try bytes.withUnsafeBytes { try Wire.json(vector.name, $0).write() }
        let again = encode(message)
        let second = try decode(type, again, by: decoder)
        #expect(
          encode(second.message) == again && (second.violations.isEmpty || !violations.isEmpty),
          "seed \(seed): \(vector.name) from \(bytes)")
      }
    }
  }

  private func mutated(_ bytes: [UInt8], _ random: inout SplitMix) -> [UInt8] {
    var bytes = bytes
    for _ in 0...Int.random(in: 0...3, using: &random) where !bytes.isEmpty {
      let place = Int.random(in: bytes.indices, using: &random)
      switch Int.random(in: 0...4, using: &random) {
      case 0: bytes[place] = .random(in: 0...255, using: &random)
      case 1: bytes[place] ^= 1 << UInt8.random(in: 0...7, using: &random)
      case 2: bytes.remove(at: place)
      case 3: bytes.insert(.random(in: 0...255, using: &random), at: place)
      default: bytes.insert(contentsOf: bytes[place...].prefix(40), at: place)
      }
    }
    return bytes
  }
}

/// SplitMix64, by Steele, Lea and Flood, "Fast splittable pseudorandom number generators" (2014).
private struct SplitMix: RandomNumberGenerator {
  var state: UInt64

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ mixed >> 30) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ mixed >> 27) &* 0x94D0_49BB_1331_11EB
    return mixed ^ mixed >> 31
  }
}
