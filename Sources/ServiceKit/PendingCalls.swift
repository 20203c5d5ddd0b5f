package import Wire

/// Calls that this process has made and that are not answered yet: a bounded table with deadlines.
struct PendingCalls {
  /// What is done with the response.
  enum Purpose {
    /// It goes on to whoever made the call, as it is.
    case forwarded(CallHandle)
    /// A follower's question to its owner.
    case follower
    /// The owner's questions about deletes.
    case attendance
    /// Anything else. The closure gets nil where there is no response.
    case other((PendingResponse?) -> Void)
  }

  private struct Entry {
    var generation: UInt32 = 0
    var purpose: Purpose?
    var log = LogName.profiles
    var deadlineUs: Int64 = 0
  }

  private var entries: [Entry] = []
  private var free: [Int] = []
  var count: Int { entries.count - free.count }

  /// When the next one's time is up; nil: there is none.
  var nextDeadlineUs: Int64? {
    count == 0 ? nil : entries.lazy.filter { $0.purpose != nil }.map(\.deadlineUs).min()
  }

  /// Notes a call to the owner of `log`, and gives its id.
  mutating func add(_ purpose: Purpose, to log: LogName, deadlineUs: Int64) -> UInt64 {
    let index = free.popLast() ?? entries.count
    if index == entries.count { entries.append(Entry()) }
    entries[index].purpose = purpose
    entries[index].log = log
    entries[index].deadlineUs = deadlineUs
    return UInt64(entries[index].generation) << 32 | UInt64(index)
  }

  /// What the call was for; nil: it is over, or never was.
  func purpose(of id: UInt64) -> Purpose? {
    guard let index = index(of: id) else { return nil }
    return entries[index].purpose
  }

  /// Ends a call.
  mutating func remove(_ id: UInt64) {
    guard let index = index(of: id), entries[index].purpose != nil else { return }
    entries[index].purpose = nil
    entries[index].generation &+= 1
    free.append(index)
  }

  /// Ends what followers have asked: nobody waits for the answers any more.
  mutating func removeFollowers() {
    for index in entries.indices {
      guard case .follower = entries[index].purpose else { continue }
      remove(UInt64(entries[index].generation) << 32 | UInt64(index))
    }
  }

  private func index(of id: UInt64) -> Int? {
    let index = Int(id & 0xFFFF_FFFF)
    guard index < entries.count, entries[index].generation == UInt32(id >> 32) else { return nil }
    return index
  }

  /// Ends all calls for which the condition holds, and gives what they were for.
  mutating func removeAll(where condition: (LogName, Int64) -> Bool) -> [Purpose] {
    var ended: [Purpose] = []
    for index in entries.indices {
      guard let purpose = entries[index].purpose,
        condition(entries[index].log, entries[index].deadlineUs)
      else { continue }
      ended.append(purpose)
      remove(UInt64(entries[index].generation) << 32 | UInt64(index))
    }
    return ended
  }
}

/// A response to a call that this process has made.
package struct PendingResponse {
  package var header: ResponseHeader
  package var body: UnsafeRawBufferPointer
}
