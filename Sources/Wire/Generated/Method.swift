// Made by tools/generate from proto/. Do not edit.

/// The services of the contract.
package enum ServiceName: String, CaseIterable, Sendable {
  /// Answered by the three services, not by the gateway.
  case changeLog = "muster.v1.ChangeLogService"
  case checkIn = "muster.v1.CheckInService"
  case control = "muster.v1.ControlService"
  case gateway = "muster.v1.GatewayService"
  case location = "muster.v1.LocationService"
  case profile = "muster.v1.ProfileService"
}

/// The methods of the contract.
package enum Method: UInt8, CaseIterable, Sendable {
  /// The changes after a revision, oldest first, up to 512 KiB. A change of a profile that has been
  /// deleted since is told as its deletion. Where the log no longer reaches back that far:
  /// CODE_OUT_OF_RANGE / LOG_COMPACTED; where it never gave out that revision, or has been restored
  /// from a backup to before it: LOG_RESTORED. Either way the follower starts from a snapshot.
  case listChanges
  /// The state at one revision, in pages; a page token keeps the revision, as long as the log
  /// reaches back to it (then PAGE_TOKEN_INVALID: begin anew). Who was deleted meanwhile is left
  /// out. Of check-ins: those who are checked in.
  case getSnapshot
  /// For the check-in service, which holds this stream open at the owners of profiles and places,
  /// so that these need no address of it: each response is a question that the owner has before or
  /// after a delete. A second stream ends the first.
  case attendDeletes
  /// The answer to one of them.
  case answerDelete
  /// For backups: writes a copy of the service's whole database beside it, while calls go on. The
  /// response comes when the copy is complete; it is the database as it was then. Whoever asked
  /// takes the file away: the service removes it when it starts, makes another one, or has to
  /// forget somebody.
  case copyStore
  /// Checks a profile in. Wherever it was before, it leaves in the same change: at no revision is a
  /// profile at two places, nor, on a move, at none. Already there (also where it is full by now):
  /// changed is false, and at most the end of the stay is moved. On disk before the response is
  /// sent.
  case checkIn
  /// Already out: changed is false.
  case checkOut
  /// Up to 1 000 check-ins and check-outs, each with its own outcome, in order, one commit.
  case batchCheckIn
  /// Everybody out of one location: one change per person, one commit.
  case checkOutEveryone
  case getStatus
  /// Who is at one location, by since_ms, id. Ids only; the gateway adds the people.
  case listCheckedIn
  /// How many are where. Exact, and equal to the lists at the same revision. Reads no profile.
  case getCounts
  /// What happened, newest first; without renewals.
  case listHistory
  /// Is it serving? The gateway answers for itself and for the services behind it.
  case checkHealth
  case getInfo
  /// Counters and latencies since start.
  case getStats
  /// Who's here: the people at one location, with their profiles, by since_ms, id.
  case listPeopleHere
  /// Who's where: the same for every location where somebody is, by id, each page at one revision.
  case listPeopleEverywhere
  /// The board: locations with their counts. A location whose count changes between two pages
  /// ordered by count may be on both, or on neither.
  case getBoard
  /// Who's here, or the counts, from now on. Runs until it is cancelled or the caller is gone. A
  /// caller that reads too slowly is not waited for: it gets a response with `reset` as soon as it
  /// can take one, and nobody else is held up. Silence of over three heartbeats means that the
  /// stream is dead, and the caller watches anew, after what it saw last. The first response comes
  /// at once, with or without changes. The header's as_of says which state each response leads to.
  /// When the location is deleted, everybody leaves, and the stream ends with LOCATION_NOT_FOUND.
  case watch
  /// Ends a stream of the same connection. The stream's last response has CODE_CANCELLED.
  case cancelWatch
  /// `id`, image ids, `revision` and the times are the server's and must be empty.
  case createLocation
  /// Up to 1 000 at once, all or none. One whose external_id exists is changed instead; the same
  /// external_id twice in one batch is refused.
  case batchCreateLocations
  case getLocation
  case batchGetLocations
  case updateLocation
  /// With people there: CODE_FAILED_PRECONDITION / LOCATION_OCCUPIED, unless `check_out_everyone`.
  /// Who comes in between is checked out too. Answered as DeleteProfile is.
  case deleteLocation
  /// Ordered by name (code points), id; or, with `near`, by distance, id.
  case listLocations
  case setLocationImage
  case getLocationImage
  /// Who the caller is, and the caller's profile where there is one. Having none is no error.
  case getMe
  /// Saves the user and the profile together, or neither. A user who has a profile gets
  /// CODE_ALREADY_EXISTS / PROFILE_EXISTS, and the response body holds the one that exists.
  case createProfile
  /// For imports: up to 1 000 at once, all or none.
  case batchCreateProfiles
  case getProfile
  /// Up to 1 000 ids, in the order asked, each once. Unknown ids come back in `missing`; they are
  /// no error.
  case batchGetProfiles
  /// Changes the named fields only. Never touches a check-in. What changes nothing makes no change
  /// in the log.
  case updateProfile
  /// Also checks the person out: the response comes when both have happened, and as_of has both
  /// logs. Where the check-in service cannot be asked first, SERVICE_UNREACHABLE, or has a full
  /// disk, STORAGE_FULL, and nothing has been done; when it cannot be told in time,
  /// OUTCOME_UNKNOWN. Afterwards no read shows the profile anywhere and the user is free to create
  /// another. Log and history keep the id, and nothing that tells who it was.
  case deleteProfile
  /// Ordered by last name, first name, id.
  case listProfiles
  /// PNG, JPEG or WebP, told by its first bytes, at most 512 KiB. Empty removes it. An image that
  /// nobody has any more is gone.
  case setAvatar
  case getAvatar
}

