import Terminal
import Testing
import Wire

@Suite struct JSONReaderTests {
  @Test(
    "JSON is read as it stands, and written it is the same",
    arguments: [
      "null", "true", "[]", "{}", "[1,-2,0,9223372036854775807,18446744073709551615]",
      "[0.5,-1e-07,-121.928621]", "{\"b\":[{\"a\":\"x\\\"\\\\\"}],\"a\":null}",
      "\"한국 👩‍🚀\"", "\"\\n\\t\\r\"",
    ])
  func roundTrip(text: String) throws {
    #expect(try JSONReader.value(of: Array(text.utf8)).write() == text)
  }

  @Test("Escapes become characters, pairs of them one")
  func escapes() throws {
    let text = "\u{FEFF} \"\\u00e9\\ud83d\\ude00\\/\\b\" "
    #expect(try JSONReader.value(of: Array(text.utf8)) == .text("é😀/\u{8}"))
  }

  @Test(
    "What is no JSON is refused with its place",
    arguments: [
      ("", 1, 1), ("[1,\n 2,,3]", 2, 4), ("{\"a\" 1}", 1, 6), ("{a:1}", 1, 2), ("[1] x", 1, 5),
      ("\"abc", 1, 1), ("\"a\\x\"", 1, 4), ("\"\\ud800\"", 1, 8), ("01", 1, 1), ("[1.]", 1, 2),
      ("-", 1, 1), ("1e999", 1, 1), ("\"a\u{1}\"", 1, 3), ("[\"é\", ?]", 1, 7), ("nul", 1, 1),
    ])
  func refused(text: String, line: Int, column: Int) {
    let error = #expect(throws: JSONError.self) { try JSONReader.value(of: Array(text.utf8)) }
    #expect(error?.line == line)
    #expect(error?.column == column)
  }

  @Test("Bytes that are no UTF-8, and lists in lists without end, are refused")
  func hostile() {
    #expect(throws: JSONError.self) { try JSONReader.value(of: [0x22, 0xFF, 0x22]) }
    let deep = [UInt8](repeating: UInt8(ascii: "["), count: 1_000_000)
    #expect(throws: JSONError.self) { try JSONReader.value(of: deep) }
  }
}
