import Model
import Profiles
import ServiceKit
import Testing
import Wire

@Suite("The fields of a profile")
struct FieldTests {
  /// What is wrong with a new profile, and the fields that are named for it.
  static let refused: [(Profile, [String])] = [
    (Profile(), ["first_name"]),
    (Profile(firstName: " \u{3000}\u{A0}"), ["first_name"]),
    (Profile(firstName: "Ada\u{7}"), ["first_name"]),
    (Profile(firstName: "\u{202E}Ada"), ["first_name"]),
    (Profile(firstName: "Ada\nLovelace"), ["first_name"]),
    (Profile(firstName: String(repeating: "a", count: 51)), ["first_name"]),
    (Profile(firstName: "e" + String(repeating: "\u{301}", count: 1_001)), ["first_name"]),
    (Profile(firstName: "A", lastName: String(repeating: "한", count: 51)), ["last_name"]),
    (Profile(firstName: "A", companyName: String(repeating: "a", count: 51)), ["company_name"]),
    (
      Profile(firstName: "A", bio: String(repeating: "👩‍👩‍👧‍👦", count: 101)),
      ["bio"]
    ),
    (Profile(firstName: "A", bio: "tab\t"), ["bio"]),
    (Profile(userID: String(repeating: "é", count: 65), firstName: "A"), ["user_id"]),
    (Profile(id: ID(high: 1, low: 2), firstName: "A"), ["id"]),
    (Profile(firstName: "A", avatarID: Array(repeating: 1, count: 32)), ["avatar_id"]),
    (
      Profile(firstName: "A", createTimeMs: 1, updateTimeMs: -1),
      ["create_time_ms", "update_time_ms"]
    ),
    (Profile(firstName: "A", revision: 1), ["revision"]),
    (
      Profile(
        firstName: "", lastName: String(repeating: "b", count: 51), bio: "\u{0}", revision: 3),
      ["first_name", "last_name", "bio", "revision"]
    ),
  ]

  @Test("B3: all that is wrong is said at once, each with its field", arguments: refused)
  func refusals(profile: Profile, fields: [String]) throws {
    let desk = try Desk()
    let one = try desk.call(CreateProfileRequest(profile: profile), as: "ada")
    #expect(one.reason == "INVALID_FIELDS")
    #expect(Set(one.fields) == Set(fields.map { "profile.\($0)" }))
    #expect(one.fields.count == fields.count)
    let good = Profile(firstName: "Bob")
    let batch = try desk.call(BatchCreateProfilesRequest(profiles: [good, profile]), as: "ada")
    #expect(Set(batch.fields) == Set(fields.map { "profiles[1].\($0)" }))
    #expect(batch.fields.count == fields.count)
    #expect(try desk.changes() == [])
  }

  /// What just fits.
  static let accepted: [Profile] = [
    Profile(firstName: "A"),
    Profile(
      firstName: String(repeating: "한", count: 50), bio: String(repeating: "한", count: 100)),
    Profile(firstName: "A", bio: String(repeating: "👩‍👩‍👧‍👦", count: 100)),
    Profile(firstName: "e" + String(repeating: "\u{301}", count: 1_000)),
    Profile(userID: String(repeating: "u", count: 128), firstName: "A", bio: "two\nlines"),
    Profile(firstName: "\u{5D0}\u{200F}", lastName: "O'Neill-Ńandú 3rd"),
  ]

  @Test("B3: characters are counted as a reader counts them", arguments: accepted)
  func fits(profile: Profile) throws {
    let desk = try Desk()
    let made = try #require(try desk.ask(CreateProfileRequest(profile: profile), as: "ada").profile)
    #expect(ProfileText.allCases.allSatisfy { made[$0] == profile[$0] })
  }

  @Test("B3: what decomposed characters make is kept composed, and counted so")
  func composed() throws {
    let desk = try Desk()
    let decomposed = String(repeating: "e\u{301}", count: 50)
    let made = try desk.create("ada", decomposed)
    #expect(made.firstName.utf8.elementsEqual(String(repeating: "\u{E9}", count: 50).utf8))
    #expect(try desk.ask(GetProfileRequest(userID: "ada")).profile == made)
  }

  @Test("B3: at most 20 violations are told")
  func many() throws {
    let batch = BatchCreateProfilesRequest(profiles: Array(repeating: Profile(), count: 1_000))
    #expect(try Desk().call(batch).fields.count == 20)
  }

  @Test("B3: the operator may ask for more", arguments: [ProfileText.lastName, .companyName, .bio])
  func required(text: ProfileText) throws {
    let desk = try Desk(required: [text])
    let path = "profile.\(text.rawValue)"
    var profile = Profile(userID: "ada", firstName: "Ada")
    #expect(try desk.call(CreateProfileRequest(profile: profile)).fields == [path])
    #expect(
      try desk.call(BatchCreateProfilesRequest(profiles: [profile])).fields
        == ["profiles[0].\(text.rawValue)"])
    profile[text] = "here"
    let made = try #require(try desk.ask(CreateProfileRequest(profile: profile)).profile)
    let blank = Profile(id: made.id, lastName: " ", companyName: " ", bio: " ")
    func update(_ mask: [String]) -> UpdateProfileRequest {
      UpdateProfileRequest(profile: blank, updateMask: mask)
    }
    #expect(try desk.call(update([text.rawValue])).fields == [path])
    let others = ProfileText.allCases.filter { $0 != text && $0 != .firstName }.map(\.rawValue)
    #expect(try desk.call(update(others)).code == .ok)
  }

  @Test("B8: a missing text is empty")
  func missing() throws {
    let desk = try Desk()
    let made = try desk.create("ada")
    #expect(made.lastName == "" && made.companyName == "" && made.bio == "")
    #expect(made.avatarID == [])
  }

  @Test("A profile is found by one of id and user id")
  func oneOfTwo() throws {
    let desk = try Desk()
    let id = try desk.create("ada").id
    #expect(try desk.call(GetProfileRequest()).fields == ["id"])
    #expect(try desk.call(GetProfileRequest(id: id, userID: "ada")).fields == ["user_id"])
    #expect(try desk.call(GetProfileRequest(userID: "eve")).reason == "PROFILE_NOT_FOUND")
    let stranger = GetProfileRequest(id: ID(high: 0, low: 0))
    #expect(try desk.call(stranger).reason == "PROFILE_NOT_FOUND")
  }
}
