package import Client
import Glibc
import Model
import Wire

/// Asks a system what is true at the end of a run.
package struct EvidenceReader {
  private let driver: Driver
  private let ledger: Ledger
  private let client: Client
  private let log: Client?
  private let firstRevision: UInt64

  /// Calls on their way at a time.
  private static let window = 32
  private static let patienceMs = 60_000
  private static let mostReadings = 10
  private static let pauseMs = 300
  private static let watchPatienceMs = 10_000

  /// - Parameters:
  ///   - log: the check-in service itself, whose log is read; nil where it is not known.
  ///   - firstRevision: the newest change before the run.
  package init(
    _ driver: Driver, _ ledger: Ledger, client: Client, log: Client?, firstRevision: UInt64
  ) {
    self.driver = driver
    self.ledger = ledger
    self.client = client
    self.log = log
    self.firstRevision = firstRevision
  }

  /// The newest change of the check-in log now, as the gateway knows it.
  package static func revision(_ client: Client) throws(CallError) -> UInt64 {
    // A page of one is enough: what is asked for is the state that it is from.
    let call = try client.start(GetCountsRequest(pageSize: 1))
    return try client.finish(call).asOf.checkIns
  }

  /// Reads all that the checks compare. Waits first until everybody serves, whom somebody may have
  /// killed. What was never answered may still be done while it is read, and stays may end; then it
  /// is read again.
  package func evidence() throws -> Evidence {
    try waitUntilServing()
    for _ in 0..<EvidenceReader.mostReadings {
      let before = try EvidenceReader.revision(client)
      let evidence = try read()
      if before == evidence.lastRevision, before >= ledger.newestRevision { return evidence }
      try client.loop.step(untilMs: ClientLoop.nowMs + EvidenceReader.pauseMs)
    }
    return try read()
  }

  private func read() throws -> Evidence {
    let population = driver.population
    var evidence = Evidence()
    evidence.firstRevision = firstRevision
    evidence.mayExpire = driver.plan.ttlS > 0
    evidence.people = try people()
    evidence.lists = try everyPage(population.locations) { id, token in
      ListPeopleHereRequest(
        locationID: id, pageSize: UInt32(Limits.pageItems), pageToken: token)
    } items: { (response: ListPeopleHereResponse) in
      let numbers = response.people.map { person in
        person.profileID.flatMap { population.profileNumbers[$0] }
      }
      return (numbers, response.nextPageToken)
    }
    evidence.counts = try counts()
    evidence.shown = try shown(evidence.lists)
    if let log {
      do throws(CallError) {
        evidence.log = try changes(log)
      } catch {
        evidence.whyNoLog = "the log cannot be read: \(error.status.message)"
      }
    } else {
      evidence.whyNoLog = "where the check-in service is was not said"
    }
    evidence.lastRevision = try EvidenceReader.revision(client)
    return evidence
  }

  private func waitUntilServing() throws {
    let endMs = ClientLoop.nowMs + EvidenceReader.patienceMs
    while true {
      do throws(CallError) {
        if try client.call(CheckHealthRequest()).state == .serving { return }
      } catch {
        guard ClientLoop.nowMs < endMs else { throw error }
      }
      guard ClientLoop.nowMs < endMs else {
        throw LoadFailure("not everybody serves, so nothing can be verified")
      }
      try client.loop.step(untilMs: ClientLoop.nowMs + 100)
    }
  }

  /// Where everybody is whom the ledger knows, from the check-in service by way of the gateway.
  private func people() throws(CallError) -> [Int: Whereabouts] {
    let population = driver.population
    let known = ledger.known
    let statuses = try inTurn(known.map { population.profiles[$0] }) { id in
      GetStatusRequest(profileID: id)
    }
    var people: [Int: Whereabouts] = [:]
    for (profile, response) in zip(known, statuses) {
      people[profile] = response.status.map { population.whereabouts($0) }
    }
    return people
  }

  /// What the watches show, once they have had time to hear of the last changes.
  private func shown(_ lists: [[Int?]]) throws(CallError) -> [(place: Int, people: Set<Int>)] {
    guard let watchers = driver.watchers else { return [] }
    let endMs = ClientLoop.nowMs + EvidenceReader.watchPatienceMs
    var shown = watchers.shown
    while ClientLoop.nowMs < endMs,
      shown.contains(where: { $0.people != Set(lists[$0.place].compactMap { $0 }) })
    {
      try driver.loop.step(untilMs: ClientLoop.nowMs + 50)
      shown = watchers.shown
    }
    return shown
  }

  private func counts() throws(CallError) -> [Int] {
    let locations = driver.population.locations
    var counts: [Int] = []
    for start in stride(from: 0, to: locations.count, by: Limits.countedLocations) {
      let named = Array(locations[start..<min(start + Limits.countedLocations, locations.count)])
      let response = try client.call(GetCountsRequest(locationIDs: named))
      counts += response.counts.map { Int($0.count) }
    }
    return counts
  }

  private func changes(_ log: Client) throws(CallError) -> [Evidence.Change] {
    let population = driver.population
    var changes: [Evidence.Change] = []
    var after = firstRevision
    while true {
      let response = try log.call(
        ListChangesRequest(afterRevision: after, limit: UInt32(Limits.listedChanges)))
      for change in response.changes {
        guard case .checkIn(let stay) = change.what else { continue }
        changes.append(
          Evidence.Change(
            revision: change.revision,
            profile: stay.profileID.flatMap { population.profileNumbers[$0] },
            from: stay.fromLocationID.map { population.locationNumbers[$0] ?? -2 },
            to: stay.toLocationID.map { population.locationNumbers[$0] ?? -2 }))
      }
      guard let last = response.changes.last?.revision, last < response.lastRevision else {
        return changes
      }
      after = last
    }
  }

  /// Asks about each, many at a time, and gives the answers in order.
  private func inTurn<R: Request>(
    _ ids: [ID], _ request: (ID) -> R
  ) throws(CallError) -> [R.Response] {
    var answers: [R.Response] = []
    var pending: [PendingCall] = []
    var next = 0
    while answers.count < ids.count {
      if next < ids.count, pending.count < EvidenceReader.window {
        pending.append(try client.start(request(ids[next])))
        next += 1
      } else {
        answers.append(try client.finish(pending.removeFirst(), as: R.Response.self))
      }
    }
    return answers
  }

  /// All pages about each, many at a time.
  private func everyPage<R: Request, Item>(
    _ ids: [ID], _ request: (ID, String) -> R, items: (R.Response) -> ([Item], String)
  ) throws(CallError) -> [[Item]] {
    var lists: [[Item]] = []
    for (id, first) in zip(ids, try inTurn(ids) { request($0, "") }) {
      var (list, token) = items(first)
      while !token.isEmpty {
        let page = items(try client.call(request(id, token)))
        list += page.0
        token = page.1
      }
      lists.append(list)
    }
    return lists
  }
}
