// Made by tools/generate from proto/muster/v1/profile.proto. Do not edit.

package import Model

/// A person as others see them. Every id in this API is a UUID as 16 bytes.
package struct Profile: Equatable, Sendable {
  package var id: ID?
  /// The one user whose profile this is: 1 to 128 bytes. Never changes.
  package var userID: String
  /// Not blank, at most 50 characters and 2 000 bytes. Characters are counted as a reader counts
  /// them (grapheme clusters).
  package var firstName: String
  /// At most 50 characters and 2 000 bytes each; may be empty, unless the service is set to ask for
  /// them.
  package var lastName: String
  package var companyName: String
  /// At most 100 characters and 5 000 bytes; may have line breaks.
  package var bio: String
  /// SHA-256 of the avatar's bytes; empty: none, show a placeholder.
  package var avatarID: [UInt8]
  /// Milliseconds since 1970-01-01 UTC.
  package var createTimeMs: Int64
  package var updateTimeMs: Int64
  /// The change that last touched this profile.
  package var revision: UInt64

  package init(
    id: ID? = nil,
    userID: String = "",
    firstName: String = "",
    lastName: String = "",
    companyName: String = "",
    bio: String = "",
    avatarID: [UInt8] = [],
    createTimeMs: Int64 = 0,
    updateTimeMs: Int64 = 0,
    revision: UInt64 = 0
  ) {
    self.id = id
    self.userID = userID
    self.firstName = firstName
    self.lastName = lastName
    self.companyName = companyName
    self.bio = bio
    self.avatarID = avatarID
    self.createTimeMs = createTimeMs
    self.updateTimeMs = updateTimeMs
    self.revision = revision
  }
}

/// The request of `ProfileService/GetMe`.
package struct GetMeRequest: Equatable, Sendable {
  package init() {}
}

/// The response of `ProfileService/GetMe`.
package struct GetMeResponse: Equatable, Sendable {
  package var userID: String
  /// Absent: the user has no profile yet.
  package var profile: Profile?
  package var roles: [String]

  package init(
    userID: String = "",
    profile: Profile? = nil,
    roles: [String] = []
  ) {
    self.userID = userID
    self.profile = profile
    self.roles = roles
  }
}

/// The request of `ProfileService/CreateProfile`.
package struct CreateProfileRequest: Equatable, Sendable {
  /// `id`, `avatar_id`, `revision` and the times are the server's and must be empty. `user_id`
  /// empty: the caller.
  package var profile: Profile?

  package init(
    profile: Profile? = nil
  ) {
    self.profile = profile
  }
}

/// The response of `ProfileService/CreateProfile`.
package struct CreateProfileResponse: Equatable, Sendable {
  package var profile: Profile?

  package init(
    profile: Profile? = nil
  ) {
    self.profile = profile
  }
}

/// The request of `ProfileService/BatchCreateProfiles`.
package struct BatchCreateProfilesRequest: Equatable, Sendable {
  /// `user_id` empty: the server makes one up. A user who has a profile keeps it: the four texts
  /// replace its own, so that an import can be run twice. The same user twice in one batch is
  /// refused.
  package var profiles: [Profile]

  package init(
    profiles: [Profile] = []
  ) {
    self.profiles = profiles
  }
}

