// Made by tools/generate from proto/muster/v1/change_log.proto. Do not edit.

import CMessages
import Model

extension ListChangesRequest: Message {
  package static var name: String { "muster.v1.ListChangesRequest" }

  package static var descriptor: UnsafeRawPointer {
    UnsafeRawPointer(muster_list_changes_request_descriptor())
  }

  package init(reading raw: UnsafeRawPointer, _ reader: Reader) {
    let c = raw.assumingMemoryBound(to: Muster__V1__ListChangesRequest.self)
    self.init(
      afterRevision: c.pointee.after_revision,
      limit: c.pointee.limit
    )
  }

  package func write(into arena: Arena) -> UnsafeMutableRawPointer {
    let c = arena.make(Muster__V1__ListChangesRequest.self)
    muster__v1__list_changes_request__init(c)
    c.pointee.after_revision = afterRevision
    c.pointee.limit = limit
    return UnsafeMutableRawPointer(c)
  }
}

extension ListChangesResponse: Message {
  package static var name: String { "muster.v1.ListChangesResponse" }

  package static var descriptor: UnsafeRawPointer {
    UnsafeRawPointer(muster_list_changes_response_descriptor())
  }

  package init(reading raw: UnsafeRawPointer, _ reader: Reader) {
    let c = raw.assumingMemoryBound(to: Muster__V1__ListChangesResponse.self)
    self.init(
      changes: reader.messages(c.pointee.n_changes, c.pointee.changes, "changes"),
      lastRevision: c.pointee.last_revision
    )
  }

  package func write(into arena: Arena) -> UnsafeMutableRawPointer {
    let c = arena.make(Muster__V1__ListChangesResponse.self)
    muster__v1__list_changes_response__init(c)
    c.pointee.n_changes = changes.count
    c.pointee.changes = arena.messages(changes)
    c.pointee.last_revision = lastRevision
    return UnsafeMutableRawPointer(c)
  }
}

extension Change: Message {
  package static var name: String { "muster.v1.Change" }

  package static var descriptor: UnsafeRawPointer {
    UnsafeRawPointer(muster_change_descriptor())
  }

  package init(reading raw: UnsafeRawPointer, _ reader: Reader) {
    let c = raw.assumingMemoryBound(to: Muster__V1__Change.self)
    let what: What?
    switch c.pointee.what_case {
    case MUSTER__V1__CHANGE__WHAT_PROFILE_PUT:
      what = reader.message(c.pointee.profile_put, "profile_put").map { .profilePut($0) }
    case MUSTER__V1__CHANGE__WHAT_PROFILE_DELETED:
      what = reader.elementID(c.pointee.profile_deleted, "profile_deleted").map {
        .profileDeleted($0)
      }
    case MUSTER__V1__CHANGE__WHAT_LOCATION_PUT:
      what = reader.message(c.pointee.location_put, "location_put").map { .locationPut($0) }
    case MUSTER__V1__CHANGE__WHAT_LOCATION_DELETED:
      what = reader.elementID(c.pointee.location_deleted, "location_deleted").map {
        .locationDeleted($0)
      }
    case MUSTER__V1__CHANGE__WHAT_CHECK_IN:
      what = reader.message(c.pointee.check_in, "check_in").map { .checkIn($0) }
    default:
      what = nil
    }
    self.init(
      revision: c.pointee.revision,
      timeMs: c.pointee.time_ms,
      what: what
    )
  }

  package func write(into arena: Arena) -> UnsafeMutableRawPointer {
    let c = arena.make(Muster__V1__Change.self)
    muster__v1__change__init(c)
    c.pointee.revision = revision
    c.pointee.time_ms = timeMs
    switch what {
    case nil: break
    case .profilePut(let value):
      c.pointee.what_case = MUSTER__V1__CHANGE__WHAT_PROFILE_PUT
      c.pointee.profile_put = arena.message(value)
    case .profileDeleted(let value):
      c.pointee.what_case = MUSTER__V1__CHANGE__WHAT_PROFILE_DELETED
      c.pointee.profile_deleted = arena.id(value)
    case .locationPut(let value):
      c.pointee.what_case = MUSTER__V1__CHANGE__WHAT_LOCATION_PUT
      c.pointee.location_put = arena.message(value)
    case .locationDeleted(let value):
      c.pointee.what_case = MUSTER__V1__CHANGE__WHAT_LOCATION_DELETED
      c.pointee.location_deleted = arena.id(value)
    case .checkIn(let value):
      c.pointee.what_case = MUSTER__V1__CHANGE__WHAT_CHECK_IN
      c.pointee.check_in = arena.message(value)
    }
    return UnsafeMutableRawPointer(c)
  }
}