extension Method {
  /// Its name in a header, for example "muster.v1.CheckInService/CheckIn".
  package var fullName: String {
    switch self {
    case .listChanges: "muster.v1.ChangeLogService/ListChanges"
    case .getSnapshot: "muster.v1.ChangeLogService/GetSnapshot"
    case .attendDeletes: "muster.v1.ChangeLogService/AttendDeletes"
    case .answerDelete: "muster.v1.ChangeLogService/AnswerDelete"
    case .copyStore: "muster.v1.ChangeLogService/CopyStore"
    case .checkIn: "muster.v1.CheckInService/CheckIn"
    case .checkOut: "muster.v1.CheckInService/CheckOut"
    case .batchCheckIn: "muster.v1.CheckInService/BatchCheckIn"
    case .checkOutEveryone: "muster.v1.CheckInService/CheckOutEveryone"
    case .getStatus: "muster.v1.CheckInService/GetStatus"
    case .listCheckedIn: "muster.v1.CheckInService/ListCheckedIn"
    case .getCounts: "muster.v1.CheckInService/GetCounts"
    case .listHistory: "muster.v1.CheckInService/ListHistory"
    case .checkHealth: "muster.v1.ControlService/CheckHealth"
    case .getInfo: "muster.v1.ControlService/GetInfo"
    case .getStats: "muster.v1.ControlService/GetStats"
    case .listPeopleHere: "muster.v1.GatewayService/ListPeopleHere"
    case .listPeopleEverywhere: "muster.v1.GatewayService/ListPeopleEverywhere"
    case .getBoard: "muster.v1.GatewayService/GetBoard"
    case .watch: "muster.v1.GatewayService/Watch"
    case .cancelWatch: "muster.v1.GatewayService/CancelWatch"
    case .createLocation: "muster.v1.LocationService/CreateLocation"
    case .batchCreateLocations: "muster.v1.LocationService/BatchCreateLocations"
    case .getLocation: "muster.v1.LocationService/GetLocation"
    case .batchGetLocations: "muster.v1.LocationService/BatchGetLocations"
    case .updateLocation: "muster.v1.LocationService/UpdateLocation"
    case .deleteLocation: "muster.v1.LocationService/DeleteLocation"
    case .listLocations: "muster.v1.LocationService/ListLocations"
    case .setLocationImage: "muster.v1.LocationService/SetLocationImage"
    case .getLocationImage: "muster.v1.LocationService/GetLocationImage"
    case .getMe: "muster.v1.ProfileService/GetMe"
    case .createProfile: "muster.v1.ProfileService/CreateProfile"
    case .batchCreateProfiles: "muster.v1.ProfileService/BatchCreateProfiles"
    case .getProfile: "muster.v1.ProfileService/GetProfile"
    case .batchGetProfiles: "muster.v1.ProfileService/BatchGetProfiles"
    case .updateProfile: "muster.v1.ProfileService/UpdateProfile"
    case .deleteProfile: "muster.v1.ProfileService/DeleteProfile"
    case .listProfiles: "muster.v1.ProfileService/ListProfiles"
    case .setAvatar: "muster.v1.ProfileService/SetAvatar"
    case .getAvatar: "muster.v1.ProfileService/GetAvatar"
    }
  }

