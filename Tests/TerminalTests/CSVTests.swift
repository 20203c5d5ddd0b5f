import Testing

@testable import Terminal

@Suite struct CSVTests {
  @Test(
    "CSV is read as spreadsheets write it",
    arguments: [
      ("a,b\n1,2\n", [["a", "b"], ["1", "2"]]),
      ("a,b\r\n1,2\r\n", [["a", "b"], ["1", "2"]]),
      ("a,b\r1,2\r", [["a", "b"], ["1", "2"]]),
      ("a;b\n\"1,5\";2", [["a", "b"], ["1,5", "2"]]),
      ("a\tb\n1\t2", [["a", "b"], ["1", "2"]]),
      ("\u{FEFF}a,b\n1,2", [["a", "b"], ["1", "2"]]),
      ("a,b\n\n\n1,2\n\n", [["a", "b"], ["1", "2"]]),
      ("a,b\n\"x \"\"y\"\"\",\"l1\nl2\"\n", [["a", "b"], ["x \"y\"", "l1\nl2"]]),
      ("a,b\n 1 ,\n", [["a", "b"], [" 1 ", ""]]),
      (
        "이름,b\n김 민수,👨‍👩‍👧\n",
        [["이름", "b"], ["김 민수", "👨‍👩‍👧"]]
      ),
      ("", []),
    ])
  func reading(text: String, expected: [[String]]) throws {
    #expect(try CSVReader.records(of: Array(text.utf8)).map(\.fields) == expected)
  }

  @Test("Records know the line they begin on, behind quoted line breaks too")
  func lines() throws {
    let text = "a,b\n1,\"x\ny\nz\"\n\n2,3\n"
    #expect(try CSVReader.records(of: Array(text.utf8)).map(\.line) == [1, 2, 6])
  }

  @Test(
    "What is no CSV is refused with the line",
    arguments: [
      (Array("a,b\n1,2\n3,x\"y\n".utf8), 3, "quote"),
      (Array("a,b\n1,\"2\n3,4\n".utf8), 2, "quote"),
      (Array("a,b\n1,".utf8) + [0xFF, 0x0A], 2, "UTF-8"),
      ([0xFF, 0xFE, 0x61, 0x00], 1, "UTF-16"),
    ])
  func refused(bytes: [UInt8], line: Int, word: String) {
    let error = #expect(throws: CSVError.self) { try CSVReader.records(of: bytes) }
    #expect(error?.line == line)
    #expect(error?.message.contains(word) == true)
  }

  @Test("What is written is read back exactly")
  func roundTrip() throws {
    let rows = [
      ["name", "bio"], ["Ada", "a, b; c"], ["\"q\"", "line\nbreak\r\n"], [" blank ", ""],
      ["tab\there", "é e\u{301} 한국 👩🏽‍🚀"], ["=1+1", "-"],
    ]
    let text = rows.map(CSVWriter.record).joined()
    #expect(try CSVReader.records(of: Array(text.utf8)).map(\.fields) == rows)
    #expect(CSVWriter.record(["a", "b c", "d,e"]) == "a,b c,\"d,e\"\n")
    let single = [["name"], [""], ["x"]]
    let column = single.map(CSVWriter.record).joined()
    #expect(try CSVReader.records(of: Array(column.utf8)).map(\.fields) == single)
  }
}
