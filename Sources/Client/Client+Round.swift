import Model
import Wire
import ZeroMQ

/// One round of the loop: what is sent, what has come, and what is late.
extension Client {
  /// A server's own word on a call comes a moment after the call's time is over.
  static let graceMs = 250
  /// With several endpoints, an attempt that is not answered by then is tried at another one, where
  /// this one has said nothing at all.
  static let attemptMs = 2_000

  /// Sends what waits, and says when to come back at the latest.
  func prepare() throws(CallError) -> Int {
    try transporting { () throws(ZeroMQError) in try sendQueued() }
    var wake = timers.nextMs ?? .max
    for link in links { wake = min(wake, link.reopenMs ?? .max) }
    // A connection that is up but full says nothing when there is room again.
    if queue.first != nil, links.contains(where: { $0.state == .up }) {
      wake = min(wake, ClientLoop.nowMs + 2)
    }
    return wake
  }

  /// Lets happen what is due.
  func work() throws(CallError) {
    try transporting { () throws(ZeroMQError) in
      for link in links { try work(link) }
      let now = ClientLoop.nowMs
      while let due = timers.popDue(nowMs: now) { due.wake(nowMs: now) }
      try sendQueued()
    }
  }

  private func work(_ link: Link) throws(ZeroMQError) {
    let now = ClientLoop.nowMs
    if let time = link.reopenMs, now >= time { try link.reopen() }
    while let event = try link.nextEvent(nowMs: now) {
      if event == .handshakeFailed, link.state != .up {
        link.turnedAway(nowMs: now, chance: chance)
      }
      guard event == .disconnected, link.state == .up else { continue }
      // What it still sent comes before the news that it is gone.
      while try receive(from: link, nowMs: now) {}
      lose(link, nowMs: now)
    }
    var most = Limits.messagesPerRound
    while most > 0, try receive(from: link, nowMs: now) { most -= 1 }
  }

  /// Calls without an answer go on at another link, or at the next connection of this one, in their
  /// order.
  private func lose(_ link: Link, nowMs: Int) {
    link.lose(nowMs: nowMs, chance: chance)
    for (_, call) in attempts.all where call.link === link && call.isAwaited {
      if call.isRepeatable {
        enqueue(call)
      } else {
        end(call, .failure(self.unanswered(call)))
      }
    }
    for (id, stream) in streamsByID where stream.link === link {
      streamsByID[id] = nil
      stream.tell(.lost)
    }
  }

  // MARK: - Sending

  /// The link that something new goes by: the one in use while it is good, else another one that
  /// is.
  private func bestLink() -> Link? {
    if links[current].isGood { return links[current] }
    if let other = links.firstIndex(where: \.isGood) { current = other }
    if links[current].state == .up { return links[current] }
    return links.first { $0.state == .up }
  }

  func enqueue(_ call: PendingCall) {
    call.retryAtMs = nil
    call.isQueued = true
    queue.append(.call(call))
  }

  func sendQueued() throws(ZeroMQError) {
    while let item = queue.first {
      switch item {
      case .call(let call):
        let left = call.deadlineMs - ClientLoop.nowMs
        // What is late by now is ended by its timer.
        if !call.isOver, left > 0 {
          guard let link = bestLink(), try send(call, by: link, leftMs: left) else { return }
        }
      case .stream(let stream):
        if !stream.isOver {
          guard let link = bestLink(), try send(stream, by: link) else { return }
        }
      }
      queue.removeFirst()
    }
  }

  private func send(_ call: PendingCall, by link: Link, leftMs: Int) throws(ZeroMQError) -> Bool {
    let request = RequestHeader(
      id: nextID, method: call.method, timeoutMs: UInt32(clamping: leftMs),
      idempotencyKey: call.idempotencyKey, atLeast: ownWrites[call.user] ?? Revisions(),
      actingUser: call.user)
    guard try send(request, call.body, by: link) else { return false }
    call.ids.append(request.id)
    attempts.add(call, id: request.id)
    call.attempts += 1
    call.isQueued = false
    call.link = link
    call.sentMs = ClientLoop.nowMs
    if links.count > 1, call.isRepeatable {
      timers.add(call, atMs: call.sentMs + min(Client.attemptMs, call.timeoutMs / 3))
    }
    return true
  }

  private func send(_ stream: Stream, by link: Link) throws(ZeroMQError) -> Bool {
    let request = RequestHeader(
      id: nextID, method: stream.method, timeoutMs: UInt32(clamping: timeoutMs),
      atLeast: ownWrites[stream.user] ?? Revisions(), actingUser: stream.user)
    guard try send(request, stream.body, by: link) else { return false }
    stream.id = request.id
    stream.link = link
    stream.heardMs = ClientLoop.nowMs
    streamsByID[request.id] = stream
    return true
  }

  /// False: the link has no room.
  private func send(
    _ request: RequestHeader, _ bytes: [UInt8], by link: Link
  ) throws(ZeroMQError) -> Bool {
    var request = request
    if link.hasKeys { request.actingUser = "" }
    encoder.encode(request) { header.allocate($0) }
    body.assign(bytes)
    guard try link.send(header, body) == .sent else { return false }
    nextID += 1
    return true
  }

  /// Tells the server of a stream that nobody listens to it any more.
  func cancel(_ stream: Stream) throws(CallError) {
    stream.isOver = true
    guard let id = stream.id, let link = stream.link, streamsByID.removeValue(forKey: id) != nil
    else { return }
    let request = RequestHeader(
      id: nextID, method: .cancelWatch, timeoutMs: UInt32(clamping: timeoutMs),
      actingUser: stream.user)
    let bytes = encoder.bytes(CancelWatchRequest(callID: id))
    try transporting { () throws(ZeroMQError) in
      // Where there is no room, the server forgets a stream that nobody reads by itself.
      _ = try send(request, bytes, by: link)
    }
  }
}
