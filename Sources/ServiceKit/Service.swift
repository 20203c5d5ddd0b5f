package import Wire
package import ZeroMQ

/// What one program does: its own methods, its log, what it follows. It does no I/O but through its
/// store, and it is called on one thread by one `ServiceCore`.
///
/// A batch is what the core does between two commits: handlers of writes and changes of followed
/// logs run inside it, and nothing of it is seen by anybody before `commit` has returned.
package protocol Service: AnyObject {
  /// How much of each log that it follows it reads at the start.
  var followsWhole: LogSet { get }
  /// How the process is called in health, info and files: "profiles", "gateway", …
  var name: String { get }
  /// How far every log is that this service answers from: its own and those it follows. Inside a
  /// batch its own counts what the batch has appended.
  var revisions: Revisions { get }
  /// The log that it owns; empty: none.
  var ownLogs: LogSet { get }
  /// Names the methods that it answers.
  func register(_ handlers: inout Handlers)

  /// Opens a batch. Throws `SQLiteError` where the store cannot.
  func begin() throws
  /// Makes the batch durable. Where this throws, nothing of the batch may show any more.
  func commit() throws
  /// Forgets the batch.
  func rollBack()
  /// The changes that the batch just committed has appended to its own log, oldest first.
  func takeCommittedChanges() -> [Change]

  /// Whether these changes have to wait for what another log is about to tell, so that what is
  /// shown of both goes together. They wait for `Limits.earlyMs` at most.
  func isEarly(_ changes: [Change], of log: LogName) -> Bool
  /// Changes of a log that it follows, in order and without gaps, inside a batch; they lead to
  /// `revision`.
  func apply(_ changes: [Change], of log: LogName, through revision: UInt64, at now: Moment) throws
  /// A page of a snapshot of a log that it follows, inside a batch. The first one voids what was
  /// known of that log; with the last one the state is that of `revision`.
  func applySnapshot(_ page: SnapshotPage, of log: LogName, at now: Moment) throws

  /// Whether it is the check-in service, which owners of profiles and places ask about deletes.
  var attendsDeletes: Bool { get }
  /// How many are checked in at a place now, and how many its deletion has checked out; before a
  /// delete also that the store can be written to, by writing. Inside a batch; only the check-in
  /// service is asked.
  func answer(_ question: AttendDeletesResponse, at now: Moment) throws -> AnswerDeleteRequest
  /// The response that was given to a key, where the service finds it in its own log; nil: it is
  /// not there. Its body is nil where somebody it tells of has been deleted.
  func keptResponse(_ key: WriteKey) throws -> KeptResponse?
  /// A piece of work that nobody waits for, inside a batch of its own; at most some milliseconds of
  /// it. True: there is more.
  func workBehind(at now: Moment) throws -> Bool
  /// Whether that work is so far behind that it has to be done though calls are waiting.
  var isFarBehind: Bool { get }
  /// What falls due by time (a stay that ends), inside a batch.
  func doWhatIsDue(at now: Moment) throws
  /// When `doWhatIsDue` has something to do, in monotonic microseconds; nil: nothing.
  var nextDueUs: Int64? { get }
  /// A backend has come or gone. Only the gateway minds.
  func backendChanged(_ log: LogName, isReachable: Bool, at now: Moment)
  /// A call has come. Only the gateway minds: it adds to `at_least` what the caller has written.
  func received(_ header: inout RequestHeader, connection: Int)
  /// A call that was passed on has been answered.
  func forwarded(_ request: RequestHeader, _ response: ResponseHeader, connection: Int)
  /// The end of a round, after its batch: what streams have to be told goes out.
  /// - Parameter nowFree: the connections that have taken all that waited for them.
  func sendUpdates(through core: ServiceCore, nowFree: [Int], at now: Moment)
  /// When `sendUpdates` has something to do though nothing arrives, in monotonic microseconds.
  var nextUpdateUs: Int64? { get }
  /// What GetStats tells besides the calls.
  var gauges: [Gauge] { get }
}

/// A page of a snapshot that a follower hands to its service.
package struct SnapshotPage {
  package var entries: [Change]
  package var isFirst: Bool
  package var isLast: Bool
  package var revision: UInt64
}

/// What most services have no use for.
extension Service {
  package func apply(_: [Change], of log: LogName, through _: UInt64, at _: Moment) throws {
    preconditionFailure("\(name) follows no log, but was given changes of \(log.text)")
  }
  package func applySnapshot(_: SnapshotPage, of log: LogName, at _: Moment) throws {
    preconditionFailure("\(name) follows no log, but was given a snapshot of \(log.text)")
  }
  package func answer(
    _: AttendDeletesResponse, at _: Moment
  ) throws -> AnswerDeleteRequest {
    preconditionFailure("\(name) attends no deletes")
  }
  package func isEarly(_: [Change], of _: LogName) -> Bool { false }
  package var attendsDeletes: Bool { false }
  package var followsWhole: LogSet { .all }
  package func received(_: inout RequestHeader, connection _: Int) {}
  package func forwarded(_: RequestHeader, _: ResponseHeader, connection _: Int) {}
  package func keptResponse(_: WriteKey) throws -> KeptResponse? { nil }
  package func workBehind(at _: Moment) throws -> Bool { false }
  package var isFarBehind: Bool { false }
  package func doWhatIsDue(at _: Moment) throws {}
  package var nextDueUs: Int64? { nil }
  package func backendChanged(_: LogName, isReachable _: Bool, at _: Moment) {}
  package func sendUpdates(through _: ServiceCore, nowFree _: [Int], at _: Moment) {}
  package var nextUpdateUs: Int64? { nil }
  package var gauges: [Gauge] { [] }
}

/// What a core sends through: sockets in a process, a simulated network in a test.
/// Contents are taken: the frames are empty afterwards.
package protocol Outlet: AnyObject {
  /// To one peer of the ROUTER. False: that peer is gone.
  func respond(to connection: Int, delimiter: Bool, header: Frame, body: Frame) -> Bool
  /// As `respond`, where the round does not depend on what becomes of it: together with others, at
  /// the end of the round at the latest, and then it may be told later that the peer is gone.
  func respondSoon(to connection: Int, delimiter: Bool, header: Frame, body: Frame) -> Bool
  /// To everybody who follows.
  func publish(_ body: Frame)
  /// To the service that owns a log. False: it cannot be reached now.
  func ask(_ log: LogName, header: Frame, body: Frame) -> Bool
}

extension Outlet {
  package func respondSoon(
    to connection: Int, delimiter: Bool, header: Frame, body: Frame
  ) -> Bool {
    respond(to: connection, delimiter: delimiter, header: header, body: body)
  }
}
