import SQLite
import Model
import Wire

/// Batches: what is between two commits, and the end of a round.
extension ServiceCore {
  /// Opens a batch where none is open, and first does what is due: whoever comes late finds what
  /// was to be over by then over. False: the store refused; `batchFailure` says why.
  func beginBatch() -> Bool {
    guard !isBatchOpen else { return true }
    guard fatalError == nil else { return false }
    do {
      try service.begin()
      isBatchOpen = true
      batchFailure = nil
      if let due = nextDueUs, due <= now.monotonicUs { try service.doWhatIsDue(at: now) }
      return true
    } catch let error as SQLiteError where isBatchOpen {
      batchFailure = error
      finishBatch(now)
      return false
    } catch let error as SQLiteError {
      batchFailure = error
    } catch {
      preconditionFailure("begin() throws SQLiteError alone: \(error)")
    }
    return false
  }

  /// The store failed while a call was handled. A write takes the whole batch with it, since it may
  /// have done half of what it wanted.
  func fail(_ call: CallHandle, _ kind: Handlers.Kind, _ error: SQLiteError, _ now: Moment) {
    tell(of: error, now)
    batchFailure = error
    if kind == .write {
      held.append(
        Held(
          call: call,
          response: .done(header: ResponseHeader(id: calls[call].header.id), body: takeFrame())))
      finishBatch(now)
    } else {
      refuse(call, storageRefusal(), now)
    }
  }

  /// Once a second at most: the log may be on the very disk that is full.
  private func tell(of error: SQLiteError, _ now: Moment) {
    guard now.monotonicUs >= failureToldUs + Limits.storeRetryMs * 1_000 else { return }
    failureToldUs = now.monotonicUs
    log.error("the store failed; nothing was changed", ["error": .error(error)])
  }

  /// What falls due while the store fails is tried again, but not all the time.
  private var nextDueUs: Int64? { service.nextDueUs.map { max($0, dueAgainUs) } }

  func storageRefusal() -> Refusal {
    switch batchFailure?.kind {
    case .full:
      Refusal(
        .storageFull, "The disk is full; nothing was changed.", retryAfterMs: 5_000)
    default:
      Refusal(.internal, "The store failed; nothing was changed.")
    }
  }

  /// Ends a round: commits the batch, releases feed and responses, answers the reads that waited,
  /// and runs what can run now.
  package func finish(at now: Moment) {
    tell(now)
    if !early.isEmpty { takeEarly(now) }
    // A batch that is open has begun with what is due.
    if let due = nextDueUs, due <= now.monotonicUs { inBatch(now) {} }
    finishBatch(now)
    resumeAll(\.deferredReads, now)
    if fatalError == nil { answerQuestions(now) }
    sweep(now)
    wakeWaiting(now)
    resumeAll(\.runnable, now)
    finishBatch(now)
    resumeAll(\.deferredReads, now)
    endAttendance(now)
    service.sendUpdates(through: self, nowFree: connections.takeFreed(), at: now)
  }

  /// Runs the calls of a queue; those that come into it meanwhile wait for the next time.
  private func resumeAll(
    _ queue: ReferenceWritableKeyPath<ServiceCore, [CallHandle]>, _ now: Moment
  ) {
    let calls = self[keyPath: queue]
    guard !calls.isEmpty else { return }
    self[keyPath: queue].removeAll()
    for call in calls { resume(call, now) }
  }

  /// Runs something that changes the state inside the batch. False: it came to nothing, and
  /// followers begin anew from what is on disk.
  @discardableResult
  func inBatch(_ now: Moment, _ body: () throws -> Void) -> Bool {
    guard beginBatch() else {
      if let batchFailure { tell(of: batchFailure, now) }
      dueAgainUs = now.monotonicUs + Limits.storeRetryMs * 1_000
      restartFollowers()
      if batchFailure?.kind == .full { storeIsFull(now) }
      return false
    }
    do {
      try body()
      return true
    } catch let error as SQLiteError {
      // At once: the store may have ended the transaction, and what else were written would stay.
      batchFailure = error
      finishBatch(now)
      return false
    } catch {
      preconditionFailure("only the store may fail inside a batch: \(error)")
    }
  }

