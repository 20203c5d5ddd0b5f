import Client
import Model
import Wire

/// Watches as an operation: how long it takes until one shows what is true.
extension Driver {
  func watch(_ location: ID, _ ticket: Int, _ call: LoadRun.Call) {
    let client = clients[call.client % clients.count]
    watches[ticket] = client.watchPeople(at: location, user: users[call.client]) {
      [weak self] _, news in
      guard let self else { return }
      switch news {
      case .whole: endWatch(ticket, .success)
      case .ended(let status): endWatch(ticket, .failure(status))
      case .changed, .missed, .stale, .current: break
      }
    }
  }

  /// Nobody waits longer for a watch than for another call.
  func endLateWatches() {
    guard !watches.isEmpty else { return }
    let now = nowNs
    for ticket in watches.keys {
      guard let call = run.call(ticket),
        now - call.sentNs >= plan.course.timeoutMs * 1_000_000
      else { continue }
      endWatch(ticket, .timeout(Status(.serviceUnreachable, "nothing came of the watch")))
    }
  }

  private func endWatch(_ ticket: Int, _ outcome: CallOutcome) {
    // Letting go of it ends it at the server.
    guard watches.removeValue(forKey: ticket) != nil else { return }
    run.finish(ticket, outcome, nowNs: nowNs)
  }
}
