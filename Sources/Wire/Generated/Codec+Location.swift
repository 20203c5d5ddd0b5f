// Made by tools/generate from proto/muster/v1/location.proto. Do not edit.

import CMessages
import Model

extension GeoPoint: Message {
  package static var name: String { "muster.v1.GeoPoint" }

  package static var descriptor: UnsafeRawPointer {
    UnsafeRawPointer(muster_geo_point_descriptor())
  }

  package init(reading raw: UnsafeRawPointer, _ reader: Reader) {
    let c = raw.assumingMemoryBound(to: Muster__V1__GeoPoint.self)
    self.init(
      latitude: reader.finite(c.pointee.latitude, "latitude"),
      longitude: reader.finite(c.pointee.longitude, "longitude")
    )
  }

  package func write(into arena: Arena) -> UnsafeMutableRawPointer {
    let c = arena.make(Muster__V1__GeoPoint.self)
    muster__v1__geo_point__init(c)
    c.pointee.latitude = latitude
    c.pointee.longitude = longitude
    return UnsafeMutableRawPointer(c)
  }
}

extension Location: Message {
  package static var name: String { "muster.v1.Location" }

  package static var descriptor: UnsafeRawPointer {
    UnsafeRawPointer(muster_location_descriptor())
  }

  package init(reading raw: UnsafeRawPointer, _ reader: Reader) {
    let c = raw.assumingMemoryBound(to: Muster__V1__Location.self)
    self.init(
      id: reader.id(c.pointee.id, "id"),
      name: reader.text(c.pointee.name, "name"),
      description: reader.text(c.pointee.description, "description", lineBreaks: true),
      address: reader.text(c.pointee.address, "address", lineBreaks: true),
      point: reader.message(c.pointee.point, "point"),
      websiteURL: reader.text(c.pointee.website_url, "website_url"),
      phoneNumber: reader.text(c.pointee.phone_number, "phone_number"),
      squareImageID: reader.hash(c.pointee.square_image_id, "square_image_id"),
      bannerImageID: reader.hash(c.pointee.banner_image_id, "banner_image_id"),
      capacity: c.pointee.capacity,
      externalID: reader.text(c.pointee.external_id, "external_id"),
      createTimeMs: c.pointee.create_time_ms,
      updateTimeMs: c.pointee.update_time_ms,
      revision: c.pointee.revision
    )
  }

  package func write(into arena: Arena) -> UnsafeMutableRawPointer {
    let c = arena.make(Muster__V1__Location.self)
    muster__v1__location__init(c)
    c.pointee.id = arena.id(id)
    c.pointee.name = arena.text(name)
    c.pointee.description = arena.text(description)
    c.pointee.address = arena.text(address)
    c.pointee.point = arena.message(point)
    c.pointee.website_url = arena.text(websiteURL)
    c.pointee.phone_number = arena.text(phoneNumber)
    c.pointee.square_image_id = arena.bytes(squareImageID)
    c.pointee.banner_image_id = arena.bytes(bannerImageID)
    c.pointee.capacity = capacity
    c.pointee.external_id = arena.text(externalID)
    c.pointee.create_time_ms = createTimeMs
    c.pointee.update_time_ms = updateTimeMs
    c.pointee.revision = revision
    return UnsafeMutableRawPointer(c)
  }
}

extension CreateLocationRequest: Message {
  package static var name: String { "muster.v1.CreateLocationRequest" }

  package static var descriptor: UnsafeRawPointer {
    UnsafeRawPointer(muster_create_location_request_descriptor())
  }

  package init(reading raw: UnsafeRawPointer, _ reader: Reader) {
    let c = raw.assumingMemoryBound(to: Muster__V1__CreateLocationRequest.self)
    self.init(
      location: reader.message(c.pointee.location, "location")
    )
  }

  package func write(into arena: Arena) -> UnsafeMutableRawPointer {
    let c = arena.make(Muster__V1__CreateLocationRequest.self)
    muster__v1__create_location_request__init(c)
    c.pointee.location = arena.message(location)
    return UnsafeMutableRawPointer(c)
  }
}

extension CreateLocationResponse: Message {
  package static var name: String { "muster.v1.CreateLocationResponse" }

  package static var descriptor: UnsafeRawPointer {
    UnsafeRawPointer(muster_create_location_response_descriptor())
  }

