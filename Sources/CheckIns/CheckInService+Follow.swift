import Model
package import ServiceKit
package import Wire

/// What of the other two logs matters here: which profiles and places exist, whose a profile is,
/// how many fit at a place. Deletes cascade.
extension CheckInService {
  package func apply(
    _ changes: [Change], of log: LogName, through revision: UInt64, at now: Moment
  ) throws {
    noteWiderChange()
    for change in changes { try apply(change, now) }
    positions[log] = revision
    try store.setPosition(log, revision)
  }

  package func applySnapshot(_ page: SnapshotPage, of log: LogName, at now: Moment) throws {
    noteWiderChange()
    guard var seen = page.isFirst ? [] : seenInSnapshot[log] else {
      preconditionFailure("a page of a snapshot whose first one is not known")
    }
    // Not in two places, so that it is never copied.
    seenInSnapshot[log] = nil
    for change in page.entries {
      try apply(change, now)
      switch change.what {
      case .profilePut(let profile): if let id = profile.id { seen.insert(id) }
      case .locationPut(let location): if let id = location.id { seen.insert(id) }
      case .profileDeleted, .locationDeleted, .checkIn, nil: break
      }
    }
    guard page.isLast else {
      seenInSnapshot[log] = seen
      return
    }
    // What the snapshot does not name has been deleted while nobody told us.
    let gone =
      log == .profiles
      ? userOfPerson.indices.filter { userOfPerson[$0] != nil }.map { presence.people[$0].id }
      : presence.places.map(\.id)
    for id in gone where !seen.contains(id) {
      if log == .profiles { try removePerson(id, now) } else { try removePlace(id, now) }
    }
    positions[log] = page.revision
    try store.setPosition(log, page.revision)
  }

  private func apply(_ change: Change, _ now: Moment) throws {
    switch change.what {
    case .profilePut(let profile): try put(profile, now)
    case .profileDeleted(let id): try removePerson(id, now)
    case .locationPut(let location): try put(location)
    case .locationDeleted(let id): try removePlace(id, now)
    case .checkIn, nil: break
    }
  }

  private func put(_ profile: Profile, _ now: Moment) throws {
    guard let id = profile.id, presence.person(id) == nil else { return }
    // A user has one profile: another one of the same user means that the first is gone.
    if let old = person(ofUser: profile.userID) {
      try removePerson(presence[person: old].id, now)
    }
    let person = presence.addPerson(id)
    noteUser(profile.userID, of: person)
    try store.add(person: person, id, user: profile.userID)
  }

  private func removePerson(_ id: ID, _ now: Moment) throws {
    guard let person = presence.person(id) else { return }
    if presence.stay(of: person).place != nil {
      try change(person, to: nil, .profileDeleted, at: now)
    }
    presence.forgetPerson(person)
    if let user = forgetUser(of: person) { try forget(user: user) }
    try store.forget(person: person)
    // Of those that an earlier version has kept.
    try store.keptResponses.erase(id)
  }

  private func put(_ location: Location) throws {
    guard let id = location.id else { return }
    if let place = presence.place(id) {
      guard capacities[Int(place)] != location.capacity else { return }
      capacities[Int(place)] = location.capacity
      try store.set(place: place, capacity: location.capacity, isKnown: true)
    } else {
      let place = presence.addPlace(id)
      capacities.append(location.capacity)
      try store.add(place: place, id, capacity: location.capacity)
    }
  }

  private func removePlace(_ id: ID, _ now: Moment) throws {
    guard let place = presence.place(id) else { return }
    for person in presence.members(ofPlace: place).reversed() {
      try change(person, to: nil, .locationDeleted, at: now)
    }
    presence.forgetPlace(place)
    try store.set(place: place, capacity: capacities[Int(place)], isKnown: false)
  }

  package func answer(
    _ question: AttendDeletesResponse, at _: Moment
  ) throws -> AnswerDeleteRequest {
    var answer = AnswerDeleteRequest(
      question: question.question, checkInsRevision: lastRevision)
    if question.atLeast == nil { try store.proveThatItWrites() }
    guard let id = question.locationID else { return answer }
    if question.atLeast == nil {
      answer.count = presence.place(id).map { UInt32(presence.count($0)) } ?? 0
    } else if let place = presence.places.lastIndex(where: { $0.id == id }) {
      let slot = Presence.Slot(place)
      try store.history.follow(.place(slot), from: lastEntries[place: slot]) { entry in
        guard entry.reason == .locationDeleted else { return false }
        answer.count += 1
        return true
      }
    }
    return answer
  }
}
