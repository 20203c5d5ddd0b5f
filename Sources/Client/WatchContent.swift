package import Model
package import Wire

/// What a watch shows: made of changes, and able to tell that one was missed.
package protocol WatchContent: Equatable, Sendable {
  associatedtype Change: Equatable, Sendable

  /// Nobody anywhere.
  init()
  /// The changes that a response tells, in order.
  static func changes(in response: WatchResponse) -> [Change]
  mutating func apply(_ change: Change)
  /// Whether this is what the response leads to.
  func agrees(with response: WatchResponse) -> Bool
}

/// The people at one place.
package struct PeopleHere: WatchContent {
  private var byID: [ID: Person] = [:]

  package init() {}

  package var count: Int { byID.count }

  /// In the order they came: by `since_ms`, then id (rule D1).
  package var people: [Person] {
    byID.sorted { ($0.value.sinceMs, $0.key) < ($1.value.sinceMs, $1.key) }.map(\.value)
  }

  /// The one of this profile id; nil where that is somewhere else.
  package func person(_ id: ID?) -> Person? { id.flatMap { byID[$0] } }

  package static func changes(in response: WatchResponse) -> [HereChange] { response.changes }

  package mutating func apply(_ change: HereChange) {
    guard let person = change.person, let id = person.profileID else { return }
    switch change.kind {
    case .arrived: byID[id] = person
    case .left: byID[id] = nil
    case .updated:
      guard byID[id] != nil else { return }
      byID[id] = person
    case .unspecified: break
    }
  }

  package func agrees(with response: WatchResponse) -> Bool { byID.count == Int(response.count) }
}

/// How many are where: every place where somebody is.
package struct Counts: WatchContent {
  package private(set) var byPlace: [ID: UInt32] = [:]
  /// Everybody, anywhere.
  package private(set) var total: UInt64 = 0

  package init() {}

  package static func changes(in response: WatchResponse) -> [LocationCount] { response.counts }

  package mutating func apply(_ change: LocationCount) {
    guard let place = change.locationID else { return }
    total -= UInt64(byPlace[place] ?? 0)
    total += UInt64(change.count)
    byPlace[place] = change.count == 0 ? nil : change.count
  }

  package func agrees(with response: WatchResponse) -> Bool { total == response.total }
}
