import Model
import SQLite
import ServiceKit
import Wire

/// Stands between a core and its service: tells the truth of what is committed, and makes the
/// deliberate mistakes that belong there.
final class Witness: Service {
  private let service: any Service
  private unowned let node: Node
  /// Of `replyBeforeCommit`: the batch is still open.
  private var isLeftOpen = false
  private var batches = 0
  /// Of `staleDelta`: the changes before the last ones.
  private var earlier: [Change] = []

  init(_ service: any Service, _ node: Node) {
    self.service = service
    self.node = node
  }

  private func makes(_ mistake: Mistake) -> Bool { node.world.plan.mistake == mistake }

  var followsWhole: LogSet { service.followsWhole }
  var name: String { service.name }
  var revisions: Revisions { service.revisions }
  var ownLogs: LogSet { service.ownLogs }
  func register(_ handlers: inout Handlers) { service.register(&handlers) }

  // MARK: - Batches

  func begin() throws {
    guard !isLeftOpen else { return }
    try service.begin()
  }

  func commit() throws {
    batches += 1
    if makes(.replyBeforeCommit), node.log != nil, batches % 3 != 0 {
      isLeftOpen = true
      return
    }
    isLeftOpen = false
    do {
      try service.commit()
    } catch let error as SQLiteError {
      if !error.isCertainlyNotDone { node.isInDoubt = true }
      if makes(.failedCommitIgnored) { return }
      throw error
    }
  }

  func rollBack() {
    isLeftOpen = false
    service.rollBack()
  }

  func takeCommittedChanges() -> [Change] {
    var changes = service.takeCommittedChanges()
    guard let log = node.log, !changes.isEmpty else { return changes }
    if makes(.moveFromNowhere) { changes = changes.map(Self.fromNowhere) }
    node.world.truth.committed(changes, of: log, by: node)
    if makes(.changeUntold), changes.count > 1 { changes.removeLast() }
    return changes
  }

  private static func fromNowhere(_ change: Change) -> Change {
    guard case .checkIn(var entry) = change.what, entry.toLocationID != nil else { return change }
    entry.fromLocationID = nil
    var change = change
    change.what = .checkIn(entry)
    return change
  }

  // MARK: - What it follows

  func isEarly(_ changes: [Change], of log: LogName) -> Bool { service.isEarly(changes, of: log) }

  func apply(
    _ changes: [Change], of log: LogName, through revision: UInt64, at now: Moment
  ) throws {
    var changes = changes
    if makes(.cascadeSkipped), node.log == .checkIns { changes.removeAll(where: Self.isDeletion) }
    if makes(.deltaLost), changes.count > 1 { changes.removeLast() }
    try service.apply(changes, of: log, through: revision, at: now)
    if makes(.deltaAgain), node.log == nil, !earlier.isEmpty, log == .checkIns {
      try service.apply(earlier, of: log, through: revision, at: now)
    }
    if log == .checkIns { earlier = changes }
  }

  private static func isDeletion(_ change: Change) -> Bool {
    switch change.what {
    case .profileDeleted, .locationDeleted: true
    case .profilePut, .locationPut, .checkIn, nil: false
    }
  }

  func applySnapshot(_ page: SnapshotPage, of log: LogName, at now: Moment) throws {
    try service.applySnapshot(page, of: log, at: now)
  }

  var attendsDeletes: Bool { service.attendsDeletes }

  func answer(_ question: AttendDeletesResponse, at now: Moment) throws -> AnswerDeleteRequest {
    try service.answer(question, at: now)
  }

  func keptResponse(_ key: WriteKey) throws -> KeptResponse? {
    makes(.keyIgnored) ? nil : try service.keptResponse(key)
  }

  // MARK: - Time

  func workBehind(at now: Moment) throws -> Bool { try service.workBehind(at: now) }
  var isFarBehind: Bool { service.isFarBehind }

  func doWhatIsDue(at now: Moment) throws {
    var now = now
    if makes(.endsEarly) { now.monotonicUs += 3_000_000 }
    try service.doWhatIsDue(at: now)
  }

  var nextDueUs: Int64? {
    if makes(.endForgotten), node.incarnation > 1 { return nil }
    return service.nextDueUs.map { makes(.endsEarly) ? $0 - 3_000_000 : $0 }
  }

  // MARK: - The gateway's

  func backendChanged(_ log: LogName, isReachable: Bool, at now: Moment) {
    service.backendChanged(log, isReachable: isReachable, at: now)
  }

  func received(_ header: inout RequestHeader, connection: Int) {
    if makes(.atLeastIgnored) { header.atLeast = Revisions() }
    if makes(.ownWritesForgotten) { return }
    service.received(&header, connection: connection)
  }

  func forwarded(_ request: RequestHeader, _ response: ResponseHeader, connection: Int) {
    service.forwarded(request, response, connection: connection)
  }

  func sendUpdates(through core: ServiceCore, nowFree: [Int], at now: Moment) {
    service.sendUpdates(through: core, nowFree: nowFree, at: now)
  }

  var nextUpdateUs: Int64? { service.nextUpdateUs }
  var gauges: [Gauge] { service.gauges }
}
