import Model
package import Wire

/// A service's own log, as the core and those who follow read it.
package protocol ChangeLogReading: AnyObject {
  /// The newest committed change.
  var lastRevision: UInt64 { get }
  /// The changes after a revision. Throws `Refusal` (LOG_COMPACTED, LOG_RESTORED), `SQLiteError`.
  func changes(after revision: UInt64, limit: Int) throws -> ListChangesResponse
  /// A page of the state at one revision.
  func snapshot(_ request: GetSnapshotRequest) throws -> GetSnapshotResponse
}

extension Handlers {
  /// What every service answers to those who follow its log.
  mutating func addChangeLogMethods() {
    readLater(.listChanges, of: []) { (request: ListChangesRequest, core, call, context) in
      guard let changeLog = core.changeLog else { return }
      core.connections.noteFollower(core.calls[call].connection)
      let limit = request.limit == 0 ? Limits.defaultListedChanges : Int(request.limit)
      let response = try changeLog.changes(
        after: request.afterRevision, limit: min(limit, Limits.listedChanges))
      core.reply(call, response, asOf: core.ownRevisions, context.now)
    }
    readLater(.getSnapshot, of: []) { (request: GetSnapshotRequest, core, call, context) in
      guard let changeLog = core.changeLog else { return }
      core.connections.noteFollower(core.calls[call].connection)
      core.reply(call, try changeLog.snapshot(request), asOf: core.ownRevisions, context.now)
    }
    readLater(.attendDeletes, of: []) { (_: AttendDeletesRequest, core, call, context) in
      core.attend(call, context.now)
    }
    readLater(.answerDelete, of: []) { (request: AnswerDeleteRequest, core, call, context) in
      core.settle(request, context.now)
      core.reply(call, AnswerDeleteResponse(), asOf: Revisions(), context.now)
    }
    readLater(.copyStore, of: []) { (_: CopyStoreRequest, core, call, context) in
      core.copyStore(for: call, context.now)
    }
  }
}

extension ServiceCore {
  /// How far the service's own log has come.
  var ownRevisions: Revisions { service.revisions.only(service.ownLogs) }
}

extension RequestHeader {
  /// Whether it comes from whoever follows this log, or answers its questions.
  var isOfFollower: Bool {
    switch method {
    case .listChanges, .getSnapshot, .attendDeletes, .answerDelete: true
    default: false
    }
  }
}
