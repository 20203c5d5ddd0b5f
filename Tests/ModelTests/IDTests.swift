import Model
import Testing

@Suite struct IDTests {
  @Test(
    "An id reads its own text form, in either case",
    arguments: [
      "00000000-0000-0000-0000-000000000000", "0190163d-8694-739b-aea5-966c26f8ad91",
      "ffffffff-ffff-ffff-ffff-ffffffffffff",
    ])
  func roundTrip(text: String) throws {
    let id = try #require(ID(text))
    #expect(id.description == text)
    #expect(ID(text.uppercased()) == id)
    #expect(ID(bytes: id.bytes) == id)
  }

  @Test(
    "What is no UUID is refused",
    arguments: [
      "", "0190163d", "0190163d-8694-739b-aea5-966c26f8ad9",
      "0190163d-8694-739b-aea5-966c26f8ad911",
      "0190163d86-94-739b-aea5-966c26f8ad91", "0190163g-8694-739b-aea5-966c26f8ad91",
      "0190163d-8694-739b-aea5-966c26f8ad９1",
    ])
  func refused(text: String) {
    #expect(ID(text) == nil)
  }

  @Test("Ids sort as their bytes do, and later ones after earlier ones")
  func order() {
    let first = ID(milliseconds: 1_700_000_000_000, random: (.max, .max))
    let second = ID(milliseconds: 1_700_000_000_001, random: (0, 0))
    #expect(first < second)
    #expect(first.bytes.lexicographicallyPrecedes(second.bytes))
    #expect(first.bytes[6] >> 4 == 7 && first.bytes[8] >> 6 == 2)
  }
}
