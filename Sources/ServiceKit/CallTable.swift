import Model
import Wire
import ZeroMQ

/// Names one call in flight; stale once the call has ended.
package struct CallHandle: Hashable, Sendable {
  let slot: Int32
  let generation: UInt32
}

/// What a call waits for.
enum Waiting: Equatable {
  /// Nothing: it runs, or whoever took it finishes it.
  case nothing
  /// The end of the batch: a read sees what is on disk.
  case commit
  /// Logs to come to a state.
  case revisions(Revisions)
  /// The answer to a follower's question.
  case catchUp(LogName, question: Int)
  /// The check-in service to say how many are at a place.
  case occupants
}

/// A call from its receipt to its response.
struct Call {
  var generation: UInt32 = 0
  var isInUse = false
  var connection = 0
  var hasDelimiter = false
  var header = RequestHeader()
  var standing = Standing.believed
  var receivedUs: Int64 = 0
  var deadlineUs: Int64 = 0
  /// Of the body, also where another service has it now.
  var bodyByteCount = 0
  /// The body, where it is needed after `receive` has returned.
  var body: Frame?
  var waiting = Waiting.nothing
  var confirmed: LogSet = []
  var unreachable: LogSet = []
  var occupants: UInt32?
  /// A write that was passed on, or committed: what became of it is not known when time is up.
  var isUnderWay = false
  /// It has been answered, and goes on being answered until it is ended: time is never up.
  var isStream = false
  /// Which of the table's loads it counts in.
  fileprivate var load = 0
}

/// All calls in flight of a process: a table of slots that are used again.
struct CallTable {
  private(set) var calls: [Call] = []
  private var free: [Int32] = []
  private var index = SlotIndex()
  private(set) var count = 0
  /// What each caller has in flight, and where it is in the list: one that has nothing any more
  /// keeps its place for a while, since it is about to come again.
  private var loads: [Load] = []
  private var loadOfCaller: [Caller: Int] = [:]
  private var freeLoads: [Int] = []
  private var lastLoad = 0
  private var sweepLoadsAt = 1_024
  /// Callers choose their numbers, and so must not be able to choose where they stand.
  private let seed = UInt64.random(in: .min ... .max)
  /// Before this nobody's time is up, so that a table full of streams is not searched for nothing.
  private var nearestDeadlineUs = Int64.max

  /// What one caller has in flight.
  struct Load {
    var calls = 0
    var bodyByteCount = 0
    /// They are no calls in flight any more.
    var streams = 0
    /// What it has left of the rates at which it may begin calls, and watches.
    fileprivate(set) var callTokens = TokenBucket()
    fileprivate(set) var watchTokens = TokenBucket()
    fileprivate var caller: Caller?

    /// Whether it is what one begins with.
    fileprivate func isNew(at now: Moment) -> Bool {
      calls == 0 && streams == 0 && callTokens.isFull(at: now) && watchTokens.isFull(at: now)
    }
  }

  /// A user; without one, a connection.
  fileprivate enum Caller: Hashable {
    case user(String)
    case connection(Int)
  }

  /// Nil: a call with that id is in flight on that connection.
  mutating func add(
    _ header: RequestHeader, connection: Int, hasDelimiter: Bool, bodyByteCount: Int, now: Moment
  ) -> CallHandle? {
    guard slot(of: header.id, on: connection) == nil else { return nil }
    let slot: Int32
    if let last = free.popLast() {
      slot = last
    } else {
      calls.append(Call())
      slot = Int32(calls.count - 1)
    }
    self.index.add(slot, hash(header.id, connection))
    let index = Int(slot)
    let timeoutMs = header.timeoutMs == 0 ? Limits.defaultTimeoutMs : header.timeoutMs
    calls[index].isInUse = true
    calls[index].connection = connection
    calls[index].hasDelimiter = hasDelimiter
    calls[index].header = header
    calls[index].receivedUs = now.monotonicUs
    calls[index].deadlineUs = now.monotonicUs + Int64(timeoutMs) * 1_000
    nearestDeadlineUs = min(nearestDeadlineUs, calls[index].deadlineUs)
    calls[index].bodyByteCount = bodyByteCount
    count += 1
    let load = self.load(
      of: header.actingUser.isEmpty ? .connection(connection) : .user(header.actingUser), now)
    loads[load].add(bodyByteCount)
    calls[index].load = load
    return CallHandle(slot: slot, generation: calls[index].generation)
  }

  private func slot(of id: UInt64, on connection: Int) -> Int32? {
    index.find(hash(id, connection)) {
      calls[Int($0)].header.id == id && calls[Int($0)].connection == connection
    }
  }

  private func hash(_ id: UInt64, _ connection: Int) -> UInt64 {
    (id ^ seed).slotHash(with: UInt64(truncatingIfNeeded: connection) ^ seed << 32)
  }

