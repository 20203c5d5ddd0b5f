import Model
import Profiles
import ServiceKit
import Testing
import Wire

@Suite("The user and the profile")
struct UserTests {
  @Test("A1: GetMe gives the user, the roles and the profile in one call")
  func me() throws {
    let desk = try Desk()
    let profile = try desk.create("ada")
    let reply = try desk.call(GetMeRequest(), as: "ada", [.user, .staff])
    #expect(
      reply.response
        == GetMeResponse(userID: "ada", profile: profile, roles: ["user", "staff"]))
    #expect(reply.header.asOf == Revisions(profiles: 1))
  }

  @Test("A1: without roles given, every role is there")
  func allRoles() throws {
    let me = try Desk().ask(GetMeRequest(), as: "ada")
    #expect(me.roles == ["display", "user", "staff", "admin"])
  }

  @Test("A2: a user without a profile is a normal state")
  func noProfile() throws {
    let me = try Desk().ask(GetMeRequest(), as: "nobody-yet", .display)
    #expect(me.userID == "nobody-yet")
    #expect(me.profile == nil)
  }

  @Test("A3: a call that needs to know its user and cannot says NO_IDENTITY")
  func noIdentity() throws {
    let desk = try Desk()
    let id = try desk.create("ada").id
    #expect(try desk.call(GetMeRequest()).reason == "NO_IDENTITY")
    let named = Profile(firstName: "Ada")
    #expect(try desk.call(CreateProfileRequest(profile: named)).reason == "NO_IDENTITY")
    #expect(try desk.call(DeleteProfileRequest()).reason == "NO_IDENTITY")
    #expect(try desk.call(SetAvatarRequest()).reason == "NO_IDENTITY")
    // Somebody who is not known may still be an administrator, but nobody's owner.
    #expect(try desk.call(DeleteProfileRequest(id: id), as: "", .user).reason == "NO_IDENTITY")
    #expect(try desk.call(DeleteProfileRequest(id: id), as: "", .admin).code == .ok)
  }

  @Test("A3: one's own profile, of a user who has none, is NO_PROFILE")
  func noOwnProfile() throws {
    let desk = try Desk()
    let update = UpdateProfileRequest(
      profile: Profile(bio: "x"), updateMask: ["bio"], expectedRevision: 9)
    #expect(try desk.call(update, as: "ada").reason == "NO_PROFILE")
    #expect(try desk.call(DeleteProfileRequest(), as: "ada").reason == "NO_PROFILE")
    #expect(try desk.call(SetAvatarRequest(image: png(1)), as: "ada").reason == "NO_PROFILE")
  }

  @Test("A4: what create returns is enough to go on")
  func createReturns() throws {
    let desk = try Desk()
    try desk.create("first")
    let asked = Profile(
      firstName: "Ada", lastName: "Lovelace", companyName: "Analytical Engines", bio: "A\nB")
    let reply = try desk.call(CreateProfileRequest(profile: asked), as: "ada", .user)
    let made = try #require(reply.response.profile)
    #expect(made.id != nil)
    #expect(made.userID == "ada")
    #expect(ProfileText.allCases.allSatisfy { made[$0] == asked[$0] })
    #expect(made.revision == 2)
    #expect(reply.header.asOf == Revisions(profiles: 2))
    #expect(made.createTimeMs == desk.now.wallMs && made.updateTimeMs == desk.now.wallMs)
    #expect(try desk.ask(GetProfileRequest(id: made.id)).profile == made)
    #expect(try desk.ask(GetProfileRequest(userID: "ada")).profile == made)
    let change = Change(revision: 2, timeMs: made.updateTimeMs, what: .profilePut(made))
    #expect(
      desk.published.last
        == ChangesPublished(
          previousRevision: 1, lastRevision: 2, changes: [change]))
  }

  /// Who may do what to whose profile.
  static let whoMayChange: [(Roles, own: String, others: String)] = [
    (.display, "NOT_ALLOWED", "NOT_ALLOWED"), (.user, "", "NOT_ALLOWED"),
    (.staff, "", "NOT_ALLOWED"), (.admin, "", ""), ([.display, .user], "", "NOT_ALLOWED"),
  ]

  @Test("Only an administrator changes the profiles of others", arguments: whoMayChange)
  func access(roles: Roles, own: String, others: String) throws {
    let desk = try Desk()
    let text = Profile(firstName: "A")
    func outcomes(_ id: ID?, _ user: String) throws -> [String] {
      [
        try desk.call(
          UpdateProfileRequest(profile: Profile(id: id, bio: "new"), updateMask: ["bio"]),
          as: "me", roles
        ).reason,
        try desk.call(SetAvatarRequest(profileID: id, image: png(1)), as: "me", roles).reason,
        try desk.call(DeleteProfileRequest(id: id), as: "me", roles).reason,
        try desk.call(
          CreateProfileRequest(profile: Profile(userID: user, firstName: "A")), as: "me", roles
        ).reason,
      ]
    }
    let mine = try desk.create("me").id
    let theirs = try desk.create("them").id
    #expect(
      try outcomes(theirs, roles.contains(.admin) ? "them" : "new")
        == Array(
          repeating: others, count: 4))
    #expect(try outcomes(mine, "me") == Array(repeating: own, count: 4))
    #expect(
      try desk.call(
        BatchCreateProfilesRequest(profiles: [text]), as: "me", roles
      ).reason == others)
  }

  /// Who may read what.
  static let whoMayRead: [(Roles, one: String, everybody: String)] = [
    (.display, "NOT_ALLOWED", "NOT_ALLOWED"), (.user, "", "NOT_ALLOWED"), (.staff, "", ""),
    (.admin, "", ""),
  ]

  @Test("A user reads profiles by id; only the desk reads all of them", arguments: whoMayRead)
  func reading(roles: Roles, one: String, everybody: String) throws {
    let desk = try Desk()
    let id = try desk.create("them").id
    let image = try #require(
      try desk.ask(SetAvatarRequest(profileID: id, image: png(1))).profile?.avatarID)
    #expect(try desk.call(GetProfileRequest(id: id), as: "me", roles).reason == one)
    #expect(try desk.call(BatchGetProfilesRequest(), as: "me", roles).reason == one)
    #expect(try desk.call(GetAvatarRequest(avatarID: image), as: "me", roles).reason == one)
    #expect(try desk.call(ListProfilesRequest(), as: "me", roles).reason == everybody)
  }

  @Test("What is checked first decides the answer")
  func order() throws {
    let desk = try Desk()
    let id = try desk.create("them").id
    let stranger = ID(high: 1, low: 1)
    let later = Revisions(profiles: 99)
    func update(_ id: ID?, mask: [String] = ["bio"]) -> UpdateProfileRequest {
      UpdateProfileRequest(profile: Profile(id: id), updateMask: mask, expectedRevision: 7)
    }
    #expect(try desk.call(update(id, mask: []), as: "me", .display).reason == "INVALID_FIELDS")
    #expect(try desk.call(update(id), as: "", .display, key: stranger).reason == "NO_IDENTITY")
    #expect(try desk.call(update(id), as: "me", .display, atLeast: later).reason == "NOT_ALLOWED")
    #expect(desk.harness.tryCall(update(id), as: "me", .user, atLeast: later) == nil)
    #expect(try desk.call(update(id), as: "me", .user).reason == "NOT_ALLOWED")
    // What does not exist is not the caller's own either.
    #expect(try desk.call(update(stranger), as: "me", .user).reason == "NOT_ALLOWED")
    #expect(try desk.call(update(stranger), as: "me").reason == "PROFILE_NOT_FOUND")
    #expect(try desk.call(update(id), as: "me").reason == "REVISION_MISMATCH")
    #expect(try desk.changes().count == 1)
  }
}
