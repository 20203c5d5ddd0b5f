package import Model
package import Wire

/// Collects what is wrong with a request's fields, so that a caller hears of everything at once.
package struct Form {
  /// In the order found, at most `Limits.violations`: more would help nobody.
  package private(set) var violations: [FieldViolation]

  /// - Parameter violations: what the decoder has found already.
  package init(violations: [FieldViolation] = []) {
    self.violations = violations
  }

  /// - Throws: `INVALID_FIELDS`, where anything has been refused.
  package func throwIfAny() throws(Refusal) {
    if !violations.isEmpty { throw Refusal(violations: violations) }
  }

  /// Notes that a field is wrong.
  /// - Parameters:
  ///   - field: its path in the request, for example "profile.bio".
  ///   - description: a sentence that says what would be right.
  package mutating func refuse(_ field: String, _ description: String) {
    // What is wrong with a field is told once: its bytes first, then what they mean.
    let isTold = violations.contains { $0.field == field || $0.field.hasPrefix(field + ".") }
    guard !isTold else { return }
    guard violations.count < Limits.violations else { return }
    violations.append(FieldViolation(field: field, description: description))
  }

  /// A text must keep its rule: lengths, blankness. (That it is clean UTF-8 the decoder has seen
  /// to.)
  package mutating func text(_ field: String, _ value: String, _ rule: TextRule) {
    if let problem = rule.check(value) { refuse(field, problem) }
  }

  /// What places are searched for: a part of a name, a circle.
  package mutating func search(nameContains: String, near: GeoPoint?, radiusM: Double) {
    text("name_contains", nameContains, .nameContains)
    point("near", near)
    if near == nil && radiusM != 0 { refuse("radius_m", "It is for searches near a point.") }
    if near != nil && !(radiusM > 0 && radiusM.isFinite) {
      refuse("radius_m", "A search near a point needs a radius over 0, in metres.")
    }
  }

  /// A field that the server fills in must come empty.
  package mutating func empty(_ field: String, _ isEmpty: Bool) {
    if !isEmpty { refuse(field, "It is the server's and must be empty.") }
  }

  /// An id that must be there.
  package mutating func needed(_ field: String, _ id: ID?) {
    if id == nil { refuse(field, "It is needed.") }
  }

  /// Empty, or an absolute http or https URL of at most 500 bytes.
  package mutating func url(_ field: String, _ value: String) {
    if value.isEmpty { return }
    if let problem = TextRule.websiteURL.check(value) {
      refuse(field, problem)
    } else if !ContactText.isWebURL(value) {
      refuse(field, "It is not an absolute http or https URL.")
    }
  }

  /// Empty, or digits with space - . / ( ) between, optionally after + or (, at most 32 characters.
  package mutating func phone(_ field: String, _ value: String) {
    if value.isEmpty { return }
    if let problem = TextRule.phoneNumber.check(value) {
      refuse(field, problem)
    } else if !ContactText.isPhoneNumber(value) {
      refuse(field, "It may have digits, space - . / ( ) between them, and + or ( in front.")
    }
  }

  /// Absent, or finite WGS 84 degrees.
  package mutating func point(_ field: String, _ point: GeoPoint?) {
    guard let point else { return }
    // A range contains neither NaN nor an infinity.
    if !Limits.latitudeDegrees.contains(point.latitude) {
      refuse(field + ".latitude", "It must be from -90 to 90 degrees.")
    }
    if !Limits.longitudeDegrees.contains(point.longitude) {
      refuse(field + ".longitude", "It must be from -180 to 180 degrees.")
    }
  }

  /// Empty, or a PNG, JPEG or WebP of at most 512 KiB, told by its first bytes.
  package mutating func image(_ field: String, _ bytes: [UInt8]) {
    if bytes.isEmpty { return }
    if bytes.count > Limits.imageBytes {
      refuse(field, "The image has \(bytes.count) bytes; at most \(Limits.imageBytes) are allowed.")
    } else if ImageType(of: bytes) == nil {
      refuse(field, "The image is neither PNG nor JPEG nor WebP.")
    }
  }
}