  /// The place of a caller in `loads`: mostly that of the call before.
  private mutating func load(of caller: Caller, _ now: Moment) -> Int {
    if lastLoad < loads.count, loads[lastLoad].caller == caller { return lastLoad }
    if let known = loadOfCaller[caller] {
      lastLoad = known
      return known
    }
    if loadOfCaller.count >= sweepLoadsAt { sweepLoads(now) }
    lastLoad = freeLoads.popLast() ?? loads.count
    if lastLoad == loads.count { loads.append(Load()) }
    loads[lastLoad].caller = caller
    loadOfCaller[caller] = lastLoad
    return lastLoad
  }

  /// Forgets callers that have nothing in flight, and may begin as much as they ever may.
  private mutating func sweepLoads(_ now: Moment) {
    for index in loads.indices where loads[index].isNew(at: now) {
      guard let caller = loads[index].caller else { continue }
      loads[index] = Load()
      loadOfCaller[caller] = nil
      freeLoads.append(index)
    }
    sweepLoadsAt = max(1_024, 2 * loadOfCaller.count)
  }

  func contains(_ handle: CallHandle) -> Bool {
    let index = Int(handle.slot)
    return calls[index].isInUse && calls[index].generation == handle.generation
  }

  subscript(_ handle: CallHandle) -> Call {
    _read { yield calls[Int(handle.slot)] }
    _modify {
      precondition(contains(handle), "a call was touched after its end")
      yield &calls[Int(handle.slot)]
    }
  }

  /// Ends a call and gives what it was.
  mutating func remove(_ handle: CallHandle) {
    precondition(contains(handle), "a call was ended twice")
    let index = Int(handle.slot)
    loads[calls[index].load].remove(calls[index].bodyByteCount, calls[index].isStream)
    self.index.remove(handle.slot, hash(calls[index].header.id, calls[index].connection))
    calls[index].isInUse = false
    calls[index].generation &+= 1
    calls[index].body = nil
    calls[index].waiting = .nothing
    calls[index].confirmed = []
    calls[index].unreachable = []
    calls[index].occupants = nil
    calls[index].isUnderWay = false
    calls[index].isStream = false
    free.append(handle.slot)
    count -= 1
  }

  /// From now on the call is a stream: its time is never up, and it counts among streams.
  mutating func open(_ handle: CallHandle) {
    guard !self[handle].isStream else { return }
    loads[self[handle].load].open(self[handle].bodyByteCount)
    self[handle].isStream = true
    self[handle].deadlineUs = .max
  }

  /// The call with this id on a connection; nil: there is none.
  func find(_ id: UInt64, on connection: Int) -> CallHandle? {
    slot(of: id, on: connection).map {
      CallHandle(slot: $0, generation: calls[Int($0)].generation)
    }
  }

  /// Where the responses of a call go.
  func address(_ handle: CallHandle) -> (connection: Int, hasDelimiter: Bool, id: UInt64) {
    let index = Int(handle.slot)
    return (calls[index].connection, calls[index].hasDelimiter, calls[index].header.id)
  }

  /// How many callers it knows.
  var callerCount: Int { loadOfCaller.count }

  /// What whoever made this call has in flight, this one too.
  func loadOfCaller(_ handle: CallHandle) -> Load { loads[calls[Int(handle.slot)].load] }

  /// Takes from what whoever made this call may ask for.
  mutating func takeCallTokens(
    _ tokens: Int, _ rate: Rate, from handle: CallHandle, at now: Moment
  ) {
    loads[calls[Int(handle.slot)].load].callTokens.take(tokens, rate, at: now)
  }

  /// The same, of watches.
  mutating func takeWatchToken(_ rate: Rate, from handle: CallHandle, at now: Moment) {
    loads[calls[Int(handle.slot)].load].watchTokens.take(1, rate, at: now)
  }

  /// When the next call's time is up, at the earliest; nil: no call's will be.
  var nextDeadlineUs: Int64? { count == 0 || nearestDeadlineUs == .max ? nil : nearestDeadlineUs }

  /// The calls whose time is up.
  mutating func expired(at now: Moment) -> [CallHandle] {
    guard nearestDeadlineUs <= now.monotonicUs else { return [] }
    nearestDeadlineUs = calls.lazy.filter(\.isInUse).map(\.deadlineUs).min() ?? .max
    return handles { $0.deadlineUs <= now.monotonicUs }
  }

  /// The calls in flight for which `condition` holds.
  func handles(where condition: (Call) -> Bool) -> [CallHandle] {
    guard count > 0 else { return [] }
    return calls.indices.compactMap { index in
      calls[index].isInUse && condition(calls[index])
        ? CallHandle(slot: Int32(index), generation: calls[index].generation) : nil
    }
  }
}

extension CallTable.Load {
  fileprivate mutating func add(_ bodyByteCount: Int) {
    calls += 1
    self.bodyByteCount += bodyByteCount
  }

  fileprivate mutating func open(_ bodyByteCount: Int) {
    calls -= 1
    self.bodyByteCount -= bodyByteCount
    streams += 1
  }

  fileprivate mutating func remove(_ bodyByteCount: Int, _ isStream: Bool) {
    if isStream {
      streams -= 1
    } else {
      calls -= 1
      self.bodyByteCount -= bodyByteCount
    }
  }
}
