// Made by tools/generate from proto/muster/v1/profile.proto. Do not edit.

import CMessages
import Model

extension Profile: Message {
  package static var name: String { "muster.v1.Profile" }

  package static var descriptor: UnsafeRawPointer {
    UnsafeRawPointer(muster_profile_descriptor())
  }

  package init(reading raw: UnsafeRawPointer, _ reader: Reader) {
    let c = raw.assumingMemoryBound(to: Muster__V1__Profile.self)
    self.init(
      id: reader.id(c.pointee.id, "id"),
      userID: reader.text(c.pointee.user_id, "user_id"),
      firstName: reader.text(c.pointee.first_name, "first_name"),
      lastName: reader.text(c.pointee.last_name, "last_name"),
      companyName: reader.text(c.pointee.company_name, "company_name"),
      bio: reader.text(c.pointee.bio, "bio", lineBreaks: true),
      avatarID: reader.hash(c.pointee.avatar_id, "avatar_id"),
      createTimeMs: c.pointee.create_time_ms,
      updateTimeMs: c.pointee.update_time_ms,
      revision: c.pointee.revision
    )
  }

  package func write(into arena: Arena) -> UnsafeMutableRawPointer {
    let c = arena.make(Muster__V1__Profile.self)
    muster__v1__profile__init(c)
    c.pointee.id = arena.id(id)
    c.pointee.user_id = arena.text(userID)
    c.pointee.first_name = arena.text(firstName)
    c.pointee.last_name = arena.text(lastName)
    c.pointee.company_name = arena.text(companyName)
    c.pointee.bio = arena.text(bio)
    c.pointee.avatar_id = arena.bytes(avatarID)
    c.pointee.create_time_ms = createTimeMs
    c.pointee.update_time_ms = updateTimeMs
    c.pointee.revision = revision
    return UnsafeMutableRawPointer(c)
  }
}

extension GetMeRequest: Message {
  package static var name: String { "muster.v1.GetMeRequest" }

  package static var descriptor: UnsafeRawPointer {
    UnsafeRawPointer(muster_get_me_request_descriptor())
  }

  package init(reading raw: UnsafeRawPointer, _ reader: Reader) {
    self.init()
  }

  package func write(into arena: Arena) -> UnsafeMutableRawPointer {
    let c = arena.make(Muster__V1__GetMeRequest.self)
    muster__v1__get_me_request__init(c)
    return UnsafeMutableRawPointer(c)
  }
}

extension GetMeResponse: Message {
  package static var name: String { "muster.v1.GetMeResponse" }

  package static var descriptor: UnsafeRawPointer {
    UnsafeRawPointer(muster_get_me_response_descriptor())
  }

  package init(reading raw: UnsafeRawPointer, _ reader: Reader) {
    let c = raw.assumingMemoryBound(to: Muster__V1__GetMeResponse.self)
    self.init(
      userID: reader.text(c.pointee.user_id, "user_id"),
      profile: reader.message(c.pointee.profile, "profile"),
      roles: reader.texts(c.pointee.n_roles, c.pointee.roles, "roles")
    )
  }

  package func write(into arena: Arena) -> UnsafeMutableRawPointer {
    let c = arena.make(Muster__V1__GetMeResponse.self)
    muster__v1__get_me_response__init(c)
    c.pointee.user_id = arena.text(userID)
    c.pointee.profile = arena.message(profile)
    c.pointee.n_roles = roles.count
    c.pointee.roles = arena.texts(roles)
    return UnsafeMutableRawPointer(c)
  }
}

extension CreateProfileRequest: Message {
  package static var name: String { "muster.v1.CreateProfileRequest" }

  package static var descriptor: UnsafeRawPointer {
    UnsafeRawPointer(muster_create_profile_request_descriptor())
  }

  package init(reading raw: UnsafeRawPointer, _ reader: Reader) {
    let c = raw.assumingMemoryBound(to: Muster__V1__CreateProfileRequest.self)
    self.init(
      profile: reader.message(c.pointee.profile, "profile")
    )
  }

