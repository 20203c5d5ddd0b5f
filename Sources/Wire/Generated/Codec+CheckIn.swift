// Made by tools/generate from proto/muster/v1/check_in.proto. Do not edit.

import CMessages
import Model

extension CheckInStatus: Message {
  package static var name: String { "muster.v1.CheckInStatus" }

  package static var descriptor: UnsafeRawPointer {
    UnsafeRawPointer(muster_check_in_status_descriptor())
  }

  package init(reading raw: UnsafeRawPointer, _ reader: Reader) {
    let c = raw.assumingMemoryBound(to: Muster__V1__CheckInStatus.self)
    self.init(
      profileID: reader.id(c.pointee.profile_id, "profile_id"),
      state: reader.enumeration(c.pointee.state.rawValue, "state") ?? .unspecified,
      locationID: reader.id(c.pointee.location_id, "location_id"),
      sinceMs: c.pointee.since_ms,
      expireTimeMs: c.pointee.expire_time_ms,
      revision: c.pointee.revision
    )
  }

  package func write(into arena: Arena) -> UnsafeMutableRawPointer {
    let c = arena.make(Muster__V1__CheckInStatus.self)
    muster__v1__check_in_status__init(c)
    c.pointee.profile_id = arena.id(profileID)
    c.pointee.state = .init(rawValue: UInt32(bitPattern: state.rawValue))
    c.pointee.location_id = arena.id(locationID)
    c.pointee.since_ms = sinceMs
    c.pointee.expire_time_ms = expireTimeMs
    c.pointee.revision = revision
    return UnsafeMutableRawPointer(c)
  }
}

extension Expectation: Message {
  package static var name: String { "muster.v1.Expectation" }

  package static var descriptor: UnsafeRawPointer {
    UnsafeRawPointer(muster_expectation_descriptor())
  }

  package init(reading raw: UnsafeRawPointer, _ reader: Reader) {
    let c = raw.assumingMemoryBound(to: Muster__V1__Expectation.self)
    let what: What?
    switch c.pointee.what_case {
    case MUSTER__V1__EXPECTATION__WHAT_LOCATION_ID:
      what = reader.elementID(c.pointee.location_id, "location_id").map { .locationID($0) }
    case MUSTER__V1__EXPECTATION__WHAT_CHECKED_OUT:
      what = .checkedOut(c.pointee.checked_out != 0)
    case MUSTER__V1__EXPECTATION__WHAT_REVISION:
      what = .revision(c.pointee.revision)
    default:
      what = nil
    }
    self.init(
      what: what
    )
  }

  package func write(into arena: Arena) -> UnsafeMutableRawPointer {
    let c = arena.make(Muster__V1__Expectation.self)
    muster__v1__expectation__init(c)
    switch what {
    case nil: break
    case .locationID(let value):
      c.pointee.what_case = MUSTER__V1__EXPECTATION__WHAT_LOCATION_ID
      c.pointee.location_id = arena.id(value)
    case .checkedOut(let value):
      c.pointee.what_case = MUSTER__V1__EXPECTATION__WHAT_CHECKED_OUT
      c.pointee.checked_out = value ? 1 : 0
    case .revision(let value):
      c.pointee.what_case = MUSTER__V1__EXPECTATION__WHAT_REVISION
      c.pointee.revision = value
    }
    return UnsafeMutableRawPointer(c)
  }
}

extension CheckInRequest: Message {
  package static var name: String { "muster.v1.CheckInRequest" }

  package static var descriptor: UnsafeRawPointer {
    UnsafeRawPointer(muster_check_in_request_descriptor())
  }

  package init(reading raw: UnsafeRawPointer, _ reader: Reader) {
    let c = raw.assumingMemoryBound(to: Muster__V1__CheckInRequest.self)
    self.init(
      profileID: reader.id(c.pointee.profile_id, "profile_id"),
      locationID: reader.id(c.pointee.location_id, "location_id"),
      ttlS: c.pointee.ttl_s,
      expect: reader.message(c.pointee.expect, "expect")
    )
  }

