import Model
import ServiceKit
import Wire

/// The calls that change something. Each decides everything before it touches the store.
extension LocationService {
  func registerWrites(_ handlers: inout Handlers) {
    handlers.write(.createLocation, of: .locations, check: Self.check) {
      [unowned self] (request: CreateLocationRequest, context) in
      try create(request, context)
    }
    handlers.write(.batchCreateLocations, of: .locations, check: Self.check) {
      [unowned self] (request: BatchCreateLocationsRequest, context) in
      try create(request, context)
    }
    handlers.write(.updateLocation, of: .locations, check: Self.check) {
      [unowned self] (request: UpdateLocationRequest, context) in
      try update(request, context)
    }
    handlers.delete(
      .deleteLocation, of: .locations, place: { (request: DeleteLocationRequest) in request.id },
      settle: { DeleteLocationResponse(checkedOut: $0.count) },
      check: { request, form in form.needed("id", request.id) },
      { [unowned self] request, context in try delete(request, context) })
  }

  // MARK: - Create

  private static func check(_ request: CreateLocationRequest, _ form: inout Form) {
    form.newPlace(request.location ?? Location(), path: "location")
  }

  private func create(
    _ request: CreateLocationRequest, _ context: CallContext
  ) throws -> CreateLocationResponse {
    let asked = request.location ?? Location()
    try checkIsFree(asked.externalID, for: nil)
    return CreateLocationResponse(location: try add(asked, context.now))
  }

  private static func check(_ request: BatchCreateLocationsRequest, _ form: inout Form) {
    let count = request.locations.count
    if count > Limits.batchItems {
      form.refuse(
        "locations", "There are \(count) places; at most \(Limits.batchItems) are allowed.")
    }
    var indexes: [String: Int] = [:]
    for (index, location) in request.locations.enumerated() {
      form.newPlace(location, path: "locations[\(index)]")
      guard !location.externalID.isEmpty else { continue }
      if let first = indexes[location.externalID] {
        form.refuse(
          "locations[\(index)].external_id", "It is that of locations[\(first)] too.")
      }
      indexes[location.externalID] = index
    }
  }

  private func create(
    _ request: BatchCreateLocationsRequest, _ context: CallContext
  ) throws -> BatchCreateLocationsResponse {
    var response = BatchCreateLocationsResponse()
    for asked in request.locations {
      let location: Location
      if let existing = try store.places.location(externalID: asked.externalID) {
        location = try change(existing, LocationField.allCases, as: asked, context.now)
        if location.revision != existing.revision { response.changed += 1 }
      } else {
        location = try add(asked, context.now)
        response.created += 1
      }
      if let id = location.id { response.ids.append(id) }
    }
    return response
  }

  private func add(_ asked: Location, _ now: Moment) throws -> Location {
    var location = asked
    location.id = makeID(now)
    return try store.add(location, at: now)
  }

  /// - Throws: `EXTERNAL_ID_EXISTS`, where another place is known by this key.
  private func checkIsFree(_ externalID: String, for id: ID?) throws {
    guard let other = try store.places.location(externalID: externalID), other.id != id else {
      return
    }
    throw Refusal(.externalIDExists, "Another place is known by this external id.")
  }

  // MARK: - Update

  private static func check(_ request: UpdateLocationRequest, _ form: inout Form) {
    let asked = request.location ?? Location()
    form.needed("location.id", asked.id)
    if request.updateMask.isEmpty {
      form.refuse("update_mask", "Name the fields to change.")
    }
    for (index, name) in request.updateMask.enumerated() {
      guard let field = LocationField(rawValue: name) else {
        let known = LocationField.allCases.map(\.rawValue).joined(separator: ", ")
        form.refuse("update_mask[\(index)]", "Not one of \(known).")
        continue
      }
      field.check(asked, path: "location", &form)
    }
  }

  private func update(
    _ request: UpdateLocationRequest, _ context: CallContext
  ) throws -> UpdateLocationResponse {
    let asked = request.location ?? Location()
    let location = try location(asked.id)
    try check(location, request.expectedRevision)
    let named = request.updateMask.compactMap(LocationField.init)
    if named.contains(.externalID) { try checkIsFree(asked.externalID, for: asked.id) }
    return UpdateLocationResponse(location: try change(location, named, as: asked, context.now))
  }

  /// Takes some fields from `asked`. What is as it was makes no change.
  private func change(
    _ location: Location, _ fields: [LocationField], as asked: Location, _ now: Moment
  ) throws -> Location {
    var changed = location
    for field in fields { field.copy(from: asked, to: &changed) }
    return changed == location ? location : try store.put(changed, at: now)
  }

  /// - Throws: `REVISION_MISMATCH`, where the caller has seen another state of the place.
  private func check(_ location: Location, _ expectedRevision: UInt64) throws(Refusal) {
    if expectedRevision == 0 || expectedRevision == location.revision { return }
    throw Refusal(
      .revisionMismatch,
      "The place was last changed by revision \(location.revision), not \(expectedRevision).")
  }

  // MARK: - Delete

  private func delete(
    _ request: DeleteLocationRequest, _ context: CallContext
  ) throws -> DeleteLocationResponse {
    let location = try location(request.id)
    try check(location, request.expectedRevision)
    // Asked in any case: until the check-in service has seen the delete, people are there still.
    guard let occupants = context.occupants else { throw AskOccupants(of: location.id) }
    guard occupants == 0 || request.checkOutEveryone else {
      throw Refusal(
        .locationOccupied,
        "People are there (\(occupants)); ask for check_out_everyone to delete it all the same.")
    }
    try store.remove(location, at: context.now)
    return DeleteLocationResponse()
  }
}