  package func write(into arena: Arena) -> UnsafeMutableRawPointer {
    let c = arena.make(Muster__V1__CreateProfileRequest.self)
    muster__v1__create_profile_request__init(c)
    c.pointee.profile = arena.message(profile)
    return UnsafeMutableRawPointer(c)
  }
}

extension CreateProfileResponse: Message {
  package static var name: String { "muster.v1.CreateProfileResponse" }

  package static var descriptor: UnsafeRawPointer {
    UnsafeRawPointer(muster_create_profile_response_descriptor())
  }

  package init(reading raw: UnsafeRawPointer, _ reader: Reader) {
    let c = raw.assumingMemoryBound(to: Muster__V1__CreateProfileResponse.self)
    self.init(
      profile: reader.message(c.pointee.profile, "profile")
    )
  }

  package func write(into arena: Arena) -> UnsafeMutableRawPointer {
    let c = arena.make(Muster__V1__CreateProfileResponse.self)
    muster__v1__create_profile_response__init(c)
    c.pointee.profile = arena.message(profile)
    return UnsafeMutableRawPointer(c)
  }
}

extension BatchCreateProfilesRequest: Message {
  package static var name: String { "muster.v1.BatchCreateProfilesRequest" }

  package static var descriptor: UnsafeRawPointer {
    UnsafeRawPointer(muster_batch_create_profiles_request_descriptor())
  }

  package init(reading raw: UnsafeRawPointer, _ reader: Reader) {
    let c = raw.assumingMemoryBound(to: Muster__V1__BatchCreateProfilesRequest.self)
    self.init(
      profiles: reader.messages(c.pointee.n_profiles, c.pointee.profiles, "profiles")
    )
  }

  package func write(into arena: Arena) -> UnsafeMutableRawPointer {
    let c = arena.make(Muster__V1__BatchCreateProfilesRequest.self)
    muster__v1__batch_create_profiles_request__init(c)
    c.pointee.n_profiles = profiles.count
    c.pointee.profiles = arena.messages(profiles)
    return UnsafeMutableRawPointer(c)
  }
}

extension BatchCreateProfilesResponse: Message {
  package static var name: String { "muster.v1.BatchCreateProfilesResponse" }

  package static var descriptor: UnsafeRawPointer {
    UnsafeRawPointer(muster_batch_create_profiles_response_descriptor())
  }

  package init(reading raw: UnsafeRawPointer, _ reader: Reader) {
    let c = raw.assumingMemoryBound(to: Muster__V1__BatchCreateProfilesResponse.self)
    self.init(
      ids: reader.ids(c.pointee.n_ids, c.pointee.ids, "ids"),
      created: c.pointee.created,
      changed: c.pointee.changed
    )
  }

  package func write(into arena: Arena) -> UnsafeMutableRawPointer {
    let c = arena.make(Muster__V1__BatchCreateProfilesResponse.self)
    muster__v1__batch_create_profiles_response__init(c)
    c.pointee.n_ids = ids.count
    c.pointee.ids = arena.ids(ids)
    c.pointee.created = created
    c.pointee.changed = changed
    return UnsafeMutableRawPointer(c)
  }
}

extension GetProfileRequest: Message {
  package static var name: String { "muster.v1.GetProfileRequest" }

  package static var descriptor: UnsafeRawPointer {
    UnsafeRawPointer(muster_get_profile_request_descriptor())
  }

  package init(reading raw: UnsafeRawPointer, _ reader: Reader) {
    let c = raw.assumingMemoryBound(to: Muster__V1__GetProfileRequest.self)
    self.init(
      id: reader.id(c.pointee.id, "id"),
      userID: reader.text(c.pointee.user_id, "user_id")
    )
  }

  package func write(into arena: Arena) -> UnsafeMutableRawPointer {
    let c = arena.make(Muster__V1__GetProfileRequest.self)
    muster__v1__get_profile_request__init(c)
    c.pointee.id = arena.id(id)
    c.pointee.user_id = arena.text(userID)
    return UnsafeMutableRawPointer(c)
  }
}

