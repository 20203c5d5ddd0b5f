import Model
import ServiceKit
import Testing
import Wire

@Suite("A request's form")
struct FormTests {
  @Test(
    "a website is empty or an absolute http or https URL of at most 500 bytes",
    arguments: [
      ("", true),
      ("http://example.com", true),
      ("https://example.com/path?x=1&y={2}#top", true),
      ("HTTPS://EXAMPLE.COM:8443/", true),
      ("http://127.0.0.1:80", true),
      ("http://[2001:db8::1]:8080/a", true),
      ("http://user:secret@example.com", true),
      ("https://example.com:/", true),
      ("https://münchen.example/straße", true),
      ("https://example.com/" + String(repeating: "a", count: 480), true),
      ("https://example.com/" + String(repeating: "a", count: 481), false),
      ("example.com", false),
      ("//example.com", false),
      ("/path", false),
      ("ftp://example.com", false),
      ("javascript:alert(1)", false),
      ("http:example.com", false),
      ("http:/example.com", false),
      ("http://", false),
      ("http:///path", false),
      ("http://?q", false),
      ("http://:80", false),
      ("http://@/", false),
      ("http://example.com:65536", false),
      ("http://example.com:8o", false),
      ("http://exa mple.com", false),
      ("http://example.com/a b", false),
      ("http://example.com/\u{3000}", false),
      (" http://example.com", false),
      ("http://example.com/<script>", false),
      ("http://example.com\\@evil.example", false),
      ("http://[::1", false),
      ("http://[]", false),
      ("http://[zz::]/", false),
    ])
  func website(_ value: String, _ isRight: Bool) {
    var form = Form()
    form.url("location.website_url", value)
    #expect(form.violations.map(\.field) == (isRight ? [] : ["location.website_url"]))
  }

  @Test(
    "a phone number has digits, separators between them, and + or ( in front",
    arguments: [
      ("", true),
      ("5", true),
      ("+1 408 555-0100", true),
      ("(408) 555.0100", true),
      ("+49/30/(0)1", true),
      ("12345678901234567890123456789012", true),
      ("123456789012345678901234567890123", false),
      ("+", false),
      ("(", false),
      ("++1", false),
      ("+(49) 30", true),
      ("-1", false),
      (" 1", false),
      ("1 ", false),
      ("1-", false),
      ("(1)", false),
      ("1+2", false),
      ("1x2", false),
      ("٣٤٥", false),
      ("1\u{A0}2", false),
    ])
  func phone(_ value: String, _ isRight: Bool) {
    var form = Form()
    form.phone("location.phone_number", value)
    #expect(form.violations.isEmpty == isRight)
  }

  @Test(
    "a point is absent, or finite degrees within their ranges",
    arguments: [
      (nil, []),
      (GeoPoint(latitude: 0, longitude: 0), []),
      (GeoPoint(latitude: -90, longitude: 180), []),
      (GeoPoint(latitude: 90.000_001, longitude: 0), ["near.latitude"]),
      (GeoPoint(latitude: .nan, longitude: .infinity), ["near.latitude", "near.longitude"]),
      (GeoPoint(latitude: 0, longitude: -180.5), ["near.longitude"]),
    ] as [(GeoPoint?, [String])])
  func point(_ point: GeoPoint?, _ fields: [String]) {
    var form = Form()
    form.point("near", point)
    #expect(form.violations.map(\.field) == fields)
  }

  private static let png: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]

  @Test(
    "an image is told by its first bytes, and has at most 512 KiB",
    arguments: [
      (png, "image/png"),
      ([0xFF, 0xD8, 0xFF, 0xE0], "image/jpeg"),
      (Array("RIFF".utf8) + [1, 2, 3, 4] + Array("WEBPVP8 ".utf8), "image/webp"),
      (png + [UInt8](repeating: 0, count: 524_288 - 8), "image/png"),
      (png + [UInt8](repeating: 0, count: 524_288 - 7), nil),
      (Array("GIF89a".utf8), nil),
      (Array("<svg".utf8), nil),
      (Array("RIFF1234WAVE".utf8), nil),
      (Array("RIFF12".utf8), nil),
      ([0xFF, 0xD8], nil),
      (Array(png.dropLast()), nil),
    ] as [([UInt8], String?)])
  func image(_ bytes: [UInt8], _ mediaType: String?) {
    var form = Form()
    form.image("image", bytes)
    #expect(form.violations.isEmpty == (mediaType != nil))
    if mediaType != nil { #expect(ImageType(of: bytes)?.mediaType == mediaType) }
  }

  @Test("no image is no mistake")
  func noImage() {
    var form = Form()
    form.image("image", [])
    #expect(form.violations.isEmpty)
  }

  @Test("B3: everything that is wrong is said at once, each with its field")
  func allAtOnce() {
    var form = Form()
    form.text("profile.first_name", "  ", .firstName)
    form.text("profile.last_name", "Kim", .lastName)
    form.text("profile.bio", String(repeating: "가", count: 101), .bio)
    form.empty("profile.revision", false)
    form.empty("profile.id", true)
    form.needed("location_id", nil)
    let error = #expect(throws: Refusal.self) { try form.throwIfAny() }
    #expect(error?.status.code == .invalidArgument)
    #expect(error?.status.reason == "INVALID_FIELDS")
    #expect(
      error?.status.fieldViolations.map(\.field)
        == ["profile.first_name", "profile.bio", "profile.revision", "location_id"])
  }

  @Test("at most 20 violations are said")
  func atMostTwenty() {
    var form = Form(violations: [FieldViolation(field: "a", description: "b")])
    for number in 0..<30 { form.refuse("profiles[\(number)].bio", "It is too long.") }
    #expect(form.violations.count == 20)
    #expect(form.violations.last?.field == "profiles[18].bio")
  }

  @Test("a form without mistakes throws nothing")
  func clean() throws {
    try Form().throwIfAny()
  }
}
