import Model
import ZeroMQ

/// Tells the log of connections that were closed at a bound, and forgets in time what is counted of
/// each and never taken.
struct ClosedConnections {
  private var turnedAway = 0
  private var hungUp = 0
  private var toldUs = Int64.min / 2
  private var forgaveUs = Int64.min / 2

  mutating func tend(_ log: Log, at now: Moment) {
    if now.monotonicUs - forgaveUs >= Limits.forgivenMs * 1_000 {
      forgaveUs = now.monotonicUs
      AcceptedConnections.forgive(
        heartbeatBytes: Limits.forgivenHeartbeatBytes, pastBytes: Limits.forgivenPastBytes)
    }
    let (turnedAway, hungUp) = (AcceptedConnections.turnedAway, AcceptedConnections.hungUp)
    guard turnedAway + hungUp > self.turnedAway + self.hungUp,
      now.monotonicUs - toldUs >= Limits.closedToldMs * 1_000
    else { return }
    if turnedAway > self.turnedAway {
      log.warning("connections turned away", ["count": .number(turnedAway - self.turnedAway)])
    }
    if hungUp > self.hungUp {
      log.warning("connections hung up", ["count": .number(hungUp - self.hungUp)])
    }
    (self.turnedAway, self.hungUp, toldUs) = (turnedAway, hungUp, now.monotonicUs)
  }
}