  package func write(into arena: Arena) -> UnsafeMutableRawPointer {
    let c = arena.make(Muster__V1__CheckInRequest.self)
    muster__v1__check_in_request__init(c)
    c.pointee.profile_id = arena.id(profileID)
    c.pointee.location_id = arena.id(locationID)
    c.pointee.ttl_s = ttlS
    c.pointee.expect = arena.message(expect)
    return UnsafeMutableRawPointer(c)
  }
}

extension CheckInResponse: Message {
  package static var name: String { "muster.v1.CheckInResponse" }

  package static var descriptor: UnsafeRawPointer {
    UnsafeRawPointer(muster_check_in_response_descriptor())
  }

  package init(reading raw: UnsafeRawPointer, _ reader: Reader) {
    let c = raw.assumingMemoryBound(to: Muster__V1__CheckInResponse.self)
    self.init(
      status: reader.message(c.pointee.status, "status"),
      previousLocationID: reader.id(c.pointee.previous_location_id, "previous_location_id"),
      changed: c.pointee.changed != 0
    )
  }

  package func write(into arena: Arena) -> UnsafeMutableRawPointer {
    let c = arena.make(Muster__V1__CheckInResponse.self)
    muster__v1__check_in_response__init(c)
    c.pointee.status = arena.message(status)
    c.pointee.previous_location_id = arena.id(previousLocationID)
    c.pointee.changed = changed ? 1 : 0
    return UnsafeMutableRawPointer(c)
  }
}

extension CheckOutRequest: Message {
  package static var name: String { "muster.v1.CheckOutRequest" }

  package static var descriptor: UnsafeRawPointer {
    UnsafeRawPointer(muster_check_out_request_descriptor())
  }

  package init(reading raw: UnsafeRawPointer, _ reader: Reader) {
    let c = raw.assumingMemoryBound(to: Muster__V1__CheckOutRequest.self)
    self.init(
      profileID: reader.id(c.pointee.profile_id, "profile_id"),
      expect: reader.message(c.pointee.expect, "expect")
    )
  }

  package func write(into arena: Arena) -> UnsafeMutableRawPointer {
    let c = arena.make(Muster__V1__CheckOutRequest.self)
    muster__v1__check_out_request__init(c)
    c.pointee.profile_id = arena.id(profileID)
    c.pointee.expect = arena.message(expect)
    return UnsafeMutableRawPointer(c)
  }
}

extension CheckOutResponse: Message {
  package static var name: String { "muster.v1.CheckOutResponse" }

  package static var descriptor: UnsafeRawPointer {
    UnsafeRawPointer(muster_check_out_response_descriptor())
  }

  package init(reading raw: UnsafeRawPointer, _ reader: Reader) {
    let c = raw.assumingMemoryBound(to: Muster__V1__CheckOutResponse.self)
    self.init(
      status: reader.message(c.pointee.status, "status"),
      previousLocationID: reader.id(c.pointee.previous_location_id, "previous_location_id"),
      changed: c.pointee.changed != 0
    )
  }

  package func write(into arena: Arena) -> UnsafeMutableRawPointer {
    let c = arena.make(Muster__V1__CheckOutResponse.self)
    muster__v1__check_out_response__init(c)
    c.pointee.status = arena.message(status)
    c.pointee.previous_location_id = arena.id(previousLocationID)
    c.pointee.changed = changed ? 1 : 0
    return UnsafeMutableRawPointer(c)
  }
}

extension BatchCheckInRequest: Message {
  package static var name: String { "muster.v1.BatchCheckInRequest" }

  package static var descriptor: UnsafeRawPointer {
    UnsafeRawPointer(muster_batch_check_in_request_descriptor())
  }

  package init(reading raw: UnsafeRawPointer, _ reader: Reader) {
    let c = raw.assumingMemoryBound(to: Muster__V1__BatchCheckInRequest.self)
    self.init(
      items: reader.messages(c.pointee.n_items, c.pointee.items, "items")
    )
  }

