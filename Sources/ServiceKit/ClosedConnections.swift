import Model
import ZeroMQ

/// Tells the log of connections that were closed at a bound, now and then.
struct ClosedConnections {
  private var turnedAway = 0
  private var hungUp = 0
  private var toldUs = Int64.min / 2

  mutating func tell(_ log: Log, at now: Moment) {
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
