import ZeroMQ

/// Handshakes with services behind this process that failed for a key, each to be tried again with
/// the next key that the service may have.
struct HandshakeRetries {
  private var open: [(connector: Connector, dueUs: Int64)] = []
  private var nextToldUs: [LogName: Int64] = [:]
  private static let pauseUs: Int64 = 300_000
  private static let silenceUs: Int64 = 30_000_000

  /// Takes note of what has happened to a connection.
  mutating func note(
    _ event: MonitorEvent, _ connector: Connector, to name: LogName, _ log: Log, at now: Moment
  ) {
    guard connector.hasKeys else { return }
    switch event.kind {
    case .handshakeSucceeded: open.removeAll { $0.connector === connector }
    case .handshakeFailed:
      guard !open.contains(where: { $0.connector === connector }) else { return }
      open.append((connector, now.monotonicUs + Self.pauseUs))
      guard nextToldUs[name, default: .min] <= now.monotonicUs else { return }
      nextToldUs[name] = now.monotonicUs + Self.silenceUs
      log.warning(
        event.isRefusedKey
          ? "this process's key is refused: it is not among the peers in the service's allowed-keys"
          : "the handshake fails: the service most likely has another key than was given for it",
        ["to": .text(name.text)])
    default: break
    }
  }

  /// Tries again what is due.
  mutating func tryDue(at now: Moment) throws(ZeroMQError) {
    while let index = open.firstIndex(where: { $0.dueUs <= now.monotonicUs }) {
      try open.remove(at: index).connector.reconnect(nextKey: true)
    }
  }
}
