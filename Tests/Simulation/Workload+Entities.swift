import Model
import Wire

/// Who and what there is: profiles and places come, change and go.
extension Workload {
  func createProfile() -> Operation {
    let number = nextNumber
    // Now and then the caller's own, of which there is one.
    let user = chance.one(in: 6) ? customer.user : "visitor-\(number)"
    let asked = Profile(
      userID: user == customer.user && chance.one(in: 2) ? "" : user, firstName: "First",
      lastName: "call-\(number)")
    return call(
      CreateProfileRequest(profile: asked), number: number, key: chance.id(),
      refused: { [unowned self] answer in judgeExisting(answer, user) },
      check: { [unowned self] response, answer in
        guard let profile = response.profile, let id = profile.id else {
          return judge.fail(answer, "created nobody")
        }
        let revision = answer.header.asOf.profiles
        let isSo =
          profile.userID == user && profile.lastName == asked.lastName
          && profile.revision == revision && truth.profiles.created(id) == profile
        if !isSo { judge.fail(answer, "created \(profile)") }
      })
  }

  /// Many at once, so that a snapshot has several pages.
  func crowd() -> Operation {
    let number = nextNumber
    let asked = (0..<500).map { index in
      Profile(
        userID: "crowd-\(number)-\(index)", firstName: "First", lastName: "call-\(number)-\(index)")
    }
    return call(
      BatchCreateProfilesRequest(profiles: asked), number: number, key: chance.id(),
      refused: { [unowned self] answer in
        // One of them has been deleted by now.
        let isGone = truth.profiles.ids.contains { id in
          truth.profiles.created(id)?.userID.hasPrefix("crowd-\(number)-") == true
            && truth.profiles.isDeleted(id)
        }
        if answer.reason != Reason.profileNotFound.rawValue || !isGone {
          judge.fail(answer, answer.reason)
        }
      },
      check: { [unowned self] response, answer in
        let made = response.ids.map { truth.profiles.created($0)?.lastName ?? "" }
        if made != asked.map(\.lastName) || Int(response.created) != asked.count {
          judge.fail(answer, "B4: created \(response.created) of \(asked.count)")
        }
      })
  }

  private func judgeExisting(_ answer: Answer, _ user: String) {
    if answer.reason == Reason.profileNotFound.rawValue {
      // The profile that this very call has made is gone by now.
      let name = "call-\(answer.attempt.operation.number)"
      let mine = truth.profiles.ids.first { truth.profiles.created($0)?.lastName == name }
      guard let mine, truth.profiles.isDeleted(mine) else {
        return judge.fail(answer, "is not found, and was never deleted")
      }
      return
    }
    guard answer.reason == Reason.profileExists.rawValue else {
      return judge.fail(answer, answer.reason)
    }
    let profile = world.codec.read(CreateProfileResponse.self, answer.body).profile
    guard let profile, let id = profile.id, profile.userID == user,
      truth.profiles.held(id, since: 0, where: { $0 == profile })
    else { return judge.fail(answer, "B5: there is none") }
  }

  func updateProfile() -> Operation {
    let number = nextNumber
    let id = person()
    let asked = Profile(id: id, firstName: "First-\(number)", bio: "call-\(number)")
    let renames = chance.one(in: 2)
    return call(
      UpdateProfileRequest(profile: asked, updateMask: renames ? ["bio", "first_name"] : ["bio"]),
      number: number, key: chance.id(),
      refused: { [unowned self] answer in judge.profileNotFound(id, answer) },
      check: { [unowned self] response, answer in
        let revision = answer.header.asOf.profiles
        guard let profile = response.profile, profile.id == id, profile.bio == asked.bio,
          truth.profiles.value(id, at: revision) == profile,
          !renames || profile.firstName == asked.firstName
        else { return judge.fail(answer, "made \(String(describing: response.profile))") }
      })
  }

  func deleteProfile() -> Operation {
    let id = person()
    return call(
      DeleteProfileRequest(id: id), number: nextNumber, key: chance.id(),
      refused: { [unowned self] answer in judge.profileNotFound(id, answer) },
      check: { [unowned self] _, answer in
        let asOf = answer.header.asOf
        if truth.profiles.value(id, at: asOf.profiles) != nil {
          judge.fail(answer, "B6: is still there at profiles \(asOf.profiles)")
        }
        if truth.checkIns.stay(of: id, at: asOf.checkIns)?.place != nil {
          judge.fail(answer, "C10: is still checked in at check-ins \(asOf.checkIns)")
        }
      })
  }

  // MARK: - Places

  func createLocation() -> Operation {
    let number = nextNumber
    let asked = Location(
      name: "call-\(number)", description: "new", capacity: capacity)
    return call(
      CreateLocationRequest(location: asked), number: number, key: chance.id(),
      check: { [unowned self] response, answer in
        guard let location = response.location, let id = location.id,
          location.name == asked.name, location.revision == answer.header.asOf.locations,
          truth.locations.created(id) == location
        else { return judge.fail(answer, "created \(String(describing: response.location))") }
      })
  }

  private var capacity: UInt32 { chance.one(in: 4) ? UInt32(chance.between(2, 6)) : 0 }

  func updateLocation() -> Operation {
    let number = nextNumber
    let id = place()
    let asked = Location(id: id, description: "call-\(number)", capacity: capacity)
    let mask = chance.one(in: 3) ? ["description", "capacity"] : ["description"]
    return call(
      UpdateLocationRequest(location: asked, updateMask: mask), number: number, key: chance.id(),
      refused: { [unowned self] answer in judge.locationNotFound(id, answer) },
      check: { [unowned self] response, answer in
        guard let location = response.location, location.description == asked.description,
          truth.locations.value(id, at: answer.header.asOf.locations) == location
        else { return judge.fail(answer, "made \(String(describing: response.location))") }
      })
  }

  func deleteLocation() -> Operation {
    let id = place()
    let everyone = chance.one(in: 2)
    return call(
      DeleteLocationRequest(id: id, checkOutEveryone: everyone), number: nextNumber,
      key: chance.id(),
      refused: { [unowned self] answer in
        if answer.reason == Reason.locationNotFound.rawValue {
          judge.locationNotFound(id, answer)
        } else if answer.reason != Reason.locationOccupied.rawValue || everyone
          || !judge.had(1, at: id, during: answer)
        {
          judge.fail(answer, answer.reason)
        }
      },
      check: { [unowned self] response, answer in
        let asOf = answer.header.asOf
        if truth.locations.value(id, at: asOf.locations) != nil {
          judge.fail(answer, "is still there at locations \(asOf.locations)")
        }
        if !truth.checkIns.members(of: id, at: asOf.checkIns).isEmpty {
          judge.fail(answer, "C10: somebody is there at check-ins \(asOf.checkIns)")
        }
        let out = truth.checkIns.entries.prefix(Int(asOf.checkIns)).count {
          $0.reason == .locationDeleted && $0.fromLocationID == id
        }
        if out != Int(response.checkedOut) {
          judge.fail(answer, "says \(response.checkedOut) were checked out, and were \(out)")
        }
        truth.toldDeletion(of: id)
      })
  }
}
