import Model
import ServiceKit
import Wire

/// One caller's watch: of one place, or of all counts.
final class Watch {
  /// From what a watch is told.
  enum Beginning {
    /// Only what happens from now on.
    case now
    /// What has happened since a state that the caller has.
    case after(Revisions)
    /// All that is true.
    case reset
  }

  enum State {
    /// Has to be told first, or anew, from what it is told.
    case begins(Beginning)
    case isLive
    case isOver
  }

  let call: CallHandle
  let connection: Int
  let heartbeatUs: Int64
  /// Nil: all counts.
  let place: WatchedPlace?
  var state: State
  /// Updates of the place from this number on are for it; what came before is in what it has.
  var firstUpdate = 0
  /// The state of check-ins that it has last been told; of all counts.
  var revision: UInt64 = 0
  /// When it was last told anything, and when it last began.
  var toldUs: Int64 = 0
  var beganUs: Int64 = 0
  /// Counts have changed that it has not been told, so soon after it began.
  var isBehind = false
  /// Where it stands in its audience.
  fileprivate var index = 0

  init(
    _ call: CallHandle, connection: Int, heartbeatMs: UInt32, place: WatchedPlace?,
    from beginning: Beginning
  ) {
    self.call = call
    self.connection = connection
    heartbeatUs = Int64(heartbeatMs == 0 ? Limits.defaultHeartbeatMs : heartbeatMs) * 1_000
    self.place = place
    state = .begins(beginning)
  }

  var isLive: Bool { if case .isLive = state { true } else { false } }
  var isOver: Bool { if case .isOver = state { true } else { false } }
}

/// Those who watch the same.
struct Audience {
  private(set) var watches: [Watch] = []

  mutating func add(_ watch: Watch) {
    watch.index = watches.count
    watches.append(watch)
  }

  /// The last one takes its place.
  mutating func remove(_ watch: Watch) {
    let last = watches.removeLast()
    guard last !== watch else { return }
    watches[watch.index] = last
    last.index = watch.index
  }
}

/// A place that somebody watches.
final class WatchedPlace {
  let id: ID
  var audience = Audience()
  /// The update that the next change goes into.
  var openUpdate: HereUpdate?
  /// How many updates wait to be sent.
  var waitingUpdates = 0
  /// Names have been asked for without which nobody can begin.
  var waitsForNames = false
  /// When updates, and whole states, were last sent, and not before when they are again.
  var updates = Pace()
  var states = Pace()
  /// People who were shown with `profile_unavailable`.
  var unnamed: Set<ID> = []

  init(_ id: ID) { self.id = id }
}

/// Lets pass, after something dear, as much time as it took, so that there is time for others.
struct Pace {
  private var doneUs = Int64.min
  private var nextUs = Int64.min

  /// When it may be done again; nil: now.
  func due(at now: Moment) -> Int64? {
    nextUs <= now.monotonicUs || doneUs == now.monotonicUs ? nil : nextUs
  }

  mutating func done(at now: Moment, restUs: Int) {
    doneUs = now.monotonicUs
    nextUs = doneUs + Int64(min(restUs, Pace.longestRestUs))
  }

  private static let longestRestUs = 100_000
}

/// A change at one place, as the view had it. Names are looked up when it is sent.
struct HereEvent {
  var kind: HereChangeKind
  var person: GatewayService.Member
  var reason = ChangeReason.unspecified
  var other: ID?
}

/// Changes at one place that are told together.
final class HereUpdate {
  let place: WatchedPlace
  /// Updates are sent in this order, so that nobody arrives before having left.
  let number: Int
  private(set) var events: [HereEvent] = []
  private(set) var byteCount = 0
  /// How many are there after the last one.
  private(set) var count = 0
  /// The state that it leads to; nil: the one when it is sent.
  var end: Revisions?

  init(_ place: WatchedPlace, number: Int) {
    self.place = place
    self.number = number
  }

  func append(_ event: HereEvent, byteCount: Int, count: Int) {
    events.append(event)
    self.byteCount += byteCount
    self.count = count
  }
}
