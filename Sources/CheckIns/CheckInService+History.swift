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
      let key = person.map({ HistoryIndex.Key(kind: .person, slot: $0) })
        ?? place.map({ HistoryIndex.Key(kind: .place, slot: $0) })
    else { return ListHistoryResponse() }
    let after =
      request.startTimeMs <= 0
      ? 0
      : try store.history.lastRevision(beforeMs: request.startTimeMs, last: lastRevision)
    var before =
      request.endTimeMs == 0
      ? lastRevision + 1
      : try store.history.lastRevision(beforeMs: request.endTimeMs, last: lastRevision) + 1
    if let position = try Self.position(request) { before = min(before, position) }
    let size = Limits.pageItems(asked: request.pageSize)
    var entries: [LogEntry] = []
    try store.history.entries(of: key, before: before, after: after) { entry in
      let isOfPlace = place == nil || entry.from == place || entry.to == place
      if isOfPlace && entry.reason != .renewed { entries.append(entry) }
      return entries.count <= size
    }
    var response = ListHistoryResponse()
    for entry in entries.prefix(size) {
      guard case .checkIn(let change) = told(entry).what else { continue }
      response.changes.append(change)
    }
    if entries.count > size, let last = response.changes.last {
      var writer = PositionWriter()
      writer.write(last.revision)
      response.nextPageToken = PageToken.make(
        question: Self.question(request).hash, position: writer.bytes)
    }
    return response
  }
}
