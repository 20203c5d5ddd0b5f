import Model
import Wire

/// Follows the log of another service: starts from a snapshot or from where it was, applies what
/// the feed brings, notices by the numbers what it missed, and reads that. A value: messages go in,
/// and what to do comes out.
struct Follower {
  /// What the core does for a follower.
  enum Action {
    case ask(ListChangesRequest)
    case askSnapshot(GetSnapshotRequest)
    case apply([Change], through: UInt64)
    case applySnapshot(SnapshotPage)
  }

  private enum State: Equatable {
    /// Nothing has been asked.
    case idle
    /// A page of a snapshot has been asked for; empty: the first.
    case snapshot(token: String, revision: UInt64)
    /// What was missed has been asked for.
    case readingChanges
  }

  let log: LogName
  /// How far the log has been applied; nil: nothing is known of it, and a snapshot is needed.
  private(set) var position: UInt64?
  private var state = State.idle
  private var askedUs: Int64 = 0
  /// When it last tried to ask.
  var triedUs: Int64 { askedUs }
  /// The owner is to be asked again, after the question that is under way.
  private var wantsMore = false
  /// How many questions have been asked, and the last of them after whose answer nothing was
  /// missing. Numbers, since two things that happen in one microsecond have an order too.
  private(set) var questions = 0
  private(set) var confirmedQuestion = 0
  /// When the owner was last heard of.
  private(set) var heardUs = Int64.min

  /// Whether a snapshot is read to its end. Where not, only what changes from now on is told.
  private let isWhole: Bool

  init(log: LogName, position: UInt64?, isWhole: Bool = true) {
    self.log = log
    self.position = position
    self.isWhole = isWhole
  }

  var isReadingSnapshot: Bool {
    if case .snapshot = state { true } else { false }
  }

  mutating func heard(at now: Moment) { heardUs = now.monotonicUs }

  /// The question that will tell that nothing is missing, as of now, to whoever has to know: it is
  /// asked after now, by `catchUp`.
  var nextQuestion: Int { questions + 1 }

  /// Asks the owner what is new; where a question is under way, once more after its answer.
  mutating func catchUp(at now: Moment) -> Action? {
    guard state == .idle else {
      wantsMore = true
      return nil
    }
    wantsMore = false
    askedUs = now.monotonicUs
    questions += 1
    guard let position else {
      state = .snapshot(token: "", revision: 0)
      return .askSnapshot(GetSnapshotRequest(pageSize: isWhole ? UInt32(Limits.pageItems) : 1))
    }
    state = .readingChanges
    return .ask(
      ListChangesRequest(afterRevision: position, limit: UInt32(Limits.listedChanges)))
  }

  /// The question under way came to nothing: the owner is gone, or did not answer. It is asked
  /// again when the owner is heard of.
  mutating func failed() {
    if state != .idle { wantsMore = true }
    state = .idle
  }

  /// What was applied last came to nothing: goes on from an earlier position. Then it is no longer
  /// so that nothing is missing, whatever an owner has said.
  mutating func restart(at position: UInt64?) {
    failed()
    guard position != self.position else { return }
    self.position = position
    confirmedQuestion = 0
    wantsMore = true
  }

  /// What the feed brought.
  mutating func receive(_ published: ChangesPublished, at now: Moment) -> [Action] {
    heardUs = now.monotonicUs
    guard let position else { return catchUp(at: now).map { [$0] } ?? [] }
    if case .snapshot = state { return [] }
    guard published.lastRevision > position else {
      // A log never goes back: one that stands before our position has lost what we have seen.
      let isMissing = published.lastRevision < position || wantsMore
      return isMissing ? catchUp(at: now).map { [$0] } ?? [] : []
    }
    guard published.previousRevision <= position, !published.changes.isEmpty else {
      return catchUp(at: now).map { [$0] } ?? []
    }
    let fresh = published.changes.filter { $0.revision > position }
    self.position = published.lastRevision
    return [.apply(fresh, through: published.lastRevision)]
  }

  /// The answer to `ask`.
  mutating func receive(_ response: ListChangesResponse, at now: Moment) -> [Action] {
    heardUs = now.monotonicUs
    guard state == .readingChanges, let before = position else { return [] }
    state = .idle
    var actions: [Action] = []
    let fresh = response.changes.filter { $0.revision > before }
    if let last = fresh.last {
      position = last.revision
      actions.append(.apply(fresh, through: last.revision))
    } else if response.changes.isEmpty, response.lastRevision > before {
      // Nothing follows our position, and yet the log stands higher: it was restored from a backup
      // that has all we know, and nothing has changed since.
      position = response.lastRevision
      actions.append(.apply([], through: response.lastRevision))
    }
    let isComplete = (position ?? 0) >= response.lastRevision
    if isComplete { confirmedQuestion = questions }
    if !isComplete || wantsMore, let next = catchUp(at: now) { actions.append(next) }
    return actions
  }

  /// The answer to `askSnapshot`.
  mutating func receive(_ response: GetSnapshotResponse, at now: Moment) -> [Action] {
    heardUs = now.monotonicUs
    guard case .snapshot(let token, _) = state else { return [] }
    let isLast = response.nextPageToken.isEmpty || !isWhole
    let page = SnapshotPage(
      entries: isWhole ? response.entries : [], isFirst: token.isEmpty, isLast: isLast,
      revision: response.revision)
    var actions = [Action.applySnapshot(page)]
    if isLast {
      state = .idle
      position = response.revision
      if let next = catchUp(at: now) { actions.append(next) }
    } else {
      state = .snapshot(token: response.nextPageToken, revision: response.revision)
      actions.append(
        .askSnapshot(
          GetSnapshotRequest(
            pageSize: UInt32(Limits.pageItems), pageToken: response.nextPageToken)))
    }
    return actions
  }

  /// The owner refused: its log does not reach back to our position, or was restored to before it,
  /// or to the revision of the snapshot under way. Begins anew from a snapshot.
  mutating func refused(_ reason: String, at now: Moment) -> Action? {
    state = .idle
    switch reason {
    case Reason.logCompacted.rawValue, Reason.logRestored.rawValue,
      Reason.pageTokenInvalid.rawValue:
      position = nil
      return catchUp(at: now)
    default:
      return nil
    }
  }
}
