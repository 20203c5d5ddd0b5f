import CLinux
import Glibc
import Model
import Wire
import ZeroMQ

/// One thread that owns the sockets of a process and runs its core, a round at a time.
package final class ServiceLoop {
  private let core: ServiceCore
  private let sockets: Sockets
  private let log: Log
  private let poller: Poller
  private let routerIndex: Int
  private let signalIndex: Int
  private let signals: Signals
  /// Where the ROUTER's own descriptor is watched, while a peer is full.
  private var roomIndex: Int?
  private var drainUntilUs: Int64?
  private var notices = SystemdNotices()
  private var admission: Admission
  private var handshakes = HandshakeRetries()
  private var freeMemory = FreeMemory()
  private var closings = ClosedConnections()

  private let routingFrame = Frame()
  private let headerFrame = Frame()
  private let bodyFrame = Frame()

  /// - Throws: `SystemError` where signals cannot be read from a descriptor.
  init(
    _ core: ServiceCore, _ sockets: Sockets, _ signals: Signals, _ admission: Admission, log: Log
  ) {
    self.core = core
    self.admission = admission
    self.sockets = sockets
    self.signals = signals
    self.log = log
    poller = sockets.poller
    routerIndex = poller.add(sockets.router)
    signalIndex = poller.add(fileDescriptor: signals.descriptor)
  }

  /// Runs until a signal ends it. What is in flight is answered first, within a bound.
  /// - Throws: `ZeroMQError`; `SQLiteError` where it is not known what is on disk.
  package func run() throws {
    notices.tellReady()
    do {
      while try step() {}
    } catch {
      // What has been answered still goes out; why the process ends is more than that it could not.
      try? sockets.close()
      throw error
    }
    try sockets.close()
  }

  /// One round. False: it is time to end.
  func step() throws -> Bool {
    watchForRoom()
    try poller.wait(timeoutMs: waitMs())
    let now = SystemClock.now()
    var mustReadAgain = false
    if poller.isReadable(signalIndex), try !takeSignals(now, &mustReadAgain) { return false }
    if admission.hasChanged(at: now, isAsked: mustReadAgain) {
      try sockets.admit(admission.keys, at: now)
      core.allow(admission.keys, at: now)
    }
    try sockets.openFeed()
    try handshakes.tryDue(at: now)
    var isBusy = try takeFromBackends(now)
    if poller.isReadable(routerIndex) {
      isBusy = try takeRequests(now) || isBusy
    } else {
      AcceptedConnections.tookAll()
    }
    core.finish(at: now)
    flush()
    sockets.sendHeld(at: now)
    if core.isWorkBehindDue(at: now, isBusy: isBusy) { core.workBehind(at: now) }
    core.continueCopy(at: now)
    flush()
    if let error = core.fatalError { throw error }
    notices.tellHealth(of: core, at: now)
    closings.tend(log, at: now)
    freeMemory.giveBack(at: now)
    if let drainUntilUs { return !core.isDrained && now.monotonicUs < drainUntilUs }
    return true
  }

  private func flush() {
    for connection in sockets.flush() { core.peerIsGone(connection) }
  }

  /// A ROUTER says that it can be written to while one peer is full. But its descriptor tells that
  /// peers have taken something: then those that were full are tried again.
  private func watchForRoom() {
    if sockets.connections.stalled.isEmpty {
      if let roomIndex { poller.remove(roomIndex) }
      roomIndex = nil
    } else if roomIndex == nil {
      roomIndex = poller.add(fileDescriptor: sockets.router.descriptor)
    }
  }

  /// Rounded up, so that waiting for the last part of a millisecond does not spin.
  private func waitMs() -> Int {
    let now = SystemClock.now()
    var nextUs = core.nextRoundUs(at: now)
    if let tryUs = sockets.connections.nextTryUs { nextUs = min(nextUs, tryUs) }
    let leftUs = nextUs - now.monotonicUs
    return Int(max(0, min(1_000_000, leftUs)) + 999) / 1_000
  }

  private func takeSignals(_ now: Moment, _ mustReadAgain: inout Bool) throws -> Bool {
    while let signal = signals.next() {
      if signal == SIGHUP { mustReadAgain = true }
      guard signal == SIGTERM || signal == SIGINT else { continue }
      guard drainUntilUs == nil else {
        log.notice("ends at once", ["signal": .number(signal)])
        return false
      }
      log.notice("draining", ["signal": .number(signal)])
      drainUntilUs = now.monotonicUs + Limits.drainMs * 1_000
      notices.tellStopping()
      core.drain(at: now)
    }
    return true
  }

  /// At most a bounded number of messages a round, so that a busy feed starves nobody.
  private func takeFromBackends(_ now: Moment) throws -> Bool {
    var isBusy = false
    for link in sockets.links {
      let name = link.log
      if link.rpc.isReadable {
        isBusy = true
        for _ in 0..<Limits.messagesPerRound {
          guard try takeResponse(link.rpc.socket, name, now) else { break }
        }
      }
      if link.feed.isReadable {
        isBusy = true
        for _ in 0..<Limits.messagesPerRound {
          guard try takePublished(link.feed.socket, name, now) else { break }
        }
      }
      if link.rpc.hasEvents { try takeEvents(link.rpc, name, now) }
      if link.feed.hasEvents {
        while let event = try link.feed.nextEvent() {
          handshakes.note(event, link.feed, to: name, log, at: now)
          if event.kind == .handshakeSucceeded { core.hears(name, at: now) }
        }
      }
    }
    return isBusy
  }

  private func takeEvents(_ rpc: Connector, _ name: LogName, _ now: Moment) throws {
    while let event = try rpc.nextEvent() {
      handshakes.note(event, rpc, to: name, log, at: now)
      switch event.kind {
      case .handshakeSucceeded: core.connected(to: name, at: now)
      // Where it was never up, nothing is queued, and libzmq tries again by itself.
      case .disconnected where core.isConnected(to: name):
        // What arrived before the connection was lost is read first.
        while try takeResponse(rpc.socket, name, now) {}
        core.disconnected(from: name, at: now)
        try rpc.reconnect()
      default: break
      }
    }
  }

  private func takeResponse(_ socket: Socket, _ name: LogName, _ now: Moment) throws -> Bool {
    guard try socket.receive(into: headerFrame) else { return false }
    // A ROUTER gives the delimiter back where the request had one; ours have none.
    guard headerFrame.hasMore, try socket.receive(into: bodyFrame) else { return true }
    while bodyFrame.hasMore {
      guard try socket.receive(into: bodyFrame) else { break }
    }
    core.receive(from: name, header: headerFrame.bytes, body: bodyFrame, at: now)
    return true
  }

  private func takePublished(_ socket: Socket, _ name: LogName, _ now: Moment) throws -> Bool {
    guard try socket.receive(into: headerFrame) else { return false }
    guard headerFrame.hasMore, try socket.receive(into: bodyFrame) else { return true }
    core.receivePublished(of: name, bodyFrame.bytes, at: now)
    return true
  }

  /// A bounded number, and no more once the round is long: what was decided waits for its end.
  private func takeRequests(_ now: Moment) throws -> Bool {
    for _ in 0..<Limits.messagesPerRound {
      guard try takeRequest(now) else { break }
      let tookUs = SystemClock.now().monotonicUs - now.monotonicUs
      guard tookUs < Limits.roundMs * 1_000 else { break }
    }
    return true
  }

  private func takeRequest(_ now: Moment) throws -> Bool {
    guard try sockets.router.receive(into: routingFrame) else {
      AcceptedConnections.tookAll()
      return false
    }
    guard routingFrame.hasMore else { return true }
    var bytes = WireBytes()
    try takeFrame(headerFrame, &bytes)
    let hasDelimiter = headerFrame.isEmpty && headerFrame.hasMore
    if hasDelimiter { try takeFrame(headerFrame, &bytes) }
    let isWhole = headerFrame.hasMore
    if isWhole { try takeFrame(bodyFrame, &bytes) }
    guard isWhole && !bodyFrame.hasMore else {
      while isWhole && bodyFrame.hasMore { try takeFrame(bodyFrame, &bytes) }
      guard noteTaken(bytes, isWhole ? bodyFrame : headerFrame) != nil else { return true }
      let header = Frame()
      header.move(from: headerFrame)
      core.receiveMalformed(
        from: routingFrame.bytes, hasDelimiter: hasDelimiter, header: header.bytes, at: now)
      return true
    }
    guard let sender = noteTaken(bytes, bodyFrame) else { return true }
    core.receive(
      from: routingFrame.bytes, sender: sender, hasDelimiter: hasDelimiter,
      header: headerFrame.bytes, body: bodyFrame, at: now)
    return true
  }

  /// The next frame of a message, which comes whole.
  private func takeFrame(_ frame: Frame, _ bytes: inout WireBytes) throws {
    _ = try sockets.router.receive(into: frame)
    bytes.add(frame)
  }

  /// Who has sent a message, whose connection is less far ahead by it; nil: it is to be dropped.
  private func noteTaken(_ bytes: WireBytes, _ last: Frame) -> Sender? {
    let sender = sockets.hasKeys ? last.sender : .plain
    return AcceptedConnections.took(bytes, last, hasKeys: sender != .plain) ? sender : nil
  }
}

/// The signals that end a process, read from a descriptor and so in the order of everything else.
package struct Signals {
  let descriptor: Int32

  /// Has to be made before any thread is: threads take over which signals are blocked.
  package init() {
    var set = sigset_t()
    sigemptyset(&set)
    for signal in [SIGTERM, SIGINT, SIGHUP] { sigaddset(&set, signal) }
    pthread_sigmask(SIG_BLOCK, &set, nil)
    descriptor = signalfd(-1, &set, Int32(SFD_NONBLOCK | SFD_CLOEXEC))
    precondition(descriptor >= 0, "signalfd fails only without memory or descriptors")
  }

  /// The next one that has arrived.
  func next() -> Int32? {
    var info = signalfd_siginfo()
    let size = MemoryLayout<signalfd_siginfo>.size
    return read(descriptor, &info, size) == size ? Int32(info.ssi_signo) : nil
  }
}
