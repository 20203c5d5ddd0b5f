import Model
import Wire

/// The log of check-ins as it was committed, and what was true at each of its revisions. It is
/// kept in another way than the services do it: lists by what each change says, people apart.
struct PresenceLog {
  struct Stay: Equatable {
    var at: UInt64
    var place: ID?
    var sinceMs: Int64
    var revision: UInt64
    var expireMs: Int64
  }

  struct Member: Equatable {
    var id: ID
    var sinceMs: Int64

    func precedes(_ other: Member) -> Bool {
      sinceMs != other.sinceMs ? sinceMs < other.sinceMs : id < other.id
    }
  }

  private(set) var entries: [CheckInChange] = []
  private(set) var atUs: [Int64] = []
  private(set) var stays: [ID: [Stay]] = [:]
  private(set) var lists: [ID: [(at: UInt64, members: [Member])]] = [:]
  private var totals: [Int] = [0]

  var lastRevision: UInt64 { UInt64(entries.count) }

  subscript(_ revision: UInt64) -> CheckInChange? {
    revision == 0 || revision > lastRevision ? nil : entries[Int(revision) - 1]
  }

  // MARK: - What was true

  func stay(of person: ID, at revision: UInt64) -> Stay? {
    guard let all = stays[person] else { return nil }
    let next = all.partitioningIndex { $0.at > revision }
    return next == 0 ? nil : all[next - 1]
  }

  func members(of place: ID, at revision: UInt64) -> [Member] {
    guard let all = lists[place] else { return [] }
    let next = all.partitioningIndex { $0.at > revision }
    return next == 0 ? [] : all[next - 1].members
  }

  func total(at revision: UInt64) -> Int { totals[Int(revision)] }

  /// The places where somebody was, by id.
  func occupied(at revision: UInt64) -> [ID] {
    lists.keys.filter { !members(of: $0, at: revision).isEmpty }.sorted()
  }

  // MARK: - Another change

  /// What is wrong with a change that follows the last one; nil: it is taken.
  mutating func append(_ entry: CheckInChange, atUs now: Int64) -> String? {
    guard entry.revision == lastRevision + 1 else {
      return "revision \(entry.revision) follows \(lastRevision)"
    }
    if let last = entries.last, entry.timeMs < last.timeMs { return "time falls" }
    guard let person = entry.profileID else { return "a change of nobody" }
    let old = stays[person]?.last
    guard entry.fromLocationID == old?.place else {
      return "it says from \(text(entry.fromLocationID)), but \(person) is at \(text(old?.place))"
    }
    let stays = entry.reason == .renewed
    if stays != (entry.fromLocationID == entry.toLocationID) {
      return "\(entry.reason) from \(text(entry.fromLocationID)) to \(text(entry.toLocationID))"
    }
    let isEnd = ![ChangeReason.requested, .renewed].contains(entry.reason)
    if isEnd && entry.toLocationID != nil { return "\(entry.reason) brings somebody somewhere" }
    entries.append(entry)
    atUs.append(now)
    self.stays[person, default: []].append(
      Stay(
        at: entry.revision, place: entry.toLocationID,
        sinceMs: stays ? old?.sinceMs ?? 0 : entry.timeMs,
        revision: stays ? old?.revision ?? 0 : entry.revision, expireMs: entry.expireTimeMs))
    return stays ? keepTotal() : move(person, entry, old)
  }

  private mutating func keepTotal() -> String? {
    totals.append(totals[totals.count - 1])
    return nil
  }

  private mutating func move(_ person: ID, _ entry: CheckInChange, _ old: Stay?) -> String? {
    var total = totals[totals.count - 1]
    if let from = entry.fromLocationID {
      var members = lists[from]?.last?.members ?? []
      guard let index = members.firstIndex(where: { $0.id == person }) else {
        return "\(person) is not in the list of \(from)"
      }
      members.remove(at: index)
      lists[from, default: []].append((entry.revision, members))
      total -= 1
    }
    if let place = entry.toLocationID {
      var members = lists[place]?.last?.members ?? []
      let member = Member(id: person, sinceMs: entry.timeMs)
      members.insert(member, at: members.partitioningIndex { member.precedes($0) })
      lists[place, default: []].append((entry.revision, members))
      total += 1
    }
    totals.append(total)
    return nil
  }

  private func text(_ id: ID?) -> String { id.map { "\($0)" } ?? "nowhere" }
}
