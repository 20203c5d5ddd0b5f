import Model
import Places
import ServiceKit
import Wire

/// The calls that change nothing.
extension LocationService {
  func registerReads(_ handlers: inout Handlers) {
    handlers.read(.getLocation, of: .locations, check: Self.check) {
      [unowned self] (request: GetLocationRequest, _) in try get(request)
    }
    handlers.read(.batchGetLocations, of: .locations, check: Self.check) {
      [unowned self] (request: BatchGetLocationsRequest, _) in try get(request)
    }
    handlers.read(.listLocations, of: .locations, check: Self.check) {
      [unowned self] (request: ListLocationsRequest, _) in try list(request)
    }
  }

  // MARK: - One, or some

  private static func check(_ request: GetLocationRequest, _ form: inout Form) {
    switch (request.id, request.externalID.isEmpty) {
    case (nil, true): form.refuse("id", "One of id and external_id is needed.")
    case (.some, false): form.refuse("external_id", "One of id and external_id is enough.")
    default: form.text("external_id", request.externalID, .externalID)
    }
  }

  private func get(_ request: GetLocationRequest) throws -> GetLocationResponse {
    if let id = request.id { return GetLocationResponse(location: try location(id)) }
    guard let found = try store.places.location(externalID: request.externalID) else {
      throw Self.notFound
    }
    return GetLocationResponse(location: found)
  }

  private static func check(_ request: BatchGetLocationsRequest, _ form: inout Form) {
    if request.ids.count > Limits.batchItems {
      form.refuse(
        "ids", "There are \(request.ids.count) ids; at most \(Limits.batchItems) are allowed.")
    }
  }

  private func get(_ request: BatchGetLocationsRequest) throws -> BatchGetLocationsResponse {
    var response = BatchGetLocationsResponse()
    var asked = Set<ID>(minimumCapacity: request.ids.count)
    var size = 0
    for id in request.ids where asked.insert(id).inserted {
      guard response.unread.isEmpty else {
        response.unread.append(id)
        continue
      }
      guard let location = try store.places.location(id) else {
        response.missing.append(id)
        continue
      }
      size += location.wireBytesAtMost
      if size > Limits.pageBytes {
        response.unread.append(id)
      } else {
        response.locations.append(location)
      }
    }
    return response
  }

  // MARK: - All, or those near

  private static func check(_ request: ListLocationsRequest, _ form: inout Form) throws {
    form.search(nameContains: request.nameContains, near: request.near, radiusM: request.radiusM)
    _ = try position(request)
  }

  private static func question(_ request: ListLocationsRequest) -> Question {
    var question = Question(.listLocations)
    question.add(request.nameContains)
    question.add(request.near)
    question.add(request.radiusM)
    return question
  }

  private static func position(_ request: ListLocationsRequest) throws(Refusal) -> PlaceKey? {
    guard let bytes = try PageToken.read(request.pageToken, question: question(request).hash)
    else { return nil }
    var reader = PositionReader(bytes)
    let key = PlaceKey(
      id: try reader.id(), name: try reader.text(), distanceM: try reader.double())
    try reader.end()
    return key
  }

  private func list(_ request: ListLocationsRequest) throws -> ListLocationsResponse {
    let circle = request.near.map { PlaceCircle(center: $0, radiusM: request.radiusM) }
    let page = try store.places.list(
      PlaceFilter(nameContains: request.nameContains, within: circle),
      by: circle == nil ? .name : .distance, after: Self.position(request),
      limit: Limits.pageItems(asked: request.pageSize),
      // The last place may go over it, and each takes some more bytes in a list.
      budgetBytes: Limits.pageBytes - Limits.placeBytes)
    var response = ListLocationsResponse(
      results: page.rows.map { LocationResult(location: $0.location, distanceM: $0.distanceM) })
    if let next = page.next {
      var writer = PositionWriter()
      writer.write(next.id)
      writer.write(next.name)
      writer.write(next.distanceM)
      response.nextPageToken = PageToken.make(
        question: Self.question(request).hash, position: writer.bytes)
    }
    return response
  }
}