  package init(reading raw: UnsafeRawPointer, _ reader: Reader) {
    let c = raw.assumingMemoryBound(to: Muster__V1__CreateLocationResponse.self)
    self.init(
      location: reader.message(c.pointee.location, "location")
    )
  }

  package func write(into arena: Arena) -> UnsafeMutableRawPointer {
    let c = arena.make(Muster__V1__CreateLocationResponse.self)
    muster__v1__create_location_response__init(c)
    c.pointee.location = arena.message(location)
    return UnsafeMutableRawPointer(c)
  }
}

extension BatchCreateLocationsRequest: Message {
  package static var name: String { "muster.v1.BatchCreateLocationsRequest" }

  package static var descriptor: UnsafeRawPointer {
    UnsafeRawPointer(muster_batch_create_locations_request_descriptor())
  }

  package init(reading raw: UnsafeRawPointer, _ reader: Reader) {
    let c = raw.assumingMemoryBound(to: Muster__V1__BatchCreateLocationsRequest.self)
    self.init(
      locations: reader.messages(c.pointee.n_locations, c.pointee.locations, "locations")
    )
  }

  package func write(into arena: Arena) -> UnsafeMutableRawPointer {
    let c = arena.make(Muster__V1__BatchCreateLocationsRequest.self)
    muster__v1__batch_create_locations_request__init(c)
    c.pointee.n_locations = locations.count
    c.pointee.locations = arena.messages(locations)
    return UnsafeMutableRawPointer(c)
  }
}

extension BatchCreateLocationsResponse: Message {
  package static var name: String { "muster.v1.BatchCreateLocationsResponse" }

  package static var descriptor: UnsafeRawPointer {
    UnsafeRawPointer(muster_batch_create_locations_response_descriptor())
  }

  package init(reading raw: UnsafeRawPointer, _ reader: Reader) {
    let c = raw.assumingMemoryBound(to: Muster__V1__BatchCreateLocationsResponse.self)
    self.init(
      ids: reader.ids(c.pointee.n_ids, c.pointee.ids, "ids"),
      created: c.pointee.created,
      changed: c.pointee.changed
    )
  }

  package func write(into arena: Arena) -> UnsafeMutableRawPointer {
    let c = arena.make(Muster__V1__BatchCreateLocationsResponse.self)
    muster__v1__batch_create_locations_response__init(c)
    c.pointee.n_ids = ids.count
    c.pointee.ids = arena.ids(ids)
    c.pointee.created = created
    c.pointee.changed = changed
    return UnsafeMutableRawPointer(c)
  }
}

extension GetLocationRequest: Message {
  package static var name: String { "muster.v1.GetLocationRequest" }

  package static var descriptor: UnsafeRawPointer {
    UnsafeRawPointer(muster_get_location_request_descriptor())
  }

  package init(reading raw: UnsafeRawPointer, _ reader: Reader) {
    let c = raw.assumingMemoryBound(to: Muster__V1__GetLocationRequest.self)
    self.init(
      id: reader.id(c.pointee.id, "id"),
      externalID: reader.text(c.pointee.external_id, "external_id")
    )
  }

  package func write(into arena: Arena) -> UnsafeMutableRawPointer {
    let c = arena.make(Muster__V1__GetLocationRequest.self)
    muster__v1__get_location_request__init(c)
    c.pointee.id = arena.id(id)
    c.pointee.external_id = arena.text(externalID)
    return UnsafeMutableRawPointer(c)
  }
}

extension GetLocationResponse: Message {
  package static var name: String { "muster.v1.GetLocationResponse" }

  package static var descriptor: UnsafeRawPointer {
    UnsafeRawPointer(muster_get_location_response_descriptor())
  }

  package init(reading raw: UnsafeRawPointer, _ reader: Reader) {
    let c = raw.assumingMemoryBound(to: Muster__V1__GetLocationResponse.self)
    self.init(
      location: reader.message(c.pointee.location, "location")
    )
  }

  package func write(into arena: Arena) -> UnsafeMutableRawPointer {
    let c = arena.make(Muster__V1__GetLocationResponse.self)
    muster__v1__get_location_response__init(c)
    c.pointee.location = arena.message(location)
    return UnsafeMutableRawPointer(c)
  }
}

