import Testing

@testable import Terminal

@Suite struct TextTests {
  @Test("Control characters and escape sequences are shown, not sent")
  func sanitising() {
    #expect(TerminalText.visible("a\u{1B}[31mred\u{7}") == "a\\u{1b}[31mred\\u{7}")
    #expect(TerminalText.visible("a\nb\tc\r") == "a\\nb\\tc\\r")
    #expect(TerminalText.visible("\u{9B}2J \u{7F}") == "\\u{9b}2J \\u{7f}")
    #expect(TerminalText.visible("x\u{202E}y\u{2066}") == "x\\u{202e}y\\u{2066}")
    let harmless = "김 👨‍👩‍👧 é C:\\dir"
    #expect(TerminalText.visible(harmless) == harmless)
  }

  @Test(
    "Lengths of time are read as people write them",
    arguments: [
      ("2h", 7_200_000), ("90s", 90_000), ("1d", 86_400_000), ("90", 90_000), ("1h30m", 5_400_000),
      ("500ms", 500), ("1.5h", 5_400_000), ("0", 0), ("2w", 1_209_600_000), ("", nil), ("h", nil),
      ("2x", nil), ("-1s", nil), ("1h30", nil), ("1e3", nil), ("99999999999999999999d", nil),
      ("inf", nil), ("1..5s", nil),
    ] as [(String, Int64?)])
  func durations(text: String, expected: Int64?) {
    #expect(DurationText.milliseconds(text) == expected)
  }

  @Test("Lengths of time are written in their two largest units")
  func shortDurations() {
    #expect(DurationText.short(milliseconds: 7_500_000) == "2 h 5 min")
    #expect(DurationText.short(milliseconds: 999) == "0 s")
    #expect(DurationText.short(milliseconds: 90_061_000) == "1 d 1 h")
  }

  @Test("Positions are two numbers on this planet")
  func coordinates() {
    #expect(Coordinates("37.36,-121.93")?.longitude == -121.93)
    #expect(Coordinates("-17.35, -145.5")?.latitude == -17.35)
    for bad in ["", "1", "1,2,3", "91,0", "0,181", "nan,0", "a,b", "1,"] {
      #expect(Coordinates(bad) == nil, "\(bad)")
    }
  }

  @Test("Columns of a table line up where characters take two columns or none")
  func widths() {
    // The console sets the locale that widths are counted in.
    _ = Console(color: .never, environment: [:])
    var table = Table(columns: [.init("NAME"), .init("COUNT", right: true)])
    table.rows = [["김민수", "1"], ["Zoe\u{308}", "12"], ["👩 Ada", "3"], ["a\u{1B}[2J", "4"]]
    let lines = table.text(width: nil, color: false).split(separator: "\n").map(String.init)
    #expect(
      lines == [
        "NAME        COUNT", "김민수          1", "Zoe\u{308}            12",
        "👩 Ada          3", "a\\u{1b}[2J      4",
      ])
  }

  @Test("An emoji of several characters takes two columns, as its one picture does")
  func emoji() {
    _ = Console(color: .never, environment: [:])
    var table = Table(columns: [.init("WHO"), .init("N", right: true)])
    table.rows = [
      ["👨‍👩‍👧‍👦 Fa", "1"], ["👍🏽 ok", "2"], ["🇰🇷 kr", "3"],
      ["❤️ he", "4"], ["한국 x", "5"],
    ]
    let lines = table.text(width: nil, color: false).split(separator: "\n").map(String.init)
    #expect(
      lines == [
        "WHO     N", "👨‍👩‍👧‍👦 Fa   1", "👍🏽 ok   2", "🇰🇷 kr   3",
        "❤️ he   4", "한국 x  5",
      ])
  }

  @Test("Only columns that may be cut are cut to a terminal's width, and only with one")
  func cutting() {
    _ = Console(color: .never, environment: [:])
    var table = Table(columns: [.init("ID"), .init("NAME", cuttable: true)])
    table.rows = [["12345678", String(repeating: "x", count: 100)]]
    let lines = table.text(width: 40, color: false).split(separator: "\n")
    #expect(lines.allSatisfy { $0.count <= 40 })
    #expect(lines[1] == "12345678  " + String(repeating: "x", count: 29) + "…")
    #expect(table.text(width: nil, color: false).contains(String(repeating: "x", count: 100)))
  }

  @Test(
    "What is cut has a mark, in as many columns as there are: the widest are cut, titles too",
    arguments: [
      (20, ["A  DESCRIPTI…  NAME", "1  something…  short", "2  한국 사람   ab"]),
      (14, ["A  DES…  NAME", "1  som…  short", "2  한…   ab"]),
      (11, ["A  DE…  NA…", "1  so…  sh…", "2  한…  ab"]),
      (60, ["A  DESCRIPTION     NAME", "1  something long  short", "2  한국 사람       ab"]),
    ])
  func marks(width: Int, expected: [String]) {
    _ = Console(color: .never, environment: [:])
    var table = Table(
      columns: [.init("A"), .init("DESCRIPTION", cuttable: true), .init("NAME", cuttable: true)])
    table.rows = [["1", "something long", "short"], ["2", "한국 사람", "ab"]]
    let lines = table.text(width: width, color: false).split(separator: "\n").map(String.init)
    #expect(lines == expected)
  }

  @Test("There is no colour where none was asked for")
  func noColor() {
    var table = Table(columns: [.init("NAME")])
    table.rows = [["a"]]
    #expect(!table.text(width: 80, color: false).contains("\u{1B}"))
    #expect(table.text(width: 80, color: true).contains("\u{1B}["))
    #expect(!Console(color: .auto, environment: ["NO_COLOR": "1"]).hasColor)
    #expect(Console(color: .always, environment: ["NO_COLOR": "1"]).hasColor)
  }
}
