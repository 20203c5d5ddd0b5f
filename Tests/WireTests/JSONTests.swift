import Model
import Testing

@testable import Wire

@Suite struct JSONTests {
  @Test(
    "Errors name the path, and what is expected there",
    arguments: [
      ("profile", JSONValue.integer(3), "profile: a number where an object is expected"),
      ("profile", object("bio", .integer(3)), "profile.bio: a number where a text is expected"),
      ("profile", object("id", .bool(true)), "profile.id: true or false where a UUID is expected"),
      ("profile", object("id", .text("x")), "profile.id: not a UUID"),
      ("profile", object("avatar_id", .text("x")), "profile.avatar_id: not base64"),
      (
        "profile", object("avatar_id", .array([])),
        "profile.avatar_id: a list where base64 is expected"
      ),
      ("profile", object("bios", .text("")), "profile.bios: there is no such field"),
      ("update_mask", .text("bio"), "update_mask: a text where a list is expected"),
      (
        "update_mask", .array([.text("a"), .null]), "update_mask[1]: null where a text is expected"
      ),
      (
        "expected_revision", .integer(-1),
        "expected_revision: not a whole number from 0 to 18446744073709551615"
      ),
      (
        "expected_revision", .double(1.5),
        "expected_revision: not a whole number from 0 to 18446744073709551615"
      ),
      ("expected_revision", .text("1"), "expected_revision: a text where a number is expected"),
    ])
  func faults(name: String, value: JSONValue, message: String) {
    let error = #expect(throws: JSONFault.self) {
      try Wire.bytes("muster.v1.UpdateProfileRequest", object(name, value))
    }
    #expect(error?.description == message)
  }

  @Test("An unknown name comes with the known ones")
  func knownNames() throws {
    let field = #expect(throws: JSONFault.self) {
      try Wire.bytes("muster.v1.GetProfileRequest", object("userid", .text("anna")))
    }
    #expect(field?.unknownName == "userid")
    #expect(field?.knownNames == ["id", "user_id"])
    let value = #expect(throws: JSONFault.self) {
      try Wire.bytes("muster.v1.GetBoardRequest", object("order", .text("BOARD_ORDER_COUNTS")))
    }
    #expect(value?.unknownName == "BOARD_ORDER_COUNTS")
    #expect(value?.knownNames.last == "BOARD_ORDER_DISTANCE")
  }

  @Test("Null and what is left out are empty; one of a choice excludes the others")
  func absent() throws {
    let name = "muster.v1.Expectation"
    #expect(try Wire.bytes(name, object("revision", .null)) == [])
    #expect(try Wire.bytes(name, object("revision", .integer(0))) == [0x18, 0])
    let both = JSONValue.object([
      .init("revision", .integer(1)), .init("checked_out", .bool(true)),
    ])
    #expect(throws: JSONFault.self) { try Wire.bytes(name, both) }
    let twice = JSONValue.object([.init("revision", .null), .init("revision", .null)])
    #expect(throws: JSONFault.self) { try Wire.bytes(name, twice) }
    #expect(throws: JSONFault.self) { try Wire.bytes("muster.v1.Nothing", .object([])) }
  }

  @Test("Empty fields are present")
  func present() {
    #expect(
      json(CheckInResponse()).write()
        == #"{"status":null,"previous_location_id":"","changed":false}"#)
    #expect(
      json(BatchGetProfilesResponse()).write() == #"{"profiles":[],"missing":[],"unread":[]}"#)
  }

  @Test("JSON text escapes what it must, and is laid out in two ways")
  func write() {
    let value = JSONValue.object([
      .init("a\"\\", .text("\u{1}\n\t\r\u{7F}\u{9B}\u{202E}é🙂/")), .init("b", .array([])),
      .init("c", .array([.null, .bool(true), .number(.max), .integer(.min)])),
      .init("d", .object([])),
      .init("e", .array([.double(0.1), .double(5), .double(1e300), .double(.nan), .double(-0.0)])),
    ])
    let escaped = #""\u0001\n\t\r\u007f\u009b\u202eé🙂/""#
    #expect(
      value.write()
        == #"{"a\"\\":"# + escaped
        + #","b":[],"c":[null,true,18446744073709551615,-9223372036854775808],"d":{},"#
        + #""e":[0.1,5,1e+300,null,-0.0]}"#)
    #expect(
      JSONValue.object([.init("a", .array([.integer(1), .integer(2)])), .init("b", .object([]))])
        .write(pretty: true) == "{\n  \"a\": [\n    1,\n    2\n  ],\n  \"b\": {}\n}")
  }

  @Test("Base64 goes both ways, and only its own texts are read", arguments: 0...20)
  func base64(count: Int) {
    let bytes = (0..<count).map { UInt8($0 * 37 % 256) }
    let text = bytes.withUnsafeBufferPointer { Base64.text($0) }
    #expect(text.utf8.count == (count + 2) / 3 * 4)
    #expect(Base64.bytes(text) == bytes)
    for wrong in [text + "=", text + "A", "=" + text, text + "====", text + "é\u{0}"] {
      #expect(Base64.bytes(wrong) == nil)
    }
    #expect(Base64.bytes("QQ==") == [0x41])
    #expect(Base64.bytes("QR==") == nil)
  }

  @Test("Fields are described with their types, values and comments")
  func described() throws {
    let described = try #require(fields(of: "muster.v1.CheckInStatus"))
    #expect(described.map(\.name).prefix(3) == ["profile_id", "state", "location_id"])
    #expect(described.map(\.type) == ["id", "CheckInState", "id", "int64", "int64", "uint64"])
    #expect(described[1].values.last == "CHECK_IN_STATE_CHECKED_OUT")
    #expect(described[2].comment == "Empty when checked out.")
    #expect(fields(of: "muster.v1.Nothing") == nil)
    for method in Method.allCases {
      #expect(fields(of: method.types.request.name) != nil)
      #expect(!fileDescriptorSet.isEmpty)
    }
  }
}

private func object(_ name: String, _ value: JSONValue) -> JSONValue {
  .object([.init(name, value)])
}
