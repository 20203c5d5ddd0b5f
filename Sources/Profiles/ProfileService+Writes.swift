import Model
import ServiceKit
import Wire

/// The calls that change something. Each decides everything before it touches the store.
extension ProfileService {
  func registerWrites(_ handlers: inout Handlers) {
    handlers.write(
      .createProfile, of: .profiles, needsUser: { $0.profile?.userID.isEmpty ?? true },
      check: rules.check
    ) { (request: CreateProfileRequest, context) in try self.create(request, &context)
    }
    handlers.write(.batchCreateProfiles, of: .profiles, check: rules.check) {
      (request: BatchCreateProfilesRequest, context) in try self.create(request, &context)
    }
    handlers.write(
      .updateProfile, of: .profiles, needsUser: { $0.profile?.id == nil }, check: rules.check
    ) { (request: UpdateProfileRequest, context) in try self.update(request, &context)
    }
    handlers.write(
      .setAvatar, of: .profiles, needsUser: { $0.profileID == nil }, check: Self.check
    ) { (request: SetAvatarRequest, context) in try self.setAvatar(request, &context)
    }
    handlers.delete(
      .deleteProfile, of: .profiles, needsUser: { $0.id == nil }, place: Self.place,
      settle: Self.settle, check: { _, _ in },
      { (request, context) in try self.delete(request, context) })
  }

  private func create(
    _ request: CreateProfileRequest, _ context: inout CallContext
  ) throws -> CreateProfileResponse {
    let asked = request.profile ?? Profile()
    let caller = context.caller
    let owner: String
    if asked.userID.isEmpty {
      owner = try caller.identified()
    } else {
      owner = asked.userID
      if !caller.mayActAs(.admin) { _ = try caller.identified() }
      try caller.check(mayTouchProfileOf: owner, orAs: .admin)
    }
    if let existing = try store.profile(ofUser: owner) {
      throw Refusal(
        .profileExists, "This user has a profile already.",
        body: encoder.bytes(CreateProfileResponse(profile: existing)))
    }
    let created = try add(asked, of: owner, context.now)
    context.tellsOf = created.id.map { [$0] } ?? []
    return CreateProfileResponse(profile: created)
  }

  private func create(
    _ request: BatchCreateProfilesRequest, _ context: inout CallContext
  ) throws -> BatchCreateProfilesResponse {
    let now = context.now
    var response = BatchCreateProfilesResponse()
    for asked in request.profiles {
      let owner = asked.userID.isEmpty ? makeID(now).description : asked.userID
      let profile: Profile
      if let existing = try store.profile(ofUser: owner) {
        profile = try change(existing, ProfileText.allCases, as: asked, now)
        if profile.revision != existing.revision { response.changed += 1 }
      } else {
        profile = try add(asked, of: owner, now)
        response.created += 1
      }
      if let id = profile.id { response.ids.append(id) }
    }
    context.tellsOf = response.ids
    return response
  }

  private func add(_ asked: Profile, of owner: String, _ now: Moment) throws -> Profile {
    var profile = asked
    profile.id = makeID(now)
    profile.userID = owner
    return try store.add(profile, at: now)
  }

  private func update(
    _ request: UpdateProfileRequest, _ context: inout CallContext
  ) throws -> UpdateProfileResponse {
    let asked = request.profile ?? Profile()
    let (profile, id) = try profile(toChange: asked.id, by: context.caller)
    try check(profile, request.expectedRevision)
    context.tellsOf = [id]
    let named = request.updateMask.compactMap(ProfileText.init)
    return UpdateProfileResponse(profile: try change(profile, named, as: asked, context.now))
  }

  /// Takes some texts from `asked`. What is as it was makes no change.
  private func change(
    _ profile: Profile, _ texts: [ProfileText], as asked: Profile, _ now: Moment
  ) throws -> Profile {
    var changed = profile
    for text in texts { changed[text] = asked[text] }
    return changed == profile ? profile : try store.change(changed, at: now)
  }

  /// No place goes with a person.
  private static func place(_: DeleteProfileRequest) -> ID? { nil }

  private static func settle(_: AnswerDeleteRequest) -> DeleteProfileResponse {
    DeleteProfileResponse()
  }

  private func delete(
    _ request: DeleteProfileRequest, _ context: CallContext
  ) throws -> DeleteProfileResponse {
    let (profile, _) = try profile(toChange: request.id, by: context.caller)
    try check(profile, request.expectedRevision)
    // Until the check-in service has seen the delete, lists and counts have the person still.
    guard context.occupants != nil else { throw AskOccupants(of: nil) }
    try store.remove(profile, at: context.now)
    return DeleteProfileResponse()
  }

  private static func check(_ request: SetAvatarRequest, _ form: inout Form) {
    form.image("image", request.image)
  }

  private func setAvatar(
    _ request: SetAvatarRequest, _ context: inout CallContext
  ) throws -> SetAvatarResponse {
    let (profile, id) = try profile(toChange: request.profileID, by: context.caller)
    context.tellsOf = [id]
    return SetAvatarResponse(
      profile: try store.setAvatar(of: profile, to: request.image, at: context.now))
  }

  /// - Throws: `REVISION_MISMATCH`, where the caller has seen another state of the profile.
  private func check(_ profile: Profile, _ expectedRevision: UInt64) throws(Refusal) {
    if expectedRevision == 0 || expectedRevision == profile.revision { return }
    throw Refusal(
      .revisionMismatch,
      "The profile was last changed by revision \(profile.revision), not \(expectedRevision).")
  }
}
