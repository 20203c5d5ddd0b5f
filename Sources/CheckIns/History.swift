import Model
import SQLite
import Wire

/// Finds what the log tells of one person or one place: each entry says which entry was the one
/// before it of its person, and of each of its places, so that a history is a chain through the log
/// and costs a write nothing but three numbers.
final class History {
  private let selectEntry: Statement
  private let selectLastOfPlace: Statement
  private let selectTime: Statement

  /// Whose history is asked for.
  enum Subject {
    case person(Presence.Slot)
    case place(Presence.Slot)
  }

  /// How far back in the log an entry of a place is looked for before its chain is gone through.
  private static let searchedEntries: UInt64 = 20_000

  init(_ database: Database) throws {
    selectEntry = try database.prepare(
      "SELECT \(LogEntry.columns) FROM log WHERE revision = ?")
    selectLastOfPlace = try database.prepare(
      """
      SELECT revision FROM log
      WHERE revision < ?1 AND revision > ?2 AND (from_place = ?3 OR to_place = ?3)
      ORDER BY revision DESC LIMIT 1
      """)
    selectTime = try database.prepare(
      "SELECT revision, time_ms FROM log WHERE revision >= ? ORDER BY revision LIMIT 1")
  }

  func entry(_ revision: UInt64) throws -> LogEntry? {
    try selectEntry.first(revision) { LogEntry($0) }
  }

  /// Goes through a chain, newest first, until `body` says no, or to its end: what is older than
  /// the log keeps is not there.
  /// - Parameter newest: the first entry to look at; 0: there is none.
  func follow(
    _ subject: Subject, from newest: UInt64, _ body: (LogEntry) throws -> Bool
  ) throws {
    var next = newest
    while next != 0, let entry = try entry(next), try body(entry) {
      guard let before = entry.before(of: subject) else { return }
      next = before
    }
  }

  /// Where to begin for what lies before a revision: of a place with many entries one is near, and
  /// of one with few the chain from its last entry is short.
  func start(of subject: Subject, last: UInt64, before: UInt64) throws -> UInt64 {
    guard case .place(let place) = subject, before <= last else { return last }
    let oldest = before > Self.searchedEntries ? before - Self.searchedEntries : 0
    return try selectLastOfPlace.first(before, oldest, place) { $0.uint64(0) } ?? last
  }

  /// The last revision before a time: times do not fall, so it is found by halving.
  func lastRevision(beforeMs timeMs: Int64, last: UInt64) throws -> UInt64 {
    var low: UInt64 = 0
    var high = last
    // Everything up to `low` is earlier, everything after `high` is not.
    while low < high {
      let middle = low + (high - low + 1) / 2
      let found = try selectTime.first(middle) { ($0.uint64(0), $0.int64(1)) }
      if let found, found.1 < timeMs {
        low = found.0
      } else {
        high = middle - 1
      }
    }
    return low
  }
}

extension LogEntry {
  /// The entry before this one of its person, or of one of its places, 0 where there is none; nil:
  /// this one is about others.
  func before(of subject: History.Subject) -> UInt64? {
    switch subject {
    case .person(person): personBefore
    case .place(to): toBefore
    case .place(from): fromBefore
    case .person, .place: nil
    }
  }
}

/// The newest entry of each person and each place, by slot; 0: there is none. Where their chains
/// begin.
struct LastEntries {
  private var people: [UInt64] = []
  private var places: [UInt64] = []

  subscript(person slot: Presence.Slot) -> UInt64 {
    get { Int(slot) < people.count ? people[Int(slot)] : 0 }
    set { Self.set(&people, slot, newValue) }
  }

  subscript(place slot: Presence.Slot) -> UInt64 {
    get { Int(slot) < places.count ? places[Int(slot)] : 0 }
    set { Self.set(&places, slot, newValue) }
  }

  private static func set(_ list: inout [UInt64], _ slot: Presence.Slot, _ revision: UInt64) {
    let index = Int(slot)
    if index >= list.count {
      list += Array(repeating: 0, count: max(index + 1 - list.count, list.count))
    }
    list[index] = revision
  }
}
