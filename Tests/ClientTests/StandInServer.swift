import Foundation
import Synchronization
import Wire
import ZeroMQ

/// A server of a test's own on an ipc endpoint: a thread that gives each request to a closure.
final class StandInServer: Sendable {
  /// What the closure answers a request with; nil: nothing.
  typealias Handler = @Sendable (RequestHeader, [UInt8]) -> (ResponseHeader, [UInt8])?

  let endpoint: String
  private let isStopping = Atomic(false)
  private let isStopped = DispatchSemaphore(value: 0)

  init(endpoint: String, _ handler: @escaping Handler) {
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

  private func serve(_ handler: Handler) throws {
    let context = try Context()
    let socket = try Socket(context, .router)
    let poller = Poller()
    _ = poller.add(socket)
    // A stand-in drops nothing, however late its client reads.
    try socket.set(.sendHighWater, 0)
    try socket.bind(endpoint)
    let (peer, header, body) = (Frame(), Frame(), Frame())
    while !isStopping.load(ordering: .acquiring) {
      try poller.wait(timeoutMs: 10)
      while try socket.receive(into: peer) {
        _ = try socket.receive(into: header)
        _ = try socket.receive(into: body)
        var violations: [FieldViolation] = []
        let request = try Decoder().decode(
          RequestHeader.self, from: header.bytes, violations: &violations)
        guard let (answer, bytes) = handler(request, [UInt8](body.bytes)) else { continue }
        header.assign(Encoder().bytes(answer))
        body.assign(bytes)
        _ = try socket.send(peer, more: true)
        _ = try socket.send(header, more: true)
        _ = try socket.send(body)
      }
    }
    socket.close()
    context.close()
  }

  /// An endpoint that nobody else uses.
  static func newEndpoint() -> String {
    "ipc://\(FileManager.default.temporaryDirectory.path)/muster-\(UUID().uuidString)"
  }
}
