import Model
import ServiceKit
import Wire

/// What is true: the logs of the three services as they were committed, and what must hold of them.
/// Everything that anybody is told is compared with it.
final class Truth {
  private unowned let world: World
  private(set) var profiles = EntityLog<Profile>()
  private(set) var locations = EntityLog<Location>()
  private(set) var checkIns = PresenceLog()
  private var profileOfUser: [String: ID] = [:]
  /// Which profile, or place, was created with a text that one call alone has sent.
  private var createdBy: [String: ID] = [:]
  /// When the deletion of a place was acknowledged: nobody arrives there any more.
  private var deletionsToldUs: [ID: Int64] = [:]
  /// When stays end that end by themselves, by the clock of the check-in service.
  private var dueUs: [ID: Int64] = [:]

  init(_ world: World) { self.world = world }

  func lastRevision(_ log: LogName) -> UInt64 {
    switch log {
    case .profiles: profiles.lastRevision
    case .locations: locations.lastRevision
    case .checkIns: checkIns.lastRevision
    }
  }

  // MARK: - Commits

  /// A service has committed these, and nobody has been told yet.
  func committed(_ changes: [Change], of log: LogName, by node: Node) {
    for change in changes {
      world.note(.commit, UInt64(log.rawValue), change.revision, UInt64(change.timeMs)) {
        "\(log.text) \(change.revision): \(text(change.what))"
      }
      guard change.revision == lastRevision(log) + 1 else {
        return world.fail(
          "revisions without gaps: \(log.text) commits \(change.revision) after "
            + "\(lastRevision(log))")
      }
      take(change, node)
    }
  }

  private func take(_ change: Change, _ node: Node) {
    switch change.what {
    case .profilePut(let profile): put(profile)
    case .profileDeleted(let id):
      if let user = profiles.current(id)?.userID { profileOfUser[user] = nil }
      profiles.append(id, nil, atUs: world.nowUs)
    case .locationPut(let location):
      guard let id = location.id else { return world.fail("a place without an id") }
      if locations.versions[id] == nil { created(id, by: location.name) }
      locations.append(id, location, atUs: world.nowUs)
    case .locationDeleted(let id): locations.append(id, nil, atUs: world.nowUs)
    case .checkIn(let entry): take(entry, node)
    case nil: world.fail("a change of nothing")
    }
  }

  private func put(_ profile: Profile) {
    guard let id = profile.id else { return world.fail("a profile without an id") }
    if let other = profileOfUser[profile.userID], other != id {
      world.fail("B5: \(profile.userID) has two profiles, \(other) and \(id)")
    }
    profileOfUser[profile.userID] = id
    if profiles.versions[id] == nil { created(id, by: profile.lastName) }
    profiles.append(id, profile, atUs: world.nowUs)
  }

  private func created(_ id: ID, by call: String) {
    if let other = createdBy[call] {
      world.fail("one effect of one key: \(call) made \(other) and \(id)")
    }
    createdBy[call] = id
  }

  private func take(_ entry: CheckInChange, _ node: Node) {
    guard let person = entry.profileID else { return world.fail("a check-in of nobody") }
    checkEnd(entry, person, node)
    if let fault = checkIns.append(entry, atUs: world.nowUs) {
      world.fail("check-ins \(entry.revision): \(fault)")
    }
    if let place = entry.toLocationID, entry.reason == .requested { checkArrival(entry, place) }
    dueUs[person] =
      entry.toLocationID == nil || entry.expireTimeMs == 0
      ? nil : world.nowUs + (entry.expireTimeMs - node.now.wallMs) * 1_000
  }

  private func checkArrival(_ entry: CheckInChange, _ place: ID) {
    guard let versions = locations.versions[place] else {
      return world.fail("check-ins \(entry.revision): \(place) never was a place")
    }
    if let toldUs = deletionsToldUs[place], toldUs < world.nowUs {
      world.fail("C10: somebody arrives at \(place), whose deletion was acknowledged")
    }
    let capacities = versions.compactMap { $0.value?.capacity }
    let count = checkIns.members(of: place, at: entry.revision).count
    if !capacities.contains(0), count > Int(capacities.max() ?? 0) {
      world.fail("check-ins \(entry.revision): \(count) people at a place for \(capacities)")
    }
  }

  private func checkEnd(_ entry: CheckInChange, _ person: ID, _ node: Node) {
    switch entry.reason {
    case .expired:
      guard let dueUs = dueUs[person] else {
        return world.fail("C9: \(person)'s stay ends, but not by itself")
      }
      if world.nowUs < dueUs - 2_000 {
        world.fail("C9: \(person)'s stay ends \((dueUs - world.nowUs) / 1_000) ms early")
      }
      if world.nowUs > max(dueUs, node.troubledUs) + 2_500_000 {
        world.fail("C9: \(person)'s stay ends \((world.nowUs - dueUs) / 1_000) ms late")
      }
    case .profileDeleted:
      if !profiles.isDeleted(person) { world.fail("\(person) is out, but not deleted") }
    case .locationDeleted:
      if entry.fromLocationID.map(locations.isDeleted) != true {
        world.fail("\(person) is out of a place that was not deleted")
      }
    case .requested, .everyoneOut, .renewed, .unspecified: break
    }
  }

