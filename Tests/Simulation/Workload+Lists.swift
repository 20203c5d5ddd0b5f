import Model
import Wire

/// Who is here, who is where, and how many.
extension Workload {
  /// Going through the pages of a list: whoever is there throughout appears exactly once.
  private final class Walk {
    var seen: [PresenceLog.Member] = []
    var revisions: [UInt64] = []
  }

  // MARK: - Here

  func listHere() -> Operation { listHere(place(), Walk(), "") }

  /// The whole list on one page.
  func everybody(at place: ID) -> Operation { listHere(place, Walk(), "", size: 1_000) }

  private func listHere(
    _ place: ID, _ walk: Walk, _ token: String, size: Int? = nil
  ) -> Operation {
    let size = size ?? (chance.one(in: 2) ? 1_000 : Int(chance.between(1, 5)))
    let after = walk.seen.last
    let operation = call(
      ListPeopleHereRequest(locationID: place, pageSize: UInt32(size), pageToken: token),
      number: nextNumber,
      refused: { [unowned self] answer in judge.locationNotFound(place, answer) },
      check: { [unowned self] response, answer in
        let asOf = answer.header.asOf
        let known = truth.locations.value(place, at: asOf.locations)
        if response.location != known || known == nil {
          judge.fail(answer, "F1: the place is \(String(describing: response.location))")
        }
        judgeMembers(
          response.people.map { ($0.profileID, $0.sinceMs) }, of: place, after, size,
          isLast: response.nextPageToken.isEmpty, count: response.count, answer)
        for person in response.people { judgeName(person, asOf.profiles, answer) }
      })
    operation.next = { [unowned self] answer in
      guard let answer, answer.code == .ok else { return }
      let page = world.codec.read(ListPeopleHereResponse.self, answer.body)
      note(page.people.map { ($0.profileID, $0.sinceMs) }, walk, answer)
      if page.nextPageToken.isEmpty { return judgeWalk(walk, place, answer) }
      customer.goOn(listHere(place, walk, page.nextPageToken))
    }
    return operation
  }

  func listCheckedIn() -> Operation { listCheckedIn(place(), Walk(), "") }

  private func listCheckedIn(_ place: ID, _ walk: Walk, _ token: String) -> Operation {
    let size = Int(chance.between(1, 6))
    let after = walk.seen.last
    let operation = call(
      ListCheckedInRequest(locationID: place, pageSize: UInt32(size), pageToken: token),
      number: nextNumber,
      refused: { [unowned self] answer in judge.locationNotFound(place, answer) },
      check: { [unowned self] response, answer in
        judgeMembers(
          response.statuses.map { ($0.profileID, $0.sinceMs) }, of: place, after, size,
          isLast: response.nextPageToken.isEmpty, count: response.count, answer)
        for status in response.statuses {
          judge.status(status, of: nil, at: answer.header.asOf.checkIns, answer)
        }
      })
    operation.next = { [unowned self] answer in
      guard let answer, answer.code == .ok else { return }
      let page = world.codec.read(ListCheckedInResponse.self, answer.body)
      note(page.statuses.map { ($0.profileID, $0.sinceMs) }, walk, answer)
      if page.nextPageToken.isEmpty { return judgeWalk(walk, place, answer) }
      customer.goOn(listCheckedIn(place, walk, page.nextPageToken))
    }
    return operation
  }

  private func judgeMembers(
    _ told: [(id: ID?, sinceMs: Int64)], of place: ID, _ after: PresenceLog.Member?, _ size: Int,
    isLast: Bool, count: UInt32, _ answer: Answer
  ) {
    let revision = answer.header.asOf.checkIns
    let all = truth.checkIns.members(of: place, at: revision)
    let rest = after.map { last in all.filter { last.precedes($0) } } ?? all
    let page = rest.prefix(size)
    let isSame =
      told.count == page.count
      && zip(told, page).allSatisfy { $0.id == $1.id && $0.sinceMs == $1.sinceMs }
    if !isSame || isLast != (rest.count <= size) {
      judge.fail(
        answer,
        "D1: at check-ins \(revision) lists \(told.map { "\($0.id.map { "\($0)" } ?? "?")" }), "
          + "and there are \(page.map { "\($0.id)" })")
    }
    if Int(count) != all.count {
      judge.fail(answer, "E2: at check-ins \(revision) counts \(count), and lists \(all.count)")
    }
  }

  /// A name is one that held at the state that is told, or since.
  private func judgeName(_ person: Person, _ revision: UInt64, _ answer: Answer) {
    guard let id = person.profileID else { return judge.fail(answer, "lists nobody") }
    if person.firstName.isEmpty {
      let mayBeGone = truth.profiles.value(id, at: revision) == nil || truth.profiles.isDeleted(id)
      if !person.profileUnavailable && !mayBeGone {
        judge.fail(answer, "D1: \(id) has a name, which is not told")
      }
      return
    }
    let since = person.profileUnavailable ? 0 : revision
    let held = truth.profiles.held(id, since: since) {
      $0.firstName == person.firstName && $0.lastName == person.lastName
    }
    if !held {
      judge.fail(
        answer, "\(id) is called \(person.firstName) at profiles \(revision), which is not so")
    }
  }

