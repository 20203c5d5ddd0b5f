package import Wire

/// What the listener of a watch is told.
package enum WatchNews: Equatable, Sendable {
  /// The content is new as a whole: what was shown before says nothing about it.
  case whole
  /// The content changed by the watch's `changes`.
  case changed
  /// Only of a watch for what happens from now on: something happened meanwhile that is not known.
  case missed
  /// The content is as it was when something was heard last, and may be wrong by now.
  case stale(why: String)
  /// It is right again.
  case current
  /// Nothing comes any more.
  case ended(Status)
}

/// The state of one watch, without sockets and clocks: events go in, and what is to be done comes
/// out. Its content is what is true at a state that the server has named: never part of an
/// incomplete state, and never carried on over a gap. Where it is not, it is stale, and says so.
package struct WatchMachine<Content: WatchContent>: Sendable {
  package enum Event: Sendable {
    case response(WatchResponse, asOf: Revisions)
    /// The stream ended with this.
    case refused(Status)
    /// The stream's connection is gone.
    case lost
    /// It is this time.
    case time
  }

  package enum Action: Equatable, Sendable {
    /// Begin a stream that goes on after this state; nil: with what is now.
    case begin(after: Revisions?)
    /// End the stream that there is.
    case cancel
    case tell(WatchNews)
  }

  private enum Phase: Equatable {
    /// To begin anew at this time.
    case waiting(untilMs: Int)
    /// A stream was begun.
    case open
    case ended
  }

  package private(set) var content = Content()
  /// What the last `changed` is about, one by one; of a watch for what happens, all that it tells.
  package private(set) var changes: [Content.Change] = []
  /// The state that the content is at, and the resume point: the last `as_of` without `incomplete`.
  package private(set) var asOf: Revisions?
  /// When the server made the last state.
  package private(set) var timeMs: Int64 = 0
  /// Since when the content may be wrong; nil: it is right.
  package private(set) var staleSinceMs: Int?
  private let mode: WatchMode
  /// After this much silence a stream is dead.
  private let silenceMs: Int
  /// The parts of a state that is not complete.
  private var parts: [WatchResponse] = []
  private var phase = Phase.waiting(untilMs: 0)
  private var heardMs: Int
  private var failures = 0

  private static var backoff: Backoff { Backoff(firstMs: 200, mostMs: 5_000) }
  /// More parts than any state has.
  private static var mostParts: Int { 4_096 }

  package init(mode: WatchMode, heartbeatMs: Int, nowMs: Int) {
    self.mode = mode
    silenceMs = 3 * heartbeatMs
    heardMs = nowMs
    phase = .waiting(untilMs: nowMs)
  }

  /// When `time` is to be told at the latest; nil: never.
  package var wakeMs: Int? {
    switch phase {
    case .waiting(let time): time
    case .open: heardMs + silenceMs + 1
    case .ended: nil
    }
  }

  /// `chance`, from 0 to 1, lengthens pauses.
  package mutating func handle(_ event: Event, nowMs: Int, chance: Double) -> [Action] {
    switch (phase, event) {
    case (.ended, _): return []
    case (.waiting(let time), .time):
      guard nowMs >= time else { return [] }
      phase = .open
      // Silence counts from here on.
      heardMs = nowMs
      return [.begin(after: asOf)]
    case (.waiting, _): return []
    case (.open, .time):
      guard nowMs - heardMs > silenceMs else { return [] }
      let silent = "nothing was heard for \(silenceMs / 1000) s"
      return [.cancel] + pause(silent, nowMs, chance)
    case (.open, .lost): return pause("the connection was lost", nowMs, chance)
    case (.open, .refused(let status)): return end(with: status, nowMs, chance)
    case (.open, .response(let response, let asOf)):
      return take(response, asOf, nowMs, chance)
    }
  }
}

extension WatchMachine {
  private mutating func take(
    _ response: WatchResponse, _ asOf: Revisions, _ nowMs: Int, _ chance: Double
  ) -> [Action] {
    heardMs = nowMs
    if response.reset { parts = [] }
    parts.append(response)
    guard parts.count <= Self.mostParts else { return beginAnew("it never ends", nowMs, chance) }
    if response.incomplete { return [] }
    let state = parts
    parts = []
    let isReset = state[0].reset
    let told = state.flatMap(Content.changes)
    if mode != .passThrough {
      // In place: a copy for each change would cost as much as the list is long.
      if isReset { content = Content() }
      for change in told { content.apply(change) }
      guard content.agrees(with: response) else {
        return beginAnew("something was missed", nowMs, chance)
      }
    }
    let isFirst = self.asOf == nil
    changes = told
    self.asOf = asOf
    timeMs = response.timeMs
    failures = 0
    var actions: [Action] = []
    if mode == .passThrough, isReset {
      // What is true now was not asked for, and what led to it is not known.
      changes = []
      if !isFirst { actions.append(.tell(.missed)) }
    } else if mode != .passThrough, isReset || isFirst {
      actions.append(.tell(.whole))
    } else if !told.isEmpty {
      actions.append(.tell(.changed))
    }
    if staleSinceMs != nil {
      staleSinceMs = nil
      actions.append(.tell(.current))
    }
    return actions
  }

  private mutating func end(with status: Status, _ nowMs: Int, _ chance: Double) -> [Action] {
    switch status.code {
    case .unavailable, .resourceExhausted, .deadlineExceeded, .aborted, .internal, .unknown: break
    // What it asked to go on after is no longer there.
    case .outOfRange: asOf = nil
    default:
      phase = .ended
      parts = []
      return [.tell(.ended(status))]
    }
    let why = status.message.hasSuffix(".") ? String(status.message.dropLast()) : status.message
    return pause(why, nowMs, chance, leastMs: Int(status.retryAfterMs))
  }

  /// What was shown is not to be trusted: all of it is asked for.
  private mutating func beginAnew(_ why: String, _ nowMs: Int, _ chance: Double) -> [Action] {
    asOf = nil
    return [.cancel] + pause(why, nowMs, chance)
  }

  /// The first time at once, then after longer and longer pauses.
  private mutating func pause(
    _ why: String, _ nowMs: Int, _ chance: Double, leastMs: Int = 0
  ) -> [Action] {
    parts = []
    let pauseMs = max(leastMs, Self.backoff.pauseMs(failures: failures, chance: chance))
    failures += 1
    phase = .waiting(untilMs: nowMs + pauseMs)
    guard staleSinceMs == nil else { return [] }
    staleSinceMs = heardMs
    return [.tell(.stale(why: why))]
  }
}
