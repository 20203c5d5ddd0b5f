import ZeroMQ

/// Handshakes with services behind this process that failed for a key, each to be tried again with
/// the next key that the service may have.
struct HandshakeRetries {
  private var open: [(connector: Connector, dueUs: Int64)] = []
  private var courses: [ObjectIdentifier: Handshakes] = [:]
  private var nextToldUs: [LogName: Int64] = [:]
  private static let pauseUs: Int64 = 300_000
  private static let silenceUs: Int64 = 30_000_000
  /// A service that is ending hangs up once, one with another key at every attempt. So many try
  /// each key that it may have.
  private static let hangUps = 3

  /// Takes note of what has happened to a connection, which lives as long as this.
  mutating func note(
    _ event: MonitorEvent, _ connector: Connector, to name: LogName, _ log: Log, at now: Moment
  ) {
    guard connector.hasKeys else { return }
    if event.kind == .handshakeSucceeded { open.removeAll { $0.connector === connector } }
    // libzmq may have tried by itself meanwhile.
    let isOpen = open.contains { $0.connector === connector }
    if isOpen && event.kind == .handshakeFailed { return }
    let id = ObjectIdentifier(connector)
    courses[id, default: Handshakes()].note(event, atMs: now.monotonicUs / 1_000)
    guard event.kind == .handshakeFailed else { return }
    open.append((connector, now.monotonicUs + Self.pauseUs))
    if let fault = courses[id]?.fault { tell(fault, of: name, log, at: now) }
  }

  private mutating func tell(
    _ fault: Handshakes.Fault, of name: LogName, _ log: Log, at now: Moment
  ) {
    if case .hungUp(let times) = fault, times < Self.hangUps { return }
    guard nextToldUs[name, default: .min] <= now.monotonicUs else { return }
    nextToldUs[name] = now.monotonicUs + Self.silenceUs
    let fields: Log.Fields = ["to": .text(name.text)]
    switch fault {
    case .refusedKey:
      log.warning(
        "this process's key is refused: it is not among the peers in the service's allowed-keys",
        fields)
    case .otherMechanism:
      log.warning("no keys are taken: what listens there is no service with a secret-key", fields)
    case .silent:
      log.warning("the handshake is not answered: the service lets connect, and is silent", fields)
    case .hungUp:
      log.warning(
        "the handshake fails: the service most likely has another key than was given for it, "
          + "or none", fields)
    }
  }

  /// Tries again what is due.
  mutating func tryDue(at now: Moment) throws(ZeroMQError) {
    while let index = open.firstIndex(where: { $0.dueUs <= now.monotonicUs }) {
      try open.remove(at: index).connector.reconnect(nextKey: true)
    }
  }
}
