import Model
import ServiceKit
import Wire

/// The calls that change nothing.
extension ProfileService {
  func registerReads(_ handlers: inout Handlers) {
    handlers.read(.getMe, of: .profiles, needsUser: { _ in true }) { (_: GetMeRequest, context) in
      try self.me(context.caller)
    }
    handlers.read(.getProfile, of: .profiles, check: Self.check) {
      (request: GetProfileRequest, _) in try self.profile(request)
    }
    handlers.read(.batchGetProfiles, of: .profiles, check: Self.check) {
      (request: BatchGetProfilesRequest, _) in try self.profiles(request)
    }
    handlers.read(.listProfiles, of: .profiles, check: Self.check) {
      (request: ListProfilesRequest, _) in try self.list(request)
    }
    handlers.read(.getAvatar, of: .profiles, check: Self.check) {
      (request: GetAvatarRequest, _) in try self.avatar(request)
    }
  }

  private func me(_ caller: Caller) throws -> GetMeResponse {
    let user = try caller.identified()
    return GetMeResponse(
      userID: user, profile: try store.profile(ofUser: user), roles: caller.roles.names)
  }

  // MARK: - One, or some

  private static func check(_ request: GetProfileRequest, _ form: inout Form) {
    switch (request.id, request.userID.isEmpty) {
    case (nil, true): form.refuse("id", "One of id and user_id is needed.")
    case (.some, false): form.refuse("user_id", "One of id and user_id is enough.")
    default: form.text("user_id", request.userID, .userID)
    }
  }

  private func profile(_ request: GetProfileRequest) throws -> GetProfileResponse {
    let found =
      if let id = request.id {
        try store.profile(id)
      } else {
        try store.profile(ofUser: request.userID)
      }
    guard let found else { throw Self.notFound }
    return GetProfileResponse(profile: found)
  }

  private static func check(_ request: BatchGetProfilesRequest, _ form: inout Form) {
    if request.ids.count > Limits.batchItems {
      form.refuse(
        "ids", "There are \(request.ids.count) ids; at most \(Limits.batchItems) are allowed.")
    }
  }

  private func profiles(_ request: BatchGetProfilesRequest) throws -> BatchGetProfilesResponse {
    var response = BatchGetProfilesResponse()
    var asked = Set<ID>(minimumCapacity: request.ids.count)
    var size = 0
    for id in request.ids where asked.insert(id).inserted {
      guard response.unread.isEmpty else {
        response.unread.append(id)
        continue
      }
      guard let profile = try store.profile(id) else {
        response.missing.append(id)
        continue
      }
      size += profile.wireBytesAtMost
      if size > Limits.pageBytes {
        response.unread.append(id)
      } else {
        response.profiles.append(profile)
      }
    }
    return response
  }

  // MARK: - Everybody

  private static let everybody = Question(.listProfiles).hash

  private static func check(_ request: ListProfilesRequest, _ form: inout Form) throws {
    _ = try position(request)
  }

  private static func position(_ request: ListProfilesRequest) throws(Refusal) -> ListPosition? {
    guard let bytes = try PageToken.read(request.pageToken, question: everybody) else { return nil }
    return try ListPosition(bytes)
  }

  private func list(_ request: ListProfilesRequest) throws -> ListProfilesResponse {
    let limit = Limits.pageItems(asked: request.pageSize)
    var response = ListProfilesResponse()
    var size = 0
    var last: ListPosition?
    try store.visitProfiles(after: Self.position(request)) { profile in
      size += profile.wireBytesAtMost
      guard let id = profile.id, response.profiles.count < limit,
        size <= Limits.pageBytes || response.profiles.isEmpty
      else {
        // There is one more, so this page is not the last.
        response.nextPageToken =
          last.map { PageToken.make(question: Self.everybody, position: $0.bytes) } ?? ""
        return false
      }
      response.profiles.append(profile)
      last = ListPosition(profile, id)
      return true
    }
    return response
  }

  // MARK: - Avatars

  private static func check(_ request: GetAvatarRequest, _ form: inout Form) {
    if request.avatarID.isEmpty {
      form.refuse("avatar_id", "It is needed.")
    }
  }

  private func avatar(_ request: GetAvatarRequest) throws -> GetAvatarResponse {
    guard let found = try store.avatar(request.avatarID) else {
      throw Refusal(.imageNotFound, "Nobody has an avatar with this id.")
    }
    return found
  }
}
