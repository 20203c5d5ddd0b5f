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

  /// The table as lines of text. With a `width`, cuttable columns are cut to fit it. What a
  /// terminal could act on is shown as an escape.
  package func text(width: Int?, color: Bool) -> String {
    guard let table = scols_new_table() else { return "" }
    defer { scols_unref_table(table) }
    scols_table_set_column_separator(table, "  ")
    scols_table_enable_colors(table, color ? 1 : 0)
    // Cells are harmless already; libsmartcols would escape emoji newer than the C library.
    scols_table_enable_noencoding(table, 1)
    if let width {
      scols_table_set_termforce(table, Int32(SCOLS_TERMFORCE_ALWAYS))
      scols_table_set_termwidth(table, width)
    } else {
      scols_table_set_termforce(table, Int32(SCOLS_TERMFORCE_NEVER))
    }
    for column in columns {
      let flags =
        (column.isRight ? SCOLS_FL_RIGHT : 0) | (column.isCuttable ? SCOLS_FL_TRUNC : 0)
      let added = scols_table_new_column(table, column.title, 0, Int32(flags))
      if color, let header = scols_column_get_header(added) {
        scols_cell_set_color(header, "bold")
      }
    }
    var standIns = EmojiStandIns()
    for row in rows {
      let line = scols_table_new_line(table, nil)
      for (index, cell) in row.enumerated() {
        scols_line_set_data(line, index, standIns.replacing(TerminalText.visible(cell)))
      }
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

  private static func withoutTrailingBlanks(_ line: Substring) -> Substring {
    var line = line
    while line.last == " " { line.removeLast() }
    return line
  }
}
