import Model
import ServiceKit
import Testing
import Wire

@Suite("Images of places")
struct ImageTests {
  private func set(
    _ desk: Desk, _ id: ID?, _ which: LocationImage, _ image: [UInt8]
  ) throws -> Location {
    try #require(
      try desk.ask(SetLocationImageRequest(locationID: id, which: which, image: image)).location)
  }

  @Test("F1: a square and a banner image, each by its own id")
  func both() throws {
    let desk = try Desk()
    let made = try desk.create(harbour)
    let square = try set(desk, made.id, .square, png(1))
    #expect(square.squareImageID == SHA256.digest(png(1)) && square.bannerImageID.isEmpty)
    #expect(square.revision == 2)
    let banner = try set(desk, made.id, .banner, png(2))
    #expect(banner.squareImageID == square.squareImageID)
    #expect(banner.bannerImageID == SHA256.digest(png(2)))
    let image = try desk.ask(GetLocationImageRequest(imageID: banner.bannerImageID))
    #expect(image.image == png(2) && image.mediaType == "image/png")
    #expect(try desk.get(made.id) == banner)
    #expect(try set(desk, made.id, .banner, png(2)) == banner)
    #expect(try desk.changes().count == 3)
  }

  @Test("B2: an image that nobody has any more is gone; one that somebody has stays")
  func gone() throws {
    let desk = try Desk()
    let first = try desk.create(Location(name: "A"))
    let second = try desk.create(Location(name: "B"))
    let hash = try set(desk, first.id, .square, png(1)).squareImageID
    _ = try set(desk, first.id, .banner, png(1))
    _ = try set(desk, second.id, .square, png(1))
    func isThere() throws -> Bool {
      let reply = try desk.call(GetLocationImageRequest(imageID: hash))
      #expect(reply.code == .ok || reply.reason == "IMAGE_NOT_FOUND")
      return reply.code == .ok
    }
    #expect(try set(desk, first.id, .square, []).squareImageID.isEmpty)
    #expect(try isThere())
    _ = try set(desk, first.id, .banner, png(2))
    #expect(try isThere())
    _ = try desk.ask(DeleteLocationRequest(id: second.id))
    #expect(try !isThere())
  }

  @Test("F1: what is no image, too large, or for neither of the two is refused")
  func violations() throws {
    let desk = try Desk()
    let made = try desk.create(harbour)
    func fields(_ request: SetLocationImageRequest) throws -> [String] {
      try desk.call(request).fields
    }
    #expect(
      try fields(SetLocationImageRequest(image: Array("GIF89a".utf8)))
        == ["location_id", "which", "image"])
    let largest = png(1, count: Limits.imageBytes)
    #expect(
      try fields(SetLocationImageRequest(locationID: made.id, which: .square, image: largest))
        == [])
    #expect(
      try fields(
        SetLocationImageRequest(locationID: made.id, which: .square, image: largest + [0]))
        == ["image"])
    let unknown = SetLocationImageRequest(
      locationID: ID(high: 1, low: 1), which: .square, image: png(1))
    #expect(try desk.call(unknown).reason == "LOCATION_NOT_FOUND")
    #expect(try desk.call(GetLocationImageRequest()).fields == ["image_id"])
    let none = GetLocationImageRequest(imageID: [UInt8](repeating: 0, count: 32))
    #expect(try desk.call(none).reason == "IMAGE_NOT_FOUND")
  }
}
