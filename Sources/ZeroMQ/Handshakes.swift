/// What a connection's events tell of why this end is not let in.
///
/// Where a peer hangs up in the middle of a handshake, libzmq 4.3.4 says that it has failed and no
/// more, whether the peer could not decrypt what came to it, or has died. (The errno that is told
/// is whichever was there before.) But a peer that has died lets nobody connect any more, and one
/// with another key hangs up every time.
package struct Handshakes: Sendable {
  /// Why the last one failed.
  package enum Fault: Equatable, Sendable {
    /// The peer does not allow this end's key. It says so itself.
    case refusedKey
    /// One of the two asks for keys, and the other one goes without.
    case otherMechanism
    /// The peer lets connect, and says nothing until time is up: it stands still.
    case silent
    /// The peer hung up, so many times in a row.
    case hungUp(times: Int)
  }

  /// Nil: none has failed since one succeeded, or since nobody listened there.
  package private(set) var fault: Fault?
  private var connectedMs: Int64 = 0
  private static let timeUpMs = Int64(SocketSettings.client().handshakeIntervalMs)

  package init() {}

  /// Takes note of an event, told at this time of a clock that never jumps.
  package mutating func note(_ event: MonitorEvent, atMs nowMs: Int64) {
    switch event.kind {
    case .connected: connectedMs = nowMs
    case .handshakeSucceeded, .connectFailed: fault = nil
    case .handshakeFailed: fault = fault(of: event, nowMs - connectedMs)
    default: break
    }
  }

  private func fault(of event: MonitorEvent, _ tookMs: Int64) -> Fault {
    if event.isRefusedKey { return .refusedKey }
    // Whichever end sees it first hangs up, so this one does not see it every time.
    if event.isOtherMechanism || fault == .otherMechanism { return .otherMechanism }
    // Whoever hangs up because of what it has read does it at once.
    if tookMs >= Self.timeUpMs / 2 { return .silent }
    if case .hungUp(let times) = fault { return .hungUp(times: times + 1) }
    return .hungUp(times: 1)
  }
}