extension BatchGetLocationsRequest: Message {
  package static var name: String { "muster.v1.BatchGetLocationsRequest" }

  package static var descriptor: UnsafeRawPointer {
    UnsafeRawPointer(muster_batch_get_locations_request_descriptor())
  }

  package init(reading raw: UnsafeRawPointer, _ reader: Reader) {
    let c = raw.assumingMemoryBound(to: Muster__V1__BatchGetLocationsRequest.self)
    self.init(
      ids: reader.ids(c.pointee.n_ids, c.pointee.ids, "ids")
    )
  }

  package func write(into arena: Arena) -> UnsafeMutableRawPointer {
    let c = arena.make(Muster__V1__BatchGetLocationsRequest.self)
    muster__v1__batch_get_locations_request__init(c)
    c.pointee.n_ids = ids.count
    c.pointee.ids = arena.ids(ids)
    return UnsafeMutableRawPointer(c)
  }
}

extension BatchGetLocationsResponse: Message {
  package static var name: String { "muster.v1.BatchGetLocationsResponse" }

  package static var descriptor: UnsafeRawPointer {
    UnsafeRawPointer(muster_batch_get_locations_response_descriptor())
  }

  package init(reading raw: UnsafeRawPointer, _ reader: Reader) {
    let c = raw.assumingMemoryBound(to: Muster__V1__BatchGetLocationsResponse.self)
    self.init(
      locations: reader.messages(c.pointee.n_locations, c.pointee.locations, "locations"),
      missing: reader.ids(c.pointee.n_missing, c.pointee.missing, "missing"),
      unread: reader.ids(c.pointee.n_unread, c.pointee.unread, "unread")
    )
  }

  package func write(into arena: Arena) -> UnsafeMutableRawPointer {
    let c = arena.make(Muster__V1__BatchGetLocationsResponse.self)
    muster__v1__batch_get_locations_response__init(c)
    c.pointee.n_locations = locations.count
    c.pointee.locations = arena.messages(locations)
    c.pointee.n_missing = missing.count
    c.pointee.missing = arena.ids(missing)
    c.pointee.n_unread = unread.count
    c.pointee.unread = arena.ids(unread)
    return UnsafeMutableRawPointer(c)
  }
}

extension UpdateLocationRequest: Message {
  package static var name: String { "muster.v1.UpdateLocationRequest" }

  package static var descriptor: UnsafeRawPointer {
    UnsafeRawPointer(muster_update_location_request_descriptor())
  }

  package init(reading raw: UnsafeRawPointer, _ reader: Reader) {
    let c = raw.assumingMemoryBound(to: Muster__V1__UpdateLocationRequest.self)
    self.init(
      location: reader.message(c.pointee.location, "location"),
      updateMask: reader.texts(c.pointee.n_update_mask, c.pointee.update_mask, "update_mask"),
      expectedRevision: c.pointee.expected_revision
    )
  }

  package func write(into arena: Arena) -> UnsafeMutableRawPointer {
    let c = arena.make(Muster__V1__UpdateLocationRequest.self)
    muster__v1__update_location_request__init(c)
    c.pointee.location = arena.message(location)
    c.pointee.n_update_mask = updateMask.count
    c.pointee.update_mask = arena.texts(updateMask)
    c.pointee.expected_revision = expectedRevision
    return UnsafeMutableRawPointer(c)
  }
}

extension UpdateLocationResponse: Message {
  package static var name: String { "muster.v1.UpdateLocationResponse" }

  package static var descriptor: UnsafeRawPointer {
    UnsafeRawPointer(muster_update_location_response_descriptor())
  }

  package init(reading raw: UnsafeRawPointer, _ reader: Reader) {
    let c = raw.assumingMemoryBound(to: Muster__V1__UpdateLocationResponse.self)
    self.init(
      location: reader.message(c.pointee.location, "location")
    )
  }

  package func write(into arena: Arena) -> UnsafeMutableRawPointer {
    let c = arena.make(Muster__V1__UpdateLocationResponse.self)
    muster__v1__update_location_response__init(c)
    c.pointee.location = arena.message(location)
    return UnsafeMutableRawPointer(c)
  }
}

extension DeleteLocationRequest: Message {
  package static var name: String { "muster.v1.DeleteLocationRequest" }

