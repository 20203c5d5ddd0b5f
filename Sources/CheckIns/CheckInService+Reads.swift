import Model
import ServiceKit
import Wire

extension CheckInService {
  func registerReads(_ handlers: inout Handlers) {
    handlers.read(
      .getStatus, of: [.checkIns, .profiles], needsUser: { $0.profileID == nil }
    ) { [unowned self] (request: GetStatusRequest, context) in
      let person = try person(request.profileID, context)
      return GetStatusResponse(status: status(of: person))
    }
    handlers.read(
      .listCheckedIn, of: [.checkIns, .locations],
      check: { (request: ListCheckedInRequest, form) in
        form.needed("location_id", request.locationID)
        _ = try Self.position(request)
      }, listCheckedIn)
    handlers.read(.getCounts, of: .checkIns, check: { try CountsPage.check($0, &$1) }) {
      [unowned self] (request: GetCountsRequest, _) in
      try CountsPage.read(request, presence)
    }
  }

  private static func position(
    _ request: ListCheckedInRequest
  ) throws -> (sinceMs: Int64, id: ID)? {
    guard
      let bytes = try PageToken.read(request.pageToken, question: question(request).hash)
    else { return nil }
    var reader = PositionReader(bytes)
    let position = (try reader.int64(), try reader.id())
    try reader.end()
    return position
  }

  private static func question(_ request: ListCheckedInRequest) -> Question {
    var question = Question(.listCheckedIn)
    question.add(request.locationID)
    return question
  }

  private func listCheckedIn(
    _ request: ListCheckedInRequest, _ context: inout CallContext
  ) throws -> ListCheckedInResponse {
    let place = try place(request.locationID, context)
    let members = presence.members(ofPlace: place)
    let first = try Self.position(request).map {
      presence.rank(after: $0.sinceMs, $0.id, at: place)
    }
    let page = members[(first ?? 0)...].prefix(Limits.pageItems(asked: request.pageSize))
    var response = ListCheckedInResponse(
      statuses: page.map { status(of: $0) }, count: UInt32(members.count))
    if page.endIndex < members.count, let last = page.last {
      var writer = PositionWriter()
      writer.write(presence[person: last].sinceMs)
      writer.write(presence[person: last].id)
      response.nextPageToken = PageToken.make(
        question: Self.question(request).hash, position: writer.bytes)
    }
    return response
  }
}
