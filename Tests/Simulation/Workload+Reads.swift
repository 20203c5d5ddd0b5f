import Model
import Wire

/// What is asked of single people and places, and of what happened.
extension Workload {
  func status() -> Operation {
    let id = person()
    return call(
      GetStatusRequest(profileID: id), number: nextNumber,
      refused: { [unowned self] answer in judge.profileNotFound(id, answer) },
      check: { [unowned self] response, answer in
        judge.status(response.status, of: id, at: answer.header.asOf.checkIns, answer)
      })
  }

  func getProfile() -> Operation {
    let id = person()
    return call(
      GetProfileRequest(id: id), number: nextNumber,
      refused: { [unowned self] answer in judge.profileNotFound(id, answer) },
      check: { [unowned self] response, answer in
        if response.profile != truth.profiles.value(id, at: answer.header.asOf.profiles) {
          judge.fail(answer, "gives \(String(describing: response.profile))")
        }
      })
  }

  func batchGetProfiles() -> Operation {
    var ids: [ID] = []
    for _ in 0..<chance.between(1, 8) {
      let id = person()
      if !ids.contains(id) { ids.append(id) }
    }
    return call(
      BatchGetProfilesRequest(ids: ids), number: nextNumber,
      check: { [unowned self] response, answer in
        let known = ids.compactMap { truth.profiles.value($0, at: answer.header.asOf.profiles) }
        if response.profiles != known { judge.fail(answer, "gives \(response.profiles)") }
        if response.profiles.count + response.missing.count != ids.count {
          judge.fail(answer, "\(response.missing.count) are missing of \(ids.count)")
        }
      })
  }

  func getMe() -> Operation {
    call(
      GetMeRequest(), number: nextNumber,
      check: { [unowned self] response, answer in
        let mine = truth.profiles.all(at: answer.header.asOf.profiles)
          .filter { $0.userID == self.customer.user }
        if response.userID != customer.user || response.profile != mine.first || mine.count > 1 {
          judge.fail(answer, "is \(response)")
        }
      })
  }

  // MARK: - Everybody, and all places

  func listProfiles() -> Operation { listProfiles(after: nil, "") }

  private func listProfiles(after last: Profile?, _ token: String) -> Operation {
    let size = world.crowd > 0 ? 500 : Int(chance.between(3, 12))
    let operation = call(
      ListProfilesRequest(pageSize: UInt32(size), pageToken: token), number: nextNumber,
      check: { [unowned self] response, answer in
        var all = truth.profiles.all(at: answer.header.asOf.profiles)
        all.sort { Self.order($0) < Self.order($1) }
        if let last { all.removeAll { Self.order($0) <= Self.order(last) } }
        if response.profiles != Array(all.prefix(size))
          || response.nextPageToken.isEmpty != (all.count <= size)
        {
          judge.fail(answer, "another page than \(all.prefix(size).map(\.lastName))")
        }
      })
    operation.next = { [unowned self] answer in
      guard let answer, answer.code == .ok else { return }
      let page = world.codec.read(ListProfilesResponse.self, answer.body)
      guard !page.nextPageToken.isEmpty, let last = page.profiles.last else { return }
      customer.goOn(listProfiles(after: last, page.nextPageToken))
    }
    return operation
  }

  private static func order(_ profile: Profile) -> (String, String, ID) {
    (profile.lastName, profile.firstName, profile.id ?? ID(high: 0, low: 0))
  }

  func listLocations() -> Operation {
    call(
      ListLocationsRequest(pageSize: 1_000), number: nextNumber,
      check: { [unowned self] response, answer in
        let all = truth.locations.all(at: answer.header.asOf.locations)
          .sorted { ($0.name, $0.id ?? Self.noID) < ($1.name, $1.id ?? Self.noID) }
        if response.results.compactMap(\.location) != all {
          judge.fail(answer, "gives other places than \(all.map(\.name))")
        }
      })
  }

  static var noID: ID { ID(high: 0, low: 0) }

  // MARK: - What happened

  func history() -> Operation {
    let isOfPerson = chance.one(in: 2)
    return history(isOfPerson ? person() : nil, isOfPerson ? nil : place(), before: .max, "")
  }

  private func history(
    _ person: ID?, _ place: ID?, before: UInt64, _ token: String
  ) -> Operation {
    let size = Int(chance.between(2, 20))
    let operation = call(
      ListHistoryRequest(
        profileID: person, locationID: place, pageSize: UInt32(size), pageToken: token),
      number: nextNumber,
      refused: { [unowned self] answer in
        if let person { judge.profileNotFound(person, answer) }
        if let place { judge.locationNotFound(place, answer) }
      },
      check: { [unowned self] response, answer in
        let all = truth.checkIns.entries.prefix(Int(answer.header.asOf.checkIns)).reversed()
          .filter { entry in
            entry.revision < before && entry.reason != .renewed
              && (person == nil || entry.profileID == person)
              && (place == nil || entry.fromLocationID == place || entry.toLocationID == place)
          }
        let isSame =
          response.changes.count == min(size, all.count)
          && zip(response.changes, all).allSatisfy(Self.isSame)
        if !isSame || response.nextPageToken.isEmpty != (all.count <= size) {
          judge.fail(answer, "tells \(response.changes.map(\.revision))")
        }
      })
    operation.next = { [unowned self] answer in
      guard let answer, answer.code == .ok else { return }
      let page = world.codec.read(ListHistoryResponse.self, answer.body)
      guard !page.nextPageToken.isEmpty, let last = page.changes.last else { return }
      customer.goOn(history(person, place, before: last.revision, page.nextPageToken))
    }
    return operation
  }

  /// Who asked for it is forgotten with that user's profile.
  private static func isSame(_ told: CheckInChange, _ known: CheckInChange) -> Bool {
    var known = known
    if told.actingUser.isEmpty { known.actingUser = "" }
    return told == known
  }
}
