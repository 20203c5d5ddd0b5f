// Made by tools/generate from proto/muster/v1/location.proto. Do not edit.

package import Model

/// `LocationImage` of the contract.
package enum LocationImage: Int32, CaseIterable, Sendable {
  case unspecified = 0
  case square = 1
  case banner = 2
}

/// `GeoPoint` of the contract.
package struct GeoPoint: Equatable, Sendable {
  /// WGS 84 degrees, finite, -90 to 90.
  package var latitude: Double
  /// -180 to 180.
  package var longitude: Double

  package init(
    latitude: Double = 0,
    longitude: Double = 0
  ) {
    self.latitude = latitude
    self.longitude = longitude
  }
}

/// `Location` of the contract.
package struct Location: Equatable, Sendable {
  package var id: ID?
  /// Not blank, at most 100 characters and 3 000 bytes. Two locations may share a name.
  package var name: String
  /// At most 1 000 characters and 8 000 bytes; may have line breaks.
  package var description: String
  /// At most 200 characters and 4 000 bytes; may have line breaks.
  package var address: String
  /// Absent: unknown. Never stands for 0,0.
  package var point: GeoPoint?
  /// Empty, or an absolute http or https URL of at most 500 bytes.
  package var websiteURL: String
  /// Empty, or digits with space - . / ( ) between, optionally after + or (, at most 32 characters.
  package var phoneNumber: String
  /// SHA-256 of the image's bytes; empty: none, show a placeholder.
  package var squareImageID: [UInt8]
  package var bannerImageID: [UInt8]
  /// How many people fit; 0: no limit.
  package var capacity: UInt32
  /// Empty, or the key that an importer knows this place by, for example "SJC": at most 100 bytes.
  /// Unique.
  package var externalID: String
  package var createTimeMs: Int64
  package var updateTimeMs: Int64
  package var revision: UInt64

  package init(
    id: ID? = nil,
    name: String = "",
    description: String = "",
    address: String = "",
    point: GeoPoint? = nil,
    websiteURL: String = "",
    phoneNumber: String = "",
    squareImageID: [UInt8] = [],
    bannerImageID: [UInt8] = [],
    capacity: UInt32 = 0,
    externalID: String = "",
    createTimeMs: Int64 = 0,
    updateTimeMs: Int64 = 0,
    revision: UInt64 = 0
  ) {
    self.id = id
    self.name = name
    self.description = description
    self.address = address
    self.point = point
    self.websiteURL = websiteURL
    self.phoneNumber = phoneNumber
    self.squareImageID = squareImageID
    self.bannerImageID = bannerImageID
    self.capacity = capacity
    self.externalID = externalID
    self.createTimeMs = createTimeMs
    self.updateTimeMs = updateTimeMs
    self.revision = revision
  }
}

/// The request of `LocationService/CreateLocation`.
package struct CreateLocationRequest: Equatable, Sendable {
  package var location: Location?

  package init(
    location: Location? = nil
  ) {
    self.location = location
  }
}

/// The response of `LocationService/CreateLocation`.
package struct CreateLocationResponse: Equatable, Sendable {
  package var location: Location?

  package init(
    location: Location? = nil
  ) {
    self.location = location
  }
}

/// The request of `LocationService/BatchCreateLocations`.
package struct BatchCreateLocationsRequest: Equatable, Sendable {
  package var locations: [Location]

  package init(
    locations: [Location] = []
  ) {
    self.locations = locations
  }
}

/// The response of `LocationService/BatchCreateLocations`.
package struct BatchCreateLocationsResponse: Equatable, Sendable {
  /// In the order asked.
  package var ids: [ID]
  package var created: UInt32
  package var changed: UInt32

  package init(
    ids: [ID] = [],
    created: UInt32 = 0,
    changed: UInt32 = 0
  ) {
    self.ids = ids
    self.created = created
    self.changed = changed
  }
}

/// The request of `LocationService/GetLocation`.
package struct GetLocationRequest: Equatable, Sendable {
  /// One of the two.
  package var id: ID?
  package var externalID: String

  package init(
    id: ID? = nil,
    externalID: String = ""
  ) {
    self.id = id
    self.externalID = externalID
  }
}

/// The response of `LocationService/GetLocation`.
package struct GetLocationResponse: Equatable, Sendable {
  package var location: Location?

  package init(
    location: Location? = nil
  ) {
    self.location = location
  }
}

/// The request of `LocationService/BatchGetLocations`.
package struct BatchGetLocationsRequest: Equatable, Sendable {
  package var ids: [ID]

  package init(
    ids: [ID] = []
  ) {
    self.ids = ids
  }
}

