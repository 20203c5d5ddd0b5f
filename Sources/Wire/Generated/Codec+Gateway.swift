// Made by tools/generate from proto/muster/v1/gateway.proto. Do not edit.

import CMessages
import Model

extension Person: Message {
  package static var name: String { "muster.v1.Person" }

  package static var descriptor: UnsafeRawPointer {
    UnsafeRawPointer(muster_person_descriptor())
  }

  package init(reading raw: UnsafeRawPointer, _ reader: Reader) {
    let c = raw.assumingMemoryBound(to: Muster__V1__Person.self)
    self.init(
      profileID: reader.id(c.pointee.profile_id, "profile_id"),
      firstName: reader.text(c.pointee.first_name, "first_name"),
      lastName: reader.text(c.pointee.last_name, "last_name"),
      companyName: reader.text(c.pointee.company_name, "company_name"),
      avatarID: reader.hash(c.pointee.avatar_id, "avatar_id"),
      sinceMs: c.pointee.since_ms,
      profileUnavailable: c.pointee.profile_unavailable != 0
    )
  }

  package func write(into arena: Arena) -> UnsafeMutableRawPointer {
    let c = arena.make(Muster__V1__Person.self)
    muster__v1__person__init(c)
    c.pointee.profile_id = arena.id(profileID)
    c.pointee.first_name = arena.text(firstName)
    c.pointee.last_name = arena.text(lastName)
    c.pointee.company_name = arena.text(companyName)
    c.pointee.avatar_id = arena.bytes(avatarID)
    c.pointee.since_ms = sinceMs
    c.pointee.profile_unavailable = profileUnavailable ? 1 : 0
    return UnsafeMutableRawPointer(c)
  }
}

extension ListPeopleHereRequest: Message {
  package static var name: String { "muster.v1.ListPeopleHereRequest" }

  package static var descriptor: UnsafeRawPointer {
    UnsafeRawPointer(muster_list_people_here_request_descriptor())
  }

  package init(reading raw: UnsafeRawPointer, _ reader: Reader) {
    let c = raw.assumingMemoryBound(to: Muster__V1__ListPeopleHereRequest.self)
    self.init(
      locationID: reader.id(c.pointee.location_id, "location_id"),
      pageSize: c.pointee.page_size,
      pageToken: reader.text(c.pointee.page_token, "page_token"),
      completeOnly: c.pointee.complete_only != 0
    )
  }

  package func write(into arena: Arena) -> UnsafeMutableRawPointer {
    let c = arena.make(Muster__V1__ListPeopleHereRequest.self)
    muster__v1__list_people_here_request__init(c)
    c.pointee.location_id = arena.id(locationID)
    c.pointee.page_size = pageSize
    c.pointee.page_token = arena.text(pageToken)
    c.pointee.complete_only = completeOnly ? 1 : 0
    return UnsafeMutableRawPointer(c)
  }
}

extension ListPeopleHereResponse: Message {
  package static var name: String { "muster.v1.ListPeopleHereResponse" }

  package static var descriptor: UnsafeRawPointer {
    UnsafeRawPointer(muster_list_people_here_response_descriptor())
  }

  package init(reading raw: UnsafeRawPointer, _ reader: Reader) {
    let c = raw.assumingMemoryBound(to: Muster__V1__ListPeopleHereResponse.self)
    self.init(
      location: reader.message(c.pointee.location, "location"),
      count: c.pointee.count,
      people: reader.messages(c.pointee.n_people, c.pointee.people, "people"),
      nextPageToken: reader.text(c.pointee.next_page_token, "next_page_token"),
      unreachable: reader.texts(c.pointee.n_unreachable, c.pointee.unreachable, "unreachable")
    )
  }

  package func write(into arena: Arena) -> UnsafeMutableRawPointer {
    let c = arena.make(Muster__V1__ListPeopleHereResponse.self)
    muster__v1__list_people_here_response__init(c)
    c.pointee.location = arena.message(location)
    c.pointee.count = count
    c.pointee.n_people = people.count
    c.pointee.people = arena.messages(people)
    c.pointee.next_page_token = arena.text(nextPageToken)
    c.pointee.n_unreachable = unreachable.count
    c.pointee.unreachable = arena.texts(unreachable)
    return UnsafeMutableRawPointer(c)
  }
}

