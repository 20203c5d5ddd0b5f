import CZeroMQ
import Glibc

/// The kinds of socket in use here; what they do is in zmq_socket(3).
package enum SocketKind: Sendable {
  case router, dealer, req, rep, pub, sub, pair

  var number: Int32 {
    switch self {
    case .router: ZMQ_ROUTER
    case .dealer: ZMQ_DEALER
    case .req: ZMQ_REQ
    case .rep: ZMQ_REP
    case .pub: ZMQ_PUB
    case .sub: ZMQ_SUB
    case .pair: ZMQ_PAIR
    }
  }
}

/// What became of a frame that was to be sent.
package enum SendResult: Sendable {
  /// libzmq has it, and the frame is empty now.
  case sent
  /// The peer's queue is full, or nobody is connected. Nothing was taken: the message can be tried
  /// again later, from its first frame.
  case full
  /// The peer is gone, and with it the whole message, also the frames of it already taken.
  case gone
}

/// A ZeroMQ socket. Never blocks. Stays on one thread, which the missing Sendable keeps it to.
package final class Socket {
  /// The context it lives in, and keeps alive.
  package let context: Context
  /// What it was made as.
  package let kind: SocketKind
  /// Is readable when libzmq has news for the socket: that a message came, or that a peer has taken
  /// one. Whatever is done with the socket may take note of the news.
  package let descriptor: Int32
  /// That nothing can be received until the descriptor has news.
  private(set) var isKnownEmpty = false
  /// Nil once closed.
  private var open: UnsafeMutableRawPointer?
  /// Whether the last frame sent said that another one follows.
  private var isInsideMessage = false

  /// A socket that is not connected. Drops what is unsent when it is closed, unless set otherwise.
  package init(_ context: Context, _ kind: SocketKind) throws(ZeroMQError) {
    guard let pointer = zmq_socket(context.pointer, kind.number) else {
      throw ZeroMQError(number: zmq_errno(), call: "zmq_socket")
    }
    self.context = context
    self.kind = kind
    var descriptor: Int32 = 0
    var size = MemoryLayout<Int32>.size
    let option = SocketOption<Int32>.fileDescriptor
    try attempt("zmq_getsockopt \(option.name)") {
      zmq_getsockopt(pointer, option.number, &descriptor, &size)
    }
    self.descriptor = descriptor
    open = pointer
    context.openSockets.add(1, ordering: .acquiringAndReleasing)
    // libzmq's default is to wait for ever.
    try set(.linger, 0)
  }

  deinit { close() }

  /// libzmq's handle. A closed socket may not be used: that is our own mistake.
  var pointer: UnsafeMutableRawPointer {
    guard let open else { preconditionFailure("the socket is closed") }
    return open
  }

  /// Closes it, once. Unsent messages go, after `linger`.
  package func close() {
    guard let pointer = open else { return }
    open = nil
    zmq_close(pointer)
    context.openSockets.subtract(1, ordering: .acquiringAndReleasing)
  }

  /// Listens at `endpoint`. A second bind to one ipc path silently takes it over: see
  /// `EndpointLock`.
  package func bind(_ endpoint: String) throws(ZeroMQError) {
    isKnownEmpty = false
    try attempt("zmq_bind \(endpoint)") { zmq_bind(pointer, endpoint) }
  }

  /// Connects to `endpoint`, now or, where nobody listens, later and again after each loss.
  package func connect(_ endpoint: String) throws(ZeroMQError) {
    isKnownEmpty = false
    try attempt("zmq_connect \(endpoint)") { zmq_connect(pointer, endpoint) }
  }

  /// Takes back a `connect`.
  package func disconnect(_ endpoint: String) throws(ZeroMQError) {
    isKnownEmpty = false
    try attempt("zmq_disconnect \(endpoint)") { zmq_disconnect(pointer, endpoint) }
  }

  /// Takes back a `bind`. Connections that are up stay.
  package func unbind(_ endpoint: String) throws(ZeroMQError) {
    isKnownEmpty = false
    try attempt("zmq_unbind \(endpoint)") { zmq_unbind(pointer, endpoint) }
  }

  /// Where the last `bind` listens, a port chosen by the system included; empty before one.
  package var lastEndpoint: String {
    get throws(ZeroMQError) { try get(.lastEndpoint) }
  }
}

// MARK: - Messages

extension Socket {
  /// Takes one frame, if one is there. False: nothing is, and what `frame` held may be gone. A
  /// message comes whole: once its first frame is there, so are the others (`Frame.hasMore`).
  package func receive(into frame: Frame) throws(ZeroMQError) -> Bool {
    isKnownEmpty = false
    while zmq_msg_recv(frame.message, pointer, ZMQ_DONTWAIT) == -1 {
      let number = zmq_errno()
      if number == EAGAIN {
        isKnownEmpty = true
        return false
      }
      if number != EINTR { throw ZeroMQError(number: number, call: "zmq_msg_recv") }
    }
    return true
  }

