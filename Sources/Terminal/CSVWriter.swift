import CCsv

/// Writes CSV after RFC 4180: commas, quotes where a field needs them, and quotes doubled in those.
package enum CSVWriter {
  /// One record with its line end, LF. What `CSVReader` reads back is exactly `fields`.
  package static func record(_ fields: [String]) -> String {
    // A record of one empty field would be a blank line, which is no record.
    if fields == [""] { return "\"\"\n" }
    return fields.map(field).joined(separator: ",") + "\n"
  }

  private static func field(_ text: String) -> String {
    guard text.utf8.contains(where: needsQuotes) || text.hasPrefix(" ") || text.hasSuffix(" ")
    else { return text }
    let bytes = Array(text.utf8)
    let quoted = [UInt8](unsafeUninitializedCapacity: bytes.count * 2 + 2) { room, count in
      count = csv_write(room.baseAddress, room.count, bytes, bytes.count)
    }
    return String(decoding: quoted, as: UTF8.self)
  }

  /// Whatever some reader takes for a separator, a line end or a quote.
  private static func needsQuotes(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: ","), UInt8(ascii: ";"), UInt8(ascii: "\""), 0x09, 0x0A, 0x0D: true
    default: false
    }
  }
}