  package static var descriptor: UnsafeRawPointer {
    UnsafeRawPointer(muster_delete_location_request_descriptor())
  }

  package init(reading raw: UnsafeRawPointer, _ reader: Reader) {
    let c = raw.assumingMemoryBound(to: Muster__V1__DeleteLocationRequest.self)
    self.init(
      id: reader.id(c.pointee.id, "id"),
      expectedRevision: c.pointee.expected_revision,
      checkOutEveryone: c.pointee.check_out_everyone != 0
    )
  }

  package func write(into arena: Arena) -> UnsafeMutableRawPointer {
    let c = arena.make(Muster__V1__DeleteLocationRequest.self)
    muster__v1__delete_location_request__init(c)
    c.pointee.id = arena.id(id)
    c.pointee.expected_revision = expectedRevision
    c.pointee.check_out_everyone = checkOutEveryone ? 1 : 0
    return UnsafeMutableRawPointer(c)
  }
}

extension DeleteLocationResponse: Message {
  package static var name: String { "muster.v1.DeleteLocationResponse" }

  package static var descriptor: UnsafeRawPointer {
    UnsafeRawPointer(muster_delete_location_response_descriptor())
  }

  package init(reading raw: UnsafeRawPointer, _ reader: Reader) {
    let c = raw.assumingMemoryBound(to: Muster__V1__DeleteLocationResponse.self)
    self.init(
      checkedOut: c.pointee.checked_out
    )
  }

  package func write(into arena: Arena) -> UnsafeMutableRawPointer {
    let c = arena.make(Muster__V1__DeleteLocationResponse.self)
    muster__v1__delete_location_response__init(c)
    c.pointee.checked_out = checkedOut
    return UnsafeMutableRawPointer(c)
  }
}

extension ListLocationsRequest: Message {
  package static var name: String { "muster.v1.ListLocationsRequest" }

  package static var descriptor: UnsafeRawPointer {
    UnsafeRawPointer(muster_list_locations_request_descriptor())
  }

  package init(reading raw: UnsafeRawPointer, _ reader: Reader) {
    let c = raw.assumingMemoryBound(to: Muster__V1__ListLocationsRequest.self)
    self.init(
      pageSize: c.pointee.page_size,
      pageToken: reader.text(c.pointee.page_token, "page_token"),
      nameContains: reader.text(c.pointee.name_contains, "name_contains"),
      near: reader.message(c.pointee.near, "near"),
      radiusM: reader.finite(c.pointee.radius_m, "radius_m")
    )
  }

  package func write(into arena: Arena) -> UnsafeMutableRawPointer {
    let c = arena.make(Muster__V1__ListLocationsRequest.self)
    muster__v1__list_locations_request__init(c)
    c.pointee.page_size = pageSize
    c.pointee.page_token = arena.text(pageToken)
    c.pointee.name_contains = arena.text(nameContains)
    c.pointee.near = arena.message(near)
    c.pointee.radius_m = radiusM
    return UnsafeMutableRawPointer(c)
  }
}

extension ListLocationsResponse: Message {
  package static var name: String { "muster.v1.ListLocationsResponse" }

  package static var descriptor: UnsafeRawPointer {
    UnsafeRawPointer(muster_list_locations_response_descriptor())
  }

  package init(reading raw: UnsafeRawPointer, _ reader: Reader) {
    let c = raw.assumingMemoryBound(to: Muster__V1__ListLocationsResponse.self)
    self.init(
      results: reader.messages(c.pointee.n_results, c.pointee.results, "results"),
      nextPageToken: reader.text(c.pointee.next_page_token, "next_page_token")
    )
  }

  package func write(into arena: Arena) -> UnsafeMutableRawPointer {
    let c = arena.make(Muster__V1__ListLocationsResponse.self)
    muster__v1__list_locations_response__init(c)
    c.pointee.n_results = results.count
    c.pointee.results = arena.messages(results)
    c.pointee.next_page_token = arena.text(nextPageToken)
    return UnsafeMutableRawPointer(c)
  }
}

extension LocationResult: Message {
  package static var name: String { "muster.v1.LocationResult" }

  package static var descriptor: UnsafeRawPointer {
    UnsafeRawPointer(muster_location_result_descriptor())
  }

