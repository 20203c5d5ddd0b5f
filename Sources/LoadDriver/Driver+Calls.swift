import Client
import Model
import Wire

// MARK: - Calls

extension Driver {
  func send(_ ticket: Int, _ call: LoadRun.Call) throws(CallError) {
    let profile = population.profiles[call.request.visit.profile]
    let location = population.locations[call.request.visit.location]
    switch call.request.operation {
    case .checkIn:
      watchers?.expect(call.request.visit, sentNs: call.sentNs + startNs)
      try start(
        CheckInRequest(profileID: profile, locationID: location, ttlS: plan.ttlS), ticket, call)
    case .checkOut: try start(CheckOutRequest(profileID: profile), ticket, call)
    case .status: try start(GetStatusRequest(profileID: profile), ticket, call)
    case .who:
      let request = ListPeopleHereRequest(locationID: location, pageSize: Driver.peopleOfAList)
      try start(request, ticket, call)
    case .counts: try start(GetCountsRequest(), ticket, call)
    case .board:
      let request = GetBoardRequest(pageSize: Driver.peopleOfAList, order: .count)
      try start(request, ticket, call)
    case .batch:
      let items = ([call.request.visit] + call.request.more).map { visit in
        BatchCheckInItem(
          profileID: population.profiles[visit.profile],
          locationID: population.locations[visit.location], ttlS: plan.ttlS)
      }
      try start(BatchCheckInRequest(items: items), ticket, call)
    case .watch: watch(location, ticket, call)
    }
  }

  private func start<R: Request>(
    _ request: R, _ ticket: Int, _ call: LoadRun.Call
  ) throws(CallError) {
    if let ledger, !R.method.isWrite {
      let isOfPerson = call.request.operation == .status
      floors[ticket] = ledger.floor(
        client: call.client, profile: isOfPerson ? call.request.visit.profile : nil)
    }
    let client = clients[call.client % clients.count]
    try client.start(request, user: users[call.client], hasKey: plan.hasKeys) { [self] result in
      finish(ticket, result)
    }
  }

  /// Takes down what came of a call.
  private func finish(_ ticket: Int, _ result: Result<Reply, CallError>) {
    guard let call = run.call(ticket) else { return }
    let now = nowNs
    switch result {
    case .success(let reply):
      do {
        let refusal = try check(reply, ticket, call)
        run.finish(ticket, refusal.map { .failure($0) } ?? .success, nowNs: now)
      } catch {
        let status = Status(.internal, "The answer cannot be read: \(error)")
        run.finish(ticket, .failure(status), nowNs: now)
      }
    case .failure(let error):
      floors[ticket] = nil
      loseSight(call, error.status)
      let isLate =
        error.status.code == .deadlineExceeded
        || now - call.sentNs >= plan.course.timeoutMs * 1_000_000
      run.finish(ticket, isLate ? .timeout(error.status) : .failure(error.status), nowNs: now)
    }
  }

  /// What was written may have been done all the same, unless the server says that it was not.
  private func loseSight(_ call: LoadRun.Call, _ status: Status) {
    switch status.code {
    case .invalidArgument, .notFound, .failedPrecondition, .aborted, .permissionDenied,
      .unauthenticated, .unimplemented:
      return
    default: break
    }
    let visit = call.request.visit
    switch call.request.operation {
    case .checkIn: ledger?.loseSight(of: visit.profile, goingTo: visit.location)
    case .checkOut: ledger?.loseSight(of: visit.profile, goingTo: nil)
    case .batch:
      for visit in [visit] + call.request.more {
        ledger?.loseSight(of: visit.profile, goingTo: visit.location)
      }
    case .status, .who, .counts, .board, .watch: break
    }
  }
}

// MARK: - Answers

extension Driver {
  /// Reads as much of an answer as is asked for: of a batch whether all of it was done, and with
  /// `--verify` what it says. The refusal that it holds; nil: there is none.
  private func check(_ reply: Reply, _ ticket: Int, _ call: LoadRun.Call) throws -> Status? {
    let visit = call.request.visit
    switch call.request.operation {
    case .checkIn:
      guard ledger != nil else { return nil }
      let response = try read(reply, as: CheckInResponse.self)
      acknowledge(visit, response.status, response.changed, call)
    case .checkOut:
      guard ledger != nil else { return nil }
      let response = try read(reply, as: CheckOutResponse.self)
      acknowledge(visit, response.status, response.changed, call)
    case .batch:
      let response = try read(reply, as: BatchCheckInResponse.self)
      for (visit, outcome) in zip([visit] + call.request.more, response.outcomes)
      where outcome.error == nil {
        acknowledge(visit, outcome.status, outcome.changed, call)
      }
      return response.outcomes.lazy.compactMap(\.error).first
    case .status:
      guard let floor = floors.removeValue(forKey: ticket) else { return nil }
      let response = try read(reply, as: GetStatusResponse.self)
      let person = response.status.map { population.whereabouts($0) }
      ledger?.note(.status, asOf: reply.asOf.checkIns, person: person, floor: floor)
    case .who, .counts, .board, .watch:
      guard let floor = floors.removeValue(forKey: ticket) else { return nil }
      ledger?.note(
        call.request.operation, asOf: reply.asOf.checkIns, person: nil, floor: floor)
    }
    return nil
  }

  private func read<M: Message>(_ reply: Reply, as type: M.Type) throws -> M {
    var violations: [FieldViolation] = []
    return try reply.body.withUnsafeBytes { bytes in
      try decoder.decode(type, from: bytes, violations: &violations)
    }
  }

  private func acknowledge(
    _ visit: Workload.Visit, _ status: CheckInStatus?, _ changed: Bool, _ call: LoadRun.Call
  ) {
    guard let status else { return }
    ledger?.acknowledge(
      visit.profile, population.whereabouts(status), changed: changed, client: call.client)
  }
}
