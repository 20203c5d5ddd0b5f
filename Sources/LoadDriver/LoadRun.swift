/// How requests follow each other.
package enum Loop: Equatable, Sendable {
  /// At their times, whatever has become of those before: as people come who know nothing of each
  /// other. `mostInFlight` holds back what would be one too many for the server.
  case open(RateProfile, Arrivals, CatchUp, mostInFlight: Int)
  /// So many at any time: each is sent when another one has ended.
  case closed(outstanding: Int)
}

/// How a run is to go, as far as its core needs to know.
package struct LoadCourse: Equatable, Sendable {
  package var loop: Loop
  /// All of it, the warm-up included.
  package var durationNs: Int
  package var warmUpNs: Int
  /// Ends after so many, however long that takes; nil: by time alone.
  package var requests: Int?
  package var clients: Int
  package var timeoutMs: Int
  package var seed: UInt64

  package init(
    loop: Loop, durationNs: Int, warmUpNs: Int = 0, requests: Int? = nil, clients: Int = 1,
    timeoutMs: Int = 5_000, seed: UInt64 = 1
  ) {
    self.loop = loop
    self.durationNs = durationNs
    self.warmUpNs = warmUpNs
    self.requests = requests
    self.clients = clients
    self.timeoutMs = timeoutMs
    self.seed = seed
  }
}

/// Decides what is sent when, and keeps what came of it. Knows neither clock nor socket: it is told
/// the time, in nanoseconds from the beginning of the run, which never falls.
package struct LoadRun: Sendable {
  /// A call to be made, or on its way.
  package struct Call: Sendable {
    package var request: Workload.Request
    /// Who makes it, from 0.
    package var client: Int
    /// When it should have been sent: in a closed loop, when its turn came.
    package var dueNs: Int
    package var sentNs: Int
  }

  package let course: LoadCourse
  package private(set) var measured = Measurements()
  /// The histograms of every second, for whoever wants them written.
  package private(set) var log: HistogramLog?
  package private(set) var inFlight = 0

  private var workload: Workload
  private var pacer: Pacer?
  /// Calls by ticket, and the tickets that are free.
  private var calls: [Call?] = []
  private var freeTickets: [Int] = []
  /// Of a closed loop: when each turn that is not taken came.
  private var turns: [Int] = []
  private var sentEver = 0
  /// When the limit of calls in flight last held something back.
  private var heldBackNs = -1
  /// Nothing that is due from then on is sent.
  private var endNs: Int
  private var isStopped = false
  /// Stopped because all requests that were asked for have been sent.
  private var hasAllRequests = false
  /// What the second that runs has brought.
  private var second = SecondLine(startNs: 0, lengthNs: 0)
  private var secondEndNs = 0
  private var interval = Latencies.forEachOperation

  /// `log`: where to write the histograms of every second, if anywhere.
  package init(_ course: LoadCourse, _ workload: Workload, log: HistogramLog? = nil) {
    self.course = course
    self.workload = workload
    self.log = log
    endNs = course.durationNs
    measured.startNs = course.warmUpNs
    measured.endNs = course.durationNs
    switch course.loop {
    case .open(let profile, let arrivals, _, _):
      pacer = Pacer(profile, arrivals: arrivals, seed: course.seed &+ 1)
    case .closed(let outstanding):
      turns = Array(repeating: 0, count: outstanding)
    }
    secondEndNs = cut()
  }

  /// The next call to send now, with the ticket that its end is to be told by; nil: none is due.
  package mutating func next(nowNs: Int) -> (ticket: Int, call: Call)? {
    passTime(nowNs: nowNs)
    guard !isStopped, let dueNs = takeDue(nowNs) else { return nil }
    let call = Call(
      request: workload.next(), client: sentEver % course.clients, dueNs: dueNs, sentNs: nowNs)
    sentEver += 1
    inFlight += 1
    second.sent += 1
    measured.mostInFlight = max(measured.mostInFlight, inFlight)
    if nowNs >= measured.startNs { measured.sent += 1 }
    if let requests = course.requests, measured.sent >= requests {
      hasAllRequests = true
      stop(nowNs: nowNs)
    }
    let ticket = freeTickets.popLast() ?? calls.count
    if ticket == calls.count { calls.append(call) } else { calls[ticket] = call }
    return (ticket, call)
  }

  /// When `next` will have something, though nothing ends until then; nil: never.
  package var nextDueNs: Int? {
    guard !isStopped, case .open(_, _, _, let most) = course.loop, inFlight < most else {
      return nil
    }
    return pacer?.nextNs.flatMap { $0 < endNs ? $0 : nil }
  }

  /// A call that is on its way.
  package func call(_ ticket: Int) -> Call? { calls[ticket] }

  /// Takes down what came of a call.
  package mutating func finish(_ ticket: Int, _ outcome: CallOutcome, nowNs: Int) {
    passTime(nowNs: nowNs)
    guard let call = calls[ticket] else { preconditionFailure("the ticket is of no call") }
    calls[ticket] = nil
    freeTickets.append(ticket)
    inFlight -= 1
    if pacer == nil { turns.append(nowNs) }
    // A number of requests takes until the last of them has ended.
    if hasAllRequests { measured.endNs = nowNs }
    let isMeasured = nowNs >= measured.startNs
    let responseNs = nowNs - call.dueNs
    let operation = call.request.operation
    switch outcome {
    case .success:
      second.succeeded += 1
      interval[operation.rawValue].response.record(ns: responseNs)
      interval[operation.rawValue].service.record(ns: nowNs - call.sentNs)
      if isMeasured, nowNs <= measured.endNs { measured.succeededInTime += 1 }
    case .failure(let status):
      second.failed += 1
      interval[operation.rawValue].failed.record(ns: responseNs)
      if isMeasured { measured.note(operation, status, atNs: nowNs) }
    case .timeout(let status):
      second.timedOut += 1
      interval[operation.rawValue].timedOut.record(ns: responseNs)
      if isMeasured { measured.note(operation, status, atNs: nowNs) }
    }
  }

  /// Sends no more from now on; what is under way is still waited for.
  package mutating func stop(nowNs: Int) {
    guard !isStopped else { return }
    isStopped = true
    endNs = min(endNs, nowNs)
    measured.endNs = max(measured.startNs, endNs)
    secondEndNs = cut()
  }

  /// Whether all is sent that ever will be, and has ended.
  package func isOver(nowNs: Int) -> Bool {
    guard inFlight == 0 else { return false }
    if isStopped { return true }
    if let pacer { return (pacer.nextNs ?? endNs) >= endNs }
    return nowNs >= endNs
  }
}

