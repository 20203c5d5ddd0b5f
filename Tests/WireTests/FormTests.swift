import Model
import Testing

@testable import Wire

@Suite("What is wrong with the form of a field is told by its path")
struct FormTests {
  private func violations<M: Message>(_ type: M.Type, _ bytes: [UInt8]) throws -> [String] {
    try decode(type, bytes).violations.map(\.field)
  }

  @Test(
    "A text with what may hide or reorder others is refused",
    arguments: [
      "\u{0}", "a\u{1}", "\t", "\r", "\u{1F}", "\u{7F}", "\u{80}", "\u{9F}", "x\u{202A}",
      "\u{202B}", "\u{202C}", "\u{202D}", "\u{202E}", "\u{2066}", "\u{2067}", "\u{2068}y",
      "\u{2069}",
    ])
  func texts(text: String) throws {
    let bytes = Encoder().bytes(CreateProfileRequest(profile: Profile(bio: text)))
    #expect(try violations(CreateProfileRequest.self, bytes) == ["profile.bio"])
  }

  @Test(
    "Neighbours of the refused characters are none of them",
    arguments: [
      " ", "~", "\u{A0}", "\u{2029}", "\u{202F}", "\u{2065}", "\u{206A}", "\u{200D}",
    ])
  func neighbours(text: String) throws {
    let bytes = Encoder().bytes(CreateProfileRequest(profile: Profile(bio: text)))
    #expect(try violations(CreateProfileRequest.self, bytes) == [])
  }

  @Test("Line breaks are allowed where the contract says so, and nowhere else")
  func lineBreaks() throws {
    let text = "a\nb"
    let profile = Profile(
      userID: text, firstName: text, lastName: text, companyName: text, bio: text)
    let location = Location(
      name: text, description: text, address: text, websiteURL: text, phoneNumber: text,
      externalID: text)
    #expect(
      try violations(
        CreateProfileRequest.self, Encoder().bytes(CreateProfileRequest(profile: profile)))
        == ["profile.user_id", "profile.first_name", "profile.last_name", "profile.company_name"])
    let request = CreateLocationRequest(location: location)
    #expect(
      try violations(CreateLocationRequest.self, Encoder().bytes(request))
        == [
          "location.name", "location.website_url", "location.phone_number", "location.external_id",
        ])
  }

  @Test(
    "Malformed UTF-8 is refused",
    arguments: [
      [0x80], [0xC3], [0xC0, 0x80], [0xE2, 0x82], [0xED, 0xA0, 0x80], [0xF4, 0x90, 0x80, 0x80],
      [0xFF], [0x61, 0xF0, 0x9F, 0x98],
    ] as [[UInt8]])
  func malformedUTF8(text: [UInt8]) throws {
    #expect(try violations(GetProfileRequest.self, field(2, text)) == ["user_id"])
    #expect(
      try violations(UpdateProfileRequest.self, field(2, Array("bio".utf8)) + field(2, text))
        == ["update_mask[1]"])
  }

  @Test("An id has 16 bytes or none, in a list always 16", arguments: [1, 15, 17, 32, 1000])
  func ids(count: Int) throws {
    let bytes = [UInt8](repeating: 7, count: count)
    let good = [UInt8](repeating: 7, count: 16)
    #expect(
      try violations(CheckInRequest.self, field(1, bytes) + field(2, bytes))
        == ["profile_id", "location_id"])
    #expect(
      try violations(BatchGetProfilesRequest.self, field(1, good) + field(1, bytes) + field(1, []))
        == ["ids[1]", "ids[2]"])
    #expect(
      try violations(CheckInRequest.self, field(4, field(1, bytes))) == ["expect.location_id"])
    #expect(try violations(CheckInRequest.self, field(4, field(1, []))) == ["expect.location_id"])
  }

  @Test("The id of an image is a SHA-256 or empty", arguments: [1, 16, 31, 33])
  func hashes(count: Int) throws {
    let bytes = [UInt8](repeating: 7, count: count)
    #expect(try violations(GetAvatarRequest.self, field(1, bytes)) == ["avatar_id"])
    #expect(try violations(GetAvatarRequest.self, field(1, bytes + bytes + bytes)) == ["avatar_id"])
    #expect(try violations(GetAvatarRequest.self, field(1, [UInt8](repeating: 7, count: 32))) == [])
  }

  @Test(
    "An unknown enum value is refused",
    arguments: [3, 1000, 1 << 31, .max, 1 << 40 | 77] as [UInt64])
  func enums(value: UInt64) throws {
    #expect(try violations(GetBoardRequest.self, field(3, value)) == ["order"])
  }

  @Test(
    "A position and a radius are finite numbers",
    arguments: [Double.nan, .signalingNaN, .infinity, -.infinity])
  func finite(value: Double) throws {
    let near = GeoPoint(latitude: value, longitude: value)
    let request = ListLocationsRequest(near: near, radiusM: value)
    #expect(
      try violations(ListLocationsRequest.self, Encoder().bytes(request))
        == ["near.latitude", "near.longitude", "radius_m"])
  }

  @Test("At most 20 violations are told, each with its place in the list")
  func many() throws {
    let profiles = [Profile](repeating: Profile(firstName: "\u{1}"), count: 30)
    let bytes = Encoder().bytes(BatchCreateProfilesRequest(profiles: profiles))
    #expect(
      try violations(BatchCreateProfilesRequest.self, bytes)
        == (0..<20).map { "profiles[\($0)].first_name" })
  }

  @Test("What is wrong with one check-in of a batch is its own, however many there are")
  func ownViolations() throws {
    let item = field(1, [1]) + field(2, [2])
    let bytes = (0..<30).flatMap { _ in field(1, item) } + field(1, [])
    let (message, violations) = try decode(BatchCheckInRequest.self, bytes)
    let items = try #require((message as? BatchCheckInRequest)?.items)
    #expect(violations.isEmpty)
    #expect(items.count == 31)
    #expect(
      items[29].violations.map(\.field) == ["items[29].profile_id", "items[29].location_id"])
    #expect(items[30].violations.isEmpty)
  }

  @Test(
    "A text becomes NFC",
    arguments: [
      ("e\u{301}", "\u{E9}"), ("\u{1112}\u{1161}\u{11AB}", "\u{D55C}"), ("\u{212B}", "\u{C5}"),
      ("a\u{323}\u{307}", "\u{1EA1}\u{307}"), ("a\u{307}\u{323}", "\u{1EA1}\u{307}"),
      ("\u{958}", "\u{915}\u{93C}"), ("\u{FB01}", "\u{FB01}"), ("", ""), ("abc", "abc"),
    ])
  func nfc(text: String, composed: String) throws {
    let bytes = Encoder().bytes(GetProfileRequest(userID: text))
    let (message, violations) = try decode(GetProfileRequest.self, bytes)
    let userID = try #require((message as? GetProfileRequest)?.userID)
    #expect(Array(userID.unicodeScalars) == Array(composed.unicodeScalars))
    #expect(violations.isEmpty)
  }

  @Test(
    "Searches see neither case nor accents",
    arguments: [
      ("Café", "cafe"), ("STRASSE", "straße"), ("ﬁne", "FINE"),
      ("Ἀθῆναι", "αθηναι"), ("İ", "i"), ("ñandú", "N\u{303}ANDU\u{301}"),
    ])
  func folded(one: String, other: String) {
    #expect(Text.folded(one).utf8.elementsEqual(Text.folded(other).utf8))
  }
}
