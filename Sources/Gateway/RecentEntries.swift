/// The newest entries of a log by their numbers: a bounded count of them, without gaps.
struct RecentEntries<Entry> {
  private var entries: [Entry] = []
  private var oldest = 0
  private let size: Int
  /// The number of the newest entry, or where the log stood when nothing else was known of it.
  private var last: UInt64 = 0

  init(size: Int) { self.size = size }

  mutating func append(_ entry: Entry, revision: UInt64) {
    if revision != last &+ 1 { begin(at: revision &- 1) }
    last = revision
    if entries.count < size {
      entries.append(entry)
    } else {
      entries[oldest] = entry
      oldest = (oldest + 1) % size
    }
  }

  /// Of what came up to this revision nothing is known.
  mutating func begin(at revision: UInt64) {
    entries.removeAll(keepingCapacity: true)
    oldest = 0
    last = revision
  }

  /// The log has come to this revision. Where no entry brought it there, it was restored, and what
  /// others have seen of it before may never have been.
  mutating func reached(_ revision: UInt64) {
    if revision != last { begin(at: revision) }
  }

  /// What came after a revision, oldest first; nil: it does not reach back that far.
  func after(_ revision: UInt64) -> [Entry]? {
    guard revision <= last, last - revision <= UInt64(entries.count) else { return nil }
    let first = entries.count - Int(last - revision)
    return (first..<entries.count).map { entries[(oldest + $0) % entries.count] }
  }
}
