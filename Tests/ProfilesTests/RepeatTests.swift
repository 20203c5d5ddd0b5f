import Model
import Profiles
import ServiceKit
import Testing
import Wire

@Suite("Repeated writes")
struct RepeatTests {
  private let key = ID(high: 7, low: 7)
  private let ada = CreateProfileRequest(profile: Profile(firstName: "Ada"))

  @Test("C8: a retry with the same key gives the first response, also after a restart")
  func replay() throws {
    try withFolder { folder in
      let desk = try Desk(path: folder + "/profiles.db")
      let first = try desk.call(ada, as: "ada", key: key)
      let update = UpdateProfileRequest(profile: Profile(bio: "new"), updateMask: ["bio"])
      let updated = try desk.call(update, as: "ada", key: ID(high: 7, low: 8))
      try desk.start()
      let again = try desk.call(ada, as: "ada", key: key)
      #expect(again.header.replayed)
      #expect(again.response == first.response)
      #expect(again.header.asOf == first.header.asOf)
      let updatedAgain = try desk.call(update, as: "ada", key: ID(high: 7, low: 8))
      #expect(updatedAgain.header.replayed && updatedAgain.response == updated.response)
      #expect(try desk.changes().count == 2)
    }
  }

  @Test("C8: another user's key is another key, and another body is refused")
  func reuse() throws {
    let desk = try Desk()
    _ = try desk.ask(ada, as: "ada", key: key)
    #expect(try desk.call(ada, as: "bob", key: key).header.replayed == false)
    let eve = CreateProfileRequest(profile: Profile(firstName: "Eve"))
    #expect(try desk.call(eve, as: "ada", key: key).reason == "IDEMPOTENCY_KEY_REUSED")
    #expect(
      try desk.call(DeleteProfileRequest(), as: "ada", key: key).reason
        == "IDEMPOTENCY_KEY_REUSED")
  }

  @Test("C8: a refused write may be tried again with its key")
  func refused() throws {
    let desk = try Desk()
    try desk.create("ada")
    #expect(try desk.call(ada, as: "ada", key: key).reason == "PROFILE_EXISTS")
    _ = try desk.ask(DeleteProfileRequest(), as: "ada")
    #expect(try desk.call(ada, as: "ada", key: key).code == .ok)
  }

  @Test("B6: a repeat never brings a deleted profile back")
  func deleted() throws {
    let desk = try Desk()
    let id = try #require(try desk.ask(ada, as: "ada", key: key).profile?.id)
    let image = SetAvatarRequest(image: png(1))
    _ = try desk.ask(image, as: "ada", key: ID(high: 7, low: 8))
    let delete = DeleteProfileRequest(id: id)
    _ = try desk.ask(delete, as: "ada", key: ID(high: 7, low: 9))
    #expect(try desk.call(ada, as: "ada", key: key).reason == "PROFILE_NOT_FOUND")
    #expect(try desk.call(image, as: "ada", key: ID(high: 7, low: 8)).reason == "PROFILE_NOT_FOUND")
    // The delete itself is told as it was.
    let again = try desk.call(delete, as: "ada", key: ID(high: 7, low: 9))
    #expect(again.code == .ok && again.header.replayed)
    #expect(try desk.ask(GetMeRequest(), as: "ada").profile == nil)
  }

  @Test("B6: nor does the repeat of a batch that somebody deleted was in")
  func deletedOfBatch() throws {
    let desk = try Desk()
    let batch = BatchCreateProfilesRequest(
      profiles: ["a", "b"].map { Profile(userID: $0, firstName: "X") })
    let first = try desk.ask(batch, as: "root", key: key)
    let again = try desk.call(batch, as: "root", key: key)
    #expect(again.header.replayed && again.response == first)
    _ = try desk.ask(DeleteProfileRequest(id: first.ids[1]))
    #expect(try desk.call(batch, as: "root", key: key).reason == "PROFILE_NOT_FOUND")
    #expect(try desk.list(pageSize: 10) == ["a"])
  }

  @Test("An import can be run twice")
  func importTwice() throws {
    let desk = try Desk()
    let kept = try desk.create("bob", "Bob", "Old")
    func run(_ lastName: String) throws -> BatchCreateProfilesResponse {
      try desk.ask(
        BatchCreateProfilesRequest(profiles: [
          Profile(userID: "ada", firstName: "Ada"),
          Profile(userID: "bob", firstName: "Bob", lastName: lastName),
        ]))
    }
    let first = try run("New")
    #expect(first.created == 1 && first.changed == 1)
    #expect(first.ids[1] == kept.id)
    #expect(try desk.ask(GetProfileRequest(userID: "bob")).profile?.lastName == "New")
    let second = try run("New")
    #expect(second == BatchCreateProfilesResponse(ids: first.ids))
    #expect(try desk.changes().count == 3)
  }

  @Test("A batch makes users up, is all or none, and has nobody twice")
  func batch() throws {
    let desk = try Desk()
    let nameless = Array(repeating: Profile(firstName: "Guest"), count: 1_000)
    let made = try desk.ask(BatchCreateProfilesRequest(profiles: nameless))
    #expect(Set(made.ids).count == 1_000 && made.created == 1_000)
    #expect(Set(try desk.list(pageSize: 1_000)).count == 1_000)
    #expect(
      try desk.call(
        BatchCreateProfilesRequest(
          profiles: nameless + [Profile(firstName: "One more")])
      ).fields == ["profiles"])
    let twice = ["x", "y", "x"].map { Profile(userID: $0, firstName: "X") }
    #expect(
      try desk.call(BatchCreateProfilesRequest(profiles: twice)).fields == ["profiles[2].user_id"])
    #expect(try desk.ask(BatchCreateProfilesRequest()) == BatchCreateProfilesResponse())
    #expect(try desk.list(pageSize: 1_000).count == 1_000)
  }
}
