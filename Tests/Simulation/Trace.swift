/// What has happened, as a number that two equal runs share, and where it is asked for as lines.
struct Trace {
  /// FNV-1a, 64 bits, over numbers and not bytes: fast, and good enough to tell two runs apart.
  private(set) var hash: UInt64 = 0xCBF2_9CE4_8422_2325
  private(set) var events = 0
  private let keepsLines: Bool
  private var lines: [String] = []
  private static let lineCount = 400

  init(keepsLines: Bool) { self.keepsLines = keepsLines }

  mutating func add(_ atUs: Int64, _ numbers: [UInt64], _ text: () -> String) {
    events += 1
    mix(UInt64(bitPattern: atUs))
    for number in numbers { mix(number) }
    guard keepsLines else { return }
    lines.append("\(seconds(atUs)) \(text())")
    if lines.count > 2 * Self.lineCount { lines.removeFirst(Self.lineCount) }
  }

  private mutating func mix(_ number: UInt64) {
    hash = (hash ^ number) &* 0x0000_0100_0000_01B3
    hash ^= hash >> 29
  }

  /// The last things that happened.
  var tail: ArraySlice<String> { lines.suffix(Self.lineCount) }

  private func seconds(_ us: Int64) -> String {
    let micro = String(us % 1_000_000)
    return "\(us / 1_000_000)." + String(repeating: "0", count: 6 - micro.count) + micro
  }
}