  /// Commits the batch; only then are feed and responses released.
  func finishBatch(_ now: Moment) {
    guard isBatchOpen else { return }
    var isKnown = batchFailure.map { $0.kind != .ioError && $0.kind != .corrupt } ?? true
    if batchFailure == nil {
      do {
        try service.commit()
      } catch let error as SQLiteError {
        batchFailure = error
        isKnown = error.isCertainlyNotDone
      } catch {
        preconditionFailure("commit() throws SQLiteError alone: \(error)")
      }
    }
    isBatchOpen = false
    // Nothing is held while no batch is open, so the array is at hand again at the end.
    var responses: [Held] = []
    swap(&responses, &held)
    if let batchFailure {
      giveUp(responses, batchFailure, isKnown: isKnown, now)
    } else {
      // The feed first: who hears of a write from whoever made it then mostly sees it, too.
      publish(service.takeCommittedChanges(), now)
      for response in responses { release(response, now) }
    }
    responses.removeAll(keepingCapacity: true)
    if held.isEmpty { swap(&responses, &held) }
  }

  private func release(_ response: Held, _ now: Moment) {
    guard calls.contains(response.call) else { return }
    switch response.response {
    case .done(let header, let body): send(response.call, header, body, now)
    case .question(let question, let settle): ask(question, for: response.call, settle, now)
    }
  }

  /// The batch came to nothing, or it is not known whether it did: then the process has to start
  /// again from what is on disk.
  private func giveUp(
    _ responses: [Held], _ error: SQLiteError, isKnown: Bool, _ now: Moment
  ) {
    tell(of: error, now)
    dueAgainUs = now.monotonicUs + Limits.storeRetryMs * 1_000
    if isKnown {
      service.rollBack()
      restartFollowers()
      if error.kind == .full { storeIsFull(now) }
    } else {
      fatalError = error
    }
    let refusal =
      isKnown
      ? storageRefusal()
      : Refusal(
        .outcomeUnknown, "The disk failed; repeat the call with its key.", retryAfterMs: 1_000)
    for response in responses where calls.contains(response.call) {
      refuse(response.call, refusal, now)
    }
  }

  /// Publishes the changes of a commit, and the time of a heartbeat.
  func publish(_ changes: [Change], _ now: Moment) {
    guard let changeLog else { return }
    guard let first = changes.first else { return }
    workBehindUs = now.monotonicUs + Limits.workBehindPauseMs * 1_000
    hasWorkBehind = true
    publishFeed(
      ChangesPublished(
        // Also after a restore: that moves where the log stands, and the next change is one more.
        previousRevision: first.revision - 1,
        lastRevision: changeLog.lastRevision, changes: changes), now)
  }

  private func publishFeed(_ published: ChangesPublished, _ now: Moment) {
    var published = published
    lastPublishedUs = now.monotonicUs
    encoder.encode(published) { bodyFrame.allocate($0) }
    if bodyFrame.count > Limits.pageBytes {
      // They did not fit: whoever follows reads them.
      published.changes = []
      encoder.encode(published) { bodyFrame.allocate($0) }
    }
    outlet.publish(bodyFrame)
  }

  /// A hundred times a second at most: calls whose time is up, heartbeats of the feed, work behind.
  private func sweep(_ now: Moment) {
    guard now.monotonicUs - lastSweepUs >= Limits.sweepIntervalMs * 1_000 else { return }
    lastSweepUs = now.monotonicUs
    isQuiet = true
    for call in calls.expired(at: now) where mayExpire(call, now) { expire(call, now) }
    expirePending(now)
    if let changeLog, now.monotonicUs - lastPublishedUs >= Limits.feedIntervalMs * 1_000 {
      let last = changeLog.lastRevision
      publishFeed(ChangesPublished(previousRevision: last, lastRevision: last), now)
    }
    tendBackends(now)
    removeTraces(now)
    if isStoreFull || storeTriedUs == nil { tryStore(now) }
    // What goes by age has to go where nothing changes, too.
    if now.monotonicUs - lastWorkUs >= Limits.workBehindIntervalMs * 1_000 {
      lastWorkUs = now.monotonicUs
      hasWorkBehind = true
    }
  }

  /// Whoever was deleted is gone from the files too, soon, and however busy the service is. Not at
  /// once: many deletes cost one move of the write-ahead log.
  private func removeTraces(_ now: Moment) {
    guard let keptResponses, keptResponses.mayLeaveTraces, fatalError == nil else { return }
    guard let due = tracesDueUs else {
      tracesDueUs = now.monotonicUs + Limits.tracesMs * 1_000
      return
    }
    guard now.monotonicUs >= due else { return }
    do {
      try keptResponses.removeTraces()
      storeCopy?.removeLeft()
      tracesDueUs = nil
    } catch {
      tell(of: error, now)
      tracesDueUs = now.monotonicUs + Limits.storeRetryMs * 1_000
    }
  }

