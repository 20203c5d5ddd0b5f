// Made by tools/generate from proto/muster/v1/check_in.proto. Do not edit.

package import Model

/// `CheckInState` of the contract.
package enum CheckInState: Int32, CaseIterable, Sendable {
  case unspecified = 0
  case checkedIn = 1
  case checkedOut = 2
}

/// `ChangeReason` of the contract.
package enum ChangeReason: Int32, CaseIterable, Sendable {
  case unspecified = 0
  /// Somebody asked for it.
  case requested = 1
  case expired = 2
  case everyoneOut = 3
  case profileDeleted = 4
  case locationDeleted = 5
  /// Stays, to a new end: from and to are the same.
  case renewed = 6
}

/// Where one profile is, as the service has it on disk.
package struct CheckInStatus: Equatable, Sendable {
  package var profileID: ID?
  package var state: CheckInState
  /// Empty when checked out.
  package var locationID: ID?
  /// When it came to be so.
  package var sinceMs: Int64
  /// When it ends by itself; 0: never.
  package var expireTimeMs: Int64
  /// The change that brought the profile there, or took it away (not a renewal); 0: it never
  /// checked in.
  package var revision: UInt64

  package init(
    profileID: ID? = nil,
    state: CheckInState = .unspecified,
    locationID: ID? = nil,
    sinceMs: Int64 = 0,
    expireTimeMs: Int64 = 0,
    revision: UInt64 = 0
  ) {
    self.profileID = profileID
    self.state = state
    self.locationID = locationID
    self.sinceMs = sinceMs
    self.expireTimeMs = expireTimeMs
    self.revision = revision
  }
}

/// What must hold for a write to be done; otherwise CODE_FAILED_PRECONDITION / STATUS_CHANGED, and
/// the body says what holds. One that says nothing is refused.
package struct Expectation: Equatable, Sendable {
  /// The one of `what` that is set.
  package enum What: Equatable, Sendable {
    /// Checked in at this location.
    case locationID(ID)
    /// Checked out: true.
    case checkedOut(Bool)
    /// Last changed by this revision.
    case revision(UInt64)
  }

  package var what: What?

  package init(
    what: What? = nil
  ) {
    self.what = what
  }
}

/// The request of `CheckInService/CheckIn`.
package struct CheckInRequest: Equatable, Sendable {
  /// Empty: the caller's own profile.
  package var profileID: ID?
  package var locationID: ID?
  /// Seconds until it ends by itself, within a second; 0: the server's setting; 4 294 967 295:
  /// never. Already there: not 0 moves the end.
  package var ttlS: UInt32
  package var expect: Expectation?

  package init(
    profileID: ID? = nil,
    locationID: ID? = nil,
    ttlS: UInt32 = 0,
    expect: Expectation? = nil
  ) {
    self.profileID = profileID
    self.locationID = locationID
    self.ttlS = ttlS
    self.expect = expect
  }
}

/// The response of `CheckInService/CheckIn`.
package struct CheckInResponse: Equatable, Sendable {
  package var status: CheckInStatus?
  /// Where the profile was before, changed or not; empty: nowhere.
  package var previousLocationID: ID?
  package var changed: Bool

  package init(
    status: CheckInStatus? = nil,
    previousLocationID: ID? = nil,
    changed: Bool = false
  ) {
    self.status = status
    self.previousLocationID = previousLocationID
    self.changed = changed
  }
}

/// The request of `CheckInService/CheckOut`.
package struct CheckOutRequest: Equatable, Sendable {
  /// Empty: the caller's own profile.
  package var profileID: ID?
  package var expect: Expectation?

  package init(
    profileID: ID? = nil,
    expect: Expectation? = nil
  ) {
    self.profileID = profileID
    self.expect = expect
  }
}