extension GetProfileResponse: Message {
  package static var name: String { "muster.v1.GetProfileResponse" }

  package static var descriptor: UnsafeRawPointer {
    UnsafeRawPointer(muster_get_profile_response_descriptor())
  }

  package init(reading raw: UnsafeRawPointer, _ reader: Reader) {
    let c = raw.assumingMemoryBound(to: Muster__V1__GetProfileResponse.self)
    self.init(
      profile: reader.message(c.pointee.profile, "profile")
    )
  }

  package func write(into arena: Arena) -> UnsafeMutableRawPointer {
    let c = arena.make(Muster__V1__GetProfileResponse.self)
    muster__v1__get_profile_response__init(c)
    c.pointee.profile = arena.message(profile)
    return UnsafeMutableRawPointer(c)
  }
}

extension BatchGetProfilesRequest: Message {
  package static var name: String { "muster.v1.BatchGetProfilesRequest" }

  package static var descriptor: UnsafeRawPointer {
    UnsafeRawPointer(muster_batch_get_profiles_request_descriptor())
  }

  package init(reading raw: UnsafeRawPointer, _ reader: Reader) {
    let c = raw.assumingMemoryBound(to: Muster__V1__BatchGetProfilesRequest.self)
    self.init(
      ids: reader.ids(c.pointee.n_ids, c.pointee.ids, "ids")
    )
  }

  package func write(into arena: Arena) -> UnsafeMutableRawPointer {
    let c = arena.make(Muster__V1__BatchGetProfilesRequest.self)
    muster__v1__batch_get_profiles_request__init(c)
    c.pointee.n_ids = ids.count
    c.pointee.ids = arena.ids(ids)
    return UnsafeMutableRawPointer(c)
  }
}

extension BatchGetProfilesResponse: Message {
  package static var name: String { "muster.v1.BatchGetProfilesResponse" }

  package static var descriptor: UnsafeRawPointer {
    UnsafeRawPointer(muster_batch_get_profiles_response_descriptor())
  }

  package init(reading raw: UnsafeRawPointer, _ reader: Reader) {
    let c = raw.assumingMemoryBound(to: Muster__V1__BatchGetProfilesResponse.self)
    self.init(
      profiles: reader.messages(c.pointee.n_profiles, c.pointee.profiles, "profiles"),
      missing: reader.ids(c.pointee.n_missing, c.pointee.missing, "missing"),
      unread: reader.ids(c.pointee.n_unread, c.pointee.unread, "unread")
    )
  }

  package func write(into arena: Arena) -> UnsafeMutableRawPointer {
    let c = arena.make(Muster__V1__BatchGetProfilesResponse.self)
    muster__v1__batch_get_profiles_response__init(c)
    c.pointee.n_profiles = profiles.count
    c.pointee.profiles = arena.messages(profiles)
    c.pointee.n_missing = missing.count
    c.pointee.missing = arena.ids(missing)
    c.pointee.n_unread = unread.count
    c.pointee.unread = arena.ids(unread)
    return UnsafeMutableRawPointer(c)
  }
}

extension UpdateProfileRequest: Message {
  package static var name: String { "muster.v1.UpdateProfileRequest" }

  package static var descriptor: UnsafeRawPointer {
    UnsafeRawPointer(muster_update_profile_request_descriptor())
  }

  package init(reading raw: UnsafeRawPointer, _ reader: Reader) {
    let c = raw.assumingMemoryBound(to: Muster__V1__UpdateProfileRequest.self)
    self.init(
      profile: reader.message(c.pointee.profile, "profile"),
      updateMask: reader.texts(c.pointee.n_update_mask, c.pointee.update_mask, "update_mask"),
      expectedRevision: c.pointee.expected_revision
    )
  }

  package func write(into arena: Arena) -> UnsafeMutableRawPointer {
    let c = arena.make(Muster__V1__UpdateProfileRequest.self)
    muster__v1__update_profile_request__init(c)
    c.pointee.profile = arena.message(profile)
    c.pointee.n_update_mask = updateMask.count
    c.pointee.update_mask = arena.texts(updateMask)
    c.pointee.expected_revision = expectedRevision
    return UnsafeMutableRawPointer(c)
  }
}

