import CSmartcols
import Glibc

/// A table for people, its columns as wide as what stands in them, counted in columns of the
/// terminal: Korean takes two, a combining mark none.
package struct Table {
  /// One column.
  package struct Column {
    package var title: String
    package var isRight: Bool
    /// May be cut where the terminal is too narrow.
    package var isCuttable: Bool

    package init(_ title: String, right: Bool = false, cuttable: Bool = false) {
      self.title = title
      isRight = right
      isCuttable = cuttable
    }
  }

  package var columns: [Column]
  /// As many cells in each as there are columns.
  package var rows: [[String]] = []

  package init(columns: [Column]) {
    self.columns = columns
  }

  /// The table as lines of text. With a `width`, cuttable columns are cut to fit it, and what is
  /// missing has a mark in its place. What a terminal could act on is shown as an escape.
  package func text(width: Int?, color: Bool) -> String {
    guard let table = scols_new_table() else { return "" }
    defer { scols_unref_table(table) }
    scols_table_set_column_separator(table, "  ")
    scols_table_enable_colors(table, color ? 1 : 0)
    // Cells are harmless already; libsmartcols would escape emoji newer than the C library.
    scols_table_enable_noencoding(table, 1)
    // What does not fit is cut here: libsmartcols would leave no mark.
    scols_table_set_termforce(table, Int32(SCOLS_TERMFORCE_NEVER))
    var standIns = EmojiStandIns()
    let cells = rows.map { row in row.map { standIns.replacing(TerminalText.visible($0)) } }
    let widths = width.map { self.widths(of: cells, within: $0) }
    func cut(_ text: String, _ index: Int) -> String {
      widths.map { CellText.cut(text, to: $0[index]) } ?? text
    }
    for (index, column) in columns.enumerated() {
      let flags = column.isRight ? SCOLS_FL_RIGHT : 0
      let added = scols_table_new_column(table, cut(column.title, index), 0, Int32(flags))
      if color, let header = scols_column_get_header(added) {
        scols_cell_set_color(header, "bold")
      }
    }
    for row in cells {
      let line = scols_table_new_line(table, nil)
      for (index, cell) in row.enumerated() { scols_line_set_data(line, index, cut(cell, index)) }
    }
    var data: UnsafeMutablePointer<CChar>?
    guard scols_print_table_to_string(table, &data) == 0, let data else { return "" }
    defer { free(data) }
    return standIns.restoring(String(cString: data)).split(
      separator: "\n", omittingEmptySubsequences: false
    )
    .map { $0.last == " " ? Table.withoutTrailingBlanks($0) : $0 }
    .joined(separator: "\n") + "\n"
  }

  /// How wide each column is: as wide as what stands in it, but that the widest of those that may
  /// be cut are narrowed until all fit.
  private func widths(of cells: [[String]], within room: Int) -> [Int] {
    var widths = columns.map { CellText.width($0.title) }
    for row in cells {
      for (index, cell) in row.enumerated() {
        widths[index] = max(widths[index], CellText.width(cell))
      }
    }
    var excess = widths.reduce(0, +) + 2 * (columns.count - 1) - room
    while excess > 0 {
      let candidates = columns.indices.filter { columns[$0].isCuttable && widths[$0] > Self.least }
      guard let widest = candidates.max(by: { widths[$0] < widths[$1] }) else { break }
      widths[widest] -= 1
      excess -= 1
    }
    return widths
  }

  /// A column that is cut still shows this much.
  private static let least = 2

  private static func withoutTrailingBlanks(_ line: Substring) -> Substring {
    var line = line
    while line.last == " " { line.removeLast() }
    return line
  }
}

/// Text counted in columns of a terminal.
private enum CellText {
  static func width(_ text: String) -> Int {
    text.unicodeScalars.reduce(0) { $0 + width($1) }
  }

  /// The text itself where it has room; else as much as leaves room for the mark.
  static func cut(_ text: String, to room: Int) -> String {
    guard width(text) > room else { return text }
    var shown = String.UnicodeScalarView()
    var left = room - 1
    for character in text {
      left -= character.unicodeScalars.reduce(0) { $0 + width($1) }
      guard left >= 0 else { break }
      shown.append(contentsOf: character.unicodeScalars)
    }
    return String(shown) + "…"
  }

  /// None for what the C library does not know, as libsmartcols has it.
  private static func width(_ scalar: Unicode.Scalar) -> Int {
    max(0, Int(wcwidth(wchar_t(scalar.value))))
  }
}
