import Model
package import Wire
package import ZeroMQ

/// How a call ends: with one response.
extension ServiceCore {
  /// Ends a call with a response, held until the commit where a batch is open.
  package func reply<P: Message>(
    _ call: CallHandle, _ response: P, asOf: Revisions, isReplay: Bool = false, _ now: Moment
  ) {
    let body = takeFrame()
    encoder.encode(response) { body.allocate($0) }
    end(call, ResponseHeader(asOf: asOf, replayed: isReplay), body, now)
  }

  /// Ends a call with a response that was kept.
  func reply(_ call: CallHandle, _ kept: KeptResponse, _ now: Moment) {
    let body = takeFrame()
    body.assign(kept.body ?? [])
    end(call, ResponseHeader(asOf: kept.asOf, replayed: true), body, now)
  }

  /// Ends a call with a refusal.
  package func refuse(_ call: CallHandle, _ refusal: Refusal, _ now: Moment) {
    let body = takeFrame()
    body.assign(refusal.body)
    // A body shows a state; without one there is none to tell of.
    let asOf = refusal.body.isEmpty ? Revisions() : ownRevisions
    end(call, ResponseHeader(status: refusal.status, asOf: asOf), body, now)
  }

  /// Ends a call with what another service answered. The content of `body` is taken.
  package func pass(_ call: CallHandle, _ header: ResponseHeader, _ body: Frame, _ now: Moment) {
    let kept = takeFrame()
    kept.move(from: body)
    end(call, header, kept, now)
  }

  private func end(
    _ call: CallHandle, _ header: ResponseHeader, _ body: Frame, _ now: Moment
  ) {
    guard calls.contains(call) else { return giveBack(body) }
    var header = header
    header.id = calls[call].header.id
    if isBatchOpen {
      held.append(Held(call: call, response: .done(header: header, body: body)))
    } else {
      send(call, header, body, now)
    }
  }

  /// Sends the response, and forgets the call.
  func send(_ call: CallHandle, _ header: ResponseHeader, _ body: Frame, _ now: Moment) {
    let inFlight = calls[call]
    if let method = inFlight.header.method {
      metrics.record(
        method, header.status?.code ?? .ok,
        us: UInt64(max(0, clock().monotonicUs - inFlight.receivedUs)))
    }
    connections.ended(inFlight.connection)
    if let kept = inFlight.body, kept !== body { giveBack(kept) }
    calls.remove(call)
    if header.status == nil, inFlight.header.method?.isWrite != true,
      connections.unsentByteCount(inFlight.connection) + body.count > Limits.unreadResponsesBytes
    {
      // Calls in flight may bring more than their caller ever reads; what a write did is told.
      body.clear()
      let header = ResponseHeader(id: header.id, status: unread.status, more: header.more)
      transmit(inFlight.connection, inFlight.hasDelimiter, header, body)
    } else {
      transmit(inFlight.connection, inFlight.hasDelimiter, header, body)
    }
    giveBack(body)
  }

  /// Answers where there is no call to end: a second one under an id that is in flight.
  func answerWithoutCall(
    _ connection: Int, _ hasDelimiter: Bool, _ id: UInt64, _ status: Status
  ) {
    bodyFrame.clear()
    transmit(connection, hasDelimiter, ResponseHeader(id: id, status: status), bodyFrame)
  }

  /// False: the peer is gone.
  @discardableResult
  func transmit(
    _ connection: Int, _ hasDelimiter: Bool, _ header: ResponseHeader, _ body: Frame
  ) -> Bool {
    guard connections.unsentByteCount(connection) < Limits.mostUnreadBytes else {
      metrics.add(droppedResponses)
      return true
    }
    encoder.encode(header) { headerFrame.allocate($0) }
    if outlet.respond(to: connection, delimiter: hasDelimiter, header: headerFrame, body: body) {
      return true
    }
    connections.drop(connection)
    if let stream = attendance.left(connection) { forget(stream) }
    return false
  }

  /// An empty frame. Frames are used again: a call costs no allocation once the pool is warm.
  package func takeFrame() -> Frame { framePool.popLast() ?? Frame() }

  package func giveBack(_ frame: Frame) {
    frame.clear()
    if framePool.count < 4_096 { framePool.append(frame) }
  }
}