  /// The service that it belongs to.
  package var service: ServiceName {
    switch self {
    case .listChanges: .changeLog
    case .getSnapshot: .changeLog
    case .attendDeletes: .changeLog
    case .answerDelete: .changeLog
    case .copyStore: .changeLog
    case .checkIn: .checkIn
    case .checkOut: .checkIn
    case .batchCheckIn: .checkIn
    case .checkOutEveryone: .checkIn
    case .getStatus: .checkIn
    case .listCheckedIn: .checkIn
    case .getCounts: .checkIn
    case .listHistory: .checkIn
    case .checkHealth: .control
    case .getInfo: .control
    case .getStats: .control
    case .listPeopleHere: .gateway
    case .listPeopleEverywhere: .gateway
    case .getBoard: .gateway
    case .watch: .gateway
    case .cancelWatch: .gateway
    case .createLocation: .location
    case .batchCreateLocations: .location
    case .getLocation: .location
    case .batchGetLocations: .location
    case .updateLocation: .location
    case .deleteLocation: .location
    case .listLocations: .location
    case .setLocationImage: .location
    case .getLocationImage: .location
    case .getMe: .profile
    case .createProfile: .profile
    case .batchCreateProfiles: .profile
    case .getProfile: .profile
    case .batchGetProfiles: .profile
    case .updateProfile: .profile
    case .deleteProfile: .profile
    case .listProfiles: .profile
    case .setAvatar: .profile
    case .getAvatar: .profile
    }
  }

  /// The type of its request's body and of its responses' bodies.
  package var types: (request: any Message.Type, response: any Message.Type) {
    switch self {
    case .listChanges: (ListChangesRequest.self, ListChangesResponse.self)
    case .getSnapshot: (GetSnapshotRequest.self, GetSnapshotResponse.self)
    case .attendDeletes: (AttendDeletesRequest.self, AttendDeletesResponse.self)
    case .answerDelete: (AnswerDeleteRequest.self, AnswerDeleteResponse.self)
    case .copyStore: (CopyStoreRequest.self, CopyStoreResponse.self)
    case .checkIn: (CheckInRequest.self, CheckInResponse.self)
    case .checkOut: (CheckOutRequest.self, CheckOutResponse.self)
    case .batchCheckIn: (BatchCheckInRequest.self, BatchCheckInResponse.self)
    case .checkOutEveryone: (CheckOutEveryoneRequest.self, CheckOutEveryoneResponse.self)
    case .getStatus: (GetStatusRequest.self, GetStatusResponse.self)
    case .listCheckedIn: (ListCheckedInRequest.self, ListCheckedInResponse.self)
    case .getCounts: (GetCountsRequest.self, GetCountsResponse.self)
    case .listHistory: (ListHistoryRequest.self, ListHistoryResponse.self)
    case .checkHealth: (CheckHealthRequest.self, CheckHealthResponse.self)
    case .getInfo: (GetInfoRequest.self, GetInfoResponse.self)
    case .getStats: (GetStatsRequest.self, GetStatsResponse.self)
    case .listPeopleHere: (ListPeopleHereRequest.self, ListPeopleHereResponse.self)
    case .listPeopleEverywhere:
      (ListPeopleEverywhereRequest.self, ListPeopleEverywhereResponse.self)
    case .getBoard: (GetBoardRequest.self, GetBoardResponse.self)
    case .watch: (WatchRequest.self, WatchResponse.self)
    case .cancelWatch: (CancelWatchRequest.self, CancelWatchResponse.self)
    case .createLocation: (CreateLocationRequest.self, CreateLocationResponse.self)
    case .batchCreateLocations:
      (BatchCreateLocationsRequest.self, BatchCreateLocationsResponse.self)
    case .getLocation: (GetLocationRequest.self, GetLocationResponse.self)
    case .batchGetLocations: (BatchGetLocationsRequest.self, BatchGetLocationsResponse.self)
    case .updateLocation: (UpdateLocationRequest.self, UpdateLocationResponse.self)
    case .deleteLocation: (DeleteLocationRequest.self, DeleteLocationResponse.self)
    case .listLocations: (ListLocationsRequest.self, ListLocationsResponse.self)
    case .setLocationImage: (SetLocationImageRequest.self, SetLocationImageResponse.self)
    case .getLocationImage: (GetLocationImageRequest.self, GetLocationImageResponse.self)
    case .getMe: (GetMeRequest.self, GetMeResponse.self)
    case .createProfile: (CreateProfileRequest.self, CreateProfileResponse.self)
    case .batchCreateProfiles: (BatchCreateProfilesRequest.self, BatchCreateProfilesResponse.self)
    case .getProfile: (GetProfileRequest.self, GetProfileResponse.self)
    case .batchGetProfiles: (BatchGetProfilesRequest.self, BatchGetProfilesResponse.self)
    case .updateProfile: (UpdateProfileRequest.self, UpdateProfileResponse.self)
    case .deleteProfile: (DeleteProfileRequest.self, DeleteProfileResponse.self)
    case .listProfiles: (ListProfilesRequest.self, ListProfilesResponse.self)
    case .setAvatar: (SetAvatarRequest.self, SetAvatarResponse.self)
    case .getAvatar: (GetAvatarRequest.self, GetAvatarResponse.self)
    }
  }

  /// Whether a call has a stream of responses.
  package var streams: Bool { self == .attendDeletes || self == .watch }
}