extension GetSnapshotRequest: Message {
  package static var name: String { "muster.v1.GetSnapshotRequest" }

  package static var descriptor: UnsafeRawPointer {
    UnsafeRawPointer(muster_get_snapshot_request_descriptor())
  }

  package init(reading raw: UnsafeRawPointer, _ reader: Reader) {
    let c = raw.assumingMemoryBound(to: Muster__V1__GetSnapshotRequest.self)
    self.init(
      pageSize: c.pointee.page_size,
      pageToken: reader.text(c.pointee.page_token, "page_token")
    )
  }

  package func write(into arena: Arena) -> UnsafeMutableRawPointer {
    let c = arena.make(Muster__V1__GetSnapshotRequest.self)
    muster__v1__get_snapshot_request__init(c)
    c.pointee.page_size = pageSize
    c.pointee.page_token = arena.text(pageToken)
    return UnsafeMutableRawPointer(c)
  }
}

extension GetSnapshotResponse: Message {
  package static var name: String { "muster.v1.GetSnapshotResponse" }

  package static var descriptor: UnsafeRawPointer {
    UnsafeRawPointer(muster_get_snapshot_response_descriptor())
  }

  package init(reading raw: UnsafeRawPointer, _ reader: Reader) {
    let c = raw.assumingMemoryBound(to: Muster__V1__GetSnapshotResponse.self)
    self.init(
      revision: c.pointee.revision,
      entries: reader.messages(c.pointee.n_entries, c.pointee.entries, "entries"),
      nextPageToken: reader.text(c.pointee.next_page_token, "next_page_token")
    )
  }

  package func write(into arena: Arena) -> UnsafeMutableRawPointer {
    let c = arena.make(Muster__V1__GetSnapshotResponse.self)
    muster__v1__get_snapshot_response__init(c)
    c.pointee.revision = revision
    c.pointee.n_entries = entries.count
    c.pointee.entries = arena.messages(entries)
    c.pointee.next_page_token = arena.text(nextPageToken)
    return UnsafeMutableRawPointer(c)
  }
}

extension ChangesPublished: Message {
  package static var name: String { "muster.v1.ChangesPublished" }

  package static var descriptor: UnsafeRawPointer {
    UnsafeRawPointer(muster_changes_published_descriptor())
  }

  package init(reading raw: UnsafeRawPointer, _ reader: Reader) {
    let c = raw.assumingMemoryBound(to: Muster__V1__ChangesPublished.self)
    self.init(
      previousRevision: c.pointee.previous_revision,
      lastRevision: c.pointee.last_revision,
      changes: reader.messages(c.pointee.n_changes, c.pointee.changes, "changes")
    )
  }

  package func write(into arena: Arena) -> UnsafeMutableRawPointer {
    let c = arena.make(Muster__V1__ChangesPublished.self)
    muster__v1__changes_published__init(c)
    c.pointee.previous_revision = previousRevision
    c.pointee.last_revision = lastRevision
    c.pointee.n_changes = changes.count
    c.pointee.changes = arena.messages(changes)
    return UnsafeMutableRawPointer(c)
  }
}

extension AttendDeletesRequest: Message {
  package static var name: String { "muster.v1.AttendDeletesRequest" }

  package static var descriptor: UnsafeRawPointer {
    UnsafeRawPointer(muster_attend_deletes_request_descriptor())
  }

  package init(reading raw: UnsafeRawPointer, _ reader: Reader) {
    self.init()
  }

  package func write(into arena: Arena) -> UnsafeMutableRawPointer {
    let c = arena.make(Muster__V1__AttendDeletesRequest.self)
    muster__v1__attend_deletes_request__init(c)
    return UnsafeMutableRawPointer(c)
  }
}

