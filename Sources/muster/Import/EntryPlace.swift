/// Where an entry of a file stands, as messages say it.
enum EntryPlace: Hashable, Comparable, CustomStringConvertible {
  /// It has a line to itself, or begins on it. Lines are counted from 1.
  case line(Int)
  /// One of a list that need not have line breaks: which one, and where it begins. All are counted
  /// from 1, columns in characters.
  case element(Int, line: Int, column: Int)

  /// The line that it begins on.
  var line: Int {
    switch self {
    case .line(let line), .element(_, let line, _): line
    }
  }

  /// In the order of the file.
  static func < (a: Self, b: Self) -> Bool { (a.line, a.column) < (b.line, b.column) }

  private var column: Int {
    switch self {
    case .line: 1
    case .element(_, _, let column): column
    }
  }

  var description: String {
    switch self {
    case .line(let line): "line \(line)"
    case .element(let number, let line, let column):
      "entry \(number) (line \(line), column \(column))"
    }
  }
}
