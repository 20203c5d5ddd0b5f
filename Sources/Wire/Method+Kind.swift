extension Method {
  /// Whether it may change something: then a lost answer leaves open what became of it.
  package var isWrite: Bool {
    switch self {
    case .createProfile, .batchCreateProfiles, .updateProfile, .deleteProfile, .setAvatar,
      .createLocation, .batchCreateLocations, .updateLocation, .deleteLocation,
      .setLocationImage, .checkIn, .checkOut, .batchCheckIn, .checkOutEveryone:
      true
    case .getMe, .getProfile, .batchGetProfiles, .listProfiles, .getAvatar, .getLocation,
      .batchGetLocations, .listLocations, .getLocationImage, .getStatus, .listCheckedIn,
      .getCounts, .listHistory, .listPeopleHere, .listPeopleEverywhere, .getBoard, .watch,
      .cancelWatch, .listChanges, .getSnapshot, .attendDeletes, .answerDelete, .copyStore,
      .checkHealth, .getInfo, .getStats:
      false
    }
  }
}
