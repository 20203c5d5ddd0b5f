import Keys
package import SQLite
import Model
package import Wire
package import ZeroMQ

/// A program without its sockets: takes messages and the time, runs handlers in batches, and sends
/// through an `Outlet`. Used by one thread.
///
/// A round is: `receive` for all that has arrived, then `finish`. Writes are decided as they come,
/// inside a batch; their responses are held until `finish` has committed it. Reads that arrive
/// while a batch is open wait for its end, so that they see what is on disk.
package final class ServiceCore {
  package let service: any Service
  package let options: Options
  let log: Log
  let handlers: Handlers
  /// What time it is now, for how long calls took; everything else goes by the time of the round.
  let clock: () -> Moment
  let keptResponses: KeptResponses?
  let changeLog: (any ChangeLogReading)?
  let storeCopy: StoreCopy?
  let secret: [UInt8]

  var calls = CallTable()
  package let connections: Connections
  package var metrics = Metrics()
  let malformedRequests: Metrics.Number
  let malformedResponses: Metrics.Number
  let lateResponses: Metrics.Number
  let droppedResponses: Metrics.Number
  package unowned let outlet: any Outlet
  var backends = ByLog<Backend>()
  var pending = PendingCalls()
  /// Publications that wait for those of another log, oldest first.
  var early: [LogName: [EarlyPublication]] = [:]
  var attendance = Attendance()
  /// Who is who, of those who come with a key.
  var allowedKeys = AllowedKeys()

  let decoder = Decoder(budgetBytes: Limits.unpackBudgetBytes)
  package let encoder = Encoder()
  let headerFrame = Frame()
  let bodyFrame = Frame()
  var framePool: [Frame] = []

  /// The time of the message that is being handled, or of the end of the round.
  package private(set) var now: Moment
  /// The body of the call that runs.
  var runningBody = Frame()
  var isBatchOpen = false
  /// Set where a batch has to be given up whole, with why.
  var batchFailure: SQLiteError?
  /// Not before this is tried again what falls due, since the store has failed.
  var dueAgainUs = Int64.min
  /// The disk was full when the store was written to last, and when that was tried last; nil: not
  /// since the start.
  var isStoreFull = false
  var storeTriedUs: Int64?
  /// When the log was told last that the store fails.
  var failureToldUs = -Limits.storeRetryMs * 1_000
  var held: [Held] = []
  var deferredReads: [CallHandle] = []
  var runnable: [CallHandle] = []
  /// Calls that wait for something that another service has to say.
  var waitingForOthers: [CallHandle] = []
  var isDraining = false
  /// What is wrong with the header of the call that is being admitted.
  var headerViolations: [FieldViolation] = []
  var lastKeptMs: Int64 = 0
  var lastPublishedUs: Int64 = 0
  var lastSweepUs: Int64 = 0
  /// Nothing has come since then.
  var isQuiet = false
  var lastWorkUs: Int64 = 0
  /// Whether there is work that nobody waits for, since when it may be done, and when some of it
  /// was done last.
  package internal(set) var hasWorkBehind = true
  var workBehindUs = Int64.min
  var workedBehindUs = Int64.min / 2
  /// When the traces of what was erased are removed; nil: there are none.
  var tracesDueUs: Int64?
  /// Why the process has to end: what is on disk is not known.
  package internal(set) var fatalError: SQLiteError?

  /// What differs between programs.
  package struct Options: Sendable {
    /// Callers without a key say who they are, and are believed.
    package var trustsClients = true
    /// How many calls, and how many watches, a user may begin who has come with a key; nil: any
    /// number.
    package var callRate: Rate?
    package var watchRate: Rate?
    /// How long the store keeps what it acknowledged, for GetInfo.
    package var durability = "sqlite wal synchronous=full"
    package var version = ""
    package var startTimeMs: Int64 = 0
    package init() {}
  }

  /// A response that waits for the commit.
  struct Held {
    var call: CallHandle
    var response: Response
    enum Response {
      case done(header: ResponseHeader, body: Frame)
      case question(AttendDeletesResponse, Settle)
    }
  }

  struct EarlyPublication {
    var published: ChangesPublished
    var untilUs: Int64
  }

  /// Completes a response with what the check-in service has said.
  typealias Settle = (AnswerDeleteRequest, Moment) -> Void

  package init(
    _ service: any Service, store: Store?, follows: [LogName], options: Options,
    outlet: any Outlet, connections: Connections, log: Log,
    clock: @escaping () -> Moment = SystemClock.now
  ) {
    self.service = service
    self.options = options
    self.outlet = outlet
    self.clock = clock
    now = clock()
    self.connections = connections
    self.log = log
    keptResponses = store?.keptResponses
    changeLog = store?.changeLog
    storeCopy = store?.copy
    secret = store?.secret ?? []
    malformedRequests = metrics.number("muster_malformed_requests_total")
    malformedResponses = metrics.number("muster_malformed_responses_total")
    lateResponses = metrics.number("muster_late_responses_total")
    droppedResponses = metrics.number("muster_dropped_responses_total")
    var handlers = Handlers()
    service.register(&handlers)
    if changeLog != nil { handlers.addChangeLogMethods() }
    handlers.addControlMethods()
    self.handlers = handlers
    for log in follows {
      let position = service.revisions[log]
      let follower = Follower(
        log: log, position: position == 0 ? nil : position,
        isWhole: service.followsWhole.contains(log))
      backends[log] = Backend(follower: follower, changedUs: now.monotonicUs)
    }
  }

  /// What of a service's store the core itself uses.
  package struct Store {
    package var keptResponses: KeptResponses
    package var changeLog: any ChangeLogReading
    /// What fingerprints of keys are made with: 16 bytes that the database keeps.
    package var secret: [UInt8]
    /// Copies of the database for backups; nil: none are made.
    package var copy: StoreCopy?

    package init(
      keptResponses: KeptResponses, changeLog: any ChangeLogReading, secret: [UInt8],
      copy: StoreCopy? = nil
    ) {
      self.keptResponses = keptResponses
      self.changeLog = changeLog
      self.secret = secret
      self.copy = copy
    }
  }

  /// Notes what time it is.
  func tell(_ now: Moment) { self.now = now }

  /// Something has come: what it began may fall due soon.
  func stir(_ now: Moment) {
    self.now = now
    isQuiet = false
  }

  // MARK: - A call comes in

  /// Takes a request: `header` is read, the content of `body` may be taken.
  package func receive(
    from routingID: UnsafeRawBufferPointer, sender: Sender = .plain, hasDelimiter: Bool,
    header bytes: UnsafeRawBufferPointer, body: Frame, at now: Moment
  ) {
    stir(now)
    let connection = connections.find(routingID)
    var violations: [FieldViolation] = []
    var header: RequestHeader
    do {
      header = try decoder.decode(RequestHeader.self, from: bytes, violations: &violations)
    } catch {
      // No id to answer to.
      metrics.add(malformedRequests)
      return
    }
    let standing = standing(of: sender, &header, &violations, now)
    service.received(&header, connection: connection)
    guard
      let call = calls.add(
        header, connection: connection, hasDelimiter: hasDelimiter, bodyByteCount: body.count,
        now: now)
    else {
      metrics.add(malformedRequests)
      answerWithoutCall(
        connection, hasDelimiter, header.id,
        Status(.malformedRequest, "A call with the id \(header.id) is in flight already."))
      return
    }
    calls[call].standing = standing
    connections.began(connection)
    guard violations.isEmpty else { return refuseForm(call, violations, body, now) }
    do {
      try checkLimits(call)
    } catch {
      return refuse(call, error, now)
    }
    run(call, body, now)
  }

  /// Frames that are no request: more or fewer than header and body.
  package func receiveMalformed(
    from routingID: UnsafeRawBufferPointer, hasDelimiter: Bool, header: UnsafeRawBufferPointer?,
    at now: Moment
  ) {
    metrics.add(malformedRequests)
    var violations: [FieldViolation] = []
    guard let header,
      let read = try? decoder.decode(RequestHeader.self, from: header, violations: &violations)
    else { return }  // No id to answer to: counted, and that is all that can be done.
    answerWithoutCall(
      connections.find(routingID), hasDelimiter, read.id,
      Status(.malformedRequest, "A request is one header frame and one body frame."))
  }

  /// Runs a call, or lets it wait for the end of the batch.
  func run(_ call: CallHandle, _ body: Frame, _ now: Moment) {
    guard fatalError == nil else {
      return refuse(
        call,
        Refusal(
          .starting, "The disk failed; the service starts again from what is on it.",
          retryAfterMs: 1_000), now)
    }
    guard let method = calls[call].header.method, let handler = handlers[method] else {
      return refuse(
        call,
        Refusal(.unknownMethod, "\(service.name) has no such method; GetInfo lists them."), now)
    }
    if handler.kind == .read && isBatchOpen {
      park(call, body, .commit)
      deferredReads.append(call)
      return
    }
    if handler.kind == .write && !beginBatch() {
      return refuse(call, storageRefusal(), now)
    }
    do {
      runningBody = body
      try handler.run(self, call, body.bytes, now)
    } catch let refusal as Refusal {
      refuse(call, refusal, now)
    } catch let wait as NotThereYet {
      park(call, body, .revisions(wait.revisions))
      for (log, backend) in backends.entries where wait.revisions[log] > service.revisions[log] {
        catchUp(log, backend, now)
      }
    } catch let wait as CatchUp {
      waitForOwner(call, body, wait.log, now)
    } catch let wait as AskOccupants {
      askOccupants(call, body, wait.location, now)
    } catch let error as SQLiteError {
      fail(call, handler.kind, error, now)
    } catch {
      log.error("a handler failed", ["method": .text(method.fullName), "error": .error(error)])
      refuse(call, Refusal(.internal, "The server failed; its log says why."), now)
    }
  }

  /// Keeps a call, and its body, until what it waits for has come.
  func park(_ call: CallHandle, _ body: Frame, _ waiting: Waiting) {
    calls[call].waiting = waiting
    if waiting.isForOthers { waitingForOthers.append(call) }
    guard calls[call].body == nil else { return }
    let kept = takeFrame()
    kept.move(from: body)
    calls[call].body = kept
  }

  /// Runs a call that waited.
  func resume(_ call: CallHandle, _ now: Moment) {
    guard calls.contains(call), let body = calls[call].body else { return }
    // What has waited for longer than its caller does is not carried out.
    guard calls[call].deadlineUs > now.monotonicUs else { return expire(call, now) }
    calls[call].waiting = .nothing
    // The frame has one owner: from here on that is this function, and no longer the call.
    calls[call].body = nil
    run(call, body, now)
    giveBack(body)
  }
}
