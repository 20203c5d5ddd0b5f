import CZeroMQ
import Glibc

/// Something that happened to a connection of a watched socket.
package struct MonitorEvent: Equatable, Sendable {
  /// What happened; see zmq_socket_monitor(3).
  package enum Kind: Equatable, Sendable {
    case connected, accepted, disconnected, handshakeSucceeded, handshakeFailed
    /// Nobody listens there; libzmq's CLOSED.
    case connectFailed
    /// Any other, by libzmq's number.
    case other(UInt16)
  }

  package let kind: Kind
  /// A descriptor, errno or reason, by kind.
  package let value: UInt32
  /// The endpoint that it concerns.
  package let endpoint: String

  /// Of a handshake that failed: the other end does not allow this end's key. The value is then the
  /// status of its `ZAPHandler`, which no errno and no number of a protocol's error is.
  package var isRefusedKey: Bool { kind == .handshakeFailed && (300...599).contains(value) }

  /// Of a handshake that failed: one end wants keys, and the other one goes without.
  package var isOtherMechanism: Bool {
    kind == .handshakeFailed && value == UInt32(ZMQ_PROTOCOL_ERROR_ZMTP_MECHANISM_MISMATCH)
  }
}

/// Tells what happens to the connections of one socket, on that socket's own thread.
package final class Monitor {
  /// The end to poll for.
  package let socket: Socket
  private let watched: Socket
  private let number = Frame()
  private let endpoint = Frame()

  /// Watches `socket` from now on. A socket has at most one monitor, closed before it is.
  package init(_ socket: Socket) throws(ZeroMQError) {
    let address = "inproc://monitor-\(UInt(bitPattern: socket.pointer))"
    watched = socket
    self.socket = try Socket(socket.context, .pair)
    try attempt("zmq_socket_monitor") {
      zmq_socket_monitor(socket.pointer, address, ZMQ_EVENT_ALL)
    }
    try self.socket.connect(address)
  }

  /// The next event, nil if there is none yet.
  package func receive() throws(ZeroMQError) -> MonitorEvent? {
    guard try socket.receive(into: number) else { return nil }
    precondition(number.count == 6 && number.hasMore, "libzmq's own message changed")
    let event = number.bytes.loadUnaligned(as: UInt16.self)
    let value = number.bytes.loadUnaligned(fromByteOffset: 2, as: UInt32.self)
    let arrived = try socket.receive(into: endpoint)
    precondition(arrived, "a message comes whole")
    return MonitorEvent(
      kind: kind(event), value: value, endpoint: String(decoding: endpoint.bytes, as: UTF8.self))
  }

  /// Watches no more.
  package func close() throws(ZeroMQError) {
    try attempt("zmq_socket_monitor") { zmq_socket_monitor(watched.pointer, nil, 0) }
    socket.close()
  }

  private func kind(_ event: UInt16) -> MonitorEvent.Kind {
    switch Int32(event) {
    case ZMQ_EVENT_CONNECTED: .connected
    case ZMQ_EVENT_ACCEPTED: .accepted
    case ZMQ_EVENT_DISCONNECTED: .disconnected
    case ZMQ_EVENT_CLOSED: .connectFailed
    case ZMQ_EVENT_HANDSHAKE_SUCCEEDED: .handshakeSucceeded
    case ZMQ_EVENT_HANDSHAKE_FAILED_NO_DETAIL, ZMQ_EVENT_HANDSHAKE_FAILED_PROTOCOL,
      ZMQ_EVENT_HANDSHAKE_FAILED_AUTH:
      .handshakeFailed
    default: .other(event)
    }
  }
}
