import Client
import Foundation
import Terminal
import Wire

/// What a command shows of a moment: a table with a sentence, and the same as JSON.
struct Picture {
  var rows: [JSONValue]
  var columns: [Column]
  /// What JSON shows: the response, or one made of its pages.
  var document: JSONValue
  /// What there is, in a sentence.
  var title: String
  /// What is missing in it.
  var warnings: [String] = []
}

extension Session {
  /// Shows it once.
  func show(_ picture: Picture) throws {
    try Listing(columns: picture.columns, rows: picture.rows).write(
      to: console, format: format, fields: fields, document: picture.document)
    note(picture.title)
    for warning in picture.warnings { console.message(warning) }
  }

  /// Its lines on a terminal: as many rows as there is room for.
  func lines(of picture: Picture, staleSinceMs: Int64, why: String) throws -> [String] {
    let size = console.size
    let others = (staleSinceMs == 0 ? 3 : 4) + picture.warnings.count
    let room = size.map { max(1, $0.rows - others) } ?? picture.rows.count
    let isCut = picture.rows.count > room
    let rows = isCut ? Array(picture.rows.prefix(max(1, room - 1))) : picture.rows
    let text = try Listing(columns: picture.columns, rows: rows).table(
      format: format, fields: fields, width: size?.columns, color: console.hasColor)
    let clock = LocalTime.clock(milliseconds: Int64(Date().timeIntervalSince1970 * 1000))
    var lines = ["\(clock)  \(TerminalText.visible(picture.title))"]
    if staleSinceMs != 0 {
      let since = LocalTime.clock(milliseconds: staleSinceMs)
      let text = TerminalText.visible("not current since \(since): \(why)")
      lines.append(console.hasColor ? "\u{1B}[7m\(text)\u{1B}[0m" : text)
    }
    lines += text.split(separator: "\n", omittingEmptySubsequences: true).map(String.init)
    if isCut { lines.append("… and \(picture.rows.count - rows.count) more") }
    return lines + picture.warnings
  }
}

/// A picture that follows what happens: drawn in place on a terminal, else one after the other.
struct LivePicture {
  private let session: Session
  private var text: LiveText
  private var why = ""

  init(_ session: Session) {
    self.session = session
    text = LiveText(session.console)
  }

  /// Notes why it is stale, where this says so.
  mutating func note(_ news: WatchNews) {
    if case .stale(let why) = news { self.why = why }
  }

  mutating func draw(_ picture: Picture, staleSinceMs: Int64) throws {
    let lines = try session.lines(of: picture, staleSinceMs: staleSinceMs, why: why)
    if session.console.outputIsTerminal {
      text.draw(lines)
    } else {
      session.console.write(lines.joined(separator: "\n") + "\n\n")
    }
  }
}
