import Model
package import ZeroMQ

/// The peers of the ROUTER, by their routing ids: how many calls each has in flight, and the
/// responses that it has not taken yet.
package final class Connections {
  /// A response that waits until its peer can take it.
  package struct Unsent {
    package var hasDelimiter: Bool
    package var header: Frame
    package var body: Frame
    var byteCount: Int { header.count + body.count + Self.overheadBytes }
    /// About what two frames and their places in lists take beside their content.
    private static let overheadBytes = 512
  }

  struct Connection {
    var routingID: [UInt8]
    var inFlight = 0
    /// Responses to it that are about to be sent: until then its index is its own.
    var leaving = 0
    /// Oldest first.
    var unsent: [Unsent] = []
    var unsentByteCount = 0
    /// How often in a row it has taken nothing, and not before when it is tried again.
    var failures = 0
    var nextTryUs: Int64 = 0
    /// It follows the log: a process of Muster, which has counted its callers' calls itself.
    var isFollower = false
    var isIdle: Bool { inFlight == 0 && leaving == 0 && unsent.isEmpty }
  }

  private(set) var connections: [Connection?] = []
  private var unused: [Int] = []
  private var byRoutingID: [[UInt8]: Int] = [:]
  /// libzmq's own ids: a zero and four bytes. Found without making an array.
  private var byShortID: [UInt64: Int] = [:]
  /// The one that was looked for last: a peer mostly has several messages one after the other.
  private var lastFound: (short: UInt64, index: Int)?
  /// Those with responses that could not be sent.
  package private(set) var stalled: Set<Int> = []
  /// Those that were stalled and have taken all, since somebody asked.
  private var freed: [Int] = []
  /// Emptied ones, to be used again.
  private var spare: [Unsent] = []
  private static let mostSpare = 4_096
  private let sweepAbove: Int
  private var sweepAt: Int

  /// - Parameter sweepAbove: idle connections are forgotten when there are more than this.
  package init(sweepAbove: Int = 4_096) {
    self.sweepAbove = sweepAbove
    sweepAt = sweepAbove
  }

  /// The index of a peer; a new one where it is not known.
  package func find(_ routingID: UnsafeRawBufferPointer) -> Int {
    guard let short = Self.short(routingID) else {
      let bytes = Array(routingID)
      if let index = byRoutingID[bytes] { return index }
      let index = add(bytes)
      byRoutingID[bytes] = index
      return index
    }
    if let lastFound, lastFound.short == short { return lastFound.index }
    let index = byShortID[short] ?? add(Array(routingID))
    byShortID[short] = index
    lastFound = (short, index)
    return index
  }

  private static func short(_ routingID: UnsafeRawBufferPointer) -> UInt64? {
    guard routingID.count < 8 else { return nil }
    return routingID.reduce(UInt64(routingID.count)) { $0 << 8 | UInt64($1) }
  }

  private func add(_ routingID: [UInt8]) -> Int {
    if connections.count - unused.count > sweepAt { forgetIdle() }
    let connection = Connection(routingID: routingID)
    if let index = unused.popLast() {
      connections[index] = connection
      return index
    }
    connections.append(connection)
    return connections.count - 1
  }

  private func forgetIdle() {
    for index in connections.indices where connections[index]?.isIdle == true { forget(index) }
    sweepAt = max(sweepAbove, 2 * (connections.count - unused.count))
  }

  private func forget(_ index: Int) {
    guard let routingID = connections[index]?.routingID else { return }
    lastFound = nil
    routingID.withUnsafeBytes { bytes in
      if let short = Self.short(bytes) {
        byShortID[short] = nil
      } else {
        byRoutingID[routingID] = nil
      }
    }
    connections[index] = nil
    stalled.remove(index)
    unused.append(index)
  }

  package func routingID(_ index: Int) -> [UInt8] { connections[index]?.routingID ?? [] }
  func unsentByteCount(_ index: Int) -> Int { connections[index]?.unsentByteCount ?? 0 }
  func isFollower(_ index: Int) -> Bool { connections[index]?.isFollower ?? false }
  func noteFollower(_ index: Int) { connections[index]?.isFollower = true }
  func began(_ index: Int) { connections[index]?.inFlight += 1 }
  func ended(_ index: Int) { connections[index]?.inFlight -= 1 }
  func noteLeaving(_ index: Int) { connections[index]?.leaving += 1 }
  func noteLeft(_ index: Int) { connections[index]?.leaving -= 1 }

  /// Whether one more response of a stream may wait for the peer, or goes out at once.
  func canTakeUpdate(_ index: Int, continues: Bool) -> Bool {
    unsentByteCount(index) < (continues ? Limits.mostUnreadBytes : Limits.unreadUpdatesBytes)
  }

  var hasFreed: Bool { !freed.isEmpty }

  /// The connections that were stalled and are not any more, since this was asked last.
  func takeFreed() -> [Int] {
    guard hasFreed else { return [] }
    defer { freed.removeAll() }
    return freed
  }

  /// The stalled connections that are to be tried again. One that goes on taking nothing is tried
  /// less and less often, so that it costs little.
  func dueForSending(at now: Moment) -> [Int] {
    stalled.filter { index in connections[index].map { $0.nextTryUs <= now.monotonicUs } ?? true }
  }

  /// What was sent to a stalled connection, when it was tried at last.
  func tried(_ index: Int, hasTaken: Bool, at now: Moment) {
    guard let failures = connections[index]?.failures else { return }
    connections[index]?.failures = hasTaken ? 0 : failures + 1
    let doublings = hasTaken ? -1 : failures - Limits.eagerTries
    let pauseMs = doublings < 0 ? 0 : min(Limits.sendAgainMs, 1 << min(doublings, 30))
    connections[index]?.nextTryUs = now.monotonicUs + pauseMs * 1_000
  }

  /// When a connection is tried again that takes nothing, in monotonic microseconds; nil: none.
  var nextTryUs: Int64? {
    stalled.lazy.compactMap { self.connections[$0] }
      .filter { $0.failures > Limits.eagerTries }.map(\.nextTryUs).min()
  }

  /// Keeps a response until its peer can take it. Contents are taken.
  package func hold(_ index: Int, hasDelimiter: Bool, header: Frame, body: Frame) {
    var unsent =
      spare.popLast() ?? Unsent(hasDelimiter: hasDelimiter, header: Frame(), body: Frame())
    unsent.hasDelimiter = hasDelimiter
    unsent.header.move(from: header)
    unsent.body.move(from: body)
    connections[index]?.unsentByteCount += unsent.byteCount
    connections[index]?.unsent.append(unsent)
    stalled.insert(index)
  }

  /// Hands the responses that wait to `send`, in order, until it says no.
  package func drain(_ index: Int, _ send: (Unsent) throws -> Bool) rethrows {
    // Taken out meanwhile: what is held at two places is copied when it changes.
    var unsent = connections[index]?.unsent ?? []
    connections[index]?.unsent = []
    var sent = 0
    var sentByteCount = 0
    defer {
      unsent.removeFirst(sent)
      if unsent.isEmpty { free(index) }
      connections[index]?.unsent = unsent
      connections[index]?.unsentByteCount -= sentByteCount
    }
    for response in unsent {
      let byteCount = response.byteCount
      guard try send(response) else { break }
      sent += 1
      sentByteCount += byteCount
      response.header.clear()
      response.body.clear()
      if spare.count < Self.mostSpare { spare.append(response) }
    }
  }

  /// The peer is gone: what waited for it goes too.
  package func drop(_ index: Int) {
    connections[index]?.unsent = []
    connections[index]?.unsentByteCount = 0
    free(index)
  }

  private func free(_ index: Int) {
    if stalled.remove(index) != nil { freed.append(index) }
    connections[index]?.failures = 0
    connections[index]?.nextTryUs = 0
  }
}