/// The response of `CheckInService/CheckOut`.
package struct CheckOutResponse: Equatable, Sendable {
  package var status: CheckInStatus?
  package var previousLocationID: ID?
  package var changed: Bool

  package init(
    status: CheckInStatus? = nil,
    previousLocationID: ID? = nil,
    changed: Bool = false
  ) {
    self.status = status
    self.previousLocationID = previousLocationID
    self.changed = changed
  }
}

/// The request of `CheckInService/BatchCheckIn`.
package struct BatchCheckInRequest: Equatable, Sendable {
  package var items: [BatchCheckInItem]

  package init(
    items: [BatchCheckInItem] = []
  ) {
    self.items = items
  }
}

/// What is wrong with one item, its form and the caller's role for it too, is that item's own
/// outcome.
package struct BatchCheckInItem: Equatable, Sendable {
  /// Never empty.
  package var profileID: ID?
  /// Empty: check out.
  package var locationID: ID?
  package var ttlS: UInt32
  /// What is wrong with the form of this one, which is its own outcome. Not sent.
  package var violations: [FieldViolation]

  package init(
    profileID: ID? = nil,
    locationID: ID? = nil,
    ttlS: UInt32 = 0,
    violations: [FieldViolation] = []
  ) {
    self.profileID = profileID
    self.locationID = locationID
    self.ttlS = ttlS
    self.violations = violations
  }
}

/// The response of `CheckInService/BatchCheckIn`.
package struct BatchCheckInResponse: Equatable, Sendable {
  package var outcomes: [BatchCheckInOutcome]

  package init(
    outcomes: [BatchCheckInOutcome] = []
  ) {
    self.outcomes = outcomes
  }
}

/// `BatchCheckInOutcome` of the contract.
package struct BatchCheckInOutcome: Equatable, Sendable {
  /// Absent: done.
  package var error: Status?
  package var status: CheckInStatus?
  package var previousLocationID: ID?
  package var changed: Bool

  package init(
    error: Status? = nil,
    status: CheckInStatus? = nil,
    previousLocationID: ID? = nil,
    changed: Bool = false
  ) {
    self.error = error
    self.status = status
    self.previousLocationID = previousLocationID
    self.changed = changed
  }
}

/// The request of `CheckInService/CheckOutEveryone`.
package struct CheckOutEveryoneRequest: Equatable, Sendable {
  package var locationID: ID?

  package init(
    locationID: ID? = nil
  ) {
    self.locationID = locationID
  }
}

/// The response of `CheckInService/CheckOutEveryone`.
package struct CheckOutEveryoneResponse: Equatable, Sendable {
  package var checkedOut: UInt32

  package init(
    checkedOut: UInt32 = 0
  ) {
    self.checkedOut = checkedOut
  }
}

/// The request of `CheckInService/GetStatus`.
package struct GetStatusRequest: Equatable, Sendable {
  /// Empty: the caller's own profile.
  package var profileID: ID?

  package init(
    profileID: ID? = nil
  ) {
    self.profileID = profileID
  }
}

/// The response of `CheckInService/GetStatus`.
package struct GetStatusResponse: Equatable, Sendable {
  package var status: CheckInStatus?

  package init(
    status: CheckInStatus? = nil
  ) {
    self.status = status
  }
}

/// The request of `CheckInService/ListCheckedIn`.
package struct ListCheckedInRequest: Equatable, Sendable {
  package var locationID: ID?
  package var pageSize: UInt32
  package var pageToken: String

  package init(
    locationID: ID? = nil,
    pageSize: UInt32 = 0,
    pageToken: String = ""
  ) {
    self.locationID = locationID
    self.pageSize = pageSize
    self.pageToken = pageToken
  }
}

/// The response of `CheckInService/ListCheckedIn`.
package struct ListCheckedInResponse: Equatable, Sendable {
  package var statuses: [CheckInStatus]
  package var nextPageToken: String
  /// Of the location, not of the page.
  package var count: UInt32

  package init(
    statuses: [CheckInStatus] = [],
    nextPageToken: String = "",
    count: UInt32 = 0
  ) {
    self.statuses = statuses
    self.nextPageToken = nextPageToken
    self.count = count
  }
}

