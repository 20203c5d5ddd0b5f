import CZeroMQ
import Glibc
import Synchronization

/// Decides which connections may be made, by a `ZAPTable`, on the one other thread of a process.
/// Nothing is asked of it where a bound socket's `zapDomain` is empty. The protocol between it and
/// libzmq is https://rfc.zeromq.org/spec/27.
package final class ZAPHandler: Sendable {
  private let context: Context
  private let table: Mutex<ZAPTable>
  private let thread = Mutex<pthread_t?>(nil)
  private static let endpoint = "inproc://zeromq.zap.01"

  /// Answers from now on, until `stop`. Make it before the first socket is bound, one in a context.
  package init(_ context: Context, _ table: ZAPTable) throws(ZeroMQError) {
    self.context = context
    self.table = Mutex(table)
    let socket = try Socket(context, .rep)
    try socket.bind(Self.endpoint)
    try start(socket)
  }

  /// Decides by another table from now on. Connections that are up stay.
  package func replace(_ table: ZAPTable) {
    self.table.withLock { $0 = table }
  }

  /// Ends the thread and waits for its end. To be called after the last bound socket is closed,
  /// which would let everybody in without it, and before the context is.
  package func stop() throws(ZeroMQError) {
    guard let thread = thread.withLock({ $0.take() }) else { return }
    // Only this process can connect to an inproc endpoint, so a lone empty frame is the word to
    // end.
    let socket = try Socket(context, .req)
    try socket.connect(Self.endpoint)
    let sent = try socket.send(Frame())
    precondition(sent == .sent, "an inproc queue of our own is full")
    pthread_join(thread, nil)
    context.hasZAPHandler.store(false, ordering: .releasing)
    socket.close()
  }

  private func start(_ socket: Socket) throws(ZeroMQError) {
    let run = Unmanaged.passRetained(ZAPThread(socket, self))
    // The new thread takes no signals: they are for the thread that reads them from a descriptor.
    var all = sigset_t()
    var before = sigset_t()
    sigfillset(&all)
    pthread_sigmask(SIG_BLOCK, &all, &before)
    defer { pthread_sigmask(SIG_SETMASK, &before, nil) }
    var thread = pthread_t()
    let number = pthread_create(
      &thread, nil,
      { argument in
        if let argument { Unmanaged<ZAPThread>.fromOpaque(argument).takeRetainedValue().run() }
        return nil
      }, run.toOpaque())
    guard number == 0 else {
      run.release()
      throw ZeroMQError(number: number, call: "pthread_create")
    }
    self.thread.withLock { $0 = thread }
    context.hasZAPHandler.store(true, ordering: .releasing)
  }

  /// The answer to one request, nil to the word to end.
  fileprivate func answer(_ request: [[UInt8]]) -> [[UInt8]]? {
    if request == [[]] { return nil }
    // version, request id, domain, address, identity, mechanism, credentials
    guard request.count >= 6, request[0] == Array("1.0".utf8) else {
      return Self.refusal(request.count > 1 ? request[1] : [])
    }
    let domain = String(decoding: request[2], as: UTF8.self)
    let mechanism = String(decoding: request[5], as: UTF8.self)
    let userID = table.withLock {
      $0.userID(domain: domain, mechanism: mechanism, credentials: Array(request[6...]))
    }
    guard let userID else { return Self.refusal(request[1]) }
    return [
      Array("1.0".utf8), request[1], Array("200".utf8), Array("OK".utf8), Array(userID.utf8), [],
    ]
  }

  private static func refusal(_ requestID: [UInt8]) -> [[UInt8]] {
    [Array("1.0".utf8), requestID, Array("400".utf8), Array("Refused".utf8), [], []]
  }
}

/// What the other thread runs: one request, one answer, until it is told to end. The socket was
/// made by the thread that started this one and is used by this one alone since.
private final class ZAPThread {
  private let socket: Socket
  private let handler: ZAPHandler

  init(_ socket: Socket, _ handler: ZAPHandler) {
    self.socket = socket
    self.handler = handler
  }

  func run() {
    defer { socket.close() }
    do {
      let poller = Poller()
      _ = poller.add(socket)
      while true {
        try poller.wait(timeoutMs: -1)
        while let request = try receive() {
          guard let answer = handler.answer(request) else { return }
          try send(answer)
        }
      }
    } catch {
      precondition(error.isTerminated, "the ZAP socket failed: \(error)")
    }
  }

  private func receive() throws(ZeroMQError) -> [[UInt8]]? {
    let frame = Frame()
    var parts: [[UInt8]] = []
    while try socket.receive(into: frame) {
      parts.append(Array(frame.bytes))
      if !frame.hasMore { return parts }
    }
    return nil
  }

  private func send(_ parts: [[UInt8]]) throws(ZeroMQError) {
    for (index, part) in parts.enumerated() {
      // Where the connection that asked is gone, so is the one who waits for the answer.
      guard try socket.send(Frame(part), more: index + 1 < parts.count) == .sent else { return }
    }
  }
}
