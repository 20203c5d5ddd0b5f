import Profiles
import ServiceKit
import Testing
import Wire

@Suite("Avatars")
struct AvatarTests {
  /// Images by their first bytes, and their media type.
  static let images: [([UInt8], String)] = [
    (png(7), "image/png"),
    ([0xFF, 0xD8, 0xFF, 0xE0, 1, 2, 3], "image/jpeg"),
    (Array("RIFF".utf8) + [4, 0, 0, 0] + Array("WEBPVP8 ".utf8), "image/webp"),
    (png(1, count: 524_288), "image/png"),
  ]

  @Test("B2: an avatar is kept by the hash of its bytes", arguments: images)
  func keeps(image: [UInt8], mediaType: String) throws {
    let desk = try Desk()
    let before = try desk.create("ada")
    let reply = try desk.call(SetAvatarRequest(image: image), as: "ada", .user)
    let profile = try #require(reply.response.profile)
    #expect(profile.avatarID == SHA256.digest(image))
    #expect(profile.revision == 2 && before.revision == 1)
    #expect(reply.header.asOf == Revisions(profiles: 2))
    let kept = try desk.ask(GetAvatarRequest(avatarID: profile.avatarID))
    #expect(kept == GetAvatarResponse(image: image, mediaType: mediaType))
    #expect(desk.published.last?.changes.map(\.what) == [.profilePut(profile)])
    // The same one again is no change.
    #expect(try desk.ask(SetAvatarRequest(image: image), as: "ada").profile == profile)
    #expect(try desk.changes().count == 2)
  }

  /// What is no image.
  static let refused: [[UInt8]] = [
    Array("GIF89a".utf8), [0x89, 0x50], Array("RIFF....WAVE".utf8), png(1, count: 524_289), [0],
  ]

  @Test("B2: what is no PNG, JPEG or WebP, or too large, is refused", arguments: refused)
  func refuses(image: [UInt8]) throws {
    let desk = try Desk()
    try desk.create("ada")
    #expect(try desk.call(SetAvatarRequest(image: image), as: "ada").fields == ["image"])
  }

  @Test("B2: an image that nobody has any more is gone")
  func gone() throws {
    let desk = try Desk()
    try desk.create("ada")
    try desk.create("bob")
    func set(_ image: [UInt8], _ user: String) throws -> [UInt8] {
      try #require(try desk.ask(SetAvatarRequest(image: image), as: user).profile).avatarID
    }
    func has(_ hash: [UInt8]) throws -> Bool {
      let reply = try desk.call(GetAvatarRequest(avatarID: hash))
      if reply.code != .ok { #expect(reply.reason == "IMAGE_NOT_FOUND") }
      return reply.code == .ok
    }
    let one = try set(png(1), "ada")
    #expect(try set(png(1), "bob") == one)
    let two = try set(png(2), "ada")
    #expect(try has(one))
    #expect(try set([], "bob") == [])
    #expect(try !has(one))
    #expect(try set(png(2), "bob") == two)
    _ = try desk.ask(DeleteProfileRequest(), as: "bob")
    #expect(try has(two))
    _ = try desk.ask(DeleteProfileRequest(), as: "ada")
    #expect(try !has(two))
  }

  @Test("An avatar is asked for by its id")
  func form() throws {
    let desk = try Desk()
    #expect(try desk.call(GetAvatarRequest()).fields == ["avatar_id"])
    // Its form is wrong in two ways, and the field is named once.
    #expect(try desk.call(GetAvatarRequest(avatarID: [1, 2])).fields == ["avatar_id"])
    let unknown = GetAvatarRequest(avatarID: Array(repeating: 0, count: 32))
    #expect(try desk.call(unknown).reason == "IMAGE_NOT_FOUND")
  }
}