  package func write(into arena: Arena) -> UnsafeMutableRawPointer {
    let c = arena.make(Muster__V1__BatchCheckInRequest.self)
    muster__v1__batch_check_in_request__init(c)
    c.pointee.n_items = items.count
    c.pointee.items = arena.messages(items)
    return UnsafeMutableRawPointer(c)
  }
}

extension BatchCheckInItem: Message {
  package static var name: String { "muster.v1.BatchCheckInItem" }

  package static var descriptor: UnsafeRawPointer {
    UnsafeRawPointer(muster_batch_check_in_item_descriptor())
  }

  package init(reading raw: UnsafeRawPointer, _ reader: Reader) {
    let c = raw.assumingMemoryBound(to: Muster__V1__BatchCheckInItem.self)
    let others = reader.setViolationsAside()
    self.init(
      profileID: reader.id(c.pointee.profile_id, "profile_id"),
      locationID: reader.id(c.pointee.location_id, "location_id"),
      ttlS: c.pointee.ttl_s
    )
    violations = reader.takeViolations(restoring: others)
  }

  package func write(into arena: Arena) -> UnsafeMutableRawPointer {
    let c = arena.make(Muster__V1__BatchCheckInItem.self)
    muster__v1__batch_check_in_item__init(c)
    c.pointee.profile_id = arena.id(profileID)
    c.pointee.location_id = arena.id(locationID)
    c.pointee.ttl_s = ttlS
    return UnsafeMutableRawPointer(c)
  }
}

extension BatchCheckInResponse: Message {
  package static var name: String { "muster.v1.BatchCheckInResponse" }

  package static var descriptor: UnsafeRawPointer {
    UnsafeRawPointer(muster_batch_check_in_response_descriptor())
  }

  package init(reading raw: UnsafeRawPointer, _ reader: Reader) {
    let c = raw.assumingMemoryBound(to: Muster__V1__BatchCheckInResponse.self)
    self.init(
      outcomes: reader.messages(c.pointee.n_outcomes, c.pointee.outcomes, "outcomes")
    )
  }

  package func write(into arena: Arena) -> UnsafeMutableRawPointer {
    let c = arena.make(Muster__V1__BatchCheckInResponse.self)
    muster__v1__batch_check_in_response__init(c)
    c.pointee.n_outcomes = outcomes.count
    c.pointee.outcomes = arena.messages(outcomes)
    return UnsafeMutableRawPointer(c)
  }
}

extension BatchCheckInOutcome: Message {
  package static var name: String { "muster.v1.BatchCheckInOutcome" }

  package static var descriptor: UnsafeRawPointer {
    UnsafeRawPointer(muster_batch_check_in_outcome_descriptor())
  }

  package init(reading raw: UnsafeRawPointer, _ reader: Reader) {
    let c = raw.assumingMemoryBound(to: Muster__V1__BatchCheckInOutcome.self)
    self.init(
      error: reader.message(c.pointee.error, "error"),
      status: reader.message(c.pointee.status, "status"),
      previousLocationID: reader.id(c.pointee.previous_location_id, "previous_location_id"),
      changed: c.pointee.changed != 0
    )
  }

  package func write(into arena: Arena) -> UnsafeMutableRawPointer {
    let c = arena.make(Muster__V1__BatchCheckInOutcome.self)
    muster__v1__batch_check_in_outcome__init(c)
    c.pointee.error = arena.message(error)
    c.pointee.status = arena.message(status)
    c.pointee.previous_location_id = arena.id(previousLocationID)
    c.pointee.changed = changed ? 1 : 0
    return UnsafeMutableRawPointer(c)
  }
}

extension CheckOutEveryoneRequest: Message {
  package static var name: String { "muster.v1.CheckOutEveryoneRequest" }

  package static var descriptor: UnsafeRawPointer {
    UnsafeRawPointer(muster_check_out_everyone_request_descriptor())
  }

  package init(reading raw: UnsafeRawPointer, _ reader: Reader) {
    let c = raw.assumingMemoryBound(to: Muster__V1__CheckOutEveryoneRequest.self)
    self.init(
      locationID: reader.id(c.pointee.location_id, "location_id")
    )
  }

