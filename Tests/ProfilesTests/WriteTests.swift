import Foundation
import Model
import Profiles
import ServiceKit
import Testing
import Wire

@Suite("Creating, changing and deleting profiles")
struct WriteTests {
  @Test("B1: ids do not depend on the content")
  func ids() throws {
    let desk = try Desk()
    let twins = [try desk.create("a", "Ada", "Byron"), try desk.create("b", "Ada", "Byron")]
    #expect(twins[0].id != twins[1].id)
  }

  @Test("B4: what a crash interrupts leaves nothing")
  func crash() throws {
    try withFolder { folder in
      let desk = try Desk(path: folder + "/profiles.db")
      try desk.create("ada")
      try desk.store.begin()
      _ = try desk.store.add(
        Profile(id: ID(high: 1, low: 1), userID: "eve", firstName: "Eve"), at: desk.now)
      try desk.start()
      #expect(try desk.ask(GetMeRequest(), as: "eve").profile == nil)
      #expect(try desk.list(pageSize: 10) == ["ada"])
      #expect(try desk.changes().count == 1)
      #expect(try desk.create("eve").revision == 2)
    }
  }

  @Test("B4: what is rolled back was never there")
  func rollBack() throws {
    let desk = try Desk()
    try desk.store.begin()
    _ = try desk.store.add(
      Profile(id: ID(high: 1, low: 1), userID: "eve", firstName: "Eve"), at: desk.now)
    desk.store.rollBack()
    #expect(try desk.create("eve").revision == 1)
    #expect(desk.published.flatMap(\.changes).map(\.revision) == [1])
  }

  @Test("B5: a second create changes nothing and returns the profile that exists")
  func exists() throws {
    let desk = try Desk()
    let first = try desk.create("ada", "Ada")
    let again = CreateProfileRequest(profile: Profile(firstName: "Eve"))
    let reply = try desk.call(again, as: "ada")
    #expect(reply.code == .alreadyExists)
    #expect(reply.reason == "PROFILE_EXISTS")
    #expect(reply.response.profile == first)
    #expect(try desk.changes().count == 1)
  }

  @Test("B5: creates of one user in one batch of the loop make one profile")
  func together() throws {
    let desk = try Desk()
    let outcomes = try (0..<32).map { _ in
      try desk.call(CreateProfileRequest(profile: Profile(firstName: "Ada")), as: "ada").reason
    }
    #expect(outcomes.filter { $0 == "PROFILE_EXISTS" }.count == 31)
    #expect(try desk.list(pageSize: 10) == ["ada"])
  }

  @Test("B6: after a delete, creating works, and makes somebody new")
  func deleteAndCreate() throws {
    let desk = try Desk()
    let first = try desk.create("ada")
    _ = try desk.ask(DeleteProfileRequest(), as: "ada", .user)
    #expect(try desk.ask(GetMeRequest(), as: "ada").profile == nil)
    let second = try desk.create("ada")
    #expect(second.id != first.id)
    #expect(second.revision == 3)
    #expect(try desk.call(GetProfileRequest(id: first.id)).reason == "PROFILE_NOT_FOUND")
    let old = try #require(first.id)
    #expect(try desk.ask(BatchGetProfilesRequest(ids: [old])).missing == [old])
    #expect(try desk.list(pageSize: 10) == ["ada"])
    #expect(try desk.call(DeleteProfileRequest(id: first.id)).reason == "PROFILE_NOT_FOUND")
  }