  /// A caller was told that a place is gone.
  func toldDeletion(of place: ID) {
    if deletionsToldUs[place] == nil { deletionsToldUs[place] = world.nowUs }
  }

  // MARK: - Restarts

  /// A service has started on what its disk has: all that was committed has to be there, and what
  /// else is there can only be of the commit of which nothing was known.
  func recovered(_ log: LogName, _ changeLog: any ChangeLogReading, _ node: Node) throws {
    let known = lastRevision(log)
    guard changeLog.lastRevision >= known else {
      return world.fail(
        "acknowledged means kept: \(log.text) starts at \(changeLog.lastRevision), not \(known)")
    }
    let more = try changeLog.changes(after: known, limit: 10_000).changes
    if !more.isEmpty && !node.isInDoubt {
      world.fail("\(log.text) starts with \(more.count) changes that nobody has committed")
    }
    node.isInDoubt = false
    committed(more, of: log, by: node)
    try compareSnapshot(log, changeLog)
    if log == .checkIns { try compareTail(changeLog) }
    for (person, stays) in checkIns.stays where log == .checkIns {
      guard let stay = stays.last, stay.place != nil, stay.expireMs != 0 else { continue }
      dueUs[person] = world.nowUs + (stay.expireMs - node.now.wallMs) * 1_000
    }
  }

  private func compareSnapshot(_ log: LogName, _ changeLog: any ChangeLogReading) throws {
    var found: [Change] = []
    var token = ""
    repeat {
      let page = try changeLog.snapshot(GetSnapshotRequest(pageSize: 1_000, pageToken: token))
      found += page.entries
      token = page.nextPageToken
    } while !token.isEmpty
    let expected = state(of: log)
    guard found.count == expected.count else {
      return world.fail("\(log.text) starts with \(found.count) entries, not \(expected.count)")
    }
    for change in found where !expected.contains(change.what.map(text) ?? "") {
      world.fail("\(log.text) starts with \(text(change.what)), which is not so")
    }
  }

  /// What a snapshot has to tell, as texts.
  private func state(of log: LogName) -> Set<String> {
    switch log {
    case .profiles:
      Set(profiles.ids.compactMap { profiles.current($0).map { text(.profilePut($0)) } })
    case .locations:
      Set(locations.ids.compactMap { locations.current($0).map { text(.locationPut($0)) } })
    case .checkIns:
      Set(
        checkIns.stays.compactMap { id, stays in
          guard let stay = stays.last, stay.place != nil else { return nil }
          return text(
            .checkIn(
              CheckInChange(
                revision: stay.revision, timeMs: stay.sinceMs, profileID: id,
                toLocationID: stay.place, reason: .requested, expireTimeMs: stay.expireMs)))
        })
    }
  }

  private func compareTail(_ changeLog: any ChangeLogReading) throws {
    let after = checkIns.lastRevision - min(checkIns.lastRevision, 300)
    for change in try changeLog.changes(after: after, limit: 300).changes {
      guard case .checkIn(var entry) = change.what, var known = checkIns[change.revision] else {
        return world.fail("check-ins \(change.revision) is something else after a restart")
      }
      // Who asked is forgotten with that user's profile.
      entry.actingUser = ""
      known.actingUser = ""
      if entry != known { world.fail("check-ins \(change.revision) has become \(entry)") }
    }
  }

  func text(_ what: Change.What?) -> String {
    switch what {
    case .profilePut(let profile):
      "\(profile.id.map { "\($0)" } ?? "?") is \(profile.userID) \(profile.firstName) "
        + "\(profile.lastName) \(profile.bio) r\(profile.revision)"
    case .profileDeleted(let id): "profile \(id) is deleted"
    case .locationPut(let location):
      "\(location.id.map { "\($0)" } ?? "?") is \(location.name) \(location.description) "
        + "for \(location.capacity) r\(location.revision)"
    case .locationDeleted(let id): "place \(id) is deleted"
    case .checkIn(let entry):
      "\(text(entry.profileID)) \(text(entry.fromLocationID)) > \(text(entry.toLocationID)) "
        + "\(entry.reason) \(entry.actingUser) r\(entry.revision) until \(entry.expireTimeMs)"
    case nil: "nothing"
    }
  }

  private func text(_ id: ID?) -> String { id.map { "\($0)" } ?? "-" }

  // MARK: - The end

  /// When all is quiet.
  func checkAtEnd() {
    for (person, stays) in checkIns.stays {
      guard let stay = stays.last, let place = stay.place else { continue }
      if profiles.current(person) == nil {
        world.fail("C10: \(person) is deleted, and at \(place)")
      }
      if locations.current(place) == nil {
        world.fail("C10: \(person) is at \(place), which is deleted")
      }
      if let dueUs = dueUs[person], dueUs < world.nowUs - 2_500_000 {
        world.fail("C9: \(person)'s stay at \(place) does not end")
      }
    }
  }
}