  package func write(into arena: Arena) -> UnsafeMutableRawPointer {
    let c = arena.make(Muster__V1__CheckOutEveryoneRequest.self)
    muster__v1__check_out_everyone_request__init(c)
    c.pointee.location_id = arena.id(locationID)
    return UnsafeMutableRawPointer(c)
  }
}

extension CheckOutEveryoneResponse: Message {
  package static var name: String { "muster.v1.CheckOutEveryoneResponse" }

  package static var descriptor: UnsafeRawPointer {
    UnsafeRawPointer(muster_check_out_everyone_response_descriptor())
  }

  package init(reading raw: UnsafeRawPointer, _ reader: Reader) {
    let c = raw.assumingMemoryBound(to: Muster__V1__CheckOutEveryoneResponse.self)
    self.init(
      checkedOut: c.pointee.checked_out
    )
  }

  package func write(into arena: Arena) -> UnsafeMutableRawPointer {
    let c = arena.make(Muster__V1__CheckOutEveryoneResponse.self)
    muster__v1__check_out_everyone_response__init(c)
    c.pointee.checked_out = checkedOut
    return UnsafeMutableRawPointer(c)
  }
}

extension GetStatusRequest: Message {
  package static var name: String { "muster.v1.GetStatusRequest" }

  package static var descriptor: UnsafeRawPointer {
    UnsafeRawPointer(muster_get_status_request_descriptor())
  }

  package init(reading raw: UnsafeRawPointer, _ reader: Reader) {
    let c = raw.assumingMemoryBound(to: Muster__V1__GetStatusRequest.self)
    self.init(
      profileID: reader.id(c.pointee.profile_id, "profile_id")
    )
  }

  package func write(into arena: Arena) -> UnsafeMutableRawPointer {
    let c = arena.make(Muster__V1__GetStatusRequest.self)
    muster__v1__get_status_request__init(c)
    c.pointee.profile_id = arena.id(profileID)
    return UnsafeMutableRawPointer(c)
  }
}

extension GetStatusResponse: Message {
  package static var name: String { "muster.v1.GetStatusResponse" }

  package static var descriptor: UnsafeRawPointer {
    UnsafeRawPointer(muster_get_status_response_descriptor())
  }

  package init(reading raw: UnsafeRawPointer, _ reader: Reader) {
    let c = raw.assumingMemoryBound(to: Muster__V1__GetStatusResponse.self)
    self.init(
      status: reader.message(c.pointee.status, "status")
    )
  }

  package func write(into arena: Arena) -> UnsafeMutableRawPointer {
    let c = arena.make(Muster__V1__GetStatusResponse.self)
    muster__v1__get_status_response__init(c)
    c.pointee.status = arena.message(status)
    return UnsafeMutableRawPointer(c)
  }
}

extension ListCheckedInRequest: Message {
  package static var name: String { "muster.v1.ListCheckedInRequest" }

  package static var descriptor: UnsafeRawPointer {
    UnsafeRawPointer(muster_list_checked_in_request_descriptor())
  }

  package init(reading raw: UnsafeRawPointer, _ reader: Reader) {
    let c = raw.assumingMemoryBound(to: Muster__V1__ListCheckedInRequest.self)
    self.init(
      locationID: reader.id(c.pointee.location_id, "location_id"),
      pageSize: c.pointee.page_size,
      pageToken: reader.text(c.pointee.page_token, "page_token")
    )
  }

  package func write(into arena: Arena) -> UnsafeMutableRawPointer {
    let c = arena.make(Muster__V1__ListCheckedInRequest.self)
    muster__v1__list_checked_in_request__init(c)
    c.pointee.location_id = arena.id(locationID)
    c.pointee.page_size = pageSize
    c.pointee.page_token = arena.text(pageToken)
    return UnsafeMutableRawPointer(c)
  }
}

extension ListCheckedInResponse: Message {
  package static var name: String { "muster.v1.ListCheckedInResponse" }

