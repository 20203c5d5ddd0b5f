/// A socket that leads to one endpoint, watched by a poller, and what is told of its connection.
///
/// What is queued for a peer that is gone would be carried out by whoever listens there next, when
/// nobody waits for it any more. libzmq's own cure, IMMEDIATE, tears the queues away under their
/// reader: 4.3.4 then loses what had arrived, and aborts the process where that happens between two
/// frames (`Assertion failed: !_more`). So it is left off; whoever uses this sends nothing before a
/// handshake has succeeded, and calls `reconnect` when the connection is lost.
package final class Connector {
  /// To send and receive by, until `reconnect` puts another one in its place.
  package private(set) var socket: Socket
  private var monitor: Monitor
  private let goal: Goal
  private let poller: Poller
  /// Which of the server's keys is tried.
  private var serverKey = 0
  private var socketIndex: Int
  private var monitorIndex: Int

  /// Connects, in the background: nothing is wrong yet if nobody listens there.
  /// - Parameters:
  ///   - curve: how to shake hands; nil: without keys.
  ///   - topic: what a SUB socket wants to hear.
  package init(
    _ context: Context, _ kind: SocketKind, _ endpoint: String, _ settings: SocketSettings,
    _ poller: Poller, curve: CurveClient? = nil, topic: [UInt8]? = nil
  ) throws(ZeroMQError) {
    goal = Goal(kind: kind, endpoint: endpoint, settings: settings, curve: curve, topic: topic)
    self.poller = poller
    (socket, monitor) = try goal.connect(context, serverKey)
    socketIndex = poller.add(socket)
    monitorIndex = poller.add(monitor.socket)
  }

  /// What every socket of it is to be.
  private struct Goal {
    let kind: SocketKind
    let endpoint: String
    let settings: SocketSettings
    let curve: CurveClient?
    let topic: [UInt8]?

    func connect(
      _ context: Context, _ serverKey: Int
    ) throws(ZeroMQError) -> (Socket, Monitor) {
      let socket = try Socket(context, kind)
      try socket.apply(settings)
      if let curve {
        try socket.call(as: curve.pair, serverKey: curve.serverKeys[serverKey])
      }
      if let topic { try socket.set(.subscribe, topic) }
      let monitor = try Monitor(socket)
      try socket.connect(endpoint)
      return (socket, monitor)
    }
  }

  /// Whether it shakes hands by keys.
  package var hasKeys: Bool { goal.curve != nil }

  /// Whether the poller's last wait found a message.
  package var isReadable: Bool { poller.isReadable(socketIndex) }

  /// Whether the poller's last wait found something that happened to the connection.
  package var hasEvents: Bool { poller.isReadable(monitorIndex) }

  /// What happened to the connection next; nil: nothing yet.
  package func nextEvent() throws(ZeroMQError) -> MonitorEvent? { try monitor.receive() }

  /// Begins anew with another socket. What was queued for the lost peer goes with the old one, and
  /// so does what came from it and has not been received.
  ///
  /// A handshake that failed needs this too, some time later: libzmq does not try again where this
  /// end's key was refused, and where the server's key is another one it tries the same for ever.
  /// - Parameter nextKey: tries the next of the keys that the server may have.
  package func reconnect(nextKey: Bool = false) throws(ZeroMQError) {
    if nextKey, let curve = goal.curve {
      serverKey = (serverKey + 1) % curve.serverKeys.count
    }
    let context = socket.context
    try close()
    (socket, monitor) = try goal.connect(context, serverKey)
    socketIndex = poller.add(socket)
    monitorIndex = poller.add(monitor.socket)
  }

  /// Ends the connection. Nothing but the release of the object may follow.
  package func close() throws(ZeroMQError) {
    poller.remove(socketIndex)
    poller.remove(monitorIndex)
    try monitor.close()
    socket.close()
  }
}
