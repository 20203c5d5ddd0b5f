// Made by tools/generate from proto/. Do not edit.

/// The contract's comments, for those who ask on the command line.
enum Comments {
  /// By field, for example "Profile.bio", or by a method's full name.
  static let all: [String: String] = [
    "AnswerDeleteRequest.check_ins_revision":
      """
    How far the log of check-ins had come.
    """,
    "AnswerDeleteRequest.count":
      """
    How many are at the place; with `at_least`, how many its deletion has checked out.
    """,
    "AnswerDeleteRequest.question":
      """
    0, where it cannot be answered.
    """,
    "AnswerDeleteRequest.refused_question":
      """
    Instead of `question`, of one without `at_least`: the disk is full, and the delete could \
    not be noted. The owner refuses it (STORAGE_FULL).
    """,
    "AttendDeletesResponse.at_least":
      """
    To be answered from a state at least as new. Absent: nothing has been deleted yet. The \
    answer says that the delete will be carried out, and how many are at the place now; or, \
    where the disk is full, that it will not.
    """,
    "AttendDeletesResponse.location_id":
      """
    The place that is to be deleted, or has been; empty: it is a profile.
    """,
    "AttendDeletesResponse.question":
      """
    The owner's number for it; 0: none, the stream is open.
    """,
    "BatchCheckInItem.location_id":
      """
    Empty: check out.
    """,
    "BatchCheckInItem.profile_id":
      """
    Never empty.
    """,
    "BatchCheckInOutcome.error":
      """
    Absent: done.
    """,
    "BatchCreateLocationsResponse.ids":
      """
    In the order asked.
    """,
    "BatchCreateProfilesRequest.profiles":
      """
    `user_id` empty: the server makes one up. A user who has a profile keeps it: the four \
    texts replace its own, so that an import can be run twice. The same user twice in one \
    batch is refused.
    """,
    "BatchCreateProfilesResponse.ids":
      """
    In the order asked.
    """,
    "BatchGetLocationsResponse.unread":
      """
    The response was full: ask again for these.
    """,
    "BatchGetProfilesResponse.unread":
      """
    The response was full: ask again for these.
    """,
    "BoardRow.count":
      """
    Exact. That a badge shows at most 99, and none for 0, is for whoever draws it.
    """,
    "CancelWatchRequest.call_id":
      """
    The header id of the Watch call.
    """,
    "CheckInChange.acting_user":
      """
    Who asked for it; empty where nobody did, or where that user's profile has been deleted.
    """,
    "CheckInChange.from_location_id":
      """
    Empty: was checked out.
    """,
    "CheckInChange.time_ms":
      """
    When it was done. Never falls within a log.
    """,
    "CheckInChange.to_location_id":
      """
    Empty: is checked out.
    """,
    "CheckInRequest.profile_id":
      """
    Empty: the caller's own profile.
    """,
    "CheckInRequest.ttl_s":
      """
    Seconds until it ends by itself, within a second; 0: the server's setting; 4 294 967 \
    295: never. Already there: not 0 moves the end.
    """,
    "CheckInResponse.previous_location_id":
      """
    Where the profile was before, changed or not; empty: nowhere.
    """,
    "CheckInStatus.expire_time_ms":
      """
    When it ends by itself; 0: never.
    """,
    "CheckInStatus.location_id":
      """
    Empty when checked out.
    """,
    "CheckInStatus.revision":
      """
    The change that brought the profile there, or took it away (not a renewal); 0: it never \
    checked in.
    """,
    "CheckInStatus.since_ms":
      """
    When it came to be so.
    """,
    "CheckOutRequest.profile_id":
      """
    Empty: the caller's own profile.
    """,
    "CopyStoreResponse.path":
      """
    The copy, as the service's machine names it.
    """,
    "CreateProfileRequest.profile":
      """
    `id`, `avatar_id`, `revision` and the times are the server's and must be empty. \
    `user_id` empty: the caller.
    """,
    "DeleteProfileRequest.id":
      """
    Empty: the caller's own.
    """,
    "Expectation.checked_out":
      """
    Checked out: true.
    """,
    "Expectation.location_id":
      """
    Checked in at this location.
    """,
    "Expectation.revision":
      """
    Last changed by this revision.
    """,
    "FieldViolation.field":
      """
    Path of the field in the request, for example \"profile.bio\".
    """,
    "Gauge.name":
      """
    As Prometheus names it, for example \"muster_requests_in_flight\" or \
    \"muster_malformed_requests_total\".
    """,
    "GeoPoint.latitude":
      """
    WGS 84 degrees, finite, -90 to 90.
    """,
    "GeoPoint.longitude":
      """
    -180 to 180.
    """,
    "GetAvatarResponse.media_type":
      """
    \"image/png\", \"image/jpeg\" or \"image/webp\".
    """,
    "GetBoardRequest.occupied_only":
      """
    Leave out the locations where nobody is.
    """,
    "GetBoardResponse.total":
      """
    Everybody checked in anywhere.
    """,
    "GetCountsRequest.location_ids":
      """
    Empty: every location where somebody is, by id, in pages. Up to 1 000 named ones come \
    back at once, in this order, with 0 for those where nobody is, or that do not exist.
    """,
    "GetCountsRequest.page_size":
      """
    0: 10 000, which is the most.
    """,
    "GetCountsResponse.total":
      """
    Everybody checked in anywhere.
    """,
    "GetInfoRequest.service":
      """
    Empty: this process. At the gateway also \"profiles\", \"locations\" or \"check-ins\": \
    it asks them.
    """,
    "GetInfoResponse.durability":
      """
    How acknowledged writes are kept, for example \"sqlite wal synchronous=full\".
    """,
    "GetInfoResponse.file_descriptor_set":
      """
    A serialized google.protobuf.FileDescriptorSet of this API, imports included.
    """,
    "GetInfoResponse.methods":
      """
    Every method that it answers.
    """,
    "GetLocationRequest.id":
      """
    One of the two.
    """,
    "GetMeResponse.profile":
      """
    Absent: the user has no profile yet.
    """,
    "GetProfileRequest.id":
      """
    One of the two.
    """,
    "GetSnapshotResponse.entries":
      """
    Entries as puts, or as check-ins from nowhere.
    """,
    "GetStatsRequest.service":
      """
    As in GetInfoRequest.
    """,
    "GetStatusRequest.profile_id":
      """
    Empty: the caller's own profile.
    """,
    "HereChange.other_location_id":
      """
    Arrived: where from. Left: where to. Empty: nowhere, or after a reset.
    """,
    "HereChange.person":
      """
    Left because the profile was deleted: the id only.
    """,
    "HereChange.reason":
      """
    Of an arrival after a reset, and of an update: unspecified.
    """,
    "ListChangesRequest.limit":
      """
    0: 1 000. At most 10 000.
    """,
    "ListChangesResponse.last_revision":
      """
    The newest change there is.
    """,
    "ListCheckedInResponse.count":
      """
    Of the location, not of the page.
    """,
    "ListHistoryRequest.profile_id":
      """
    One of the two, or both.
    """,
    "ListHistoryRequest.start_time_ms":
      """
    From this time on, and before that one; 0: open.
    """,
    "ListLocationsRequest.name_contains":
      """
    Only those whose name contains this (at most 100 characters), letter case and accents \
    aside: both sides in NFKD without marks, case-folded.
    """,
    "ListLocationsRequest.near":
      """
    Only those within `radius_m` of this point, nearest first.
    """,
    "ListLocationsRequest.radius_m":
      """
    Metres, over 0, inclusive, on a sphere of 6 371 008.8 m; needed with `near`, refused \
    without it.
    """,
    "ListPeopleEverywhereRequest.people_per_location":
      """
    At most this many people of each location; 0: 4, as a list of places shows them. Over \
    50: 50.
    """,
    "ListPeopleHereRequest.complete_only":
      """
    Refuse with CODE_UNAVAILABLE rather than answer with people whose profile is not \
    available.
    """,
    "ListPeopleHereResponse.count":
      """
    Of the location, not of the page; equal to GetCounts at the same revision.
    """,
    "ListPeopleHereResponse.unreachable":
      """
    The services that could not be asked, for example \"profiles\". Empty: the answer is \
    complete.
    """,
    "ListProfilesRequest.page_token":
      """
    From the page before; opaque, and only for the same question.
    """,
    "ListProfilesResponse.next_page_token":
      """
    Empty: this was the last page.
    """,
    "Location.address":
      """
    At most 200 characters and 4 000 bytes; may have line breaks.
    """,
    "Location.capacity":
      """
    How many people fit; 0: no limit.
    """,
    "Location.description":
      """
    At most 1 000 characters and 8 000 bytes; may have line breaks.
    """,
    "Location.external_id":
      """
    Empty, or the key that an importer knows this place by, for example \"SJC\": at most 100 \
    bytes. Unique.
    """,
    "Location.name":
      """
    Not blank, at most 100 characters and 3 000 bytes. Two locations may share a name.
    """,
    "Location.phone_number":
      """
    Empty, or digits with space - . / ( ) between, optionally after + or (, at most 32 \
    characters.
    """,
    "Location.point":
      """
    Absent: unknown. Never stands for 0,0.
    """,
    "Location.square_image_id":
      """
    SHA-256 of the image's bytes; empty: none, show a placeholder.
    """,
    "Location.website_url":
      """
    Empty, or an absolute http or https URL of at most 500 bytes.
    """,
    "LocationResult.distance_m":
      """
    Great-circle metres from `near`; 0 without it.
    """,
    "MethodStats.method":
      """
    Full method name.
    """,
    "MethodStats.p50_us":
      """
    Microseconds, from receipt to response.
    """,
    "Person.profile_unavailable":
      """
    True where the profile service could not be asked: the id is certain, the names are not \
    known.
    """,
    "Profile.avatar_id":
      """
    SHA-256 of the avatar's bytes; empty: none, show a placeholder.
    """,
    "Profile.bio":
      """
    At most 100 characters and 5 000 bytes; may have line breaks.
    """,
    "Profile.create_time_ms":
      """
    Milliseconds since 1970-01-01 UTC.
    """,
    "Profile.first_name":
      """
    Not blank, at most 50 characters and 2 000 bytes. Characters are counted as a reader \
    counts them (grapheme clusters).
    """,
    "Profile.last_name":
      """
    At most 50 characters and 2 000 bytes each; may be empty, unless the service is set to \
    ask for them.
    """,
    "Profile.revision":
      """
    The change that last touched this profile.
    """,
    "Profile.user_id":
      """
    The one user whose profile this is: 1 to 128 bytes. Never changes.
    """,
    "ServiceHealth.service":
      """
    \"profiles\", \"locations\", \"check-ins\" or \"gateway\".
    """,
    "ServiceHealth.silent_ms":
      """
    How long ago it was last heard of.
    """,
    "SetAvatarRequest.profile_id":
      """
    Empty: the caller's own.
    """,
    "Status.field_violations":
      """
    What was wrong with which field; only with CODE_INVALID_ARGUMENT.
    """,
    "Status.message":
      """
    For a person: one English sentence, with no control characters.
    """,
    "Status.reason":
      """
    For a program: stable, UPPER_SNAKE_CASE, for example \"PROFILE_NOT_FOUND\".
    """,
    "Status.retry_after_ms":
      """
    With CODE_RESOURCE_EXHAUSTED and CODE_UNAVAILABLE: not before this time has passed.
    """,
    "UpdateProfileRequest.expected_revision":
      """
    0, or the revision that the caller has seen: anything newer gives CODE_ABORTED / \
    REVISION_MISMATCH.
    """,
    "UpdateProfileRequest.profile":
      """
    `id` says which; empty: the caller's own.
    """,
    "UpdateProfileRequest.update_mask":
      """
    Names of the fields to take from `profile`, for example \"bio\". Empty is refused.
    """,
    "WatchRequest.after":
      """
    What the caller has already: the as_of of the last response without `incomplete`. The \
    stream goes on from there where it can (a gateway that is behind catches up first, as \
    with at_least), and begins with a reset where it cannot.
    """,
    "WatchRequest.heartbeat_ms":
      """
    0: 5 000. 1 000 to 60 000.
    """,
    "WatchRequest.location_id":
      """
    Exactly one of the two.
    """,
    "WatchResponse.changes":
      """
    Of one location: each change told, in order. Empty together with `counts`: a heartbeat.
    """,
    "WatchResponse.count":
      """
    How many are at the location now; always filled.
    """,
    "WatchResponse.counts":
      """
    Of all locations: those whose count has changed, zeros included. Sent at most ten times \
    a second.
    """,
    "WatchResponse.incomplete":
      """
    More of the same state follows, and nothing else comes between.
    """,
    "WatchResponse.reset":
      """
    What the caller knew is void: this response, with those that follow up to the first \
    without `incomplete`, says all that is true at this state. Another reset may come before \
    that and voids it.
    """,
    "WatchResponse.total":
      """
    How many are anywhere now; always filled when all counts are watched.
    """,
    "muster.v1.ChangeLogService/AnswerDelete":
      """
    The answer to one of them.
    """,
    "muster.v1.ChangeLogService/AttendDeletes":
      """
    For the check-in service, which holds this stream open at the owners of profiles and \
    places, so that these need no address of it: each response is a question that the owner \
    has before or after a delete. A second stream ends the first.
    """,
    "muster.v1.ChangeLogService/CopyStore":
      """
    For backups: writes a copy of the service's whole database beside it, while calls go on. \
    The response comes when the copy is complete; it is the database as it was then. Whoever \
    asked takes the file away: the service removes it when it starts, makes another one, or \
    has to forget somebody.
    """,
    "muster.v1.ChangeLogService/GetSnapshot":
      """
    The state at one revision, in pages; a page token keeps the revision, as long as the log \
    reaches back to it (then PAGE_TOKEN_INVALID: begin anew). Who was deleted meanwhile is \
    left out. Of check-ins: those who are checked in.
    """,
    "muster.v1.ChangeLogService/ListChanges":
      """
    The changes after a revision, oldest first, up to 512 KiB. A change of a profile that \
    has been deleted since is told as its deletion. Where the log no longer reaches back \
    that far: CODE_OUT_OF_RANGE / LOG_COMPACTED; where it never gave out that revision, or \
    has been restored from a backup to before it: LOG_RESTORED. Either way the follower \
    starts from a snapshot.
    """,
    "muster.v1.CheckInService/BatchCheckIn":
      """
    Up to 1 000 check-ins and check-outs, each with its own outcome, in order, one commit.
    """,
    "muster.v1.CheckInService/CheckIn":
      """
    Checks a profile in. Wherever it was before, it leaves in the same change: at no \
    revision is a profile at two places, nor, on a move, at none. Already there (also where \
    it is full by now): changed is false, and at most the end of the stay is moved. On disk \
    before the response is sent.
    """,
    "muster.v1.CheckInService/CheckOut":
      """
    Already out: changed is false.
    """,
    "muster.v1.CheckInService/CheckOutEveryone":
      """
    Everybody out of one location: one change per person, one commit.
    """,
    "muster.v1.CheckInService/GetCounts":
      """
    How many are where. Exact, and equal to the lists at the same revision. Reads no \
    profile.
    """,
    "muster.v1.CheckInService/ListCheckedIn":
      """
    Who is at one location, by since_ms, id. Ids only; the gateway adds the people.
    """,
    "muster.v1.CheckInService/ListHistory":
      """
    What happened, newest first; without renewals.
    """,
    "muster.v1.ControlService/CheckHealth":
      """
    Is it serving? The gateway answers for itself and for the services behind it.
    """,
    "muster.v1.ControlService/GetStats":
      """
    Counters and latencies since start.
    """,
    "muster.v1.GatewayService/CancelWatch":
      """
    Ends a stream of the same connection. The stream's last response has CODE_CANCELLED.
    """,
    "muster.v1.GatewayService/GetBoard":
      """
    The board: locations with their counts. A location whose count changes between two pages \
    ordered by count may be on both, or on neither.
    """,
    "muster.v1.GatewayService/ListPeopleEverywhere":
      """
    Who's where: the same for every location where somebody is, by id, each page at one \
    revision.
    """,
    "muster.v1.GatewayService/ListPeopleHere":
      """
    Who's here: the people at one location, with their profiles, by since_ms, id.
    """,
    "muster.v1.GatewayService/Watch":
      """
    Who's here, or the counts, from now on. Runs until it is cancelled or the caller is \
    gone. A caller that reads too slowly is not waited for: it gets a response with `reset` \
    as soon as it can take one, and nobody else is held up. Silence of over three heartbeats \
    means that the stream is dead, and the caller watches anew, after what it saw last. The \
    first response comes at once, with or without changes. The header's as_of says which \
    state each response leads to. When the location is deleted, everybody leaves, and the \
    stream ends with LOCATION_NOT_FOUND.
    """,
    "muster.v1.LocationService/BatchCreateLocations":
      """
    Up to 1 000 at once, all or none. One whose external_id exists is changed instead; the \
    same external_id twice in one batch is refused.
    """,
    "muster.v1.LocationService/CreateLocation":
      """
    `id`, image ids, `revision` and the times are the server's and must be empty.
    """,
    "muster.v1.LocationService/DeleteLocation":
      """
    With people there: CODE_FAILED_PRECONDITION / LOCATION_OCCUPIED, unless \
    `check_out_everyone`. Who comes in between is checked out too. Answered as DeleteProfile \
    is.
    """,
    "muster.v1.LocationService/ListLocations":
      """
    Ordered by name (code points), id; or, with `near`, by distance, id.
    """,
    "muster.v1.ProfileService/BatchCreateProfiles":
      """
    For imports: up to 1 000 at once, all or none.
    """,
    "muster.v1.ProfileService/BatchGetProfiles":
      """
    Up to 1 000 ids, in the order asked, each once. Unknown ids come back in `missing`; they \
    are no error.
    """,
    "muster.v1.ProfileService/CreateProfile":
      """
    Saves the user and the profile together, or neither. A user who has a profile gets \
    CODE_ALREADY_EXISTS / PROFILE_EXISTS, and the response body holds the one that exists.
    """,
    "muster.v1.ProfileService/DeleteProfile":
      """
    Also checks the person out: the response comes when both have happened, and as_of has \
    both logs. Where the check-in service cannot be asked first, SERVICE_UNREACHABLE, or has \
    a full disk, STORAGE_FULL, and nothing has been done; when it cannot be told in time, \
    OUTCOME_UNKNOWN. Afterwards no read shows the profile anywhere and the user is free to \
    create another. Log and history keep the id, and nothing that tells who it was.
    """,
    "muster.v1.ProfileService/GetMe":
      """
    Who the caller is, and the caller's profile where there is one. Having none is no error.
    """,
    "muster.v1.ProfileService/ListProfiles":
      """
    Ordered by last name, first name, id.
    """,
    "muster.v1.ProfileService/SetAvatar":
      """
    PNG, JPEG or WebP, told by its first bytes, at most 512 KiB. Empty removes it. An image \
    that nobody has any more is gone.
    """,
    "muster.v1.ProfileService/UpdateProfile":
      """
    Changes the named fields only. Never touches a check-in. What changes nothing makes no \
    change in the log.
    """,
  ]
}
