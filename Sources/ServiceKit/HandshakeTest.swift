import Glibc
import ZeroMQ

/// Tries, before anybody can connect by TCP, that a socket lets in a key that is known, knows whose
/// messages they are, and lets in nobody else. A libzmq that was built without encryption, or that
/// asks no `ZAPHandler`, would let in everybody, and nothing would look wrong.
struct HandshakeTest {
  private let server: Socket
  private let serverKey: PublicKey
  private static let timeoutMs = 5_000

  /// - Parameter server: a socket that is set to serve with a key; what is bound next is what is
  ///   tried.
  init(_ server: Socket, _ serverKey: PublicKey) {
    self.server = server
    self.serverKey = serverKey
  }

  /// - Parameter admit: lets a key shake hands; nil: only those again that are really allowed.
  /// - Throws: `HandshakeTestFailed`, `ZeroMQError`.
  func run(admit: (PublicKey?) -> Void) throws {
    // In the abstract name space, where there is no file and no network, under a name of its own.
    try server.bind("ipc://@muster-\(getpid())-\(UInt64.random(in: 0...UInt64.max))")
    let endpoint = try server.lastEndpoint
    let known = try CurveKeyPair()
    admit(known.publicKey)
    defer { admit(nil) }
    guard try letsIn(known, at: endpoint) else {
      throw HandshakeTestFailed(what: "a known key is not served")
    }
    guard try !letsIn(CurveKeyPair(), at: endpoint) else {
      throw HandshakeTestFailed(what: "a key that nobody knows is let in")
    }
    try server.unbind(endpoint)
  }

  /// Whether a client with this pair is let in. It has to be known then.
  private func letsIn(_ pair: CurveKeyPair, at endpoint: String) throws -> Bool {
    let client = try Socket(server.context, server.kind == .pub ? .sub : .dealer)
    defer { client.close() }
    try client.apply(.client())
    try client.call(as: pair, serverKey: serverKey)
    let monitor = try Monitor(client)
    var end: MonitorEvent?
    try client.connect(endpoint)
    try wait(for: monitor.socket, whose: "handshake") {
      while let event = try monitor.receive(), end == nil {
        if event.kind == .handshakeSucceeded || event.kind == .handshakeFailed { end = event }
      }
      return end != nil
    }
    try monitor.close()
    guard end?.kind == .handshakeSucceeded else {
      guard end?.isRefusedKey == true else {
        throw HandshakeTestFailed(what: "a handshake fails by itself")
      }
      return false
    }
    if server.kind == .router, try sender(of: client) != .key(pair.publicKey) {
      throw HandshakeTestFailed(what: "who is let in is not known by its key")
    }
    return true
  }

  /// Who the server finds has sent what this client sends.
  private func sender(of client: Socket) throws -> Sender {
    _ = try client.send(Frame(), more: true)
    _ = try client.send(Frame())
    let frame = Frame()
    var sender = Sender.unknown
    try wait(for: server, whose: "message") {
      var isWhole = false
      while try server.receive(into: frame) {
        isWhole = !frame.hasMore
        if isWhole { sender = frame.sender }
      }
      return isWhole
    }
    return sender
  }

  private func wait(for socket: Socket, whose what: String, until isOver: () throws -> Bool) throws
  {
    let poller = Poller()
    let index = poller.add(socket)
    defer { poller.remove(index) }
    let endUs = SystemClock.now().monotonicUs + Int64(Self.timeoutMs) * 1_000
    while try !isOver() {
      let leftUs = endUs - SystemClock.now().monotonicUs
      guard leftUs > 0 else {
        throw HandshakeTestFailed(what: "no \(what) in \(Self.timeoutMs / 1_000) s")
      }
      try poller.wait(timeoutMs: Int(leftUs / 1_000) + 1)
    }
  }
}

/// The encryption of TCP does not do what it is there for, so nothing is opened.
struct HandshakeTestFailed: Error, CustomStringConvertible {
  let what: String
  var description: String { "the test of the handshake failed: \(what)" }
}
