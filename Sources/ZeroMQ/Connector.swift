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
  private let endpoint: String
  private let settings: SocketSettings
  private let poller: Poller
  private var socketIndex: Int
  private var monitorIndex: Int

  /// Connects, in the background: nothing is wrong yet if nobody listens there.
  package init(
    _ context: Context, _ kind: SocketKind, _ endpoint: String, _ settings: SocketSettings,
    _ poller: Poller
  ) throws(ZeroMQError) {
    self.endpoint = endpoint
    self.settings = settings
    self.poller = poller
    (socket, monitor) = try Self.connect(context, kind, endpoint, settings)
    socketIndex = poller.add(socket)
    monitorIndex = poller.add(monitor.socket)
  }

  private static func connect(
    _ context: Context, _ kind: SocketKind, _ endpoint: String, _ settings: SocketSettings
  ) throws(ZeroMQError) -> (Socket, Monitor) {
    let socket = try Socket(context, kind)
    try socket.apply(settings)
    let monitor = try Monitor(socket)
    try socket.connect(endpoint)
    return (socket, monitor)
  }

  /// Whether the poller's last wait found a message.
  package var isReadable: Bool { poller.isReadable(socketIndex) }

  /// Whether the poller's last wait found something that happened to the connection.
  package var hasEvents: Bool { poller.isReadable(monitorIndex) }

  /// What happened to the connection next; nil: nothing yet.
  package func nextEvent() throws(ZeroMQError) -> MonitorEvent? { try monitor.receive() }

  /// Begins anew with another socket. What was queued for the lost peer goes with the old one, and
  /// so does what came from it and has not been received.
  package func reconnect() throws(ZeroMQError) {
    let (context, kind) = (socket.context, socket.kind)
    try close()
    (socket, monitor) = try Self.connect(context, kind, endpoint, settings)
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
