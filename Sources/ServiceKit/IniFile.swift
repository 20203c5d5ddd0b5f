import CInih

/// A settings file: `[section]`s with `name = value` lines, `;` and `#` comments. Read by libinih;
/// an indented line goes on with the value before it, as one more value of the same name.
package struct IniFile {
  struct Entry: Equatable {
    var section: String
    var name: String
    var value: String
    var line: Int
  }

  private(set) var entries: [Entry] = []
  /// What is wrong, each with its line: "3: is neither …".
  package private(set) var problems: [String] = []

  package init(_ bytes: [UInt8]) {
    guard String(validating: bytes, as: UTF8.self) != nil, !bytes.contains(0) else {
      problems = ["1: the file is not UTF-8 text"]
      return
    }
    let reading = IniReading(bytes)
    let context = Unmanaged.passUnretained(reading).toOpaque()
    let failedLine = withExtendedLifetime(reading) {
      ini_parse_stream(giveLine, context, takeEntry, context)
    }
    entries = reading.entries
    problems = reading.problems
    if failedLine > 0 {
      problems.append("\(failedLine): is neither a [section] nor name = value")
    } else if failedLine < 0 {
      problems.append("1: there is no memory to read the file")
    }
  }

  /// What the section of a program, or else the one that all share, says of a setting; empty:
  /// nothing.
  package func values(_ name: String, of program: String) -> [String] {
    func said(in section: String) -> [String] {
      entries.filter { $0.section == section && $0.name.replacing("_", with: "-") == name }
        .map(\.value)
    }
    let own = said(in: program)
    return own.isEmpty ? said(in: "muster") : own
  }

  /// Whether anything stands in this section.
  package func hasSection(_ name: String) -> Bool { entries.contains { $0.section == name } }
}

/// What libinih's two callbacks share. The library tells no line numbers, so they are counted where
/// it asks for lines: it takes one, hands out what that held, and takes the next.
private final class IniReading {
  let lines: [ArraySlice<UInt8>]
  var lineNumber = 0
  var entries: [IniFile.Entry] = []
  var problems: [String] = []

  init(_ bytes: [UInt8]) {
    lines = bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
  }
}

/// "fgets-style reader": a line with its line feed and a NUL, in at most `capacity` bytes.
private func giveLine(
  _ text: UnsafeMutablePointer<CChar>?, _ capacity: Int32, _ context: UnsafeMutableRawPointer?
) -> UnsafeMutablePointer<CChar>? {
  guard let text, let context else { return nil }
  let reading = Unmanaged<IniReading>.fromOpaque(context).takeUnretainedValue()
  guard reading.lineNumber < reading.lines.count else { return nil }
  var line = reading.lines[reading.lineNumber]
  reading.lineNumber += 1
  let room = Int(capacity) - 2
  if line.count > room {
    reading.problems.append(
      "\(reading.lineNumber): has more than \(room) bytes; go on in an indented line")
    line = []
  }
  let target = UnsafeMutableRawBufferPointer(start: text, count: line.count + 2)
  target.copyBytes(from: line)
  target[line.count] = UInt8(ascii: "\n")
  target[line.count + 1] = 0
  return text
}

private func takeEntry(
  _ context: UnsafeMutableRawPointer?, _ section: UnsafePointer<CChar>?,
  _ name: UnsafePointer<CChar>?, _ value: UnsafePointer<CChar>?
) -> Int32 {
  guard let context, let section, let name, let value else { return 0 }
  let reading = Unmanaged<IniReading>.fromOpaque(context).takeUnretainedValue()
  reading.entries.append(
    IniFile.Entry(
      section: String(cString: section), name: String(cString: name),
      value: String(cString: value), line: reading.lineNumber))
  return 1
}
