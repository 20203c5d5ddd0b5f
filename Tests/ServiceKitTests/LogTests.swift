import ServiceKit
import Synchronization
import Testing

@Suite("The log")
struct LogTests {
  /// Collects what is written.
  private final class Lines: Sendable {
    let all = Mutex<[String]>([])
    func log(
      _ format: Log.Format = .text, level: Log.Level = .info, showsPriority: Bool = false,
      showsTime: Bool = false
    ) -> Log {
      Log(
        level: level, format: format, showsPriority: showsPriority, showsTime: showsTime,
        wallMs: { 1_709_210_096_007 }, write: { line in self.all.withLock { $0.append(line) } })
    }
    var text: String { all.withLock { $0.joined() } }
  }

  @Test("a line for people has time, level, message and fields in their order")
  func text() {
    let lines = Lines()
    lines.log(showsTime: true).warning(
      "backend gone", ["log": "check-ins", "silent_ms": .number(1_500), "again": .flag(true)])
    #expect(
      lines.text
        == "2024-02-29T12:34:56.007Z warning backend gone log=check-ins silent_ms=1500 again=true\n"
    )
  }

  @Test("journald gets the priority in front, and neither time nor level")
  func journal() {
    let lines = Lines()
    let log = lines.log(showsPriority: true)
    log.error("a")
    log.notice("b", ["n": 1])
    #expect(lines.text == "<3>a\n<5>b n=1\n")
  }

  @Test("JSON is one object a line")
  func json() {
    let lines = Lines()
    lines.log(.json, showsTime: true).info("a \"b\"", ["path": "c\\d\n", "n": -3])
    #expect(
      lines.text == #"{"time":"2024-02-29T12:34:56.007Z","level":"info","#
        + #""message":"a \"b\"","path":"c\\d\n","n":-3}"# + "\n")
  }

  @Test("what is less important than the level is neither written nor worked out")
  func level() {
    let lines = Lines()
    let worked = Mutex(false)
    func value() -> LogValue {
      worked.withLock { $0 = true }
      return "x"
    }
    lines.log(level: .notice).info("a", ["b": value()])
    #expect(lines.text == "")
    #expect(worked.withLock { !$0 })
  }

  @Test(
    "what comes from outside stays on its line and shows as what it is",
    arguments: [
      ("plain", "plain"),
      ("", "\"\""),
      ("two words", "\"two words\""),
      ("a=b", "\"a=b\""),
      ("say \"x\"", #""say \"x\"""#),
      ("a\nb", #""a\nb""#),
      ("\u{1B}[31m", #""\u001b[31m""#),
      ("\u{0}\u{7F}\u{9B}", #""\u0000\u007f\u009b""#),
      ("\u{202E}evil\u{2066}", #""\u202eevil\u2066""#),
      ("\u{2028}\u{FEFF}", #""\u2028\ufeff""#),
      ("한글 👩‍👩‍👧", "\"한글 👩‍👩‍👧\""),
    ])
  func escaped(_ value: String, _ shown: String) {
    let lines = Lines()
    lines.log().info("m", ["v": .text(value)])
    #expect(lines.text == "info    m v=\(shown)\n")
    let json = Lines()
    json.log(.json).info("m", ["v": .text(value)])
    #expect(json.text.utf8.filter { $0 < 0x20 }.count == 1, "the line feed at its end alone")
    let message = Lines()
    message.log().info(value)
    #expect(message.text.utf8.filter { $0 < 0x20 }.count == 1)
  }

  @Test("a long value is cut")
  func cut() {
    let lines = Lines()
    lines.log().info("m", ["v": .text(String(repeating: "a", count: 5_000))])
    #expect(lines.text == "info    m v=" + String(repeating: "a", count: 1_024) + "…\n")
  }

  @Test(
    "times are those of the calendar",
    arguments: [
      (0, "1970-01-01T00:00:00.000Z"),
      (-1, "1969-12-31T23:59:59.999Z"),
      (951_782_400_000, "2000-02-29T00:00:00.000Z"),
      (4_107_542_399_999, "2100-02-28T23:59:59.999Z"),
      (4_107_542_400_000, "2100-03-01T00:00:00.000Z"),
      (1_798_761_599_999, "2026-12-31T23:59:59.999Z"),
    ] as [(Int64, String)])
  func time(_ wallMs: Int64, _ text: String) {
    let lines = Mutex("")
    let log = Log(wallMs: { wallMs }, write: { line in lines.withLock { $0 += line } })
    log.info("x")
    #expect(lines.withLock { $0 } == "\(text) info    x\n")
  }
}
