package import Model
import ServiceKit
package import Wire

/// One of the four texts of a profile, by its name in the protocol: what a person may say of
/// themselves, and what an update may name.
package enum ProfileText: String, CaseIterable, Sendable {
  case firstName = "first_name"
  case lastName = "last_name"
  case companyName = "company_name"
  case bio

  /// How long it may be.
  package var rule: TextRule {
    switch self {
    case .firstName: .firstName
    case .lastName: .lastName
    case .companyName: .companyName
    case .bio: .bio
    }
  }
}

extension Profile {
  /// The text of this name.
  package subscript(_ text: ProfileText) -> String {
    get {
      switch text {
      case .firstName: firstName
      case .lastName: lastName
      case .companyName: companyName
      case .bio: bio
      }
    }
    set {
      switch text {
      case .firstName: firstName = newValue
      case .lastName: lastName = newValue
      case .companyName: companyName = newValue
      case .bio: bio = newValue
      }
    }
  }

  /// No fewer bytes than it takes on the wire inside a list: its texts, 48 bytes of ids, 30 of
  /// numbers, and up to 4 for each tag and length.
  var wireBytesAtMost: Int {
    userID.utf8.count + firstName.utf8.count + lastName.utf8.count + companyName.utf8.count
      + bio.utf8.count + 122
  }
}

/// What the service asks of a profile's texts: the protocol's rules, and the operator's.
package struct ProfileRules: Sendable {
  /// Texts that may not be blank here, though the protocol lets them be: the operator's setting
  /// `required-profile-fields`.
  package var required: Set<ProfileText>

  package init(required: Set<ProfileText> = []) { self.required = required }

  /// Checks some of a profile's texts.
  /// - Parameter path: where the profile stands in the request, for example "profiles[3]".
  func check(
    _ texts: some Sequence<ProfileText>, of profile: Profile, at path: String, _ form: inout Form
  ) {
    for text in texts {
      if let problem = problem(with: profile[text], as: text) {
        form.refuse("\(path).\(text.rawValue)", problem)
      }
    }
  }

  private func problem(with value: String, as text: ProfileText) -> String? {
    if let problem = text.rule.check(value) { return problem }
    guard required.contains(text), TextRule.isBlank(value) else { return nil }
    return "\(text.rule.name) may not be blank: this server asks for it."
  }

  /// A new profile has its texts, and leaves the server's own fields to the server.
  func check(_ request: CreateProfileRequest, _ form: inout Form) {
    checkNew(request.profile ?? Profile(), at: "profile", &form)
  }

  private func checkNew(_ profile: Profile, at path: String, _ form: inout Form) {
    form.empty("\(path).id", profile.id == nil)
    form.text("\(path).user_id", profile.userID, .userID)
    check(ProfileText.allCases, of: profile, at: path, &form)
    form.empty("\(path).avatar_id", profile.avatarID.isEmpty)
    form.empty("\(path).create_time_ms", profile.createTimeMs == 0)
    form.empty("\(path).update_time_ms", profile.updateTimeMs == 0)
    form.empty("\(path).revision", profile.revision == 0)
  }

  /// A batch is not too large, each profile in it is as for a create, and nobody is in it twice.
  func check(_ request: BatchCreateProfilesRequest, _ form: inout Form) {
    let profiles = request.profiles
    guard profiles.count <= Limits.batchItems else {
      return form.refuse(
        "profiles",
        "There are \(profiles.count) profiles; at most \(Limits.batchItems) are allowed.")
    }
    var firstOf: [String: Int] = [:]
    firstOf.reserveCapacity(profiles.count)
    for (index, profile) in profiles.enumerated() {
      checkNew(profile, at: "profiles[\(index)]", &form)
      if profile.userID.isEmpty { continue }
      if let first = firstOf.updateValue(index, forKey: profile.userID) {
        form.refuse("profiles[\(index)].user_id", "It is the user of profiles[\(first)] too.")
      }
    }
  }

  /// An update names texts, and those are in order.
  func check(_ request: UpdateProfileRequest, _ form: inout Form) {
    if request.updateMask.isEmpty {
      form.refuse("update_mask", "It is empty; name the fields to change.")
    }
    var named: Set<ProfileText> = []
    for (index, name) in request.updateMask.enumerated() {
      if let text = ProfileText(rawValue: name) {
        named.insert(text)
      } else {
        form.refuse(
          "update_mask[\(index)]",
          "It may be one of \(ProfileText.allCases.map(\.rawValue).joined(separator: ", ")).")
      }
    }
    let texts = ProfileText.allCases.filter(named.contains)
    check(texts, of: request.profile ?? Profile(), at: "profile", &form)
  }
}
