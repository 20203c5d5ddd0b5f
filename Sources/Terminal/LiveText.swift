/// A picture on a terminal that is drawn anew in its place, and stays there when the program ends.
package struct LiveText {
  private let console: Console
  private var drawnLines = 0
  private var drawnColumns = 0

  package init(_ console: Console) { self.console = console }

  /// Draws the lines over those of the last time, and nothing else: what is too wide for the
  /// terminal is cut by it.
  package mutating func draw(_ lines: [String]) {
    let columns = console.size?.columns ?? console.width
    // A terminal that was made narrower has folded what was there, so that nobody knows where it
    // begins: it is left, and the next picture drawn below.
    if drawnLines > 0, columns == drawnColumns { console.write("\u{1B}[\(drawnLines)A\r\u{1B}[J") }
    console.write("\u{1B}[?7l")
    for line in lines { console.write(line + "\n") }
    console.write("\u{1B}[?7h")
    console.flush()
    drawnLines = lines.count
    drawnColumns = columns
  }
}
