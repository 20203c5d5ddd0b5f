import Model
import ServiceKit
import Wire

/// What an update of a place may name, by its name in the protocol.
enum LocationField: String, CaseIterable {
  case name, description, address, point, capacity
  case websiteURL = "website_url"
  case phoneNumber = "phone_number"
  case externalID = "external_id"

  /// What is wrong with this field of a place.
  func check(_ location: Location, path: String, _ form: inout Form) {
    let field = "\(path).\(rawValue)"
    switch self {
    case .name: form.text(field, location.name, .locationName)
    case .description: form.text(field, location.description, .description)
    case .address: form.text(field, location.address, .address)
    case .point: form.point(field, location.point)
    case .websiteURL: form.url(field, location.websiteURL)
    case .phoneNumber: form.phone(field, location.phoneNumber)
    case .capacity: break
    case .externalID: form.text(field, location.externalID, .externalID)
    }
  }

  /// Takes this field over.
  func copy(from asked: Location, to location: inout Location) {
    switch self {
    case .name: location.name = asked.name
    case .description: location.description = asked.description
    case .address: location.address = asked.address
    case .point: location.point = asked.point
    case .websiteURL: location.websiteURL = asked.websiteURL
    case .phoneNumber: location.phoneNumber = asked.phoneNumber
    case .capacity: location.capacity = asked.capacity
    case .externalID: location.externalID = asked.externalID
    }
  }
}

extension Form {
  /// A place as a caller gives it: every field in order, and the server's empty.
  mutating func newPlace(_ location: Location, path: String) {
    empty("\(path).id", location.id == nil)
    for field in LocationField.allCases { field.check(location, path: path, &self) }
    serverFields(of: location, path: path)
  }

  mutating func serverFields(of location: Location, path: String) {
    empty("\(path).square_image_id", location.squareImageID.isEmpty)
    empty("\(path).banner_image_id", location.bannerImageID.isEmpty)
    empty("\(path).create_time_ms", location.createTimeMs == 0)
    empty("\(path).update_time_ms", location.updateTimeMs == 0)
    empty("\(path).revision", location.revision == 0)
  }
}