/// The response of `ProfileService/BatchCreateProfiles`.
package struct BatchCreateProfilesResponse: Equatable, Sendable {
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

/// The request of `ProfileService/GetProfile`.
package struct GetProfileRequest: Equatable, Sendable {
  /// One of the two.
  package var id: ID?
  package var userID: String

  package init(
    id: ID? = nil,
    userID: String = ""
  ) {
    self.id = id
    self.userID = userID
  }
}

/// The response of `ProfileService/GetProfile`.
package struct GetProfileResponse: Equatable, Sendable {
  package var profile: Profile?

  package init(
    profile: Profile? = nil
  ) {
    self.profile = profile
  }
}

/// The request of `ProfileService/BatchGetProfiles`.
package struct BatchGetProfilesRequest: Equatable, Sendable {
  package var ids: [ID]

  package init(
    ids: [ID] = []
  ) {
    self.ids = ids
  }
}

/// The response of `ProfileService/BatchGetProfiles`.
package struct BatchGetProfilesResponse: Equatable, Sendable {
  package var profiles: [Profile]
  package var missing: [ID]
  /// The response was full: ask again for these.
  package var unread: [ID]

  package init(
    profiles: [Profile] = [],
    missing: [ID] = [],
    unread: [ID] = []
  ) {
    self.profiles = profiles
    self.missing = missing
    self.unread = unread
  }
}

/// The request of `ProfileService/UpdateProfile`.
package struct UpdateProfileRequest: Equatable, Sendable {
  /// `id` says which; empty: the caller's own.
  package var profile: Profile?
  /// Names of the fields to take from `profile`, for example "bio". Empty is refused.
  package var updateMask: [String]
  /// 0, or the revision that the caller has seen: anything newer gives CODE_ABORTED /
  /// REVISION_MISMATCH.
  package var expectedRevision: UInt64

  package init(
    profile: Profile? = nil,
    updateMask: [String] = [],
    expectedRevision: UInt64 = 0
  ) {
    self.profile = profile
    self.updateMask = updateMask
    self.expectedRevision = expectedRevision
  }
}

/// The response of `ProfileService/UpdateProfile`.
package struct UpdateProfileResponse: Equatable, Sendable {
  package var profile: Profile?

  package init(
    profile: Profile? = nil
  ) {
    self.profile = profile
  }
}

/// The request of `ProfileService/DeleteProfile`.
package struct DeleteProfileRequest: Equatable, Sendable {
  /// Empty: the caller's own.
  package var id: ID?
  package var expectedRevision: UInt64

  package init(
    id: ID? = nil,
    expectedRevision: UInt64 = 0
  ) {
    self.id = id
    self.expectedRevision = expectedRevision
  }
}

/// The response of `ProfileService/DeleteProfile`.
package struct DeleteProfileResponse: Equatable, Sendable {
  package init() {}
}

/// The request of `ProfileService/ListProfiles`.
package struct ListProfilesRequest: Equatable, Sendable {
  package var pageSize: UInt32
  /// From the page before; opaque, and only for the same question.
  package var pageToken: String

  package init(
    pageSize: UInt32 = 0,
    pageToken: String = ""
  ) {
    self.pageSize = pageSize
    self.pageToken = pageToken
  }
}

/// The response of `ProfileService/ListProfiles`.
package struct ListProfilesResponse: Equatable, Sendable {
  package var profiles: [Profile]
  /// Empty: this was the last page.
  package var nextPageToken: String

  package init(
    profiles: [Profile] = [],
    nextPageToken: String = ""
  ) {
    self.profiles = profiles
    self.nextPageToken = nextPageToken
  }
}

/// The request of `ProfileService/SetAvatar`.
package struct SetAvatarRequest: Equatable, Sendable {
  /// Empty: the caller's own.
  package var profileID: ID?
  package var image: [UInt8]

  package init(
    profileID: ID? = nil,
    image: [UInt8] = []
  ) {
    self.profileID = profileID
    self.image = image
  }
}

/// The response of `ProfileService/SetAvatar`.
package struct SetAvatarResponse: Equatable, Sendable {
  package var profile: Profile?

  package init(
    profile: Profile? = nil
  ) {
    self.profile = profile
  }
}

/// The request of `ProfileService/GetAvatar`.
package struct GetAvatarRequest: Equatable, Sendable {
  package var avatarID: [UInt8]

  package init(
    avatarID: [UInt8] = []
  ) {
    self.avatarID = avatarID
  }
}

/// The response of `ProfileService/GetAvatar`.
package struct GetAvatarResponse: Equatable, Sendable {
  package var image: [UInt8]
  /// "image/png", "image/jpeg" or "image/webp".
  package var mediaType: String

  package init(
    image: [UInt8] = [],
    mediaType: String = ""
  ) {
    self.image = image
    self.mediaType = mediaType
  }
}
