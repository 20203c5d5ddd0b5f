import Glibc
import Testing
import ZeroMQ

/// A context and a folder of one test's own. Sockets made by `socket` are closed with it.
final class Bench {
  let context: Context
  let folder: String
  private var sockets: [Socket] = []
  private var handler: ZAPHandler?

  init() throws {
    context = try Context()
    var template = Array("/tmp/muster-zmq-XXXXXX".utf8CString)
    folder = String(cString: try #require(mkdtemp(&template)))
  }

  deinit {
    for socket in sockets { socket.close() }
    stopHandler()
    context.close()
    for name in ["a.sock", "a.sock.lock"] { unlink("\(folder)/\(name)") }
    rmdir(folder)
  }

  /// An ipc endpoint of this test's own.
  var ipc: String { "ipc://\(folder)/a.sock" }

  func socket(_ kind: SocketKind) throws -> Socket {
    let socket = try Socket(context, kind)
    sockets.append(socket)
    return socket
  }

  /// Tells what happens to a socket's connections. Closed with the bench, if not before.
  func monitor(_ socket: Socket) throws -> Monitor {
    let monitor = try Monitor(socket)
    sockets.append(monitor.socket)
    return monitor
  }

  /// Answers for the context's domains from now on.
  func startHandler(_ table: ZAPTable) throws { handler = try ZAPHandler(context, table) }

  func replaceTable(_ table: ZAPTable) { handler?.replace(table) }

  /// To be called when no socket is bound any more.
  private func stopHandler() {
    do { try handler?.stop() } catch { Issue.record("the handler does not stop: \(error)") }
  }

  /// Waits until `condition` gives a value, asking again whenever one of `watched` has something,
  /// or after a few milliseconds.
  func wait<R>(
    for what: String, _ watched: Socket..., until condition: () throws -> R?
  ) throws -> R {
    let poller = Poller()
    for socket in watched { _ = poller.add(socket) }
    let end = monotonicMs() + 10_000
    while true {
      if let result = try condition() { return result }
      guard monotonicMs() < end else { throw TimedOut(what: what) }
      try poller.wait(timeoutMs: 5)
    }
  }

  /// Waits for one whole message.
  func receive(_ socket: Socket) throws -> [[UInt8]] {
    let frame = Frame()
    var parts: [[UInt8]] = []
    return try wait(for: "a message", socket) {
      while try socket.receive(into: frame) {
        parts.append(Array(frame.bytes))
        if !frame.hasMore { return parts }
      }
      return nil
    }
  }

  /// Sends one whole message, and waits for a connection to send it to.
  func send(_ socket: Socket, _ parts: [UInt8]...) throws {
    for (index, part) in parts.enumerated() {
      let frame = Frame(part)
      _ = try wait(for: "a peer to send to") {
        try socket.send(frame, more: index + 1 < parts.count) == .sent ? true : nil
      }
    }
  }
}

/// What a test waited for in vain.
struct TimedOut: Error { let what: String }

func monotonicMs() -> Int {
  var now = timespec()
  clock_gettime(CLOCK_MONOTONIC, &now)
  return now.tv_sec * 1_000 + now.tv_nsec / 1_000_000
}
