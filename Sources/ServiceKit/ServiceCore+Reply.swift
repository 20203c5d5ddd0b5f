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

  /// Ends a call with a body that others are given too: it is shared, not copied.
  package func reply(_ call: CallHandle, sharing body: Frame, asOf: Revisions, _ now: Moment) {
    let own = takeFrame()
    own.share(from: body)
    end(call, ResponseHeader(asOf: asOf), own, now)
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
    // Reads never run inside a batch: a refused one hangs on nothing that the commit decides.
    if isBatchOpen, calls[call].header.method?.isWrite == true {
      held.append(Held(call: call, response: .done(header: header, body: body)))
    } else {
      send(call, header, body, now)
    }
  }

  /// Sends the response, and forgets the call.
  func send(_ call: CallHandle, _ header: ResponseHeader, _ body: Frame, _ now: Moment) {
    // Not the whole call: it has texts, and copying those costs more than all of this.
    let (connection, hasDelimiter, _) = calls.address(call)
    let method = calls[call].header.method
    if let method {
      metrics.record(
        method, header.status?.code ?? .ok,
        us: UInt64(max(0, clock().monotonicUs - calls[call].receivedUs)))
    }
    connections.ended(connection)
    var tooMuch: Refusal?
    if header.status == nil, method?.isWrite != true {
      // Calls in flight may bring more than their caller ever reads; what a write did is told.
      tooMuch = refusalOfResponse(call, byteCount: body.count)
      if tooMuch == nil { countResponse(call, byteCount: body.count) }
    }
    if let kept = calls[call].body, kept !== body { giveBack(kept) }
    calls.remove(call)
    if let tooMuch {
      body.clear()
      let header = ResponseHeader(id: header.id, status: tooMuch.status, more: header.more)
      transmit(connection, hasDelimiter, header, body, soon: true)
    } else {
      transmit(connection, hasDelimiter, header, body, soon: true)
    }
    giveBack(body)
  }

  /// Answers where there is no call to end: a second one under an id that is in flight.
  func answerWithoutCall(
    _ connection: Int, _ hasDelimiter: Bool, _ id: UInt64, _ status: Status
  ) {
    bodyFrame.clear()
    let header = ResponseHeader(id: id, status: status)
    transmit(connection, hasDelimiter, header, bodyFrame, soon: true)
  }

  /// False: the peer is gone.
  /// - Parameter soon: at the end of the round will do; see `Outlet.respondSoon`.
  @discardableResult
  func transmit(
    _ connection: Int, _ hasDelimiter: Bool, _ header: ResponseHeader, _ body: Frame,
    soon: Bool = false
  ) -> Bool {
    guard connections.unsentByteCount(connection) < Limits.mostUnreadBytes else {
      metrics.add(droppedResponses)
      return true
    }
    encoder.encode(header) { headerFrame.allocate($0) }
    let isThere =
      soon
      ? outlet.respondSoon(
        to: connection, delimiter: hasDelimiter, header: headerFrame, body: body)
      : outlet.respond(to: connection, delimiter: hasDelimiter, header: headerFrame, body: body)
    if !isThere { peerIsGone(connection) }
    return isThere
  }

  /// What waits for a peer that is gone goes too.
  package func peerIsGone(_ connection: Int) {
    connections.drop(connection)
    if let stream = attendance.left(connection) { forget(stream) }
  }

  /// An empty frame. Frames are used again: a call costs no allocation once the pool is warm.
  package func takeFrame() -> Frame { framePool.popLast() ?? Frame() }

  package func giveBack(_ frame: Frame) {
    frame.clear()
    if framePool.count < 4_096 { framePool.append(frame) }
  }
}
