package import Model
package import Wire
package import ZeroMQ

/// How many are where, from the state that the check-in service and every gateway hold.
package enum CountsPage {
  /// What is wrong with the form of a request.
  package static func check(_ request: GetCountsRequest, _ form: inout Form) throws {
    if request.locationIDs.count > Limits.countedLocations {
      form.refuse("location_ids", "At most \(Limits.countedLocations) at once.")
    }
    _ = try position(request)
  }

  private static func position(_ request: GetCountsRequest) throws(Refusal) -> ID? {
    guard let bytes = try PageToken.read(request.pageToken, question: question(request).hash)
    else { return nil }
    var reader = PositionReader(bytes)
    let id = try reader.id()
    try reader.end()
    return id
  }

  private static func question(_ request: GetCountsRequest) -> Question {
    var question = Question(.getCounts)
    for id in request.locationIDs { question.add(id) }
    return question
  }

  /// Whether the answer is one page, with every place where somebody is.
  package static func isWhole(_ request: GetCountsRequest, _ presence: Presence) -> Bool {
    let size = request.pageSize == 0 ? Limits.countsPageItems : Int(request.pageSize)
    return request.locationIDs.isEmpty && request.pageToken.isEmpty
      && presence.occupied.count <= min(size, Limits.countsPageItems)
  }

  /// The page with every place where somebody is, encoded.
  package static func whole(_ presence: Presence, _ encoder: Encoder) -> Frame {
    var counts = EncodedElements(field: 1)
    for slot in presence.occupied {
      counts.append(presence.id(ofPlace: slot), field: 2, UInt64(presence.count(slot)))
    }
    let body = Frame()
    encoder.encode(GetCountsResponse(total: UInt64(presence.total)), then: counts) {
      body.allocate($0)
    }
    return body
  }

  /// Named places in the order asked, or a page of those where somebody is, by id.
  package static func read(
    _ request: GetCountsRequest, _ presence: Presence
  ) throws(Refusal) -> GetCountsResponse {
    var response = GetCountsResponse(total: UInt64(presence.total))
    guard request.locationIDs.isEmpty else {
      response.counts = request.locationIDs.map { id in
        let count = presence.place(id).map { presence.count($0) } ?? 0
        return LocationCount(locationID: id, count: UInt32(count))
      }
      return response
    }
    var first = 0
    if let after = try position(request) {
      first = presence.occupiedRank(of: after)
      if first < presence.occupied.count,
        presence.id(ofPlace: presence.occupied[first]) == after
      {
        first += 1
      }
    }
    let size = request.pageSize == 0 ? Limits.countsPageItems : Int(request.pageSize)
    let page = presence.occupied[first...].prefix(min(size, Limits.countsPageItems))
    response.counts = page.map { slot in
      LocationCount(
        locationID: presence.id(ofPlace: slot), count: UInt32(presence.count(slot)))
    }
    if page.endIndex < presence.occupied.count, let last = page.last {
      var writer = PositionWriter()
      writer.write(presence.id(ofPlace: last))
      response.nextPageToken = PageToken.make(
        question: question(request).hash, position: writer.bytes)
    }
    return response
  }
}
