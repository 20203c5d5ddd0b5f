import Terminal
import Wire

/// The entries of a JSON file, each with its line: of a list, of an object with one list in it, or
/// of one object a line.
enum JSONEntries {
  static func read(_ bytes: [UInt8], name: String) throws -> [(line: Int, value: JSONValue)] {
    let lines = nonBlankLines(of: bytes)
    guard !lines.isEmpty else {
      throw Failure(.usage, "\(name) is empty", hint: "it has to be JSON")
    }
    // A first line that is an object by itself, with others after it: one object a line.
    if lines.count > 1, case .object? = try? JSONText.value(lines[0].bytes, from: name) {
      return try lines.map { number, text in
        (number, try JSONText.value(text, from: name, firstLine: number))
      }
    }
    let whole = try JSONText.value(bytes, from: name)
    switch whole {
    case .array(let values):
      return Array(zip(elementLines(bytes, depth: 1), values).map { ($0, $1) })
    case .object(let members):
      let lists = members.compactMap { member -> [JSONValue]? in
        guard case .array(let values) = member.value else { return nil }
        return values
      }
      guard let list = lists.first else { return [(lines[0].number, whole)] }
      guard lists.count == 1 else {
        throw Failure(
          .usage, "\(name) has \(lists.count) lists in it, and it is not clear which one is meant",
          hint: "give a file with one list")
      }
      return Array(zip(elementLines(bytes, depth: 2), list).map { ($0, $1) })
    default:
      throw Failure(
        .usage, "\(name), line \(lines[0].number): \(whole.kind) where a list is expected")
    }
  }

  private static func nonBlankLines(of bytes: [UInt8]) -> [(number: Int, bytes: [UInt8])] {
    bytes.split(separator: 10, omittingEmptySubsequences: false).enumerated().compactMap {
      index, line in
      line.allSatisfy { $0 == 32 || $0 == 9 || $0 == 13 } ? nil : (index + 1, Array(line))
    }
  }

  /// The line that each element of the one list at this depth begins on. The text is known to be
  /// JSON, so brackets outside of strings and the commas between are all there is to see.
  private static func elementLines(_ bytes: [UInt8], depth wanted: Int) -> [Int] {
    var lines: [Int] = []
    var line = 1
    var depth = 0
    var isList: [Bool] = []
    var expects = false
    var index = 0
    while index < bytes.count {
      let byte = bytes[index]
      index += 1
      if byte == 10 { line += 1 }
      if byte <= 32 { continue }
      if expects, byte != UInt8(ascii: "]") {
        lines.append(line)
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
    return lines
  }
}