extension UpdateProfileResponse: Message {
  package static var name: String { "muster.v1.UpdateProfileResponse" }

  package static var descriptor: UnsafeRawPointer {
    UnsafeRawPointer(muster_update_profile_response_descriptor())
  }

  package init(reading raw: UnsafeRawPointer, _ reader: Reader) {
    let c = raw.assumingMemoryBound(to: Muster__V1__UpdateProfileResponse.self)
    self.init(
      profile: reader.message(c.pointee.profile, "profile")
    )
  }

  package func write(into arena: Arena) -> UnsafeMutableRawPointer {
    let c = arena.make(Muster__V1__UpdateProfileResponse.self)
    muster__v1__update_profile_response__init(c)
    c.pointee.profile = arena.message(profile)
    return UnsafeMutableRawPointer(c)
  }
}

extension DeleteProfileRequest: Message {
  package static var name: String { "muster.v1.DeleteProfileRequest" }

  package static var descriptor: UnsafeRawPointer {
    UnsafeRawPointer(muster_delete_profile_request_descriptor())
  }

  package init(reading raw: UnsafeRawPointer, _ reader: Reader) {
    let c = raw.assumingMemoryBound(to: Muster__V1__DeleteProfileRequest.self)
    self.init(
      id: reader.id(c.pointee.id, "id"),
      expectedRevision: c.pointee.expected_revision
    )
  }

  package func write(into arena: Arena) -> UnsafeMutableRawPointer {
    let c = arena.make(Muster__V1__DeleteProfileRequest.self)
    muster__v1__delete_profile_request__init(c)
    c.pointee.id = arena.id(id)
    c.pointee.expected_revision = expectedRevision
    return UnsafeMutableRawPointer(c)
  }
}

extension DeleteProfileResponse: Message {
  package static var name: String { "muster.v1.DeleteProfileResponse" }

  package static var descriptor: UnsafeRawPointer {
    UnsafeRawPointer(muster_delete_profile_response_descriptor())
  }

  package init(reading raw: UnsafeRawPointer, _ reader: Reader) {
    self.init()
  }

  package func write(into arena: Arena) -> UnsafeMutableRawPointer {
    let c = arena.make(Muster__V1__DeleteProfileResponse.self)
    muster__v1__delete_profile_response__init(c)
    return UnsafeMutableRawPointer(c)
  }
}

extension ListProfilesRequest: Message {
  package static var name: String { "muster.v1.ListProfilesRequest" }

  package static var descriptor: UnsafeRawPointer {
    UnsafeRawPointer(muster_list_profiles_request_descriptor())
  }

  package init(reading raw: UnsafeRawPointer, _ reader: Reader) {
    let c = raw.assumingMemoryBound(to: Muster__V1__ListProfilesRequest.self)
    self.init(
      pageSize: c.pointee.page_size,
      pageToken: reader.text(c.pointee.page_token, "page_token")
    )
  }

  package func write(into arena: Arena) -> UnsafeMutableRawPointer {
    let c = arena.make(Muster__V1__ListProfilesRequest.self)
    muster__v1__list_profiles_request__init(c)
    c.pointee.page_size = pageSize
    c.pointee.page_token = arena.text(pageToken)
    return UnsafeMutableRawPointer(c)
  }
}

extension ListProfilesResponse: Message {
  package static var name: String { "muster.v1.ListProfilesResponse" }

  package static var descriptor: UnsafeRawPointer {
    UnsafeRawPointer(muster_list_profiles_response_descriptor())
  }

  package init(reading raw: UnsafeRawPointer, _ reader: Reader) {
    let c = raw.assumingMemoryBound(to: Muster__V1__ListProfilesResponse.self)
    self.init(
      profiles: reader.messages(c.pointee.n_profiles, c.pointee.profiles, "profiles"),
      nextPageToken: reader.text(c.pointee.next_page_token, "next_page_token")
    )
  }

