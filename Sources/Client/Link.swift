import Model
import ZeroMQ

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

  private let connector: Connector
  private var losses = 0
  private var upSinceMs = 0

  /// A connection that held for this long was a good one.
  private static let steadyMs = 5_000
  private static let backoff = Backoff(firstMs: 20, mostMs: 1_000)
  private static let settings = SocketSettings.client(
    sendHighWater: 8_192, reconnectIntervalMs: 20, reconnectIntervalMaxMs: 500)

  /// Connects, in the background: nothing is wrong yet if nobody listens there.
  init(_ endpoint: String, _ loop: ClientLoop) throws(ZeroMQError) {
    self.endpoint = endpoint
    connector = try Connector(loop.context, .dealer, endpoint, Link.settings, loop.poller)
  }

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
    try connector.reconnect()
  }

  /// What has happened to the connection since; nil: nothing.
  func nextEvent(nowMs: Int) throws(ZeroMQError) -> MonitorEvent.Kind? {
    guard let event = try connector.nextEvent() else { return nil }
    switch event.kind {
    // Of a socket that was given up.
    case _ where reopenMs != nil: return .other(0)
    case .handshakeSucceeded:
      state = .up
      upSinceMs = nowMs
      heardMs = nowMs
    case .handshakeFailed where state == .connecting: state = .refused
    default: break
    }
    return event.kind
  }

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