/// The request of `CheckInService/GetCounts`.
package struct GetCountsRequest: Equatable, Sendable {
  /// Empty: every location where somebody is, by id, in pages. Up to 1 000 named ones come back at
  /// once, in this order, with 0 for those where nobody is, or that do not exist.
  package var locationIDs: [ID]
  /// 0: 10 000, which is the most.
  package var pageSize: UInt32
  package var pageToken: String

  package init(
    locationIDs: [ID] = [],
    pageSize: UInt32 = 0,
    pageToken: String = ""
  ) {
    self.locationIDs = locationIDs
    self.pageSize = pageSize
    self.pageToken = pageToken
  }
}

/// The response of `CheckInService/GetCounts`.
package struct GetCountsResponse: Equatable, Sendable {
  package var counts: [LocationCount]
  /// Everybody checked in anywhere.
  package var total: UInt64
  package var nextPageToken: String

  package init(
    counts: [LocationCount] = [],
    total: UInt64 = 0,
    nextPageToken: String = ""
  ) {
    self.counts = counts
    self.total = total
    self.nextPageToken = nextPageToken
  }
}

/// `LocationCount` of the contract.
package struct LocationCount: Equatable, Sendable {
  package var locationID: ID?
  package var count: UInt32

  package init(
    locationID: ID? = nil,
    count: UInt32 = 0
  ) {
    self.locationID = locationID
    self.count = count
  }
}

/// The request of `CheckInService/ListHistory`.
package struct ListHistoryRequest: Equatable, Sendable {
  /// One of the two, or both.
  package var profileID: ID?
  package var locationID: ID?
  /// From this time on, and before that one; 0: open.
  package var startTimeMs: Int64
  package var endTimeMs: Int64
  package var pageSize: UInt32
  package var pageToken: String

  package init(
    profileID: ID? = nil,
    locationID: ID? = nil,
    startTimeMs: Int64 = 0,
    endTimeMs: Int64 = 0,
    pageSize: UInt32 = 0,
    pageToken: String = ""
  ) {
    self.profileID = profileID
    self.locationID = locationID
    self.startTimeMs = startTimeMs
    self.endTimeMs = endTimeMs
    self.pageSize = pageSize
    self.pageToken = pageToken
  }
}

/// The response of `CheckInService/ListHistory`.
package struct ListHistoryResponse: Equatable, Sendable {
  package var changes: [CheckInChange]
  package var nextPageToken: String

  package init(
    changes: [CheckInChange] = [],
    nextPageToken: String = ""
  ) {
    self.changes = changes
    self.nextPageToken = nextPageToken
  }
}

/// One entry of the check-in log.
package struct CheckInChange: Equatable, Sendable {
  package var revision: UInt64
  /// When it was done. Never falls within a log.
  package var timeMs: Int64
  package var profileID: ID?
  /// Empty: was checked out.
  package var fromLocationID: ID?
  /// Empty: is checked out.
  package var toLocationID: ID?
  package var reason: ChangeReason
  /// Who asked for it; empty where nobody did, or where that user's profile has been deleted.
  package var actingUser: String
  package var expireTimeMs: Int64

  package init(
    revision: UInt64 = 0,
    timeMs: Int64 = 0,
    profileID: ID? = nil,
    fromLocationID: ID? = nil,
    toLocationID: ID? = nil,
    reason: ChangeReason = .unspecified,
    actingUser: String = "",
    expireTimeMs: Int64 = 0
  ) {
    self.revision = revision
    self.timeMs = timeMs
    self.profileID = profileID
    self.fromLocationID = fromLocationID
    self.toLocationID = toLocationID
    self.reason = reason
    self.actingUser = actingUser
    self.expireTimeMs = expireTimeMs
  }
}