// MARK: - What is due

extension LoadRun {
  /// When the request that is to be sent now was due; nil: none is to be.
  private mutating func takeDue(_ nowNs: Int) -> Int? {
    guard case .open(_, _, let catchUp, let most) = course.loop else {
      return nowNs < endNs ? turns.popLast() : nil
    }
    let timeoutNs = course.timeoutMs * 1_000_000
    // What has waited until the end is still sent as long as an answer would be waited for.
    let mostLateNs =
      nowNs < endNs + timeoutNs ? catchUp.mostLateNs(timeoutMs: course.timeoutMs) : -1
    while let dueNs = pacer?.nextNs, dueNs <= nowNs, dueNs < endNs {
      let isMeasured = dueNs >= measured.startNs
      if nowNs - dueNs > mostLateNs {
        second.dropped += 1
        if isMeasured { measured.dropped += 1 }
      } else if inFlight >= most {
        heldBackNs = nowNs
        return nil
      }
      pacer?.advance()
      if isMeasured { measured.offered += 1 }
      if nowNs - dueNs <= mostLateNs {
        if isMeasured, dueNs > heldBackNs { measured.lag.record(ns: nowNs - dueNs) }
        return dueNs
      }
    }
    return nil
  }
}

// MARK: - Seconds

extension LoadRun {
  /// Closes the seconds that are over. They are cut where the warm-up and the measured time end.
  package mutating func passTime(nowNs: Int) {
    while nowNs >= secondEndNs { closeSecond(atNs: secondEndNs) }
  }

  /// Closes the last second, which need not be a whole one.
  package mutating func end(nowNs: Int) {
    passTime(nowNs: nowNs)
    guard nowNs > second.startNs else { return }
    closeSecond(atNs: nowNs)
  }

  /// When the second that runs is to be closed.
  private func cut() -> Int {
    var cut = second.startNs + 1_000_000_000
    if course.warmUpNs > second.startNs { cut = min(cut, course.warmUpNs) }
    if endNs > second.startNs { cut = min(cut, endNs) }
    return cut
  }

  private mutating func closeSecond(atNs closedNs: Int) {
    second.lengthNs = closedNs - second.startNs
    second.inFlight = inFlight
    var responses = Histogram()
    let isMeasured = second.startNs >= measured.startNs
    for (index, latencies) in interval.enumerated() where latencies.ended > 0 {
      responses.add(latencies.response)
      interval[index].clear()
      guard isMeasured else { continue }
      measured.operations[index].add(latencies)
      let name = Operation.allCases[index].name
      for (tag, histogram) in latencies.tagged {
        log?.add(
          histogram, tag: "\(name).\(tag)", startNs: second.startNs, lengthNs: second.lengthNs)
      }
    }
    second.p50Us = responses.us(percentile: 50)
    second.p99Us = responses.us(percentile: 99)
    second.maxUs = responses.maxUs
    measured.seconds.append(second)
    second = SecondLine(startNs: closedNs, lengthNs: 0)
    secondEndNs = cut()
  }
}