  package func write(into arena: Arena) -> UnsafeMutableRawPointer {
    let c = arena.make(Muster__V1__ListProfilesResponse.self)
    muster__v1__list_profiles_response__init(c)
    c.pointee.n_profiles = profiles.count
    c.pointee.profiles = arena.messages(profiles)
    c.pointee.next_page_token = arena.text(nextPageToken)
    return UnsafeMutableRawPointer(c)
  }
}

extension SetAvatarRequest: Message {
  package static var name: String { "muster.v1.SetAvatarRequest" }

  package static var descriptor: UnsafeRawPointer {
    UnsafeRawPointer(muster_set_avatar_request_descriptor())
  }

  package init(reading raw: UnsafeRawPointer, _ reader: Reader) {
    let c = raw.assumingMemoryBound(to: Muster__V1__SetAvatarRequest.self)
    self.init(
      profileID: reader.id(c.pointee.profile_id, "profile_id"),
      image: reader.bytes(c.pointee.image, "image")
    )
  }

  package func write(into arena: Arena) -> UnsafeMutableRawPointer {
    let c = arena.make(Muster__V1__SetAvatarRequest.self)
    muster__v1__set_avatar_request__init(c)
    c.pointee.profile_id = arena.id(profileID)
    c.pointee.image = arena.bytes(image)
    return UnsafeMutableRawPointer(c)
  }
}

extension SetAvatarResponse: Message {
  package static var name: String { "muster.v1.SetAvatarResponse" }

  package static var descriptor: UnsafeRawPointer {
    UnsafeRawPointer(muster_set_avatar_response_descriptor())
  }

  package init(reading raw: UnsafeRawPointer, _ reader: Reader) {
    let c = raw.assumingMemoryBound(to: Muster__V1__SetAvatarResponse.self)
    self.init(
      profile: reader.message(c.pointee.profile, "profile")
    )
  }

  package func write(into arena: Arena) -> UnsafeMutableRawPointer {
    let c = arena.make(Muster__V1__SetAvatarResponse.self)
    muster__v1__set_avatar_response__init(c)
    c.pointee.profile = arena.message(profile)
    return UnsafeMutableRawPointer(c)
  }
}

extension GetAvatarRequest: Message {
  package static var name: String { "muster.v1.GetAvatarRequest" }

  package static var descriptor: UnsafeRawPointer {
    UnsafeRawPointer(muster_get_avatar_request_descriptor())
  }

  package init(reading raw: UnsafeRawPointer, _ reader: Reader) {
    let c = raw.assumingMemoryBound(to: Muster__V1__GetAvatarRequest.self)
    self.init(
      avatarID: reader.hash(c.pointee.avatar_id, "avatar_id")
    )
  }

  package func write(into arena: Arena) -> UnsafeMutableRawPointer {
    let c = arena.make(Muster__V1__GetAvatarRequest.self)
    muster__v1__get_avatar_request__init(c)
    c.pointee.avatar_id = arena.bytes(avatarID)
    return UnsafeMutableRawPointer(c)
  }
}

extension GetAvatarResponse: Message {
  package static var name: String { "muster.v1.GetAvatarResponse" }

  package static var descriptor: UnsafeRawPointer {
    UnsafeRawPointer(muster_get_avatar_response_descriptor())
  }

  package init(reading raw: UnsafeRawPointer, _ reader: Reader) {
    let c = raw.assumingMemoryBound(to: Muster__V1__GetAvatarResponse.self)
    self.init(
      image: reader.bytes(c.pointee.image, "image"),
      mediaType: reader.text(c.pointee.media_type, "media_type")
    )
  }

  package func write(into arena: Arena) -> UnsafeMutableRawPointer {
    let c = arena.make(Muster__V1__GetAvatarResponse.self)
    muster__v1__get_avatar_response__init(c)
    c.pointee.image = arena.bytes(image)
    c.pointee.media_type = arena.text(mediaType)
    return UnsafeMutableRawPointer(c)
  }
}
