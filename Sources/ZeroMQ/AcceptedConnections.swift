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
  package static func took(_ bytes: WireBytes, _ last: Frame, hasKeys: Bool) {
    muster_took(last.descriptor, hasKeys ? bytes.encrypted : bytes.plain)
  }

  /// How many were closed as soon as they came, for want of descriptors.
  package static var turnedAway: Int { Int(clamping: muster_turned_away()) }

  /// How many were closed since they were too far ahead.
  package static var hungUp: Int { Int(clamping: muster_hung_up()) }
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
