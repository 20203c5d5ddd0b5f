import Model
import Terminal
import Wire

/// Gives an entry a field of what is there already under its key.
typealias Keep<M> = @Sendable (_ there: M, _ entry: inout M) -> Void

/// Places out of a file, checked as the server would check them, before any of them is sent.
struct LocationEntries {
  static let fields = [
    "external_id", "name", "address", "latitude", "longitude", "description", "website_url",
    "phone_number", "capacity",
  ]

  /// What an entry may do without, and how it stays as it is.
  private static let optional: [(fields: [String], keep: Keep<Location>)] = [
    (["address"], { $1.address = $0.address }),
    (["latitude", "longitude"], { $1.point = $0.point }),
    (["description"], { $1.description = $0.description }),
    (["website_url"], { $1.websiteURL = $0.websiteURL }),
    (["phone_number"], { $1.phoneNumber = $0.phoneNumber }),
    (["capacity"], { $1.capacity = $0.capacity }),
  ]

  private(set) var locations: [Location] = []
  /// For each location, what keeps the fields that its entry does not have.
  private(set) var absent: [[Keep<Location>]] = []
  /// Where each location stands in the file.
  private(set) var places: [EntryPlace] = []
  private(set) var problems: [ImportProblem] = []

  /// `takesNew`: entries without an external id are taken too, as new places each time.
  init(_ file: ImportFile, map: ColumnMap, takesNew: Bool) {
    var placesByKey: [String: EntryPlace] = [:]
    for entry in file.entries {
      var found: [ImportProblem] = []
      func text(_ field: String) -> String { map.text(field, entry, &found) }
      var location = Location(
        name: text("name"), description: text("description"), address: text("address"),
        point: point(entry, map), websiteURL: text("website_url"),
        phoneNumber: text("phone_number"), capacity: capacity(entry, map),
        externalID: text("external_id"))
      problems += found
      let (read, violations) = Form.read(location)
      location = read
      for violation in violations {
        report(entry, violation.field, violation.description)
      }
      check(location, entry, hasName: map.value("name", entry) != nil)
      let key = location.externalID
      if key.isEmpty {
        if !takesNew {
          report(
            entry, "external_id",
            "the entry has no external_id; --map external_id=COLUMN says which column it is, and "
              + "--new takes it as a new place")
        }
      } else if let first = placesByKey[key] {
        report(
          entry, "external_id", "'\(key)' is there twice: \(first) and \(entry.place)")
      } else {
        placesByKey[key] = entry.place
      }
      locations.append(location)
      absent.append(
        Self.optional.filter { $0.fields.allSatisfy { map.value($0, entry) == nil } }.map(\.keep))
      places.append(entry.place)
    }
  }

  private mutating func report(_ entry: ImportFile.Entry, _ field: String, _ description: String) {
    problems.report(entry.place, field, description)
  }

  /// A number as it is written; empty where there is none, nil where it is reported to be none.
  private mutating func number(
    _ field: String, _ entry: ImportFile.Entry, _ map: ColumnMap
  ) -> String? {
    guard let value = map.value(field, entry) else { return "" }
    return value.wantedNumber(of: field, at: entry.place, &problems)
  }

  private mutating func point(_ entry: ImportFile.Entry, _ map: ColumnMap) -> GeoPoint? {
    let axes = [("latitude", Limits.latitudeDegrees), ("longitude", Limits.longitudeDegrees)]
    let texts = axes.map { number($0.0, entry, map) }
    if texts.allSatisfy({ $0?.isEmpty == true }) { return nil }
    let degrees = zip(axes, texts).map { axis, text -> Double? in
      let (name, range) = axis
      guard let text else { return nil }
      if let number = Double(text), range.contains(number) { return number }
      let most = Int(range.upperBound)
      report(entry, name, "'\(text)' is no number of degrees from -\(most) to \(most)")
      return nil
    }
    guard let latitude = degrees[0], let longitude = degrees[1] else { return nil }
    return GeoPoint(latitude: latitude, longitude: longitude)
  }

  private mutating func capacity(_ entry: ImportFile.Entry, _ map: ColumnMap) -> UInt32 {
    guard let text = number("capacity", entry, map), !text.isEmpty else { return 0 }
    if let number = UInt32(text) { return number }
    report(entry, "capacity", "'\(text)' is no number of people")
    return 0
  }

  private mutating func check(_ location: Location, _ entry: ImportFile.Entry, hasName: Bool) {
    if !hasName {
      report(entry, "name", "the entry has no name; --map name=COLUMN says which column it is")
    }
    let rules: [(String, TextRule, String)] = [
      ("name", .locationName, location.name), ("address", .address, location.address),
      ("description", .description, location.description),
      ("website_url", .websiteURL, location.websiteURL),
      ("phone_number", .phoneNumber, location.phoneNumber),
      ("external_id", .externalID, location.externalID),
    ]
    for (field, rule, text) in rules {
      if let fault = rule.check(text) { report(entry, field, fault) }
    }
    if !location.websiteURL.isEmpty, !ContactText.isWebURL(location.websiteURL) {
      report(entry, "website_url", "'\(location.websiteURL)' is no http or https URL")
    }
    if !location.phoneNumber.isEmpty, !ContactText.isPhoneNumber(location.phoneNumber) {
      report(entry, "phone_number", "'\(location.phoneNumber)' is no phone number")
    }
  }
}