/// The response of `LocationService/BatchGetLocations`.
package struct BatchGetLocationsResponse: Equatable, Sendable {
  package var locations: [Location]
  package var missing: [ID]
  /// The response was full: ask again for these.
  package var unread: [ID]

  package init(
    locations: [Location] = [],
    missing: [ID] = [],
    unread: [ID] = []
  ) {
    self.locations = locations
    self.missing = missing
    self.unread = unread
  }
}

/// The request of `LocationService/UpdateLocation`.
package struct UpdateLocationRequest: Equatable, Sendable {
  package var location: Location?
  package var updateMask: [String]
  package var expectedRevision: UInt64

  package init(
    location: Location? = nil,
    updateMask: [String] = [],
    expectedRevision: UInt64 = 0
  ) {
    self.location = location
    self.updateMask = updateMask
    self.expectedRevision = expectedRevision
  }
}

/// The response of `LocationService/UpdateLocation`.
package struct UpdateLocationResponse: Equatable, Sendable {
  package var location: Location?

  package init(
    location: Location? = nil
  ) {
    self.location = location
  }
}

/// The request of `LocationService/DeleteLocation`.
package struct DeleteLocationRequest: Equatable, Sendable {
  package var id: ID?
  package var expectedRevision: UInt64
  package var checkOutEveryone: Bool

  package init(
    id: ID? = nil,
    expectedRevision: UInt64 = 0,
    checkOutEveryone: Bool = false
  ) {
    self.id = id
    self.expectedRevision = expectedRevision
    self.checkOutEveryone = checkOutEveryone
  }
}

/// The response of `LocationService/DeleteLocation`.
package struct DeleteLocationResponse: Equatable, Sendable {
  package var checkedOut: UInt32

  package init(
    checkedOut: UInt32 = 0
  ) {
    self.checkedOut = checkedOut
  }
}

/// The request of `LocationService/ListLocations`.
package struct ListLocationsRequest: Equatable, Sendable {
  package var pageSize: UInt32
  package var pageToken: String
  /// Only those whose name contains this (at most 100 characters), letter case and accents aside:
  /// both sides in NFKD without marks, case-folded.
  package var nameContains: String
  /// Only those within `radius_m` of this point, nearest first.
  package var near: GeoPoint?
  /// Metres, over 0, inclusive, on a sphere of 6 371 008.8 m; needed with `near`, refused without
  /// it.
  package var radiusM: Double

  package init(
    pageSize: UInt32 = 0,
    pageToken: String = "",
    nameContains: String = "",
    near: GeoPoint? = nil,
    radiusM: Double = 0
  ) {
    self.pageSize = pageSize
    self.pageToken = pageToken
    self.nameContains = nameContains
    self.near = near
    self.radiusM = radiusM
  }
}

/// The response of `LocationService/ListLocations`.
package struct ListLocationsResponse: Equatable, Sendable {
  package var results: [LocationResult]
  package var nextPageToken: String

  package init(
    results: [LocationResult] = [],
    nextPageToken: String = ""
  ) {
    self.results = results
    self.nextPageToken = nextPageToken
  }
}

/// `LocationResult` of the contract.
package struct LocationResult: Equatable, Sendable {
  package var location: Location?
  /// Great-circle metres from `near`; 0 without it.
  package var distanceM: Double

  package init(
    location: Location? = nil,
    distanceM: Double = 0
  ) {
    self.location = location
    self.distanceM = distanceM
  }
}

/// The request of `LocationService/SetLocationImage`.
package struct SetLocationImageRequest: Equatable, Sendable {
  package var locationID: ID?
  package var which: LocationImage
  package var image: [UInt8]

  package init(
    locationID: ID? = nil,
    which: LocationImage = .unspecified,
    image: [UInt8] = []
  ) {
    self.locationID = locationID
    self.which = which
    self.image = image
  }
}

/// The response of `LocationService/SetLocationImage`.
package struct SetLocationImageResponse: Equatable, Sendable {
  package var location: Location?

  package init(
    location: Location? = nil
  ) {
    self.location = location
  }
}

/// The request of `LocationService/GetLocationImage`.
package struct GetLocationImageRequest: Equatable, Sendable {
  package var imageID: [UInt8]

  package init(
    imageID: [UInt8] = []
  ) {
    self.imageID = imageID
  }
}

/// The response of `LocationService/GetLocationImage`.
package struct GetLocationImageResponse: Equatable, Sendable {
  package var image: [UInt8]
  package var mediaType: String

  package init(
    image: [UInt8] = [],
    mediaType: String = ""
  ) {
    self.image = image
    self.mediaType = mediaType
  }
}
