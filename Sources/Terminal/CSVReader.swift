import CCsv

/// Why a text is no CSV, with the line where it stops being one.
package struct CSVError: Error, Equatable {
  /// Counted from 1.
  package var line: Int
  /// One sentence, without a full stop.
  package var message: String
}

/// One record of a CSV file.
package struct CSVRecord: Equatable, Sendable {
  /// Where it begins, counted from 1; a quoted field may have line breaks.
  package var line: Int
  package var fields: [String]
}

/// Reads CSV as RFC 4180 has it and as spreadsheets write it: with or without a byte order mark,
/// any line ends, and with commas, semicolons or tabs between the fields, told by the first line.
package enum CSVReader {
  /// All records of a file. Blank lines are none.
  package static func records(of bytes: [UInt8]) throws(CSVError) -> [CSVRecord] {
    if bytes.starts(with: [0xFF, 0xFE]) || bytes.starts(with: [0xFE, 0xFF]) {
      throw CSVError(line: 1, message: "the file is in UTF-16; save it as CSV in UTF-8")
    }
    let text = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? bytes[3...] : bytes[...]
    let lines = physicalLines(of: text)
    let run = CSVRun()
    var parser = csv_parser()
    guard csv_init(&parser, UInt8(CSV_STRICT | CSV_STRICT_FINI)) == CSV_SUCCESS else {
      throw CSVError(line: 1, message: "no memory to read CSV with")
    }
    defer { csv_free(&parser) }
    csv_set_delim(&parser, delimiter(of: lines.first ?? []))
    // Blanks around a field belong to it; libcsv would take them away.
    csv_set_space_func(&parser) { _ in 0 }
    for (index, line) in lines.enumerated() {
      run.line = index + 1
      let read = line.withUnsafeBytes { raw in
        csv_parse(
          &parser, raw.baseAddress, raw.count, fieldEnded, recordEnded,
          Unmanaged.passUnretained(run).toOpaque())
      }
      try check(read == line.count, run, &parser)
    }
    let ended = csv_fini(
      &parser, fieldEnded, recordEnded, Unmanaged.passUnretained(run).toOpaque())
    try check(ended == 0, run, &parser)
    return run.records
  }

  /// What separates the fields: whatever of the three the first line has most of, quotes aside.
  static func delimiter(of line: ArraySlice<UInt8>) -> UInt8 {
    var counts: [UInt8: Int] = [:]
    var quoted = false
    for byte in line {
      if byte == UInt8(ascii: "\"") { quoted.toggle() }
      if !quoted { counts[byte, default: 0] += 1 }
    }
    let comma = UInt8(ascii: ",")
    var best = comma
    for other in [UInt8(ascii: ";"), UInt8(ascii: "\t")]
    where counts[other, default: 0] > counts[best, default: 0] {
      best = other
    }
    return best
  }

  /// Each line with its end, so that the parser's place is known: LF, CR LF or CR.
  private static func physicalLines(of text: ArraySlice<UInt8>) -> [ArraySlice<UInt8>] {
    var lines: [ArraySlice<UInt8>] = []
    var start = text.startIndex
    var index = text.startIndex
    while index < text.endIndex {
      let byte = text[index]
      index += 1
      let endsHere =
        byte == 0x0A || byte == 0x0D && (index == text.endIndex || text[index] != 0x0A)
      if endsHere {
        lines.append(text[start..<index])
        start = index
      }
    }
    if start < text.endIndex { lines.append(text[start...]) }
    return lines
  }

  private static func check(
    _ good: Bool, _ run: CSVRun, _ parser: inout csv_parser
  ) throws(CSVError) {
    if let badLine = run.badTextLine {
      throw CSVError(line: badLine, message: "the text is not in UTF-8; save the file as UTF-8")
    }
    guard !good else { return }
    let line = run.recordLine ?? run.line
    guard csv_error(&parser) == CSV_EPARSE else {
      throw CSVError(line: line, message: String(cString: csv_strerror(csv_error(&parser))))
    }
    throw CSVError(
      line: line,
      message: "a quote (\") is not closed, or stands inside a field that is not in quotes")
  }
}

/// What the callbacks of one run gather.
private final class CSVRun {
  var records: [CSVRecord] = []
  var fields: [String] = []
  var line = 1
  /// Where the record begins that is being read.
  var recordLine: Int?
  var badTextLine: Int?
}

/// libcsv calls this at the end of every field.
private func fieldEnded(
  _ data: UnsafeMutableRawPointer?, _ count: Int, _ context: UnsafeMutableRawPointer?
) {
  guard let context else { return }
  let run = Unmanaged<CSVRun>.fromOpaque(context).takeUnretainedValue()
  if run.recordLine == nil { run.recordLine = run.line }
  let bytes = UnsafeRawBufferPointer(start: data, count: data == nil ? 0 : count)
  guard let text = String(validating: bytes, as: UTF8.self) else {
    run.badTextLine = run.badTextLine ?? run.line
    return
  }
  run.fields.append(text)
}

/// libcsv calls this at the end of every record; -1 stands for the end of the file.
private func recordEnded(_ character: Int32, _ context: UnsafeMutableRawPointer?) {
  guard let context else { return }
  let run = Unmanaged<CSVRun>.fromOpaque(context).takeUnretainedValue()
  run.records.append(CSVRecord(line: run.recordLine ?? run.line, fields: run.fields))
  run.fields = []
  run.recordLine = nil
}