  package static var descriptor: UnsafeRawPointer {
    UnsafeRawPointer(muster_list_checked_in_response_descriptor())
  }

  package init(reading raw: UnsafeRawPointer, _ reader: Reader) {
    let c = raw.assumingMemoryBound(to: Muster__V1__ListCheckedInResponse.self)
    self.init(
      statuses: reader.messages(c.pointee.n_statuses, c.pointee.statuses, "statuses"),
      nextPageToken: reader.text(c.pointee.next_page_token, "next_page_token"),
      count: c.pointee.count
    )
  }

  package func write(into arena: Arena) -> UnsafeMutableRawPointer {
    let c = arena.make(Muster__V1__ListCheckedInResponse.self)
    muster__v1__list_checked_in_response__init(c)
    c.pointee.n_statuses = statuses.count
    c.pointee.statuses = arena.messages(statuses)
    c.pointee.next_page_token = arena.text(nextPageToken)
    c.pointee.count = count
    return UnsafeMutableRawPointer(c)
  }
}

extension GetCountsRequest: Message {
  package static var name: String { "muster.v1.GetCountsRequest" }

  package static var descriptor: UnsafeRawPointer {
    UnsafeRawPointer(muster_get_counts_request_descriptor())
  }

  package init(reading raw: UnsafeRawPointer, _ reader: Reader) {
    let c = raw.assumingMemoryBound(to: Muster__V1__GetCountsRequest.self)
    self.init(
      locationIDs: reader.ids(c.pointee.n_location_ids, c.pointee.location_ids, "location_ids"),
      pageSize: c.pointee.page_size,
      pageToken: reader.text(c.pointee.page_token, "page_token")
    )
  }

  package func write(into arena: Arena) -> UnsafeMutableRawPointer {
    let c = arena.make(Muster__V1__GetCountsRequest.self)
    muster__v1__get_counts_request__init(c)
    c.pointee.n_location_ids = locationIDs.count
    c.pointee.location_ids = arena.ids(locationIDs)
    c.pointee.page_size = pageSize
    c.pointee.page_token = arena.text(pageToken)
    return UnsafeMutableRawPointer(c)
  }
}

extension GetCountsResponse: Message {
  package static var name: String { "muster.v1.GetCountsResponse" }

  package static var descriptor: UnsafeRawPointer {
    UnsafeRawPointer(muster_get_counts_response_descriptor())
  }

  package init(reading raw: UnsafeRawPointer, _ reader: Reader) {
    let c = raw.assumingMemoryBound(to: Muster__V1__GetCountsResponse.self)
    self.init(
      counts: reader.messages(c.pointee.n_counts, c.pointee.counts, "counts"),
      total: c.pointee.total,
      nextPageToken: reader.text(c.pointee.next_page_token, "next_page_token")
    )
  }

  package func write(into arena: Arena) -> UnsafeMutableRawPointer {
    let c = arena.make(Muster__V1__GetCountsResponse.self)
    muster__v1__get_counts_response__init(c)
    c.pointee.n_counts = counts.count
    c.pointee.counts = arena.messages(counts)
    c.pointee.total = total
    c.pointee.next_page_token = arena.text(nextPageToken)
    return UnsafeMutableRawPointer(c)
  }
}

extension LocationCount: Message {
  package static var name: String { "muster.v1.LocationCount" }

  package static var descriptor: UnsafeRawPointer {
    UnsafeRawPointer(muster_location_count_descriptor())
  }

  package init(reading raw: UnsafeRawPointer, _ reader: Reader) {
    let c = raw.assumingMemoryBound(to: Muster__V1__LocationCount.self)
    self.init(
      locationID: reader.id(c.pointee.location_id, "location_id"),
      count: c.pointee.count
    )
  }

  package func write(into arena: Arena) -> UnsafeMutableRawPointer {
    let c = arena.make(Muster__V1__LocationCount.self)
    muster__v1__location_count__init(c)
    c.pointee.location_id = arena.id(locationID)
    c.pointee.count = count
    return UnsafeMutableRawPointer(c)
  }
}