extension ListPeopleEverywhereRequest: Message {
  package static var name: String { "muster.v1.ListPeopleEverywhereRequest" }

  package static var descriptor: UnsafeRawPointer {
    UnsafeRawPointer(muster_list_people_everywhere_request_descriptor())
  }

  package init(reading raw: UnsafeRawPointer, _ reader: Reader) {
    let c = raw.assumingMemoryBound(to: Muster__V1__ListPeopleEverywhereRequest.self)
    self.init(
      peoplePerLocation: c.pointee.people_per_location,
      pageSize: c.pointee.page_size,
      pageToken: reader.text(c.pointee.page_token, "page_token")
    )
  }

  package func write(into arena: Arena) -> UnsafeMutableRawPointer {
    let c = arena.make(Muster__V1__ListPeopleEverywhereRequest.self)
    muster__v1__list_people_everywhere_request__init(c)
    c.pointee.people_per_location = peoplePerLocation
    c.pointee.page_size = pageSize
    c.pointee.page_token = arena.text(pageToken)
    return UnsafeMutableRawPointer(c)
  }
}

extension ListPeopleEverywhereResponse: Message {
  package static var name: String { "muster.v1.ListPeopleEverywhereResponse" }

  package static var descriptor: UnsafeRawPointer {
    UnsafeRawPointer(muster_list_people_everywhere_response_descriptor())
  }

  package init(reading raw: UnsafeRawPointer, _ reader: Reader) {
    let c = raw.assumingMemoryBound(to: Muster__V1__ListPeopleEverywhereResponse.self)
    self.init(
      locations: reader.messages(c.pointee.n_locations, c.pointee.locations, "locations"),
      nextPageToken: reader.text(c.pointee.next_page_token, "next_page_token"),
      unreachable: reader.texts(c.pointee.n_unreachable, c.pointee.unreachable, "unreachable")
    )
  }

  package func write(into arena: Arena) -> UnsafeMutableRawPointer {
    let c = arena.make(Muster__V1__ListPeopleEverywhereResponse.self)
    muster__v1__list_people_everywhere_response__init(c)
    c.pointee.n_locations = locations.count
    c.pointee.locations = arena.messages(locations)
    c.pointee.next_page_token = arena.text(nextPageToken)
    c.pointee.n_unreachable = unreachable.count
    c.pointee.unreachable = arena.texts(unreachable)
    return UnsafeMutableRawPointer(c)
  }
}

extension PeopleAtLocation: Message {
  package static var name: String { "muster.v1.PeopleAtLocation" }

  package static var descriptor: UnsafeRawPointer {
    UnsafeRawPointer(muster_people_at_location_descriptor())
  }

  package init(reading raw: UnsafeRawPointer, _ reader: Reader) {
    let c = raw.assumingMemoryBound(to: Muster__V1__PeopleAtLocation.self)
    self.init(
      locationID: reader.id(c.pointee.location_id, "location_id"),
      count: c.pointee.count,
      people: reader.messages(c.pointee.n_people, c.pointee.people, "people")
    )
  }

  package func write(into arena: Arena) -> UnsafeMutableRawPointer {
    let c = arena.make(Muster__V1__PeopleAtLocation.self)
    muster__v1__people_at_location__init(c)
    c.pointee.location_id = arena.id(locationID)
    c.pointee.count = count
    c.pointee.n_people = people.count
    c.pointee.people = arena.messages(people)
    return UnsafeMutableRawPointer(c)
  }
}

extension GetBoardRequest: Message {
  package static var name: String { "muster.v1.GetBoardRequest" }

  package static var descriptor: UnsafeRawPointer {
    UnsafeRawPointer(muster_get_board_request_descriptor())
  }

  package init(reading raw: UnsafeRawPointer, _ reader: Reader) {
    let c = raw.assumingMemoryBound(to: Muster__V1__GetBoardRequest.self)
    self.init(
      pageSize: c.pointee.page_size,
      pageToken: reader.text(c.pointee.page_token, "page_token"),
      order: reader.enumeration(c.pointee.order.rawValue, "order") ?? .unspecified,
      nameContains: reader.text(c.pointee.name_contains, "name_contains"),
      near: reader.message(c.pointee.near, "near"),
      radiusM: reader.finite(c.pointee.radius_m, "radius_m"),
      occupiedOnly: c.pointee.occupied_only != 0
    )
  }

