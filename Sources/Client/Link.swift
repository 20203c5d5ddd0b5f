import Model
import Wire
import ZeroMQ

/// What is most likely wrong where a handshake fails.
enum Complaint {
  /// The server does not allow this client's key. It says so itself.
  case refusedKey
  /// The server has another key than is known here.
  case otherServerKey
  /// What listens there goes without keys, and this client has one.
  case noKeysThere
  /// It hung up once: it may be ending, or have another key.
  case hungUp
  /// This client has no key; by TCP that is most likely why.
  case noKey(isWanted: Bool)
  /// The server lets connect, and says nothing.
  case silent

  /// The contract's reason for what is known then.
  var reason: Reason {
    switch self {
    case .refusedKey: .keyRevoked
    case .otherServerKey, .noKeysThere, .hungUp, .noKey, .silent: .serviceUnreachable
    }
  }

  var sentence: String {
    switch self {
    case .refusedKey: "this client's key is not, or no longer, allowed there"
    case .otherServerKey: "the server's key that is known here is most likely the wrong one"
    case .noKeysThere: "what listens there takes no keys, and one is known here"
    case .hungUp: "what listens there hangs up"
    case .noKey(true): "what listens there refuses this client: it most likely wants a key"
    case .noKey(false): "what listens there refuses this client"
    case .silent: "it is there, but slow or stuck"
    }
  }
}

/// The connection to one endpoint, and what is known of who listens there.
final class Link {
  /// Where it stands. `refused`: something listens, and turned this client away.
  enum State { case connecting, refused, up, lost }

  let endpoint: String
  private(set) var state = State.connecting
  /// The server has said that it is about to go.
  var isDraining = false
  /// When something was heard of it last, and when it was last found silent while it should answer.
  private(set) var heardMs = 0
  private var silentMs = 0
  /// Set while there is no connection, nor to be one yet: when to connect again.
  private(set) var reopenMs: Int?

  /// What is most likely wrong, where this client was turned away.
  private(set) var complaint: Complaint?

  private let connector: Connector
  private var losses = 0
  private var handshakes = Handshakes()
  private var upSinceMs = 0

  /// A connection that held for this long was a good one.
  private static let steadyMs = 5_000
  private static let backoff = Backoff(firstMs: 20, mostMs: 1_000)
  private static let settings = SocketSettings.client(
    sendHighWater: 8_192, reconnectIntervalMs: 20, reconnectIntervalMaxMs: 500)

  /// Connects, in the background: nothing is wrong yet if nobody listens there.
  /// - Parameter curve: how to shake hands by TCP; ipc goes without keys.
  init(_ endpoint: String, _ loop: ClientLoop, _ curve: CurveClient?) throws(ZeroMQError) {
    self.endpoint = endpoint
    connector = try Connector(
      loop.context, .dealer, endpoint, Link.settings, loop.poller,
      curve: Link.isTCP(endpoint) ? curve : nil)
  }

  /// Whether its key says who calls.
  var hasKeys: Bool { connector.hasKeys }

  /// Ends it.
  func close() {
    // Closing is the last thing done with it: it cannot fail in a way that matters.
    try? connector.close()
  }

  /// Nothing can be heard of it any more, and nothing is until it is opened again.
  func lose(nowMs: Int, chance: Double) {
    state = .lost
    losses = nowMs - upSinceMs >= Link.steadyMs ? 1 : losses + 1
    reopenMs = nowMs + Link.backoff.pauseMs(failures: losses, chance: chance)
  }

  /// Connects again: what is queued for a server that is gone can never reach the next one.
  func reopen() throws(ZeroMQError) {
    reopenMs = nil
    isDraining = false
    try connector.reconnect(nextKey: state == .refused)
  }

  /// Tries again some time after it was turned away. libzmq itself does not always do that, and
  /// never with another key.
  func turnedAway(nowMs: Int, chance: Double) {
    lose(nowMs: nowMs, chance: chance)
    state = .refused
  }

  /// What has happened to the connection since; nil: nothing.
  func nextEvent(nowMs: Int) throws(ZeroMQError) -> MonitorEvent.Kind? {
    guard let event = try connector.nextEvent() else { return nil }
    // Of a socket that was given up.
    guard reopenMs == nil else { return .other(0) }
    handshakes.note(event, atMs: Int64(nowMs))
    switch event.kind {
    case .connected where complaint == nil: complaint = .silent
    case .connectFailed: complaint = nil
    case .handshakeSucceeded:
      state = .up
      complaint = nil
      upSinceMs = nowMs
      heardMs = nowMs
    case .handshakeFailed where state != .up:
      complaint = handshakes.fault.map(complaint)
    default: break
    }
    return event.kind
  }

  private func complaint(_ fault: Handshakes.Fault) -> Complaint {
    switch fault {
    case .refusedKey: .refusedKey
    case .silent: .silent
    case _ where !hasKeys: .noKey(isWanted: Link.isTCP(endpoint))
    case .otherMechanism: .noKeysThere
    // Where it has ended, the next attempt finds nobody.
    case .hungUp(let times): times > 1 ? .otherServerKey : .hungUp
    }
  }

  private static func isTCP(_ endpoint: String) -> Bool { endpoint.hasPrefix("tcp://") }

  /// Sends a message whole, or not at all: only its first frame can find no room.
  func send(_ header: Frame, _ body: Frame) throws(ZeroMQError) -> SendResult {
    guard state == .up else { return .gone }
    let result = try connector.socket.send(header, more: true)
    return result == .sent ? try connector.socket.send(body) : result
  }

  /// Takes one message, whatever it is, and gives its number of frames, a delimiter not counted;
  /// the first two are in `header` and `body`. Nil: there is none.
  func receive(_ header: Frame, _ body: Frame, nowMs: Int) throws(ZeroMQError) -> Int? {
    let socket = connector.socket
    guard reopenMs == nil, try socket.receive(into: header) else { return nil }
    heardMs = nowMs
    // An empty first frame is a delimiter, which we do not send and need not get.
    if header.isEmpty, header.hasMore { _ = try socket.receive(into: header) }
    var last = header
    var frames = 1
    while last.hasMore {
      last = frames == 1 ? body : Frame()
      guard try socket.receive(into: last) else { break }
      frames += 1
    }
    return frames
  }

  /// Something sent at `sentMs` should have been answered by now.
  func missAnswer(sentMs: Int, nowMs: Int) {
    if heardMs <= sentMs { silentMs = nowMs }
  }

  /// Up, and as far as is known answering.
  var isGood: Bool { state == .up && !isDraining && silentMs <= heardMs }
}
