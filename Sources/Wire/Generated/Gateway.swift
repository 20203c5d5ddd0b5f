// Made by tools/generate from proto/muster/v1/gateway.proto. Do not edit.

package import Model

/// `BoardOrder` of the contract.
package enum BoardOrder: Int32, CaseIterable, Sendable {
  /// By name.
  case unspecified = 0
  /// Busiest first.
  case count = 1
  /// Nearest first; needs `near`.
  case distance = 2
}

/// `WatchMode` of the contract.
package enum WatchMode: Int32, CaseIterable, Sendable {
  /// What is now, then every change.
  case unspecified = 0
  /// Only what happens from now on.
  case passThrough = 1
}

/// `HereChangeKind` of the contract.
package enum HereChangeKind: Int32, CaseIterable, Sendable {
  case unspecified = 0
  /// After a reset: is here.
  case arrived = 1
  case left = 2
  /// Somebody who stays edited the profile: neither a leaving nor an arrival.
  case updated = 3
}

/// A person as a list shows them.
package struct Person: Equatable, Sendable {
  package var profileID: ID?
  package var firstName: String
  package var lastName: String
  package var companyName: String
  package var avatarID: [UInt8]
  package var sinceMs: Int64
  /// True where the profile service could not be asked: the id is certain, the names are not known.
  package var profileUnavailable: Bool

  package init(
    profileID: ID? = nil,
    firstName: String = "",
    lastName: String = "",
    companyName: String = "",
    avatarID: [UInt8] = [],
    sinceMs: Int64 = 0,
    profileUnavailable: Bool = false
  ) {
    self.profileID = profileID
    self.firstName = firstName
    self.lastName = lastName
    self.companyName = companyName
    self.avatarID = avatarID
    self.sinceMs = sinceMs
    self.profileUnavailable = profileUnavailable
  }
}

/// The request of `GatewayService/ListPeopleHere`.
package struct ListPeopleHereRequest: Equatable, Sendable {
  package var locationID: ID?
  package var pageSize: UInt32
  package var pageToken: String
  /// Refuse with CODE_UNAVAILABLE rather than answer with people whose profile is not available.
  package var completeOnly: Bool

  package init(
    locationID: ID? = nil,
    pageSize: UInt32 = 0,
    pageToken: String = "",
    completeOnly: Bool = false
  ) {
    self.locationID = locationID
    self.pageSize = pageSize
    self.pageToken = pageToken
    self.completeOnly = completeOnly
  }
}

/// The response of `GatewayService/ListPeopleHere`.
package struct ListPeopleHereResponse: Equatable, Sendable {
  package var location: Location?
  /// Of the location, not of the page; equal to GetCounts at the same revision.
  package var count: UInt32
  package var people: [Person]
  package var nextPageToken: String
  /// The services that could not be asked, for example "profiles". Empty: the answer is complete.
  package var unreachable: [String]

  package init(
    location: Location? = nil,
    count: UInt32 = 0,
    people: [Person] = [],
    nextPageToken: String = "",
    unreachable: [String] = []
  ) {
    self.location = location
    self.count = count
    self.people = people
    self.nextPageToken = nextPageToken
    self.unreachable = unreachable
  }
}

/// The request of `GatewayService/ListPeopleEverywhere`.
package struct ListPeopleEverywhereRequest: Equatable, Sendable {
  /// At most this many people of each location; 0: 4, as a list of places shows them. Over 50: 50.
  package var peoplePerLocation: UInt32
  package var pageSize: UInt32
  package var pageToken: String

  package init(
    peoplePerLocation: UInt32 = 0,
    pageSize: UInt32 = 0,
    pageToken: String = ""
  ) {
    self.peoplePerLocation = peoplePerLocation
    self.pageSize = pageSize
    self.pageToken = pageToken
  }
}

/// The response of `GatewayService/ListPeopleEverywhere`.
package struct ListPeopleEverywhereResponse: Equatable, Sendable {
  package var locations: [PeopleAtLocation]
  package var nextPageToken: String
  package var unreachable: [String]

  package init(
    locations: [PeopleAtLocation] = [],
    nextPageToken: String = "",
    unreachable: [String] = []
  ) {
    self.locations = locations
    self.nextPageToken = nextPageToken
    self.unreachable = unreachable
  }
}

/// `PeopleAtLocation` of the contract.
package struct PeopleAtLocation: Equatable, Sendable {
  package var locationID: ID?
  package var count: UInt32
  package var people: [Person]

  package init(
    locationID: ID? = nil,
    count: UInt32 = 0,
    people: [Person] = []
  ) {
    self.locationID = locationID
    self.count = count
    self.people = people
  }
}

