import Client
import Foundation
import Terminal
import Wire

/// A picture that is read anew whenever the counts change, and from time to time for what else may
/// have.
struct LiveReading {
  private let session: Session
  private let read: () throws -> Picture
  private let writesObjects: Bool
  private var live: LivePicture
  private var counts: Told<Counts>?
  private var shown: Picture?
  private var readMs = 0
  /// Since when it could not be read; 0: it could.
  private var failedMs: Int64 = 0

  private static let againMs = 5_000

  init(_ session: Session, _ read: @escaping () throws -> Picture) throws {
    self.session = session
    self.read = read
    writesObjects = try session.writesObjects()
    live = LivePicture(session)
  }

  mutating func show(_ told: [Told<Counts>]) throws {
    for one in told { live.note(one.news) }
    counts = told.last ?? counts
    guard let counts else { return }
    guard counts.asOf != nil else {
      if let last = told.last { session.tell(last, [], writesObjects) }
      return
    }
    let isDue = ClientLoop.nowMs - readMs >= Self.againMs
    // What cannot be asked now is only told to be stale.
    let before = shown?.document
    if counts.staleSinceMs == 0, !told.isEmpty || isDue { try readAgain() }
    if !told.isEmpty || shown?.document != before { try draw(counts) }
  }

  private mutating func readAgain() throws {
    readMs = ClientLoop.nowMs
    do {
      shown = try read()
      failedMs = 0
    } catch let error as CallError where error.isPassing {
      let why = Failure(error).message
      if failedMs == 0 {
        failedMs = ClientLoop.wallMs
        if shown == nil { session.noteWaiting(why) }
      }
      live.note(.stale(why: why))
    }
  }

  private mutating func draw(_ counts: Told<Counts>) throws {
    guard let shown else { return }
    let staleSinceMs = counts.staleSinceMs == 0 ? failedMs : counts.staleSinceMs
    guard writesObjects else { return try live.draw(shown, staleSinceMs: staleSinceMs) }
    guard case .object(let members) = shown.document else { return }
    session.write(counts.members("now", staleSinceMs: staleSinceMs) + members)
  }
}

extension CallError {
  /// Whether the same may succeed in a while.
  var isPassing: Bool {
    [.unavailable, .resourceExhausted, .deadlineExceeded].contains(status.code)
  }
}

extension Session {
  /// Follows what `read` gives until Ctrl-C.
  func follow(_ read: @escaping () throws -> Picture) throws {
    var reading = try LiveReading(self, read)
    try follow { (client, listener) -> Watch<Counts> in
      client.watchCounts(heartbeatMs: Session.heartbeatMs, listener: listener)
    } show: {
      try reading.show($0)
    }
  }
}
