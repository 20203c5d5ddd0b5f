/// How far a long job has come, on standard error, and only where that is a terminal.
package struct ProgressBar {
  private let console: Console
  private let title: String
  private let total: Int
  private var shownPercent = -1

  package init(_ title: String, total: Int, console: Console) {
    self.title = title
    self.total = max(1, total)
    self.console = console
  }

  /// Shows that `done` of the total are done.
  package mutating func show(_ done: Int) {
    let percent = min(100, done * 100 / total)
    guard console.errorIsTerminal, percent != shownPercent else { return }
    shownPercent = percent
    let room = max(10, min(40, console.width - title.count - 30))
    let filled = room * percent / 100
    let bar = String(repeating: "#", count: filled) + String(repeating: ".", count: room - filled)
    console.status("\r\(title) [\(bar)] \(percent) % \(done)/\(total)\u{1B}[K")
  }

  /// Takes the bar away.
  package func clear() {
    if console.errorIsTerminal, shownPercent >= 0 { console.status("\r\u{1B}[K") }
  }
}
