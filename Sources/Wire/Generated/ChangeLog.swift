// Made by tools/generate from proto/muster/v1/change_log.proto. Do not edit.

package import Model

/// The request of `ChangeLogService/ListChanges`.
package struct ListChangesRequest: Equatable, Sendable {
  package var afterRevision: UInt64
  /// 0: 1 000. At most 10 000.
  package var limit: UInt32

  package init(
    afterRevision: UInt64 = 0,
    limit: UInt32 = 0
  ) {
    self.afterRevision = afterRevision
    self.limit = limit
  }
}

/// The response of `ChangeLogService/ListChanges`.
package struct ListChangesResponse: Equatable, Sendable {
  package var changes: [Change]
  /// The newest change there is.
  package var lastRevision: UInt64

  package init(
    changes: [Change] = [],
    lastRevision: UInt64 = 0
  ) {
    self.changes = changes
    self.lastRevision = lastRevision
  }
}

/// One entry of a log.
package struct Change: Equatable, Sendable {
  /// The one of `what` that is set.
  package enum What: Equatable, Sendable {
    case profilePut(Profile)
    case profileDeleted(ID)
    case locationPut(Location)
    case locationDeleted(ID)
    case checkIn(CheckInChange)
  }

  package var revision: UInt64
  package var timeMs: Int64
  package var what: What?

  package init(
    revision: UInt64 = 0,
    timeMs: Int64 = 0,
    what: What? = nil
  ) {
    self.revision = revision
    self.timeMs = timeMs
    self.what = what
  }
}

/// The request of `ChangeLogService/GetSnapshot`.
package struct GetSnapshotRequest: Equatable, Sendable {
  package var pageSize: UInt32
  package var pageToken: String

  package init(
    pageSize: UInt32 = 0,
    pageToken: String = ""
  ) {
    self.pageSize = pageSize
    self.pageToken = pageToken
  }
}

/// The response of `ChangeLogService/GetSnapshot`.
package struct GetSnapshotResponse: Equatable, Sendable {
  package var revision: UInt64
  /// Entries as puts, or as check-ins from nowhere.
  package var entries: [Change]
  package var nextPageToken: String

  package init(
    revision: UInt64 = 0,
    entries: [Change] = [],
    nextPageToken: String = ""
  ) {
    self.revision = revision
    self.entries = entries
    self.nextPageToken = nextPageToken
  }
}

/// Published by the service on its feed endpoint after each commit, and about once a second without
/// changes. Whoever is not at `previous_revision` reads what it missed with ListChanges, and
/// everybody does when `changes` is empty though the revision has moved: they did not fit.
package struct ChangesPublished: Equatable, Sendable {
  package var previousRevision: UInt64
  package var lastRevision: UInt64
  package var changes: [Change]

  package init(
    previousRevision: UInt64 = 0,
    lastRevision: UInt64 = 0,
    changes: [Change] = []
  ) {
    self.previousRevision = previousRevision
    self.lastRevision = lastRevision
    self.changes = changes
  }
}

/// The request of `ChangeLogService/AttendDeletes`.
package struct AttendDeletesRequest: Equatable, Sendable {
  package init() {}
}

/// The response of `ChangeLogService/AttendDeletes`.
package struct AttendDeletesResponse: Equatable, Sendable {
  /// The owner's number for it; 0: none, the stream is open.
  package var question: UInt64
  /// The place that is to be deleted, or has been; empty: it is a profile.
  package var locationID: ID?
  /// To be answered from a state at least as new. Absent: nothing has been deleted yet. The answer
  /// says that the delete will be carried out, and how many are at the place now; or, where the
  /// disk is full, that it will not.
  package var atLeast: Revisions?

  package init(
    question: UInt64 = 0,
    locationID: ID? = nil,
    atLeast: Revisions? = nil
  ) {
    self.question = question
    self.locationID = locationID
    self.atLeast = atLeast
  }
}

/// The request of `ChangeLogService/AnswerDelete`.
package struct AnswerDeleteRequest: Equatable, Sendable {
  /// 0, where it cannot be answered.
  package var question: UInt64
  /// How many are at the place; with `at_least`, how many its deletion has checked out.
  package var count: UInt32
  /// How far the log of check-ins had come.
  package var checkInsRevision: UInt64
  /// Instead of `question`, of one without `at_least`: the disk is full, and the delete could not
  /// be noted. The owner refuses it (STORAGE_FULL).
  package var refusedQuestion: UInt64

  package init(
    question: UInt64 = 0,
    count: UInt32 = 0,
    checkInsRevision: UInt64 = 0,
    refusedQuestion: UInt64 = 0
  ) {
    self.question = question
    self.count = count
    self.checkInsRevision = checkInsRevision
    self.refusedQuestion = refusedQuestion
  }
}

/// The response of `ChangeLogService/AnswerDelete`.
package struct AnswerDeleteResponse: Equatable, Sendable {
  package init() {}
}

/// The request of `ChangeLogService/CopyStore`.
package struct CopyStoreRequest: Equatable, Sendable {
  package init() {}
}

/// The response of `ChangeLogService/CopyStore`.
package struct CopyStoreResponse: Equatable, Sendable {
  /// The copy, as the service's machine names it.
  package var path: String

  package init(
    path: String = ""
  ) {
    self.path = path
  }
}