  /// Whether a message can be received.
  func hasMessage() throws(ZeroMQError) -> Bool {
    let hasMessage = try get(.events) & ZMQ_POLLIN != 0
    isKnownEmpty = !hasMessage
    return hasMessage
  }

  /// Sends one frame; `more`: another one of the same message follows. Only a first frame can find
  /// its peer full: once that is taken, the whole message is, or it is lost with its peer.
  package func send(_ frame: Frame, more: Bool = false) throws(ZeroMQError) -> SendResult {
    let flags = more ? ZMQ_DONTWAIT | ZMQ_SNDMORE : ZMQ_DONTWAIT
    isKnownEmpty = false
    var hasLookedAgain = false
    while zmq_msg_send(frame.message, pointer, flags) == -1 {
      let number = zmq_errno()
      switch number {
      case EINTR: continue
      case EAGAIN where isInsideMessage: return abandonMessage(more: more)
      case EAGAIN where !hasLookedAgain:
        // A send hears only once a millisecond what room there is, so a queue can look full long
        // after it was emptied. Asking for events hears all of it.
        hasLookedAgain = true
        _ = try get(.events)
      case EAGAIN: return .full
      case EHOSTUNREACH: return .gone
      default: throw ZeroMQError(number: number, call: "zmq_msg_send")
      }
    }
    isInsideMessage = more
    return .sent
  }

  /// The peer went away between two frames. libzmq then drops every frame up to the last one of the
  /// message, which would be the next message if its caller began anew: so end this one here.
  private func abandonMessage(more: Bool) -> SendResult {
    isInsideMessage = false
    if more {
      let end = Frame()
      while zmq_msg_send(end.message, pointer, ZMQ_DONTWAIT) == -1 && zmq_errno() == EINTR {}
    }
    return .gone
  }
}

// MARK: - Options

extension Socket {
  /// Sets an option. Most hold for what is bound or connected afterwards only.
  package func set(_ option: SocketOption<Int32>, _ value: Int32) throws(ZeroMQError) {
    var value = value
    try set(option.number, option.name, &value, MemoryLayout<Int32>.size)
  }

  /// Sets an option. Most hold for what is bound or connected afterwards only.
  package func set(_ option: SocketOption<Int64>, _ value: Int64) throws(ZeroMQError) {
    var value = value
    try set(option.number, option.name, &value, MemoryLayout<Int64>.size)
  }

  /// Sets an option. Most hold for what is bound or connected afterwards only.
  package func set(_ option: SocketOption<String>, _ value: String) throws(ZeroMQError) {
    try set(option.number, option.name, value, value.utf8.count)
  }

  /// Sets an option. Most hold for what is bound or connected afterwards only.
  package func set(_ option: SocketOption<[UInt8]>, _ value: [UInt8]) throws(ZeroMQError) {
    try set(option.number, option.name, value, value.count)
  }

  private func set(
    _ number: Int32, _ name: String, _ value: UnsafeRawPointer, _ size: Int
  ) throws(ZeroMQError) {
    try attempt("zmq_setsockopt \(name)") { zmq_setsockopt(pointer, number, value, size) }
  }

  /// What an option is set to.
  package func get(_ option: SocketOption<Int32>) throws(ZeroMQError) -> Int32 {
    var value: Int32 = 0
    var size = MemoryLayout<Int32>.size
    try attempt("zmq_getsockopt \(option.name)") {
      zmq_getsockopt(pointer, option.number, &value, &size)
    }
    return value
  }

  /// What an option is set to.
  package func get(_ option: SocketOption<Int64>) throws(ZeroMQError) -> Int64 {
    var value: Int64 = 0
    var size = MemoryLayout<Int64>.size
    try attempt("zmq_getsockopt \(option.name)") {
      zmq_getsockopt(pointer, option.number, &value, &size)
    }
    return value
  }

  /// What an option is set to. libzmq ends texts with a NUL, which is not part of them.
  package func get(_ option: SocketOption<String>) throws(ZeroMQError) -> String {
    var bytes = [UInt8](repeating: 0, count: 512)
    var size = bytes.count
    try attempt("zmq_getsockopt \(option.name)") {
      zmq_getsockopt(pointer, option.number, &bytes, &size)
    }
    return String(decoding: bytes.prefix(size).prefix { $0 != 0 }, as: UTF8.self)
  }
}
