import Model
import Wire

/// A store whose disk is full: what is there is read, nothing is written.
extension ServiceCore {
  /// The disk is full, so what other logs tell cannot be taken in. Calls that wait for that are not
  /// left waiting until their time is up. (Each asks the owner of the log as it begins to wait, so
  /// one that comes while the disk is full is told when the answer could not be kept.)
  func storeIsFull(_ now: Moment) {
    isStoreFull = true
    storeTriedUs = now.monotonicUs
    let waiting = waitingForOthers
    waitingForOthers.removeAll()
    for call in waiting where calls.contains(call) && calls[call].waiting.isForOthers {
      refuse(
        call,
        Refusal(
          .storageFull, "The disk of \(service.name) is full; it cannot note what this waits for.",
          retryAfterMs: 5_000), now)
    }
  }

  /// Writes at the start, and now and then while the disk is full: that it is, and that it no
  /// longer is, health says by itself.
  func tryStore(_ now: Moment) {
    if let storeTriedUs, now.monotonicUs - storeTriedUs < Limits.storeRetryMs * 1_000 { return }
    storeTriedUs = now.monotonicUs
    inBatch(now) { try keptResponses?.proveThatItWrites() }
    finishBatch(now)
    if batchFailure == nil { isStoreFull = false }
  }
}