  package init(reading raw: UnsafeRawPointer, _ reader: Reader) {
    let c = raw.assumingMemoryBound(to: Muster__V1__LocationResult.self)
    self.init(
      location: reader.message(c.pointee.location, "location"),
      distanceM: c.pointee.distance_m
    )
  }

  package func write(into arena: Arena) -> UnsafeMutableRawPointer {
    let c = arena.make(Muster__V1__LocationResult.self)
    muster__v1__location_result__init(c)
    c.pointee.location = arena.message(location)
    c.pointee.distance_m = distanceM
    return UnsafeMutableRawPointer(c)
  }
}

extension SetLocationImageRequest: Message {
  package static var name: String { "muster.v1.SetLocationImageRequest" }

  package static var descriptor: UnsafeRawPointer {
    UnsafeRawPointer(muster_set_location_image_request_descriptor())
  }

  package init(reading raw: UnsafeRawPointer, _ reader: Reader) {
    let c = raw.assumingMemoryBound(to: Muster__V1__SetLocationImageRequest.self)
    self.init(
      locationID: reader.id(c.pointee.location_id, "location_id"),
      which: reader.enumeration(c.pointee.which.rawValue, "which") ?? .unspecified,
      image: reader.bytes(c.pointee.image, "image")
    )
  }

  package func write(into arena: Arena) -> UnsafeMutableRawPointer {
    let c = arena.make(Muster__V1__SetLocationImageRequest.self)
    muster__v1__set_location_image_request__init(c)
    c.pointee.location_id = arena.id(locationID)
    c.pointee.which = .init(rawValue: UInt32(bitPattern: which.rawValue))
    c.pointee.image = arena.bytes(image)
    return UnsafeMutableRawPointer(c)
  }
}

extension SetLocationImageResponse: Message {
  package static var name: String { "muster.v1.SetLocationImageResponse" }

  package static var descriptor: UnsafeRawPointer {
    UnsafeRawPointer(muster_set_location_image_response_descriptor())
  }

  package init(reading raw: UnsafeRawPointer, _ reader: Reader) {
    let c = raw.assumingMemoryBound(to: Muster__V1__SetLocationImageResponse.self)
    self.init(
      location: reader.message(c.pointee.location, "location")
    )
  }

  package func write(into arena: Arena) -> UnsafeMutableRawPointer {
    let c = arena.make(Muster__V1__SetLocationImageResponse.self)
    muster__v1__set_location_image_response__init(c)
    c.pointee.location = arena.message(location)
    return UnsafeMutableRawPointer(c)
  }
}

extension GetLocationImageRequest: Message {
  package static var name: String { "muster.v1.GetLocationImageRequest" }

  package static var descriptor: UnsafeRawPointer {
    UnsafeRawPointer(muster_get_location_image_request_descriptor())
  }

  package init(reading raw: UnsafeRawPointer, _ reader: Reader) {
    let c = raw.assumingMemoryBound(to: Muster__V1__GetLocationImageRequest.self)
    self.init(
      imageID: reader.hash(c.pointee.image_id, "image_id")
    )
  }

  package func write(into arena: Arena) -> UnsafeMutableRawPointer {
    let c = arena.make(Muster__V1__GetLocationImageRequest.self)
    muster__v1__get_location_image_request__init(c)
    c.pointee.image_id = arena.bytes(imageID)
    return UnsafeMutableRawPointer(c)
  }
}

extension GetLocationImageResponse: Message {
  package static var name: String { "muster.v1.GetLocationImageResponse" }

  package static var descriptor: UnsafeRawPointer {
    UnsafeRawPointer(muster_get_location_image_response_descriptor())
  }

  package init(reading raw: UnsafeRawPointer, _ reader: Reader) {
    let c = raw.assumingMemoryBound(to: Muster__V1__GetLocationImageResponse.self)
    self.init(
      image: reader.bytes(c.pointee.image, "image"),
      mediaType: reader.text(c.pointee.media_type, "media_type")
    )
  }

  package func write(into arena: Arena) -> UnsafeMutableRawPointer {
    let c = arena.make(Muster__V1__GetLocationImageResponse.self)
    muster__v1__get_location_image_response__init(c)
    c.pointee.image = arena.bytes(image)
    c.pointee.media_type = arena.text(mediaType)
    return UnsafeMutableRawPointer(c)
  }
}
