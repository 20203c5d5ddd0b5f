import Terminal
import Wire

/// JSON that somebody typed, or that stands in a file.
enum JSONText {
  /// The value of a text from `source`, whose first line has this number there.
  static func value(
    _ bytes: [UInt8], from source: String, firstLine: Int = 1
  ) throws -> JSONValue {
    do throws(JSONError) {
      return try JSONReader.value(of: bytes)
    } catch {
      let line = error.line + firstLine - 1
      throw Failure(
        .usage, "\(source) is no JSON: line \(line), column \(error.column): \(error.message)")
    }
  }
}
