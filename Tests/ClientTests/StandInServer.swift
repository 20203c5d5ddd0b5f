import Foundation
import Model
import Synchronization
import Wire
import ZeroMQ

/// A server of a test's own on an ipc endpoint: a thread that gives each request to a closure, and
/// sends what the test pushes.
final class StandInServer: Sendable {
  /// What the closure answers a request with; nil: nothing.
  typealias Handler = @Sendable (RequestHeader, [UInt8]) -> (ResponseHeader, [UInt8])?

  let endpoint: String
  private let isStopping = Atomic(false)
  private let isStopped = DispatchSemaphore(value: 0)
  private let requests = Mutex<[(header: RequestHeader, body: [UInt8])]>([])
  private let outbox = Mutex<[(ResponseHeader, [UInt8])]>([])

  init(endpoint: String = StandInServer.newEndpoint(), _ handler: @escaping Handler) {
    self.endpoint = endpoint
    let thread = Thread { [self] in
      do { try serve(handler) } catch { preconditionFailure("the stand-in cannot serve: \(error)") }
      isStopped.signal()
    }
    thread.start()
  }

  /// Ends it, with all its connections.
  func stop() {
    isStopping.store(true, ordering: .releasing)
    isStopped.wait()
  }

  /// The requests so far.
  var seen: [RequestHeader] { requests.withLock { $0.map(\.header) } }

  /// The requests of this type so far.
  func seen<R: Request>(_ type: R.Type) -> [R] {
    requests.withLock { $0 }.filter { $0.header.method == R.method }.compactMap { request in
      var violations: [FieldViolation] = []
      return request.body.withUnsafeBytes { bytes in
        // A request that is none is not seen, and the test says so.
        try? Decoder().decode(R.self, from: bytes, violations: &violations)
      }
    }
  }

  /// Sends a response to whoever asked last.
  func push(_ header: ResponseHeader, _ body: [UInt8] = []) {
    outbox.withLock { $0.append((header, body)) }
  }

  /// Sends a response of the last stream that was asked for.
  func push(_ response: WatchResponse, checkIns: UInt64) {
    let id = seen.last { $0.method == .watch }?.id ?? 0
    push(
      ResponseHeader(id: id, asOf: Revisions(checkIns: checkIns), more: true),
      Encoder().bytes(response))
  }

  private func serve(_ handler: Handler) throws {
    let context = try Context()
    let socket = try Socket(context, .router)
    let poller = Poller()
    _ = poller.add(socket)
    // A stand-in drops nothing, however late its client reads.
    try socket.set(.sendHighWater, 0)
    try socket.bind(endpoint)
    let (peer, header, body) = (Frame(), Frame(), Frame())
    var last: [UInt8] = []
    func send(_ answer: ResponseHeader, _ bytes: [UInt8]) throws {
      peer.assign(last)
      header.assign(Encoder().bytes(answer))
      body.assign(bytes)
      _ = try socket.send(peer, more: true)
      _ = try socket.send(header, more: true)
      _ = try socket.send(body)
    }
    while !isStopping.load(ordering: .acquiring) {
      try poller.wait(timeoutMs: 10)
      while try socket.receive(into: peer) {
        last = [UInt8](peer.bytes)
        _ = try socket.receive(into: header)
        _ = try socket.receive(into: body)
        var violations: [FieldViolation] = []
        let request = try Decoder().decode(
          RequestHeader.self, from: header.bytes, violations: &violations)
        let bytes = [UInt8](body.bytes)
        requests.withLock { $0.append((request, bytes)) }
        if let answer = handler(request, bytes) { try send(answer.0, answer.1) }
      }
      for (answer, bytes) in outbox.withLock({ waiting in
        defer { waiting = [] }
        return waiting
      }) { try send(answer, bytes) }
    }
    socket.close()
    context.close()
  }

  /// An endpoint that nobody else uses.
  static func newEndpoint() -> String {
    "ipc://\(FileManager.default.temporaryDirectory.path)/muster-\(UUID().uuidString)"
  }
}
