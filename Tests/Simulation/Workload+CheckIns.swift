import Model
import Wire

/// Who goes where.
extension Workload {
  private func key() -> ID? { chance.one(in: 8) ? nil : chance.id() }

  private func expectation(of person: ID) -> Expectation? {
    guard chance.one(in: 7) else { return nil }
    let stay = truth.checkIns.stay(of: person, at: truth.checkIns.lastRevision)
    switch chance.below(4) {
    case 0: return Expectation(what: .checkedOut(true))
    case 1: return Expectation(what: .revision(stay?.revision ?? 0))
    case 2: return Expectation(what: .locationID(stay?.place ?? place()))
    default: return Expectation(what: .locationID(place()))
    }
  }

  func checkIn() -> Operation {
    let person = person()
    let place = place()
    let ttlS = chance.one(in: 4) ? UInt32(chance.between(1, 6)) : 0
    let expect = expectation(of: person)
    let request = CheckInRequest(
      profileID: person, locationID: place, ttlS: ttlS, expect: expect)
    let target = Operation.Target(user: customer.user, person: person, place: place)
    let operation = call(
      request, number: nextNumber, key: key(),
      refused: { [unowned self] answer in
        judgeRefusal(answer, person, place, expect) {
          world.codec.read(CheckInResponse.self, $0).status
        }
      },
      check: { [unowned self] response, answer in
        let revision = answer.header.asOf.checkIns
        judge.status(response.status, of: person, at: revision, answer)
        if response.status?.locationID != place { judge.fail(answer, "is not there") }
        if response.changed {
          judge.claim(revision, target, from: response.previousLocationID, answer)
          if let what = expect?.what, !judge.expectation(what, of: person, at: revision - 1) {
            judge.fail(answer, "C6: done, though \(what) did not hold")
          }
        } else if response.previousLocationID != place {
          judge.fail(answer, "unchanged, and was elsewhere")
        }
      })
    operation.targets = [target]
    return operation
  }

  func checkOut() -> Operation {
    let person = person()
    let expect = expectation(of: person)
    let target = Operation.Target(user: customer.user, person: person, place: nil)
    let operation = call(
      CheckOutRequest(profileID: person, expect: expect), number: nextNumber, key: key(),
      refused: { [unowned self] answer in
        judgeRefusal(answer, person, nil, expect) {
          world.codec.read(CheckOutResponse.self, $0).status
        }
      },
      check: { [unowned self] response, answer in
        let revision = answer.header.asOf.checkIns
        judge.status(response.status, of: person, at: revision, answer)
        if response.status?.state != .checkedOut { judge.fail(answer, "is not out") }
        if response.changed {
          judge.claim(revision, target, from: response.previousLocationID, answer)
        }
      })
    operation.targets = [target]
    return operation
  }

  private func judgeRefusal(
    _ answer: Answer, _ person: ID, _ place: ID?, _ expect: Expectation?,
    _ status: ([UInt8]) -> CheckInStatus?
  ) {
    switch answer.reason {
    case Reason.profileNotFound.rawValue: judge.profileNotFound(person, answer)
    case Reason.locationNotFound.rawValue:
      guard let place else { return judge.fail(answer, answer.reason) }
      judge.locationNotFound(place, answer)
    case Reason.locationFull.rawValue: judgeFull(answer, place)
    case Reason.statusChanged.rawValue:
      let revision = answer.header.asOf.checkIns
      judge.status(status(answer.body), of: person, at: revision, answer)
      guard let what = expect?.what, !judge.expectation(what, of: person, at: revision) else {
        return judge.fail(answer, "refused, though what was expected holds")
      }
    default: judge.fail(answer, answer.reason)
    }
  }

  private func judgeFull(_ answer: Answer, _ place: ID?) {
    guard let place, let versions = truth.locations.versions[place] else {
      return judge.fail(answer, answer.reason)
    }
    let capacities = versions.compactMap { $0.value?.capacity }.filter { $0 > 0 }
    guard let least = capacities.min(), judge.had(Int(least), at: place, during: answer) else {
      return judge.fail(answer, "is full, and had room all the time")
    }
  }

  // MARK: - Many

  func batch() -> Operation {
    batch(
      (0..<chance.between(2, 6)).map { _ in
        BatchCheckInItem(
          profileID: person(), locationID: chance.one(in: 4) ? nil : place(),
          ttlS: chance.one(in: 5) ? UInt32(chance.between(1, 6)) : 0)
      })
  }

  /// A crowd goes somewhere.
  func crowdIn() -> Operation {
    let first = chance.below(truth.profiles.ids.count)
    let place = place()
    return batch(
      truth.profiles.ids[first...].prefix(300).map { id in
        BatchCheckInItem(profileID: id, locationID: chance.one(in: 10) ? self.place() : place)
      })
  }

  private func batch(_ items: [BatchCheckInItem]) -> Operation {
    let targets = items.map {
      Operation.Target(
        user: customer.user, person: $0.profileID ?? ID(high: 0, low: 0), place: $0.locationID)
    }
    let operation = call(
      BatchCheckInRequest(items: items), number: nextNumber, key: chance.id(),
      check: { [unowned self] response, answer in
        guard response.outcomes.count == items.count else {
          return judge.fail(answer, "\(response.outcomes.count) outcomes of \(items.count)")
        }
        for (outcome, target) in zip(response.outcomes, targets) where outcome.error == nil {
          guard let status = outcome.status, status.locationID == target.place else {
            return judge.fail(answer, "somebody is somewhere else")
          }
          guard outcome.changed else { continue }
          judge.status(status, of: target.person, at: status.revision, answer)
          judge.claim(status.revision, target, from: outcome.previousLocationID, answer)
        }
      })
    operation.targets = targets
    return operation
  }

  func everyoneOut() -> Operation {
    let place = place()
    return call(
      CheckOutEveryoneRequest(locationID: place), number: nextNumber, key: chance.id(),
      refused: { [unowned self] answer in judge.locationNotFound(place, answer) },
      check: { [unowned self] response, answer in
        let last = answer.header.asOf.checkIns
        let count = UInt64(response.checkedOut)
        guard count > 0 else { return }
        for revision in (last - count + 1)...last {
          let entry = truth.checkIns[revision]
          if entry?.reason != .everyoneOut || entry?.fromLocationID != place {
            judge.fail(answer, "check-ins \(revision) is none of the \(count)")
          }
        }
        if !truth.checkIns.members(of: place, at: last).isEmpty {
          judge.fail(answer, "somebody is still there")
        }
      })
  }
}
