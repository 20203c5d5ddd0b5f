import Model
import ServiceKit
import Wire

/// Compares what customers are told with the truth.
struct Judge {
  let world: World
  var truth: Truth { world.truth }

  init(_ world: World) { self.world = world }

  /// Refusals that say that something is wrong elsewhere, and that nothing was done.
  private static let elsewhere: Set<Reason> = [
    .serviceUnreachable, .starting, .notCaughtUp, .overloaded, .deadlineExceeded,
    .draining,
  ]

  func fail(_ answer: Answer, _ what: @autoclosure () -> String) {
    let attempt = answer.attempt
    world.fail(
      "\(attempt.operation.method) of \(attempt.operation.customer.name) "
        + "(\(attempt.operation.number).\(attempt.id)) through \(attempt.gateway.name): \(what())")
  }

  /// What holds for every answer, and then what holds for this one.
  func judge(_ answer: Answer) {
    let operation = answer.attempt.operation
    for log in LogName.allCases where answer.header.asOf[log] > truth.lastRevision(log) {
      fail(answer, "as of \(log.text) \(answer.header.asOf[log]), which is not committed")
      return
    }
    guard answer.code == .ok else { return judgeRefusal(answer) }
    if !operation.method.isWrite { judgeFreshness(answer) }
    if let fault = operation.faultOfRepeat(answer) { fail(answer, fault) }
    operation.check(answer)
  }

  private func judgeRefusal(_ answer: Answer) {
    guard let reason = Reason(rawValue: answer.reason) else {
      return fail(answer, "an unknown reason, \(answer.reason)")
    }
    if Self.elsewhere.contains(reason) { return }
    let isWrite = answer.attempt.operation.method.isWrite
    switch reason {
    case .outcomeUnknown: if !isWrite { fail(answer, "a read whose outcome is unknown") }
    case .storageFull:
      if world.injected[.diskFull] == nil { fail(answer, "a full disk that is not full") }
    case .internal:
      let faults: [Fault] = [.writeError, .syncError, .crashInWrite, .diskFull]
      if faults.allSatisfy({ world.injected[$0] == nil }) {
        fail(answer, "\(answer.header.status?.message ?? "")")
      }
    case .profileNotFound, .locationNotFound, .profileExists, .statusChanged, .locationOccupied,
      .locationFull, .noProfile:
      answer.attempt.operation.refused(answer)
    default:
      fail(answer, "\(answer.reason): \(answer.header.status?.message ?? "")")
    }
  }

  /// A read shows what was asked for, and what its caller has written through this gateway.
  private func judgeFreshness(_ answer: Answer) {
    let attempt = answer.attempt
    for log in LogName.allCases where answer.header.asOf[log] != 0 {
      let shown = answer.header.asOf[log]
      if shown < attempt.atLeast[log] {
        fail(answer, "reads \(log.text) \(shown), older than at_least, \(attempt.atLeast[log])")
      }
      if shown < attempt.ownWrites[log] {
        fail(answer, "reads \(log.text) \(shown), older than its own \(attempt.ownWrites[log])")
      }
    }
  }

  // MARK: - What is not there

  func profileNotFound(_ id: ID, _ answer: Answer) {
    if truth.profiles.existed(id, fromUs: answer.attempt.sentUs, toUs: answer.atUs) {
      fail(answer, "C5: \(id) is not found, and is there")
    }
  }

  func locationNotFound(_ id: ID, _ answer: Answer) {
    if truth.locations.existed(id, fromUs: answer.attempt.sentUs, toUs: answer.atUs) {
      fail(answer, "C5: \(id) is not found, and is there")
    }
  }

  // MARK: - Check-ins

  /// That a status is what was true at a revision.
  func status(_ status: CheckInStatus?, of person: ID?, at revision: UInt64, _ answer: Answer) {
    guard let status, let id = status.profileID, person == nil || person == id else {
      return fail(answer, "a status of somebody else")
    }
    let stay = truth.checkIns.stay(of: id, at: revision)
    let expected = CheckInStatus(
      profileID: id, state: stay?.place == nil ? .checkedOut : .checkedIn,
      locationID: stay?.place, sinceMs: stay?.sinceMs ?? 0,
      expireTimeMs: stay?.place == nil ? 0 : stay?.expireMs ?? 0, revision: stay?.revision ?? 0)
    if status != expected { fail(answer, "at \(revision) says \(status), and is \(expected)") }
  }

  /// That an entry of the log is what a call has done.
  func claim(_ revision: UInt64, _ target: Operation.Target, from previous: ID?, _ answer: Answer) {
    guard let entry = truth.checkIns[revision], entry.profileID == target.person,
      entry.toLocationID == target.place, entry.fromLocationID == previous,
      entry.reason == .requested, entry.actingUser == target.user || entry.actingUser.isEmpty
    else {
      return fail(answer, "says that it made check-ins \(revision), and did not")
    }
    answer.attempt.operation.claims.insert(revision)
  }

  func expectation(_ what: Expectation.What, of person: ID, at revision: UInt64) -> Bool {
    let stay = truth.checkIns.stay(of: person, at: revision)
    return switch what {
    case .locationID(let id): stay?.place == id
    case .checkedOut: stay?.place == nil
    case .revision(let wanted): (stay?.revision ?? 0) == wanted
    }
  }

  /// Whether a list had at least so many at some moment of a call.
  func had(_ count: Int, at place: ID, during answer: Answer) -> Bool {
    let lists = truth.checkIns.lists[place] ?? []
    for (index, list) in lists.enumerated() where list.members.count >= count {
      let beganUs = truth.checkIns.atUs[Int(list.at) - 1]
      let endedUs =
        index + 1 < lists.count ? truth.checkIns.atUs[Int(lists[index + 1].at) - 1] : .max
      if beganUs <= answer.atUs && endedUs >= answer.attempt.operation.beganUs { return true }
    }
    return false
  }
}
