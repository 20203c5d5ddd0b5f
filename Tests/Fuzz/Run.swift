/// One run of one entry: which of its messages the bytes have been.
struct Run {
  /// libFuzzer calls on the thread that started it, and on no other.
  nonisolated(unsafe) static var current: Run?

  private let entry: Entry
  private var parsed: [Int]

  init(_ entry: Entry) {
    self.entry = entry
    parsed = Array(repeating: 0, count: entry.messages.count)
  }

  mutating func feed(_ input: UnsafeRawBufferPointer) {
    guard let pick = input.first else { return }
    let index = Int(pick) % entry.messages.count
    let bytes = UnsafeRawBufferPointer(rebasing: input[1...])
    if entry.feed(entry.messages[index], bytes) { parsed[index] += 1 }
  }

  /// A line for each message: how many inputs were one.
  func report() {
    for (index, message) in entry.messages.enumerated() {
      print("parsed", message.name, parsed[index])
    }
  }
}

/// What libFuzzer calls with each input; it links against this name.
@_cdecl("LLVMFuzzerTestOneInput")
func feed(_ start: UnsafePointer<UInt8>?, _ count: Int) -> Int32 {
  Run.current?.feed(UnsafeRawBufferPointer(start: start, count: count))
  return 0
}
