package import Wire

extension Roles {
  /// As a sentence names them: "staff or admin".
  package var sentence: String {
    names.isEmpty ? "nobody" : names.joined(separator: " or ")
  }

  package static let people: Roles = [.user, .staff, .admin]
  package static let atDesk: Roles = [.staff, .admin]
}

/// The role table of the protocol: who may make a call at all. Where a call is about one profile,
/// that it is the caller's own, or that the caller may act for others, is checked when the
/// profile is known.
package enum Access {
  package static func roles(for method: Method) -> Roles {
    switch method {
    case .getMe, .checkHealth, .getInfo, .getBoard, .getCounts, .getLocation,
      .batchGetLocations, .listLocations, .getLocationImage, .watch, .cancelWatch:
      .all
    case .listPeopleHere, .listPeopleEverywhere, .listCheckedIn, .getProfile, .batchGetProfiles,
      .getAvatar:
      .people
    case .createProfile, .updateProfile, .setAvatar, .deleteProfile, .checkIn, .checkOut,
      .batchCheckIn, .getStatus, .listHistory:
      .people
    case .checkOutEveryone, .listProfiles:
      .atDesk
    case .createLocation, .batchCreateLocations, .updateLocation, .deleteLocation,
      .setLocationImage, .batchCreateProfiles, .getStats:
      .admin
    case .listChanges, .getSnapshot, .attendDeletes, .answerDelete, .copyStore:
      .all
    }
  }

  /// - Throws: `PERMISSION_DENIED / NOT_ALLOWED`.
  package static func check(_ caller: Caller, mayCall method: Method) throws(Refusal) {
    let allowed = roles(for: method)
    guard caller.mayActAs(allowed) else {
      throw Refusal(.notAllowed, "Only \(allowed.sentence) may call \(method.fullName).")
    }
  }
}
