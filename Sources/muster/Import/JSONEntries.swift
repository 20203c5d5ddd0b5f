import Terminal
import Wire

/// The entries of a JSON file, each with its place: of a list, of an object with one list in it, or
/// of one object a line.
enum JSONEntries {
  /// What there is, and what is wrong with lines that are no JSON.
  static func read(
    _ bytes: [UInt8], name: String
  ) throws -> (entries: [(EntryPlace, JSONValue)], problems: [ImportProblem]) {
    let lines = nonBlankLines(of: bytes)
    guard !lines.isEmpty else {
      throw Failure(.usage, "\(name) is empty", hint: "it has to be JSON")
    }
    // A first line that is an object by itself, with others after it: one object a line.
    if lines.count > 1, case .object? = try? JSONText.value(lines[0].bytes, from: name) {
      return objects(lines)
    }
    return (try values(bytes, name: name, firstLine: lines[0].number), [])
  }

  private static func objects(
    _ lines: [(number: Int, bytes: [UInt8])]
  ) -> (entries: [(EntryPlace, JSONValue)], problems: [ImportProblem]) {
    var entries: [(EntryPlace, JSONValue)] = []
    var problems: [ImportProblem] = []
    for (number, text) in lines {
      do throws(JSONError) {
        entries.append((.line(number), try JSONReader.value(of: text)))
      } catch {
        problems.report(
          .line(number), "", "this is no JSON: column \(error.column): \(error.message)")
      }
    }
    return (entries, problems)
  }

  private static func values(
    _ bytes: [UInt8], name: String, firstLine: Int
  ) throws -> [(EntryPlace, JSONValue)] {
    let whole = try JSONText.value(bytes, from: name)
    switch whole {
    case .array(let values):
      return Array(zip(elementPlaces(bytes, depth: 1), values))
    case .object(let members):
      let lists = members.compactMap { member -> [JSONValue]? in
        guard case .array(let values) = member.value else { return nil }
        return values
      }
      guard let list = lists.first else { return [(.line(firstLine), whole)] }
      guard lists.count == 1 else {
        throw Failure(
          .usage, "\(name) has \(lists.count) lists in it, and it is not clear which one is meant",
          hint: "give a file with one list")
      }
      return Array(zip(elementPlaces(bytes, depth: 2), list))
    default:
      throw Failure(
        .usage, "\(name), line \(firstLine): \(whole.kind) where a list is wanted")
    }
  }

  private static func nonBlankLines(of bytes: [UInt8]) -> [(number: Int, bytes: [UInt8])] {
    bytes.split(separator: 10, omittingEmptySubsequences: false).enumerated().compactMap {
      index, line in
      line.allSatisfy { $0 == 32 || $0 == 9 || $0 == 13 } ? nil : (index + 1, Array(line))
    }
  }

  /// Where each element of the one list at this depth begins. The text is known to be JSON, so
  /// brackets outside of strings and the commas between are all there is to see.
  private static func elementPlaces(_ bytes: [UInt8], depth wanted: Int) -> [EntryPlace] {
    var places: [EntryPlace] = []
    var position = TextPosition()
    var depth = 0
    var isList: [Bool] = []
    var expects = false
    var index = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
    while index < bytes.count {
      let byte = bytes[index]
      index += 1
      if byte <= 32 { continue }
      if expects, byte != UInt8(ascii: "]") {
        position.move(to: index - 1, in: bytes)
        places.append(
          .element(places.count + 1, line: position.line, column: position.column))
        expects = false
      }
      switch byte {
      case UInt8(ascii: "\""):
        while index < bytes.count, bytes[index] != UInt8(ascii: "\"") {
          index += bytes[index] == UInt8(ascii: "\\") ? 2 : 1
        }
        index += 1
      case UInt8(ascii: "["), UInt8(ascii: "{"):
        depth += 1
        isList.append(byte == UInt8(ascii: "["))
        expects = depth == wanted && isList[depth - 1]
      case UInt8(ascii: "]"), UInt8(ascii: "}"):
        depth -= 1
        isList.removeLast()
        expects = false
      case UInt8(ascii: ","):
        expects = depth == wanted && isList[depth - 1]
      default: break
      }
    }
    return places
  }
}

/// A place in a text that is walked through once: line and column, both counted from 1, columns in
/// characters.
private struct TextPosition {
  private(set) var line = 1
  private(set) var column = 1
  private var index = 0

  /// Goes on to a byte that begins a character.
  mutating func move(to end: Int, in bytes: [UInt8]) {
    let passed = bytes[index..<end]
    if let last = passed.lastIndex(of: 10) {
      line += passed.count { $0 == 10 }
      column = String(decoding: bytes[(last + 1)..<end], as: UTF8.self).count + 1
    } else {
      column += String(decoding: passed, as: UTF8.self).count
    }
    index = end
  }
}