/// The request of `GatewayService/GetBoard`.
package struct GetBoardRequest: Equatable, Sendable {
  package var pageSize: UInt32
  package var pageToken: String
  package var order: BoardOrder
  package var nameContains: String
  package var near: GeoPoint?
  package var radiusM: Double
  /// Leave out the locations where nobody is.
  package var occupiedOnly: Bool

  package init(
    pageSize: UInt32 = 0,
    pageToken: String = "",
    order: BoardOrder = .unspecified,
    nameContains: String = "",
    near: GeoPoint? = nil,
    radiusM: Double = 0,
    occupiedOnly: Bool = false
  ) {
    self.pageSize = pageSize
    self.pageToken = pageToken
    self.order = order
    self.nameContains = nameContains
    self.near = near
    self.radiusM = radiusM
    self.occupiedOnly = occupiedOnly
  }
}

/// The response of `GatewayService/GetBoard`.
package struct GetBoardResponse: Equatable, Sendable {
  package var rows: [BoardRow]
  package var nextPageToken: String
  /// Everybody checked in anywhere.
  package var total: UInt64
  package var unreachable: [String]

  package init(
    rows: [BoardRow] = [],
    nextPageToken: String = "",
    total: UInt64 = 0,
    unreachable: [String] = []
  ) {
    self.rows = rows
    self.nextPageToken = nextPageToken
    self.total = total
    self.unreachable = unreachable
  }
}

/// `BoardRow` of the contract.
package struct BoardRow: Equatable, Sendable {
  package var location: Location?
  /// Exact. That a badge shows at most 99, and none for 0, is for whoever draws it.
  package var count: UInt32
  package var distanceM: Double

  package init(
    location: Location? = nil,
    count: UInt32 = 0,
    distanceM: Double = 0
  ) {
    self.location = location
    self.count = count
    self.distanceM = distanceM
  }
}

/// The request of `GatewayService/Watch`.
package struct WatchRequest: Equatable, Sendable {
  /// Exactly one of the two.
  package var locationID: ID?
  package var allCounts: Bool
  package var mode: WatchMode
  /// What the caller has already: the as_of of the last response without `incomplete`. The stream
  /// goes on from there where it can (a gateway that is behind catches up first, as with at_least),
  /// and begins with a reset where it cannot.
  package var after: Revisions?
  /// 0: 5 000. 1 000 to 60 000.
  package var heartbeatMs: UInt32

  package init(
    locationID: ID? = nil,
    allCounts: Bool = false,
    mode: WatchMode = .unspecified,
    after: Revisions? = nil,
    heartbeatMs: UInt32 = 0
  ) {
    self.locationID = locationID
    self.allCounts = allCounts
    self.mode = mode
    self.after = after
    self.heartbeatMs = heartbeatMs
  }
}

/// The response of `GatewayService/Watch`.
package struct WatchResponse: Equatable, Sendable {
  /// What the caller knew is void: this response, with those that follow up to the first without
  /// `incomplete`, says all that is true at this state. Another reset may come before that and
  /// voids it.
  package var reset: Bool
  /// More of the same state follows, and nothing else comes between.
  package var incomplete: Bool
  package var timeMs: Int64
  /// Of one location: each change told, in order. Empty together with `counts`: a heartbeat.
  package var changes: [HereChange]
  /// How many are at the location now; always filled.
  package var count: UInt32
  /// Of all locations: those whose count has changed, zeros included. Sent at most ten times a
  /// second.
  package var counts: [LocationCount]
  /// How many are anywhere now; always filled when all counts are watched.
  package var total: UInt64

  package init(
    reset: Bool = false,
    incomplete: Bool = false,
    timeMs: Int64 = 0,
    changes: [HereChange] = [],
    count: UInt32 = 0,
    counts: [LocationCount] = [],
    total: UInt64 = 0
  ) {
    self.reset = reset
    self.incomplete = incomplete
    self.timeMs = timeMs
    self.changes = changes
    self.count = count
    self.counts = counts
    self.total = total
  }
}

/// `HereChange` of the contract.
package struct HereChange: Equatable, Sendable {
  package var kind: HereChangeKind
  /// Left because the profile was deleted: the id only.
  package var person: Person?
  /// Of an arrival after a reset, and of an update: unspecified.
  package var reason: ChangeReason
  /// Arrived: where from. Left: where to. Empty: nowhere, or after a reset.
  package var otherLocationID: ID?

  package init(
    kind: HereChangeKind = .unspecified,
    person: Person? = nil,
    reason: ChangeReason = .unspecified,
    otherLocationID: ID? = nil
  ) {
    self.kind = kind
    self.person = person
    self.reason = reason
    self.otherLocationID = otherLocationID
  }
}

/// The request of `GatewayService/CancelWatch`.
package struct CancelWatchRequest: Equatable, Sendable {
  /// The header id of the Watch call.
  package var callID: UInt64

  package init(
    callID: UInt64 = 0
  ) {
    self.callID = callID
  }
}

/// The response of `GatewayService/CancelWatch`.
package struct CancelWatchResponse: Equatable, Sendable {
  package init() {}
}
