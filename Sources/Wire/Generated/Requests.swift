// Made by tools/generate from proto/. Do not edit.

extension ListChangesRequest: Request {
  package typealias Response = ListChangesResponse
  package static var method: Method { .listChanges }
}

extension GetSnapshotRequest: Request {
  package typealias Response = GetSnapshotResponse
  package static var method: Method { .getSnapshot }
}

extension AttendDeletesRequest: Request {
  package typealias Response = AttendDeletesResponse
  package static var method: Method { .attendDeletes }
}

extension AnswerDeleteRequest: Request {
  package typealias Response = AnswerDeleteResponse
  package static var method: Method { .answerDelete }
}

extension CopyStoreRequest: Request {
  package typealias Response = CopyStoreResponse
  package static var method: Method { .copyStore }
}

extension CheckInRequest: Request {
  package typealias Response = CheckInResponse
  package static var method: Method { .checkIn }
}

extension CheckOutRequest: Request {
  package typealias Response = CheckOutResponse
  package static var method: Method { .checkOut }
}

extension BatchCheckInRequest: Request {
  package typealias Response = BatchCheckInResponse
  package static var method: Method { .batchCheckIn }
}

extension CheckOutEveryoneRequest: Request {
  package typealias Response = CheckOutEveryoneResponse
  package static var method: Method { .checkOutEveryone }
}

extension GetStatusRequest: Request {
  package typealias Response = GetStatusResponse
  package static var method: Method { .getStatus }
}

extension ListCheckedInRequest: Request {
  package typealias Response = ListCheckedInResponse
  package static var method: Method { .listCheckedIn }
}

extension GetCountsRequest: Request {
  package typealias Response = GetCountsResponse
  package static var method: Method { .getCounts }
}

extension ListHistoryRequest: Request {
  package typealias Response = ListHistoryResponse
  package static var method: Method { .listHistory }
}

extension CheckHealthRequest: Request {
  package typealias Response = CheckHealthResponse
  package static var method: Method { .checkHealth }
}

extension GetInfoRequest: Request {
  package typealias Response = GetInfoResponse
  package static var method: Method { .getInfo }
}

extension GetStatsRequest: Request {
  package typealias Response = GetStatsResponse
  package static var method: Method { .getStats }
}

extension ListPeopleHereRequest: Request {
  package typealias Response = ListPeopleHereResponse
  package static var method: Method { .listPeopleHere }
}

extension ListPeopleEverywhereRequest: Request {
  package typealias Response = ListPeopleEverywhereResponse
  package static var method: Method { .listPeopleEverywhere }
}

extension GetBoardRequest: Request {
  package typealias Response = GetBoardResponse
  package static var method: Method { .getBoard }
}

extension WatchRequest: Request {
  package typealias Response = WatchResponse
  package static var method: Method { .watch }
}

extension CancelWatchRequest: Request {
  package typealias Response = CancelWatchResponse
  package static var method: Method { .cancelWatch }
}

extension CreateLocationRequest: Request {
  package typealias Response = CreateLocationResponse
  package static var method: Method { .createLocation }
}

extension BatchCreateLocationsRequest: Request {
  package typealias Response = BatchCreateLocationsResponse
  package static var method: Method { .batchCreateLocations }
}

extension GetLocationRequest: Request {
  package typealias Response = GetLocationResponse
  package static var method: Method { .getLocation }
}

extension BatchGetLocationsRequest: Request {
  package typealias Response = BatchGetLocationsResponse
  package static var method: Method { .batchGetLocations }
}

extension UpdateLocationRequest: Request {
  package typealias Response = UpdateLocationResponse
  package static var method: Method { .updateLocation }
}

extension DeleteLocationRequest: Request {
  package typealias Response = DeleteLocationResponse
  package static var method: Method { .deleteLocation }
}

extension ListLocationsRequest: Request {
  package typealias Response = ListLocationsResponse
  package static var method: Method { .listLocations }
}

extension SetLocationImageRequest: Request {
  package typealias Response = SetLocationImageResponse
  package static var method: Method { .setLocationImage }
}

extension GetLocationImageRequest: Request {
  package typealias Response = GetLocationImageResponse
  package static var method: Method { .getLocationImage }
}

extension GetMeRequest: Request {
  package typealias Response = GetMeResponse
  package static var method: Method { .getMe }
}

extension CreateProfileRequest: Request {
  package typealias Response = CreateProfileResponse
  package static var method: Method { .createProfile }
}

extension BatchCreateProfilesRequest: Request {
  package typealias Response = BatchCreateProfilesResponse
  package static var method: Method { .batchCreateProfiles }
}

extension GetProfileRequest: Request {
  package typealias Response = GetProfileResponse
  package static var method: Method { .getProfile }
}

extension BatchGetProfilesRequest: Request {
  package typealias Response = BatchGetProfilesResponse
  package static var method: Method { .batchGetProfiles }
}

extension UpdateProfileRequest: Request {
  package typealias Response = UpdateProfileResponse
  package static var method: Method { .updateProfile }
}

extension DeleteProfileRequest: Request {
  package typealias Response = DeleteProfileResponse
  package static var method: Method { .deleteProfile }
}

extension ListProfilesRequest: Request {
  package typealias Response = ListProfilesResponse
  package static var method: Method { .listProfiles }
}

extension SetAvatarRequest: Request {
  package typealias Response = SetAvatarResponse
  package static var method: Method { .setAvatar }
}

extension GetAvatarRequest: Request {
  package typealias Response = GetAvatarResponse
  package static var method: Method { .getAvatar }
}
