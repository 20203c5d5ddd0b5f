import CConnections

/// The connections that peers have made to this process, of all its sockets.
package enum AcceptedConnections {
  /// Bounds them, from now on. To be called once, before there is a context.
  /// - Parameters:
  ///   - descriptorsBelow: those from this one on are for the process itself: a connection that
  ///     would get one of them is closed.
  ///   - bytesAhead: what all of them may have sent that has not been taken. One that is further
  ///     ahead than what the others leave of it is closed.
  package static func bound(descriptorsBelow: Int32, bytesAhead: Int) {
    precondition(
      muster_bound_connections(descriptorsBelow, bytesAhead), "no memory for a table at the start")
  }

  /// A message has been taken.
  /// - Parameters:
  ///   - last: the last frame of it.
  ///   - hasKeys: whether it came encrypted.
  /// - Returns: false where its connection was closed for being too far ahead: what else it has
  ///   sent would only keep others waiting.
  package static func took(_ bytes: WireBytes, _ last: Frame, hasKeys: Bool) -> Bool {
    muster_took(last.descriptor, hasKeys ? bytes.encrypted : bytes.plain)
  }

  /// Nothing is left to be taken of connections that are over.
  package static func tookAll() { muster_took_all() }

  /// Counts less of what is never taken: so much of each connection's heartbeats, and so much of
  /// messages whose connection is over before they were whole.
  package static func forgive(heartbeatBytes: Int, pastBytes: Int) {
    muster_forgive(heartbeatBytes, pastBytes)
  }

  /// How many bytes they have sent that have not been taken.
  package static var bytesAhead: Int { muster_ahead() }

  /// How many were closed as soon as they came, for want of room.
  package static var turnedAway: Int { muster_turned_away() }

  /// How many were closed since they were too far ahead.
  package static var hungUp: Int { muster_hung_up() }
}

/// How many bytes a message was on the wire, frame by frame with their heads (RFC 23). Whether it
/// came encrypted is known with its last frame.
package struct WireBytes {
  fileprivate var plain = 0
  fileprivate var encrypted = 0

  package init() {}

  package mutating func add(_ frame: Frame) {
    plain += Self.count(frame.count)
    encrypted += Self.count(frame.count + CurveKeyPair.envelopeBytes)
  }

  private static func count(_ content: Int) -> Int { content + (content > 255 ? 9 : 2) }
}