  /// A write that was passed on is left a little longer: what became of it is about to be told.
  private func mayExpire(_ call: CallHandle, _ now: Moment) -> Bool {
    let graceMs = calls[call].isUnderWay ? Limits.forwardMarginMs * 2 : 0
    return now.monotonicUs - calls[call].deadlineUs >= graceMs * 1_000
  }

  /// A call's time is up.
  func expire(_ call: CallHandle, _ now: Moment) {
    let inFlight = calls[call]
    let refusal =
      switch inFlight.waiting {
      case _ where inFlight.isUnderWay:
        Refusal(
          .outcomeUnknown, "No answer in time; repeat the call with its key.", retryAfterMs: 100)
      case .revisions(let revisions):
        Refusal(
          .notCaughtUp, "The state asked for with at_least (\(revisions.sentence)) has not come.",
          retryAfterMs: 100)
      case .catchUp(let log, _):
        Refusal(
          .serviceUnreachable, "\(log.text) did not answer in time.", retryAfterMs: 1_000)
      case .occupants:
        Refusal(
          .serviceUnreachable, "check-ins did not answer in time.", retryAfterMs: 1_000)
      case .nothing, .commit:
        Refusal(.deadlineExceeded, "The call's time was up before it could be carried out.")
      }
    refuse(call, refusal, now)
  }

  /// When the next round has to begin even if nothing arrives, in monotonic microseconds.
  package func nextRoundUs(at now: Moment) -> Int64 {
    if !runnable.isEmpty || !deferredReads.isEmpty { return now.monotonicUs }
    if connections.hasFreed || storeCopy?.isRunning == true { return now.monotonicUs }
    let soonUs = lastSweepUs + Limits.sweepIntervalMs * 1_000
    var next = isQuiet ? quietUntilUs(soonUs) : soonUs
    if let due = nextDueUs { next = min(next, due) }
    if let due = service.nextUpdateUs { next = min(next, due) }
    if let due = nextEarlyUs { next = min(next, max(due, now.monotonicUs)) }
    if hasWorkBehind { next = min(next, max(workBehindUs, now.monotonicUs)) }
    return next
  }

  /// Where nothing has come since the last sweep, the next one finds something no sooner than this.
  private func quietUntilUs(_ soonUs: Int64) -> Int64 {
    let deadlineUs = min(calls.nextDeadlineUs ?? .max, pending.nextDeadlineUs ?? .max)
    return min(lastSweepUs + Limits.quietIntervalMs * 1_000, max(soonUs, deadlineUs))
  }

  /// Whether a round is to do some work that nobody waits for: when nothing has changed for a
  /// moment, or those who write would wait for the disk twice. Where they never pause, now and
  /// then.
  package func isWorkBehindDue(at now: Moment, isBusy: Bool) -> Bool {
    guard hasWorkBehind else { return false }
    if !isBusy && workBehindUs <= now.monotonicUs || service.isFarBehind { return true }
    return now.monotonicUs - workedBehindUs >= Limits.workBehindLatestMs * 1_000
  }

  /// Some work that nobody waits for.
  package func workBehind(at now: Moment) {
    guard hasWorkBehind else { return }
    workedBehindUs = now.monotonicUs
    inBatch(now) {
      let more = try service.workBehind(at: now)
      let kept = try keptResponses?.prune(
        olderThanMs: now.wallMs - Limits.idempotencyMs, limit: 500)
      hasWorkBehind = more || kept == true
    }
    if batchFailure != nil { hasWorkBehind = false }
    finishBatch(now)
  }

  /// Takes no new work from now on.
  package func drain(at now: Moment) {
    isDraining = true
    for stream in calls.handles(where: \.isStream) where stream != attendance.stream {
      refuse(stream, draining, now)
    }
    endAttendance(now)
  }

  /// A service that drains ends the stream of its questions when no call is left that may have one.
  private func endAttendance(_ now: Moment) {
    guard isDraining, calls.count == 1, let stream = attendance.stream, calls.contains(stream)
    else { return }
    refuse(stream, draining, now)
  }

  /// Whether nothing is in flight and nothing waits to be sent.
  package var isDrained: Bool { calls.count == 0 && connections.stalled.isEmpty }
}
