import CZeroMQ
import Glibc

/// Who is at the other end of a connection.
package enum Sender: Equatable, Sendable {
  /// Nothing can be said of it.
  case unknown
  /// Somebody without a key, where none is asked for.
  case plain
  /// Whoever has the secret half of this key.
  case key(PublicKey)
}

/// One part of a message: owns one `zmq_msg_t`, made to be reused from message to message.
///
/// libzmq keeps up to 33 bytes inside the `zmq_msg_t` itself and points into it, so it lives in an
/// allocation of its own that never moves.
package final class Frame {
  let message: UnsafeMutablePointer<zmq_msg_t>

  /// An empty frame.
  package init() {
    message = .allocate(capacity: 1)
    zmq_msg_init(message)
  }

  /// A frame of `count` bytes that are not yet set.
  package convenience init(count: Int) {
    self.init()
    _ = allocate(count)
  }

  /// A frame with a copy of `bytes`.
  package convenience init(_ bytes: UnsafeRawBufferPointer) {
    self.init()
    assign(bytes)
  }

  /// A frame with a copy of `bytes`.
  package convenience init(_ bytes: [UInt8]) {
    self.init()
    assign(bytes)
  }

  deinit {
    zmq_msg_close(message)
    message.deallocate()
  }

  /// The content. Valid until the frame is changed, sent or received into.
  package var bytes: UnsafeRawBufferPointer {
    UnsafeRawBufferPointer(start: zmq_msg_data(message), count: zmq_msg_size(message))
  }

  /// Bytes of content.
  package var count: Int { zmq_msg_size(message) }

  /// Whether there is no content.
  package var isEmpty: Bool { count == 0 }

  /// Of a received frame: whether another one of the same message follows.
  package var hasMore: Bool { zmq_msg_more(message) != 0 }

  /// Who sent this frame, by what the `ZAPHandler` has said of its connection. libzmq 4.3.4 loses
  /// that on the first frame after a poll, so ask the last frame of a message. Allocates nothing.
  package var sender: Sender {
    guard let id = zmq_msg_gets(message, "User-Id") else { return .unknown }
    if strcmp(id, ZAPTable.plainUserID) == 0 { return .plain }
    return PublicKey(characters: id).map(Sender.key) ?? .unknown
  }

  /// The connection that a received frame came by; -1 where libzmq has lost that, see `sender`.
  var descriptor: Int32 { zmq_msg_get(message, ZMQ_SRCFD) }

  /// A property of the connection that a received frame came by, as "Peer-Address"; nil if unknown.
  package func property(_ name: String) -> String? {
    guard let value = zmq_msg_gets(message, name) else { return nil }
    return String(cString: value)
  }

  /// Replaces the content by `count` bytes that are not yet set, and gives them to be written.
  package func allocate(_ count: Int) -> UnsafeMutableRawBufferPointer {
    zmq_msg_close(message)
    // The one failure is that there is no memory, where Swift itself would stop too.
    precondition(zmq_msg_init_size(message, count) == 0, "no memory for a frame of \(count) bytes")
    return UnsafeMutableRawBufferPointer(start: zmq_msg_data(message), count: count)
  }

  /// Replaces the content by a copy of `bytes`, which may not lie in this frame.
  package func assign(_ bytes: UnsafeRawBufferPointer) {
    allocate(bytes.count).copyMemory(from: bytes)
  }

  /// Replaces the content by a copy of `bytes`.
  package func assign(_ bytes: [UInt8]) {
    bytes.withUnsafeBytes { assign($0) }
  }

  /// Lets go of the content.
  package func clear() {
    zmq_msg_close(message)
    zmq_msg_init(message)
  }

  /// Takes the content of `other`, which is empty afterwards. Copies nothing.
  package func move(from other: Frame) {
    let result = zmq_msg_move(message, other.message)
    precondition(result == 0, "a frame that is not set up")
  }

  /// Holds the same content as `other`: counted, not copied (but for a few bytes, where copying is
  /// cheaper). Neither may be written to afterwards, only replaced.
  package func share(from other: Frame) {
    let result = zmq_msg_copy(message, other.message)
    precondition(result == 0, "a frame that is not set up")
  }
}