extension AttendDeletesResponse: Message {
  package static var name: String { "muster.v1.AttendDeletesResponse" }

  package static var descriptor: UnsafeRawPointer {
    UnsafeRawPointer(muster_attend_deletes_response_descriptor())
  }

  package init(reading raw: UnsafeRawPointer, _ reader: Reader) {
    let c = raw.assumingMemoryBound(to: Muster__V1__AttendDeletesResponse.self)
    self.init(
      question: c.pointee.question,
      locationID: reader.id(c.pointee.location_id, "location_id"),
      atLeast: reader.message(c.pointee.at_least, "at_least")
    )
  }

  package func write(into arena: Arena) -> UnsafeMutableRawPointer {
    let c = arena.make(Muster__V1__AttendDeletesResponse.self)
    muster__v1__attend_deletes_response__init(c)
    c.pointee.question = question
    c.pointee.location_id = arena.id(locationID)
    c.pointee.at_least = arena.message(atLeast)
    return UnsafeMutableRawPointer(c)
  }
}

extension AnswerDeleteRequest: Message {
  package static var name: String { "muster.v1.AnswerDeleteRequest" }

  package static var descriptor: UnsafeRawPointer {
    UnsafeRawPointer(muster_answer_delete_request_descriptor())
  }

  package init(reading raw: UnsafeRawPointer, _ reader: Reader) {
    let c = raw.assumingMemoryBound(to: Muster__V1__AnswerDeleteRequest.self)
    self.init(
      question: c.pointee.question,
      count: c.pointee.count,
      checkInsRevision: c.pointee.check_ins_revision,
      refusedQuestion: c.pointee.refused_question
    )
  }

  package func write(into arena: Arena) -> UnsafeMutableRawPointer {
    let c = arena.make(Muster__V1__AnswerDeleteRequest.self)
    muster__v1__answer_delete_request__init(c)
    c.pointee.question = question
    c.pointee.count = count
    c.pointee.check_ins_revision = checkInsRevision
    c.pointee.refused_question = refusedQuestion
    return UnsafeMutableRawPointer(c)
  }
}

extension AnswerDeleteResponse: Message {
  package static var name: String { "muster.v1.AnswerDeleteResponse" }

  package static var descriptor: UnsafeRawPointer {
    UnsafeRawPointer(muster_answer_delete_response_descriptor())
  }

  package init(reading raw: UnsafeRawPointer, _ reader: Reader) {
    self.init()
  }

  package func write(into arena: Arena) -> UnsafeMutableRawPointer {
    let c = arena.make(Muster__V1__AnswerDeleteResponse.self)
    muster__v1__answer_delete_response__init(c)
    return UnsafeMutableRawPointer(c)
  }
}

extension CopyStoreRequest: Message {
  package static var name: String { "muster.v1.CopyStoreRequest" }

  package static var descriptor: UnsafeRawPointer {
    UnsafeRawPointer(muster_copy_store_request_descriptor())
  }

  package init(reading raw: UnsafeRawPointer, _ reader: Reader) {
    self.init()
  }

  package func write(into arena: Arena) -> UnsafeMutableRawPointer {
    let c = arena.make(Muster__V1__CopyStoreRequest.self)
    muster__v1__copy_store_request__init(c)
    return UnsafeMutableRawPointer(c)
  }
}

extension CopyStoreResponse: Message {
  package static var name: String { "muster.v1.CopyStoreResponse" }

  package static var descriptor: UnsafeRawPointer {
    UnsafeRawPointer(muster_copy_store_response_descriptor())
  }

  package init(reading raw: UnsafeRawPointer, _ reader: Reader) {
    let c = raw.assumingMemoryBound(to: Muster__V1__CopyStoreResponse.self)
    self.init(
      path: reader.text(c.pointee.path, "path")
    )
  }

  package func write(into arena: Arena) -> UnsafeMutableRawPointer {
    let c = arena.make(Muster__V1__CopyStoreResponse.self)
    muster__v1__copy_store_response__init(c)
    c.pointee.path = arena.text(path)
    return UnsafeMutableRawPointer(c)
  }
}