  package func write(into arena: Arena) -> UnsafeMutableRawPointer {
    let c = arena.make(Muster__V1__GetBoardRequest.self)
    muster__v1__get_board_request__init(c)
    c.pointee.page_size = pageSize
    c.pointee.page_token = arena.text(pageToken)
    c.pointee.order = .init(rawValue: UInt32(bitPattern: order.rawValue))
    c.pointee.name_contains = arena.text(nameContains)
    c.pointee.near = arena.message(near)
    c.pointee.radius_m = radiusM
    c.pointee.occupied_only = occupiedOnly ? 1 : 0
    return UnsafeMutableRawPointer(c)
  }
}

extension GetBoardResponse: Message {
  package static var name: String { "muster.v1.GetBoardResponse" }

  package static var descriptor: UnsafeRawPointer {
    UnsafeRawPointer(muster_get_board_response_descriptor())
  }

  package init(reading raw: UnsafeRawPointer, _ reader: Reader) {
    let c = raw.assumingMemoryBound(to: Muster__V1__GetBoardResponse.self)
    self.init(
      rows: reader.messages(c.pointee.n_rows, c.pointee.rows, "rows"),
      nextPageToken: reader.text(c.pointee.next_page_token, "next_page_token"),
      total: c.pointee.total,
      unreachable: reader.texts(c.pointee.n_unreachable, c.pointee.unreachable, "unreachable")
    )
  }

  package func write(into arena: Arena) -> UnsafeMutableRawPointer {
    let c = arena.make(Muster__V1__GetBoardResponse.self)
    muster__v1__get_board_response__init(c)
    c.pointee.n_rows = rows.count
    c.pointee.rows = arena.messages(rows)
    c.pointee.next_page_token = arena.text(nextPageToken)
    c.pointee.total = total
    c.pointee.n_unreachable = unreachable.count
    c.pointee.unreachable = arena.texts(unreachable)
    return UnsafeMutableRawPointer(c)
  }
}

extension BoardRow: Message {
  package static var name: String { "muster.v1.BoardRow" }

  package static var descriptor: UnsafeRawPointer {
    UnsafeRawPointer(muster_board_row_descriptor())
  }

  package init(reading raw: UnsafeRawPointer, _ reader: Reader) {
    let c = raw.assumingMemoryBound(to: Muster__V1__BoardRow.self)
    self.init(
      location: reader.message(c.pointee.location, "location"),
      count: c.pointee.count,
      distanceM: c.pointee.distance_m
    )
  }

  package func write(into arena: Arena) -> UnsafeMutableRawPointer {
    let c = arena.make(Muster__V1__BoardRow.self)
    muster__v1__board_row__init(c)
    c.pointee.location = arena.message(location)
    c.pointee.count = count
    c.pointee.distance_m = distanceM
    return UnsafeMutableRawPointer(c)
  }
}

extension WatchRequest: Message {
  package static var name: String { "muster.v1.WatchRequest" }

  package static var descriptor: UnsafeRawPointer {
    UnsafeRawPointer(muster_watch_request_descriptor())
  }

  package init(reading raw: UnsafeRawPointer, _ reader: Reader) {
    let c = raw.assumingMemoryBound(to: Muster__V1__WatchRequest.self)
    self.init(
      locationID: reader.id(c.pointee.location_id, "location_id"),
      allCounts: c.pointee.all_counts != 0,
      mode: reader.enumeration(c.pointee.mode.rawValue, "mode") ?? .unspecified,
      after: reader.message(c.pointee.after, "after"),
      heartbeatMs: c.pointee.heartbeat_ms
    )
  }

  package func write(into arena: Arena) -> UnsafeMutableRawPointer {
    let c = arena.make(Muster__V1__WatchRequest.self)
    muster__v1__watch_request__init(c)
    c.pointee.location_id = arena.id(locationID)
    c.pointee.all_counts = allCounts ? 1 : 0
    c.pointee.mode = .init(rawValue: UInt32(bitPattern: mode.rawValue))
    c.pointee.after = arena.message(after)
    c.pointee.heartbeat_ms = heartbeatMs
    return UnsafeMutableRawPointer(c)
  }
}