extension ListHistoryRequest: Message {
  package static var name: String { "muster.v1.ListHistoryRequest" }

  package static var descriptor: UnsafeRawPointer {
    UnsafeRawPointer(muster_list_history_request_descriptor())
  }

  package init(reading raw: UnsafeRawPointer, _ reader: Reader) {
    let c = raw.assumingMemoryBound(to: Muster__V1__ListHistoryRequest.self)
    self.init(
      profileID: reader.id(c.pointee.profile_id, "profile_id"),
      locationID: reader.id(c.pointee.location_id, "location_id"),
      startTimeMs: c.pointee.start_time_ms,
      endTimeMs: c.pointee.end_time_ms,
      pageSize: c.pointee.page_size,
      pageToken: reader.text(c.pointee.page_token, "page_token")
    )
  }

  package func write(into arena: Arena) -> UnsafeMutableRawPointer {
    let c = arena.make(Muster__V1__ListHistoryRequest.self)
    muster__v1__list_history_request__init(c)
    c.pointee.profile_id = arena.id(profileID)
    c.pointee.location_id = arena.id(locationID)
    c.pointee.start_time_ms = startTimeMs
    c.pointee.end_time_ms = endTimeMs
    c.pointee.page_size = pageSize
    c.pointee.page_token = arena.text(pageToken)
    return UnsafeMutableRawPointer(c)
  }
}

extension ListHistoryResponse: Message {
  package static var name: String { "muster.v1.ListHistoryResponse" }

  package static var descriptor: UnsafeRawPointer {
    UnsafeRawPointer(muster_list_history_response_descriptor())
  }

  package init(reading raw: UnsafeRawPointer, _ reader: Reader) {
    let c = raw.assumingMemoryBound(to: Muster__V1__ListHistoryResponse.self)
    self.init(
      changes: reader.messages(c.pointee.n_changes, c.pointee.changes, "changes"),
      nextPageToken: reader.text(c.pointee.next_page_token, "next_page_token")
    )
  }

  package func write(into arena: Arena) -> UnsafeMutableRawPointer {
    let c = arena.make(Muster__V1__ListHistoryResponse.self)
    muster__v1__list_history_response__init(c)
    c.pointee.n_changes = changes.count
    c.pointee.changes = arena.messages(changes)
    c.pointee.next_page_token = arena.text(nextPageToken)
    return UnsafeMutableRawPointer(c)
  }
}

extension CheckInChange: Message {
  package static var name: String { "muster.v1.CheckInChange" }

  package static var descriptor: UnsafeRawPointer {
    UnsafeRawPointer(muster_check_in_change_descriptor())
  }

  package init(reading raw: UnsafeRawPointer, _ reader: Reader) {
    let c = raw.assumingMemoryBound(to: Muster__V1__CheckInChange.self)
    self.init(
      revision: c.pointee.revision,
      timeMs: c.pointee.time_ms,
      profileID: reader.id(c.pointee.profile_id, "profile_id"),
      fromLocationID: reader.id(c.pointee.from_location_id, "from_location_id"),
      toLocationID: reader.id(c.pointee.to_location_id, "to_location_id"),
      reason: reader.enumeration(c.pointee.reason.rawValue, "reason") ?? .unspecified,
      actingUser: reader.text(c.pointee.acting_user, "acting_user"),
      expireTimeMs: c.pointee.expire_time_ms
    )
  }

  package func write(into arena: Arena) -> UnsafeMutableRawPointer {
    let c = arena.make(Muster__V1__CheckInChange.self)
    muster__v1__check_in_change__init(c)
    c.pointee.revision = revision
    c.pointee.time_ms = timeMs
    c.pointee.profile_id = arena.id(profileID)
    c.pointee.from_location_id = arena.id(fromLocationID)
    c.pointee.to_location_id = arena.id(toLocationID)
    c.pointee.reason = .init(rawValue: UInt32(bitPattern: reason.rawValue))
    c.pointee.acting_user = arena.text(actingUser)
    c.pointee.expire_time_ms = expireTimeMs
    return UnsafeMutableRawPointer(c)
  }
}
