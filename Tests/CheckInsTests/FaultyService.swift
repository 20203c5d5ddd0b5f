import Model
import SQLite
import ServiceKit
import Wire

@testable import CheckIns

/// The check-in service on a disk that fails when it is told to.
final class FaultyService: Service {
  /// How the next commit fails.
  enum Failure {
    /// Nothing has been written.
    case before(SQLiteError)
    /// Everything has, and nobody can know.
    case after(SQLiteError)
  }

  static let ioError = SQLiteError(code: 10, message: "disk I/O error", sql: "COMMIT")
  static let full = SQLiteError(code: 13, message: "disk is full", sql: "COMMIT")

  var nextCommit: Failure?
  /// Every commit fails, since the disk is full.
  var isFull = false
  /// Whether a commit is still to fail.
  var isArmed: Bool { nextCommit != nil }
  /// The next batch cannot be opened.
  var nextBegin: SQLiteError?
  private let service: CheckInService

  init(_ service: CheckInService) { self.service = service }

  func begin() throws {
    if let error = nextBegin {
      nextBegin = nil
      throw error
    }
    try service.begin()
  }

  func commit() throws {
    if isFull { throw Self.full }
    let failure = nextCommit
    nextCommit = nil
    switch failure {
    case nil: try service.commit()
    case .before(let error): throw error
    case .after(let error):
      try service.commit()
      throw error
    }
  }

  var name: String { service.name }
  var revisions: Revisions { service.revisions }
  var ownLogs: LogSet { service.ownLogs }
  var attendsDeletes: Bool { service.attendsDeletes }
  var isFarBehind: Bool { service.isFarBehind }
  var nextDueUs: Int64? { service.nextDueUs }
  var gauges: [Gauge] { service.gauges }
  func register(_ handlers: inout Handlers) { service.register(&handlers) }
  func rollBack() { service.rollBack() }
  func takeCommittedChanges() -> [Change] { service.takeCommittedChanges() }
  func keptResponse(_ key: WriteKey) throws -> KeptResponse? { try service.keptResponse(key) }
  func workBehind(at now: Moment) throws -> Bool { try service.workBehind(at: now) }
  func doWhatIsDue(at now: Moment) throws { try service.doWhatIsDue(at: now) }

  func apply(
    _ changes: [Change], of log: LogName, through revision: UInt64, at now: Moment
  ) throws {
    try service.apply(changes, of: log, through: revision, at: now)
  }

  func applySnapshot(_ page: SnapshotPage, of log: LogName, at now: Moment) throws {
    try service.applySnapshot(page, of: log, at: now)
  }

  func answer(_ question: AttendDeletesResponse, at now: Moment) throws -> AnswerDeleteRequest {
    try service.answer(question, at: now)
  }
}