extension WatchResponse: Message {
  package static var name: String { "muster.v1.WatchResponse" }

  package static var descriptor: UnsafeRawPointer {
    UnsafeRawPointer(muster_watch_response_descriptor())
  }

  package init(reading raw: UnsafeRawPointer, _ reader: Reader) {
    let c = raw.assumingMemoryBound(to: Muster__V1__WatchResponse.self)
    self.init(
      reset: c.pointee.reset != 0,
      incomplete: c.pointee.incomplete != 0,
      timeMs: c.pointee.time_ms,
      changes: reader.messages(c.pointee.n_changes, c.pointee.changes, "changes"),
      count: c.pointee.count,
      counts: reader.messages(c.pointee.n_counts, c.pointee.counts, "counts"),
      total: c.pointee.total
    )
  }

  package func write(into arena: Arena) -> UnsafeMutableRawPointer {
    let c = arena.make(Muster__V1__WatchResponse.self)
    muster__v1__watch_response__init(c)
    c.pointee.reset = reset ? 1 : 0
    c.pointee.incomplete = incomplete ? 1 : 0
    c.pointee.time_ms = timeMs
    c.pointee.n_changes = changes.count
    c.pointee.changes = arena.messages(changes)
    c.pointee.count = count
    c.pointee.n_counts = counts.count
    c.pointee.counts = arena.messages(counts)
    c.pointee.total = total
    return UnsafeMutableRawPointer(c)
  }
}

extension HereChange: Message {
  package static var name: String { "muster.v1.HereChange" }

  package static var descriptor: UnsafeRawPointer {
    UnsafeRawPointer(muster_here_change_descriptor())
  }

  package init(reading raw: UnsafeRawPointer, _ reader: Reader) {
    let c = raw.assumingMemoryBound(to: Muster__V1__HereChange.self)
    self.init(
      kind: reader.enumeration(c.pointee.kind.rawValue, "kind") ?? .unspecified,
      person: reader.message(c.pointee.person, "person"),
      reason: reader.enumeration(c.pointee.reason.rawValue, "reason") ?? .unspecified,
      otherLocationID: reader.id(c.pointee.other_location_id, "other_location_id")
    )
  }

  package func write(into arena: Arena) -> UnsafeMutableRawPointer {
    let c = arena.make(Muster__V1__HereChange.self)
    muster__v1__here_change__init(c)
    c.pointee.kind = .init(rawValue: UInt32(bitPattern: kind.rawValue))
    c.pointee.person = arena.message(person)
    c.pointee.reason = .init(rawValue: UInt32(bitPattern: reason.rawValue))
    c.pointee.other_location_id = arena.id(otherLocationID)
    return UnsafeMutableRawPointer(c)
  }
}

extension CancelWatchRequest: Message {
  package static var name: String { "muster.v1.CancelWatchRequest" }

  package static var descriptor: UnsafeRawPointer {
    UnsafeRawPointer(muster_cancel_watch_request_descriptor())
  }

  package init(reading raw: UnsafeRawPointer, _ reader: Reader) {
    let c = raw.assumingMemoryBound(to: Muster__V1__CancelWatchRequest.self)
    self.init(
      callID: c.pointee.call_id
    )
  }

  package func write(into arena: Arena) -> UnsafeMutableRawPointer {
    let c = arena.make(Muster__V1__CancelWatchRequest.self)
    muster__v1__cancel_watch_request__init(c)
    c.pointee.call_id = callID
    return UnsafeMutableRawPointer(c)
  }
}

extension CancelWatchResponse: Message {
  package static var name: String { "muster.v1.CancelWatchResponse" }

  package static var descriptor: UnsafeRawPointer {
    UnsafeRawPointer(muster_cancel_watch_response_descriptor())
  }

  package init(reading raw: UnsafeRawPointer, _ reader: Reader) {
    self.init()
  }

  package func write(into arena: Arena) -> UnsafeMutableRawPointer {
    let c = arena.make(Muster__V1__CancelWatchResponse.self)
    muster__v1__cancel_watch_response__init(c)
    return UnsafeMutableRawPointer(c)
  }
}
