import Model
import ServiceKit
import Wire

extension CheckInService {
  func registerHistory(_ handlers: inout Handlers) {
    handlers.read(
      .listHistory, of: .all,
      check: { (request: ListHistoryRequest, form) in
        if request.profileID == nil && request.locationID == nil && form.violations.isEmpty {
          form.refuse("profile_id", "Name a profile, a place, or both.")
        }
        if request.endTimeMs != 0 && request.endTimeMs < request.startTimeMs {
          form.refuse("end_time_ms", "Is before start_time_ms.")
        }
        _ = try Self.position(request)
      }, listHistory)
  }

  private static func position(_ request: ListHistoryRequest) throws(Refusal) -> UInt64? {
    guard let bytes = try PageToken.read(request.pageToken, question: question(request).hash)
    else { return nil }
    var reader = PositionReader(bytes)
    let revision = try reader.uint64()
    try reader.end()
    return revision
  }

  private static func question(_ request: ListHistoryRequest) -> Question {
    var question = Question(.listHistory)
    question.add(request.profileID)
    question.add(request.locationID)
    question.add(request.startTimeMs)
    question.add(request.endTimeMs)
    return question
  }

  private func listHistory(
    _ request: ListHistoryRequest, _ context: inout CallContext
  ) throws -> ListHistoryResponse {
    let person = try request.profileID.map { try self.person($0, context) }
    if person == nil && !context.caller.mayActAs(.atDesk) {
      throw Refusal(.notAllowed, "Only \(Roles.atDesk.sentence) may see the history of a place.")
    }
    let place = try request.locationID.map { try self.place($0, context) }
    guard
      let subject = person.map({ History.Subject.person($0) })
        ?? place.map({ History.Subject.place($0) })
    else { return ListHistoryResponse() }
    let after =
      request.startTimeMs <= 0
      ? 0
      : try store.history.lastRevision(beforeMs: request.startTimeMs, last: lastRevision)
    let before =
      request.endTimeMs == 0
      ? lastRevision + 1
      : try store.history.lastRevision(beforeMs: request.endTimeMs, last: lastRevision) + 1
    let size = Limits.pageItems(asked: request.pageSize)
    var response = ListHistoryResponse()
    var looked = 0
    var next: UInt64?
    try store.history.follow(subject, from: try start(of: subject, request, before)) { entry in
      guard entry.revision > after else { return false }
      guard response.changes.count < size, looked < Limits.historyEntriesPerPage else {
        next = entry.revision
        return false
      }
      looked += 1
      let isOfPlace = place == nil || entry.from == place || entry.to == place
      if entry.revision < before, isOfPlace, entry.reason != .renewed,
        case .checkIn(let change) = told(entry).what
      {
        response.changes.append(change)
      }
      return true
    }
    if let next {
      var writer = PositionWriter()
      writer.write(next)
      response.nextPageToken = PageToken.make(
        question: Self.question(request).hash, position: writer.bytes)
    }
    return response
  }

  /// The first entry to look at, of a page and of those after it.
  private func start(
    of subject: History.Subject, _ request: ListHistoryRequest, _ before: UInt64
  ) throws -> UInt64 {
    if let position = try Self.position(request) {
      // It may have become too old to be kept: then so has all that follows.
      guard let entry = try store.history.entry(position) else { return 0 }
      guard entry.before(of: subject) != nil else { throw PageToken.invalid }
      return position
    }
    let last =
      switch subject {
      case .person(let slot): lastEntries[person: slot]
      case .place(let slot): lastEntries[place: slot]
      }
    return try store.history.start(of: subject, last: last, before: before)
  }
}
