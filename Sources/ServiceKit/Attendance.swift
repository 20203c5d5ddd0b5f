import Model
import Wire
import ZeroMQ

/// What an owner asks the check-in service before and after it deletes. The check-in service holds
/// a stream open at each owner, so that owners need no address of it.
struct Attendance {
  private struct Open {
    var call: CallHandle
    var question: AttendDeletesResponse
    /// Nil: it is asked before the delete.
    var settle: ServiceCore.Settle?
  }

  /// The stream on which questions go out; nil: the check-in service is not there.
  private(set) var stream: CallHandle?
  private var streamConnection = 0
  private var open: [UInt64: Open] = [:]
  private var lastQuestion: UInt64 = 0
  /// Since when there has been no stream.
  private var absentSinceUs: Int64 = 0
  /// On the other side: the questions that wait for an answer.
  private(set) var asked: [(log: LogName, question: AttendDeletesResponse)] = []

  mutating func began(_ call: CallHandle, connection: Int) -> [AttendDeletesResponse] {
    stream = call
    streamConnection = connection
    return open.keys.sorted().compactMap { open[$0]?.question }
  }

  /// A peer is gone.
  /// - Returns: the call that held the stream open, which has nobody to answer to any more.
  mutating func left(_ connection: Int) -> CallHandle? {
    guard connection == streamConnection else { return nil }
    defer { stream = nil }
    return stream
  }

  mutating func add(
    _ question: AttendDeletesResponse, for call: CallHandle, _ settle: ServiceCore.Settle?
  ) -> AttendDeletesResponse {
    lastQuestion += 1
    var question = question
    question.question = lastQuestion
    open[lastQuestion] = Open(call: call, question: question, settle: settle)
    return question
  }

  /// A question has come. Where there are too many, the oldest goes: it is the one for whose answer
  /// nobody waits any more.
  mutating func receive(_ question: AttendDeletesResponse, of log: LogName) {
    if asked.count >= Limits.openQuestions { asked.removeFirst() }
    asked.append((log, question))
  }

  /// These have been answered, or their owner will ask them again.
  mutating func forgetAsked(where isOver: (LogName, AttendDeletesResponse) -> Bool) {
    asked.removeAll { isOver($0.log, $0.question) }
  }

  /// Takes the question that an answer belongs to.
  mutating func take(_ number: UInt64) -> (call: CallHandle, settle: ServiceCore.Settle?)? {
    open.removeValue(forKey: number).map { ($0.call, $0.settle) }
  }

  /// Forgets the questions of calls that have ended.
  mutating func forget(where hasEnded: (CallHandle) -> Bool) {
    if open.isEmpty { return }
    open = open.filter { !hasEnded($0.value.call) }
  }

  /// Where nobody has been there to ask for a second, calls that have to ask first are refused.
  /// - Returns: those calls, whose questions are forgotten. Whoever refuses them may find that a
  ///   caller has left, which changes this table again.
  mutating func takeUnanswerable(at now: Moment) -> [CallHandle] {
    guard stream == nil else {
      absentSinceUs = now.monotonicUs
      return []
    }
    if absentSinceUs == 0 { absentSinceUs = now.monotonicUs }
    guard now.monotonicUs - absentSinceUs > Limits.attendanceGraceMs * 1_000 else { return [] }
    let unanswerable = open.filter { $0.value.settle == nil }
    for number in unanswerable.keys { open[number] = nil }
    return unanswerable.values.map(\.call)
  }
}

/// The owner's side.
extension ServiceCore {
  /// A call that deletes when the check-in service says how many are at the place.
  func askOccupants(_ call: CallHandle, _ body: Frame, _ location: ID?, _ now: Moment) {
    park(call, body, .occupants)
    pose(attendance.add(AttendDeletesResponse(locationID: location), for: call, nil), now)
  }

  /// Holds a write's response until its commit, and then until the check-in service has seen it.
  func askWhetherSeen(
    _ call: CallHandle, place: ID?, asOf: Revisions, _ settle: @escaping Settle
  ) {
    let question = AttendDeletesResponse(locationID: place, atLeast: asOf)
    held.append(Held(call: call, response: .question(question, settle)))
  }

  func ask(
    _ question: AttendDeletesResponse, for call: CallHandle, _ settle: @escaping Settle,
    _ now: Moment
  ) {
    calls[call].isUnderWay = true
    pose(attendance.add(question, for: call, settle), now)
  }

  /// Sends a question, where there is somebody to ask; otherwise whoever comes gets it.
  private func pose(_ question: AttendDeletesResponse, _ now: Moment) {
    guard let stream = attendance.stream, calls.contains(stream) else { return }
    let call = calls[stream]
    encoder.encode(question) { bodyFrame.allocate($0) }
    transmit(
      call.connection, call.hasDelimiter, ResponseHeader(id: call.header.id, more: true), bodyFrame)
  }

  /// The check-in service is there to be asked.
  func attend(_ call: CallHandle, _ now: Moment) {
    if let old = attendance.stream, calls.contains(old) {
      refuse(old, Refusal(.cancelled, "The stream was opened anew."), now)
    }
    calls.open(call)
    attendance.forget { !calls.contains($0) }
    let open = attendance.began(call, connection: calls[call].connection)
    pose(AttendDeletesResponse(), now)
    for question in open { pose(question, now) }
  }

  /// The check-in service has answered.
  func settle(_ answer: AnswerDeleteRequest, _ now: Moment) {
    if let (call, _) = attendance.take(answer.refusedQuestion) {
      return refuse(
        call,
        Refusal(
          .storageFull, "The disk of check-ins is full; nothing was deleted.",
          retryAfterMs: 5_000), now)
    }
    guard let (call, settle) = attendance.take(answer.question), calls.contains(call) else {
      return
    }
    if let settle {
      settle(answer, now)
    } else {
      calls[call].occupants = answer.count
      calls[call].waiting = .nothing
      runnable.append(call)
    }
  }
}
