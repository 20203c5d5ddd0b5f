import Model
import SQLite
import ServiceKit
import Wire
import ZeroMQ

/// Deliberate mistakes, each made at a seam between a process and its world: that the simulator
/// sees every one of them is what its green runs are worth.
enum Mistake: String, CaseIterable {
  /// Responses leave before their batch is on disk.
  case replyBeforeCommit = "reply-before-commit"
  /// A sync does nothing.
  case noSync = "no-sync"
  /// A commit that failed is taken for done.
  case failedCommitIgnored = "failed-commit-ignored"
  /// Idempotency keys do not outlive a restart.
  case keysForgottenAtRestart = "keys-forgotten-at-restart"
  /// A key in the log of check-ins is not looked for.
  case keyIgnored = "key-ignored"
  /// A move is told as an arrival from nowhere: the old place keeps the person.
  case moveFromNowhere = "move-from-nowhere"
  /// A change is left out of what the feed tells.
  case changeUntold = "change-untold"
  /// A follower loses the last of several changes that come together.
  case deltaLost = "delta-lost"
  /// A follower applies changes a second time, later.
  case deltaAgain = "delta-applied-twice"
  /// A follower takes a publication though it has missed the one before.
  case gapUnseen = "gap-unseen"
  /// A snapshot is taken for newer than it is: what happened while it was read is lost.
  case snapshotBeforeSubscription = "snapshot-before-subscription"
  /// Deletes of people and places do not check anybody out.
  case cascadeSkipped = "cascade-skipped"
  /// A gateway does not remember what its callers have written.
  case ownWritesForgotten = "own-writes-forgotten"
  /// A gateway does not wait for the state that is asked for.
  case atLeastIgnored = "at-least-ignored"
  /// A response is sent twice.
  case responseTwice = "response-twice"
  /// A response is not sent.
  case responseSwallowed = "response-swallowed"
  /// A watcher is not told of something.
  case updateLost = "update-lost"
  /// A watcher is told of something twice.
  case updateTwice = "update-twice"
  /// A stay ends early.
  case endsEarly = "ends-early"
  /// Stays that were there at a restart do not end.
  case endForgotten = "end-forgotten-at-restart"
}

extension Node {
  private var mistake: Mistake? { world.plan.mistake }

  func forgetKeys(_ database: Database) throws {
    guard mistake == .keysForgottenAtRestart,
      try database.prepare("SELECT 1 FROM sqlite_schema WHERE name = 'kept_response'")
        .first(row: { _ in true }) == true
    else { return }
    try database.execute("DELETE FROM kept_response")
    if log == .checkIns { try database.execute("UPDATE log SET key = NULL") }
  }

  func copies(of parcel: Parcel) -> Int {
    guard log == nil else { return 1 }
    switch mistake {
    case .responseTwice: return chance.one(in: 300) ? 2 : 1
    case .responseSwallowed: return chance.one(in: 300) ? 0 : 1
    case .updateLost: return isUpdate(parcel) && chance.one(in: 30) ? 0 : 1
    case .updateTwice: return isUpdate(parcel) && chance.one(in: 30) ? 2 : 1
    default: return 1
    }
  }

  private func isUpdate(_ parcel: Parcel) -> Bool {
    guard world.codec.read(ResponseHeader.self, parcel.header).more else { return false }
    return !world.codec.read(WatchResponse.self, parcel.body).changes.isEmpty
  }

  /// Notes a question for a snapshot, whose answer is to be altered.
  func noteAsked(_ log: LogName, _ header: Frame) {
    guard mistake == .snapshotBeforeSubscription else { return }
    let header = world.codec.read(RequestHeader.self, Array(header.bytes))
    if header.method == .getSnapshot { snapshotQuestions[log, default: []].insert(header.id) }
  }

  /// A snapshot that takes long to arrive is taken for one of the moment when it does.
  func holdsBack(_ parcel: Parcel, of log: LogName) -> Bool {
    guard mistake == .snapshotBeforeSubscription else { return false }
    let header = world.codec.read(ResponseHeader.self, parcel.header)
    guard header.status == nil, snapshotQuestions[log]?.remove(header.id) != nil else {
      return false
    }
    let incarnation = incarnation
    world.after(chance.between(100_000, 400_000)) { [weak self] in
      guard let self, self.incarnation == incarnation, isThere else { return }
      var page = world.codec.read(GetSnapshotResponse.self, parcel.body)
      page.revision = world.truth.lastRevision(log)
      take(Parcel(header: parcel.header, body: world.codec.bytes(page)), of: log)
    }
    return true
  }

  func alteredPublication(_ body: [UInt8], of log: LogName) -> [UInt8] {
    guard mistake == .gapUnseen else { return body }
    var published = world.codec.read(ChangesPublished.self, body)
    published.previousRevision = 0
    return world.codec.bytes(published)
  }
}
