import Model
import ServiceKit
import Testing
import Wire

@Suite("Page tokens")
struct PageTokenTests {
  private let question = Question(.listProfiles).hash

  @Test("what is written comes back, in the alphabet of URLs", arguments: 0..<70)
  func roundTrip(_ count: Int) throws {
    let position = (0..<count).map { UInt8(truncatingIfNeeded: $0 * 251 + count) }
    let token = PageToken.make(question: question, position: position)
    #expect(token.utf8.allSatisfy { ($0 as UInt8) == 0x2D || $0 == 0x5F || $0 >= 0x30 })
    #expect(try PageToken.read(token, question: question) == position)
  }

  @Test("no token is the first page")
  func none() throws {
    #expect(try PageToken.read("", question: question) == nil)
  }

  @Test("any change to a token is noticed, as another question is")
  func tampered() {
    let token = Array(PageToken.make(question: question, position: [1, 2, 3]).utf8)
    for index in token.indices {
      for byte in Array("A_-z0 =é".utf8) where byte != token[index] {
        var changed = token
        changed[index] = byte
        #expect(throws: Refusal(.pageTokenInvalid, PageToken.invalid.status.message)) {
          try PageToken.read(String(decoding: changed, as: UTF8.self), question: question)
        }
      }
      #expect(throws: Refusal.self) {
        try PageToken.read(
          String(decoding: token[..<index], as: UTF8.self) + (index == 0 ? "A" : ""),
          question: question)
      }
    }
    #expect(throws: Refusal.self) {
      try PageToken.read(String(decoding: token, as: UTF8.self), question: question &+ 1)
    }
    #expect(PageToken.invalid.status.reason == "PAGE_TOKEN_INVALID")
    #expect(PageToken.invalid.status.code == .invalidArgument)
  }

  @Test("a token of an earlier release still reads")
  func stable() throws {
    var question = Question(.listLocations)
    question.add("café")
    question.add(GeoPoint(latitude: 37.5, longitude: -122))
    question.add(2_500.0)
    #expect(PageToken.make(question: question.hash, position: [1, 2, 3]) == "T0Ego7f5UaMBAgMz5aoI")
  }

  @Test("questions that differ anywhere have different hashes")
  func questions() {
    func hash(_ build: (inout Question) -> Void) -> UInt64 {
      var question = Question(.listLocations)
      build(&question)
      return question.hash
    }
    let hashes = [
      hash { _ in },
      Question(.listProfiles).hash,
      hash { $0.add("ab") },
      hash {
        $0.add("a")
        $0.add("b")
      },
      hash {
        $0.add("")
        $0.add("ab")
      },
      hash { $0.add(nil as ID?) },
      hash { $0.add(ID(high: 0, low: 0)) },
      hash { $0.add(GeoPoint(latitude: 0, longitude: -0.0)) },
      hash { $0.add(1 as UInt64) },
      hash { $0.add(-1 as Int64) },
      hash { $0.add(0.5) },
    ]
    #expect(Set(hashes).count == hashes.count)
  }

  @Test("a position comes back as it was written")
  func position() throws {
    var writer = PositionWriter()
    writer.write("Zoë 👩‍👩‍👧")
    writer.write(ID(high: 1, low: .max))
    writer.write(Int64.min)
    writer.write(UInt64.max)
    writer.write(-0.25)
    writer.write("")
    var reader = PositionReader(writer.bytes)
    #expect(try reader.text() == "Zoë 👩‍👩‍👧")
    #expect(try reader.id() == ID(high: 1, low: .max))
    #expect(try reader.int64() == .min)
    #expect(try reader.uint64() == .max)
    #expect(try reader.double() == -0.25)
    #expect(try reader.text() == "")
    try reader.end()
  }

  @Test("tampered positions are refused and trap nothing")
  func tamperedPosition() {
    let bytes: [[UInt8]] = [
      [], [1], [UInt8](repeating: 0xFF, count: 7), [UInt8](repeating: 0xFF, count: 8),
      [0, 0, 0, 0, 0, 0, 0, 2, 0x61], [0, 0, 0, 0, 0, 0, 0, 1, 0xFF],
      [0x7F, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0x61],
    ]
    for one in bytes {
      #expect(throws: Refusal.self) {
        var reader = PositionReader(one)
        _ = try reader.text()
      }
      #expect(throws: Refusal.self) {
        var reader = PositionReader(one)
        _ = try reader.id()
      }
    }
    #expect(throws: Refusal.self) { try PositionReader([0]).end() }
    #expect(throws: Refusal.self) {
      var reader = PositionReader([0x7F, 0xF8, 0, 0, 0, 0, 0, 0])
      _ = try reader.double()
    }
  }
}
