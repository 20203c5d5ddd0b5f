import Model
package import Wire
package import ZeroMQ

/// Calls with more than one response.
extension ServiceCore {
  /// What became of one response of a stream.
  package enum StreamResult: Sendable {
    case sent
    /// The peer does not read: nothing was kept of it. It is told of in `nowFree` when it has read.
    case full
    /// The peer is gone, and the call has ended.
    case gone
  }

  /// Keeps a call open until it is ended. It has no deadline any more, and counts among the streams
  /// of its caller, no longer among the calls in flight.
  package func open(_ call: CallHandle) {
    countStream(call)
    calls.open(call)
  }

  /// Which connection a call came by.
  package func connection(of call: CallHandle) -> Int { calls.address(call).connection }

  /// Sends one more response of a stream. `body` stays as it is: many streams may share it.
  /// - Parameter continues: what went before it is worth nothing without it, so it is kept though
  ///   the peer does not read.
  package func send(
    _ call: CallHandle, _ body: Frame, asOf: Revisions, continues: Bool = false
  ) -> StreamResult {
    guard calls.contains(call) else { return .gone }
    let (connection, hasDelimiter, id) = calls.address(call)
    guard connections.canTakeUpdate(connection, continues: continues) else { return .full }
    countResponse(call, byteCount: body.count)
    bodyFrame.share(from: body)
    let header = ResponseHeader(id: id, asOf: asOf, more: true)
    guard transmit(connection, hasDelimiter, header, bodyFrame) else {
      forget(call)
      return .gone
    }
    return .sent
  }

  /// A call whose caller is gone: there is nobody to answer to.
  func forget(_ call: CallHandle) {
    guard calls.contains(call) else { return }
    connections.ended(calls.address(call).connection)
    calls.remove(call)
  }

  /// The call of a method that has this id on the connection of another call.
  package func find(_ method: Method, id: UInt64, besides call: CallHandle) -> CallHandle? {
    let found = calls.find(id, on: calls.address(call).connection)
    return found.flatMap { calls[$0].header.method == method ? $0 : nil }
  }
}