  private func note(_ told: [(id: ID?, sinceMs: Int64)], _ walk: Walk, _ answer: Answer) {
    walk.seen += told.compactMap { member in
      member.id.map { PresenceLog.Member(id: $0, sinceMs: member.sinceMs) }
    }
    walk.revisions.append(answer.header.asOf.checkIns)
  }

  private func judgeWalk(_ walk: Walk, _ place: ID, _ answer: Answer) {
    guard let first = walk.revisions.min(), let last = walk.revisions.max() else { return }
    for member in truth.checkIns.members(of: place, at: first) {
      // While a clock that was set back stands, who comes back is there since the same time.
      let stays = [first, last].map { truth.checkIns.stay(of: member.id, at: $0)?.revision }
      guard stays[0] == stays[1] else { continue }
      let times = walk.seen.count { $0 == member }
      if times != 1 {
        judge.fail(answer, "D3: \(member.id) is there throughout, and listed \(times) times")
      }
    }
  }

  // MARK: - Everywhere

  func listEverywhere() -> Operation {
    listEverywhere(Int(chance.between(1, 5)), after: nil, "")
  }

  private func listEverywhere(_ each: Int, after: ID?, _ token: String) -> Operation {
    let size = Int(chance.between(1, 12))
    let operation = call(
      ListPeopleEverywhereRequest(
        peoplePerLocation: UInt32(each), pageSize: UInt32(size), pageToken: token),
      number: nextNumber,
      check: { [unowned self] response, answer in
        let revision = answer.header.asOf.checkIns
        let places = truth.checkIns.occupied(at: revision).filter { id in
          after.map { $0 < id } ?? true
        }
        if response.locations.map(\.locationID) != places.prefix(size).map({ $0 })
          || response.nextPageToken.isEmpty != (places.count <= size)
        {
          judge.fail(answer, "D5: at check-ins \(revision) other places")
        }
        for (told, place) in zip(response.locations, places) {
          let members = truth.checkIns.members(of: place, at: revision)
          if Int(told.count) != members.count
            || told.people.map(\.profileID) != members.prefix(each).map({ $0.id })
          {
            judge.fail(answer, "D5: at check-ins \(revision) others are at \(place)")
          }
          for person in told.people { judgeName(person, answer.header.asOf.profiles, answer) }
        }
      })
    operation.next = { [unowned self] answer in
      guard let answer, answer.code == .ok else { return }
      let page = world.codec.read(ListPeopleEverywhereResponse.self, answer.body)
      guard !page.nextPageToken.isEmpty, let last = page.locations.last?.locationID else { return }
      customer.goOn(listEverywhere(each, after: last, page.nextPageToken))
    }
    return operation
  }

  // MARK: - Counts

  func counts() -> Operation {
    counts(of: chance.one(in: 2) ? (0..<chance.between(1, 5)).map { _ in place() } : [])
  }

  func counts(of named: [ID]) -> Operation {
    call(
      GetCountsRequest(locationIDs: named), number: nextNumber,
      check: { [unowned self] response, answer in
        let revision = answer.header.asOf.checkIns
        let places = named.isEmpty ? truth.checkIns.occupied(at: revision) : named
        let expected = places.map { id in
          LocationCount(
            locationID: id, count: UInt32(truth.checkIns.members(of: id, at: revision).count))
        }
        if response.counts != expected || Int(response.total) != truth.checkIns.total(at: revision)
        {
          judge.fail(answer, "E1: at check-ins \(revision) counts otherwise")
        }
      })
  }

  func board() -> Operation {
    board(isByCount: chance.one(in: 2), occupiedOnly: chance.one(in: 3))
  }

  func board(isByCount: Bool, occupiedOnly: Bool) -> Operation {
    call(
      GetBoardRequest(
        pageSize: 1_000, order: isByCount ? .count : .unspecified, occupiedOnly: occupiedOnly),
      number: nextNumber,
      check: { [unowned self] response, answer in
        let asOf = answer.header.asOf
        var rows = truth.locations.all(at: asOf.locations).map { location in
          let id = location.id ?? Self.noID
          let count = truth.checkIns.members(of: id, at: asOf.checkIns).count
          return BoardRow(location: location, count: UInt32(count))
        }
        if occupiedOnly { rows.removeAll { $0.count == 0 } }
        rows.sort { a, b in
          if isByCount && a.count != b.count { return a.count > b.count }
          return (a.location?.name ?? "", a.location?.id ?? Self.noID)
            < (b.location?.name ?? "", b.location?.id ?? Self.noID)
        }
        if response.rows != rows
          || Int(response.total) != truth.checkIns.total(at: asOf.checkIns)
        {
          judge.fail(answer, "F3: another board than \(rows.map(\.count))")
        }
      })
  }
}