  @Test("B6: the log keeps the id, and nothing that tells who it was")
  func erased() throws {
    try withFolder { folder in
      let path = folder + "/profiles.db"
      let desk = try Desk(path: path)
      let key = ID(high: 5, low: 5)
      let asked = Profile(firstName: "Quetzalcoatl", bio: "Featherly serpentine")
      let made = try #require(
        try desk.ask(CreateProfileRequest(profile: asked), as: "user-of-old", key: key).profile)
      let id = try #require(made.id)
      _ = try desk.ask(
        UpdateProfileRequest(profile: Profile(bio: "Plumage"), updateMask: ["bio"]),
        as: "user-of-old", key: ID(high: 5, low: 6))
      _ = try desk.ask(SetAvatarRequest(image: png(0xA5)), as: "user-of-old")
      _ = try desk.ask(DeleteProfileRequest(), as: "user-of-old")
      #expect(
        try desk.changes().map(\.what)
          == [.profileDeleted(id), .profileDeleted(id), .profileDeleted(id), .profileDeleted(id)])
      #expect(desk.published.last?.changes.map(\.what) == [.profileDeleted(id)])
      #expect(try desk.ask(GetSnapshotRequest()).entries == [])
      let secrets = ["Quetzalcoatl", "Featherly", "Plumage", "user-of-old"].map { Data($0.utf8) }
      func found() throws -> [Data] {
        let files = try [path, path + "-wal"].map { try Data(contentsOf: URL(filePath: $0)) }
        #expect(files.contains { $0.range(of: Data(id.bytes)) != nil })
        return (secrets + [Data(png(0xA5))]).filter { secret in
          files.contains { $0.range(of: secret) != nil }
        }
      }
      #expect(try !found().isEmpty, "nothing was there that could have been left")
      desk.harness.pass(ms: Limits.tracesMs + 1_000)
      #expect(try found() == [], "it can still be read")
    }
  }

  @Test("B7: an update changes the named fields only")
  func update() throws {
    let desk = try Desk()
    let before = try desk.create("ada", "Ada", "Byron")
    var asked = Profile(
      userID: "eve", firstName: "", lastName: "Lovelace", bio: "ignored", revision: 99)
    asked.companyName = "Engines"
    let reply = try desk.call(
      UpdateProfileRequest(
        profile: asked, updateMask: ["last_name", "company_name", "last_name"],
        expectedRevision: before.revision),
      as: "ada", .user)
    var expected = before
    expected.lastName = "Lovelace"
    expected.companyName = "Engines"
    expected.revision = 2
    expected.updateTimeMs = desk.now.wallMs
    #expect(reply.response.profile == expected)
    #expect(reply.header.asOf == Revisions(profiles: 2))
    #expect(try desk.ask(GetProfileRequest(id: before.id)).profile == expected)
    #expect(desk.published.last?.changes.map(\.what) == [.profilePut(expected)])
  }

  @Test("B7: what changes nothing makes no change in the log")
  func noChange() throws {
    let desk = try Desk()
    var profile = try desk.create("ada", "Ada")
    profile.avatarID = []
    let mask = ["first_name", "last_name", "bio"]
    let same = UpdateProfileRequest(profile: Profile(firstName: "Ada"), updateMask: mask)
    let reply = try desk.call(same, as: "ada")
    #expect(reply.response.profile == profile)
    #expect(reply.header.asOf == Revisions(profiles: 1))
    #expect(try desk.ask(SetAvatarRequest(), as: "ada").profile == profile)
    #expect(try desk.changes().count == 1)
  }

  /// Masks that are refused, and where.
  static let masks: [([String], [String])] = [
    ([], ["update_mask"]), (["user_id"], ["update_mask[0]"]), (["bio", ""], ["update_mask[1]"]),
    (["bio", "avatar_id", "nickname"], ["update_mask[1]", "update_mask[2]"]),
    (["first_name"], ["profile.first_name"]),
    (["FirstName", "*"], ["update_mask[0]", "update_mask[1]"]),
  ]

  @Test("B7: only fields of a person's own may be named", arguments: masks)
  func mask(names: [String], fields: [String]) throws {
    let desk = try Desk()
    try desk.create("ada")
    let reply = try desk.call(UpdateProfileRequest(updateMask: names), as: "ada")
    #expect(reply.reason == "INVALID_FIELDS")
    #expect(reply.fields == fields)
  }

  @Test("A revision that has passed makes update and delete refuse")
  func expected() throws {
    let desk = try Desk()
    let id = try desk.create("ada").id
    let update = UpdateProfileRequest(
      profile: Profile(id: id, bio: "b"), updateMask: ["bio"], expectedRevision: 1)
    #expect(try desk.call(update).code == .ok)
    let reply = try desk.call(update)
    #expect(reply.code == .aborted)
    #expect(reply.reason == "REVISION_MISMATCH")
    let delete = DeleteProfileRequest(id: id, expectedRevision: 1)
    #expect(try desk.call(delete).reason == "REVISION_MISMATCH")
    #expect(try desk.call(DeleteProfileRequest(id: id, expectedRevision: 2)).code == .ok)
  }

  @Test("C10: a delete is answered when the check-in service has seen it, with both logs")
  func deleteWaits() throws {
    let desk = try Desk()
    let attendant = desk.harness.attendant
    let made = try desk.create("ada")
    attendant.answers = false
    let call = desk.harness.send(DeleteProfileRequest(id: made.id))
    desk.harness.finish()
    let before = try #require(attendant.questions.first)
    #expect(before.locationID == nil && before.atLeast == nil)
    #expect(try desk.ask(GetMeRequest(), as: "ada").profile == made)
    desk.harness.answer(before)
    // It is done, and told to whoever follows; whoever asked for it waits.
    #expect(try desk.ask(GetMeRequest(), as: "ada").profile == nil)
    #expect(desk.harness.take(DeleteProfileRequest.self, call) == nil)
    // A check-in service that starts again meanwhile is asked again.
    desk.harness.attend()
    let after = try #require(attendant.questions.first)
    #expect(attendant.questions.count == 1 && after.atLeast == Revisions(profiles: 2))
    desk.harness.answer(after)
    let reply = try #require(desk.harness.take(DeleteProfileRequest.self, call))
    #expect(reply.code == .ok && reply.header.asOf == Revisions(profiles: 2, checkIns: 77))
    #expect(try desk.call(DeleteProfileRequest(id: made.id)).reason == "PROFILE_NOT_FOUND")
  }

  @Test("C10: who the check-in service cannot be asked about is not deleted, nor left in a list")
  func unattended() throws {
    let desk = try Desk(attended: false)
    let made = try desk.create("ada")
    let call = desk.harness.send(DeleteProfileRequest(id: made.id))
    desk.harness.finish()
    desk.harness.pass(ms: Limits.attendanceGraceMs + 1_000)
    let reply = try #require(desk.harness.take(DeleteProfileRequest.self, call))
    #expect(reply.reason == "SERVICE_UNREACHABLE" && reply.code == .unavailable)
    #expect(try desk.ask(GetMeRequest(), as: "ada").profile == made)
    #expect(try desk.changes().count == 1)
  }
}
