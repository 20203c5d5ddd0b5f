import CZlib
import Wire

/// HdrHistogram's encoding V2, as its sources have it (EncodableHistogram, ZigZagEncoding): a
/// header of 40 bytes, the counts as numbers of variable length with runs of zeros as negative
/// ones, all of that compressed by zlib behind a header of 8 bytes.
extension Histogram {
  /// The histogram as a log line has it, in base64.
  package func encoded() -> String {
    var compressed: [UInt8] = []
    let data = Deflate.bytes(payload())
    compressed.appendBigEndian(0x1c84_9304 as UInt32 | Histogram.wordSizeBit)
    compressed.appendBigEndian(UInt32(data.count))
    compressed += data
    return compressed.withUnsafeBufferPointer { Base64.text($0) }
  }

  /// Says that counts may have 64 bits.
  private static let wordSizeBit: UInt32 = 0x10

  private func payload() -> [UInt8] {
    var numbers: [UInt8] = []
    let used = counts.lastIndex { $0 > 0 }.map { counts[...$0] } ?? []
    var zeros: Int64 = 0
    for count in used {
      if count == 0 {
        zeros += 1
        continue
      }
      if zeros > 0 { numbers.appendZigZag(zeros == 1 ? 0 : -zeros) }
      zeros = 0
      numbers.appendZigZag(Int64(clamping: count))
    }
    var bytes: [UInt8] = []
    bytes.appendBigEndian(0x1c84_9303 as UInt32 | Histogram.wordSizeBit)
    bytes.appendBigEndian(UInt32(numbers.count))
    bytes.appendBigEndian(0 as UInt32)  // where index 0 is: never moved here
    bytes.appendBigEndian(UInt32(Histogram.significantDigits))
    bytes.appendBigEndian(Histogram.lowestUs)
    bytes.appendBigEndian(Histogram.highestUs)
    bytes.appendBigEndian((1.0).bitPattern)  // what a count is multiplied by to be a number
    return bytes + numbers
  }
}

/// zlib, whose format RFC 1950 describes.
enum Deflate {
  /// The bytes, compressed.
  static func bytes(_ bytes: [UInt8]) -> [UInt8] {
    let most = compressBound(uLong(bytes.count))
    return [UInt8](unsafeUninitializedCapacity: Int(most)) { room, count in
      var size = most
      let result = compress2(
        room.baseAddress, &size, bytes, uLong(bytes.count), Z_DEFAULT_COMPRESSION)
      precondition(result == Z_OK, "there is room for whatever zlib makes of it")
      count = Int(size)
    }
  }
}

extension [UInt8] {
  fileprivate mutating func appendBigEndian<T: FixedWidthInteger>(_ value: T) {
    Swift.withUnsafeBytes(of: value.bigEndian) { append(contentsOf: $0) }
  }

  /// Small numbers of either sign in few bytes: the sign goes to the lowest bit, then seven bits to
  /// a byte, the lowest first; a ninth byte holds eight.
  fileprivate mutating func appendZigZag(_ value: Int64) {
    var rest = UInt64(bitPattern: value << 1 ^ value >> 63)
    for _ in 0..<8 {
      if rest < 0x80 { return append(UInt8(rest)) }
      append(UInt8(rest & 0x7F) | 0x80)
      rest >>= 7
    }
    append(UInt8(truncatingIfNeeded: rest))
  }
}

/// A log of histograms, line by line, in the format 1.3 of HdrHistogram's log: each line has a tag
/// that says of what, a start and a length in seconds, a maximum, and the histogram.
package struct HistogramLog: Sendable {
  package private(set) var text: String

  /// `startMs`: when the run began, since 1970. Lines count from then.
  package init(startMs: Int64) {
    let seconds = HistogramLog.decimal(Double(startMs) / 1_000)
    text = """
      #[Latencies in microseconds; Interval_Max in milliseconds]
      #[Histogram log format version 1.3]
      #[StartTime: \(seconds) (seconds since epoch)]
      #[BaseTime: \(seconds) (seconds since epoch)]
      "StartTimestamp","Interval_Length","Interval_Max","Interval_Compressed_Histogram"

      """
  }

  /// Adds what was recorded in one interval; nothing where that is nothing.
  package mutating func add(
    _ histogram: Histogram, tag: String, startNs: Int, lengthNs: Int
  ) {
    guard histogram.count > 0 else { return }
    let start = HistogramLog.decimal(Double(startNs) / 1e9)
    let length = HistogramLog.decimal(Double(lengthNs) / 1e9)
    let longest = HistogramLog.decimal(Double(histogram.maxUs) / 1_000)
    text += "Tag=\(tag),\(start),\(length),\(longest),\(histogram.encoded())\n"
  }

  /// Three digits behind the point.
  private static func decimal(_ value: Double) -> String {
    let thousandths = Int((value * 1_000).rounded())
    let rest = String(thousandths % 1_000)
    let zeros = String(repeating: "0", count: 3 - rest.count)
    return "\(thousandths / 1_000).\(zeros)\(rest)"
  }
}
