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
}

/// All calls in flight of a process: a table of slots that are used again.
struct CallTable {
  private(set) var calls: [Call] = []
  private var free: [Int32] = []
  private var byID: [Key: Int32] = [:]
  private(set) var count = 0
  /// What each user has in flight; of callers without one their connection counts.
  private var loadByUser: [String: Load] = [:]
  private var loadByConnection: [Int: Load] = [:]
  /// Before this nobody's time is up, so that a table full of streams is not searched for nothing.
  private var nearestDeadlineUs = Int64.max

  /// What one caller has in flight.
  struct Load {
    var calls = 0
    var bodyByteCount = 0
    /// They are no calls in flight any more.
    var streams = 0
    fileprivate var isEmpty: Bool { calls == 0 && streams == 0 }
  }

  private struct Key: Hashable {
    let connection: Int
    let id: UInt64
  }

  /// Nil: a call with that id is in flight on that connection.
  mutating func add(
    _ header: RequestHeader, connection: Int, hasDelimiter: Bool, bodyByteCount: Int, now: Moment
  ) -> CallHandle? {
    let key = Key(connection: connection, id: header.id)
    guard byID[key] == nil else { return nil }
    let slot: Int32
    if let last = free.popLast() {
      slot = last
    } else {
      calls.append(Call())
      slot = Int32(calls.count - 1)
    }
    byID[key] = slot
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
    if header.actingUser.isEmpty {
      loadByConnection[connection, default: Load()].add(bodyByteCount)
    } else {
      loadByUser[header.actingUser, default: Load()].add(bodyByteCount)
    }
    return CallHandle(slot: slot, generation: calls[index].generation)
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
    let user = calls[index].header.actingUser
    let bodyByteCount = calls[index].bodyByteCount
    let isStream = calls[index].isStream
    if user.isEmpty {
      Self.change(&loadByConnection, calls[index].connection) { $0.remove(bodyByteCount, isStream) }
    } else {
      Self.change(&loadByUser, user) { $0.remove(bodyByteCount, isStream) }
    }
    byID[Key(connection: calls[index].connection, id: calls[index].header.id)] = nil
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

  /// Static, since a table that holds on to itself would copy its counts for every call.
  private static func change<Who: Hashable>(
    _ loads: inout [Who: Load], _ who: Who, _ change: (inout Load) -> Void
  ) {
    guard var load = loads[who] else { preconditionFailure("a call that was never counted") }
    change(&load)
    loads[who] = load.isEmpty ? nil : load
  }

  /// From now on the call is a stream: its time is never up, and it counts among streams.
  mutating func open(_ handle: CallHandle) {
    guard !self[handle].isStream else { return }
    let user = self[handle].header.actingUser
    let bodyByteCount = self[handle].bodyByteCount
    if user.isEmpty {
      Self.change(&loadByConnection, self[handle].connection) { $0.open(bodyByteCount) }
    } else {
      Self.change(&loadByUser, user) { $0.open(bodyByteCount) }
    }
    self[handle].isStream = true
    self[handle].deadlineUs = .max
  }

  /// The call with this id on a connection; nil: there is none.
  func find(_ id: UInt64, on connection: Int) -> CallHandle? {
    byID[Key(connection: connection, id: id)].map {
      CallHandle(slot: $0, generation: calls[Int($0)].generation)
    }
  }

  /// Where the responses of a call go.
  func address(_ handle: CallHandle) -> (connection: Int, hasDelimiter: Bool, id: UInt64) {
    let index = Int(handle.slot)
    return (calls[index].connection, calls[index].hasDelimiter, calls[index].header.id)
  }

  /// What whoever made this call has in flight, this one too.
  func loadOfCaller(_ handle: CallHandle) -> Load {
    let user = calls[Int(handle.slot)].header.actingUser
    return user.isEmpty
      ? loadByConnection[calls[Int(handle.slot)].connection, default: Load()]
      : loadByUser[user, default: Load()]
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
