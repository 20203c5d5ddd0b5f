import Model
import Wire

/// The check-in service's side of deletes: it holds a stream open at each owner, and answers what
/// it is asked there.
extension ServiceCore {
  /// Holds a stream open on which the owner of `log` asks what it must know to delete.
  func attend(_ log: LogName, _ now: Moment) {
    guard service.attendsDeletes, backends[log]?.isAttended == false else { return }
    let isAsked = ask(
      log, .attendDeletes, AttendDeletesRequest(), .attendance, timeoutMs: nil, now)
    backends[log]?.isAttended = isAsked
  }

  func receiveQuestion(
    _ log: LogName, _ header: ResponseHeader, _ body: UnsafeRawBufferPointer, _ now: Moment
  ) {
    guard header.more else { return attendanceEnded(log) }
    var violations: [FieldViolation] = []
    guard
      let question = try? decoder.decode(
        AttendDeletesResponse.self, from: body, violations: &violations)
    else { return self.log.error("a question could not be read", ["from": .text(log.text)]) }
    if question.question != 0 { attendance.receive(question, of: log) }
  }

  /// The stream is over: on the next one its owner asks again what is still open. (Another process
  /// of the owner's gives its own questions the same numbers.)
  func attendanceEnded(_ log: LogName) {
    backends[log]?.isAttended = false
    attendance.forgetAsked { owner, _ in owner == log }
  }

  /// Answers the questions whose state has come. All of it is one batch, and nothing is answered
  /// where that cannot be committed: the deletes that were to follow could not be carried out.
  func answerQuestions(_ now: Moment) {
    let revisions = service.revisions
    guard attendance.asked.contains(where: { $0.question.canBeAnswered(at: revisions) }) else {
      return
    }
    guard now.monotonicUs >= dueAgainUs else { return refuseQuestions(now) }
    var answers: [(log: LogName, answer: AnswerDeleteRequest)] = []
    inBatch(now) {
      for (log, question) in attendance.asked where question.canBeAnswered(at: revisions) {
        answers.append((log, try service.answer(question, at: now)))
      }
    }
    finishBatch(now)
    guard batchFailure == nil else { return refuseQuestions(now) }
    attendance.forgetAsked { _, question in question.canBeAnswered(at: revisions) }
    for (log, answer) in answers { tell(answer, to: log, now) }
  }

  /// On a disk that is full nothing can be noted of what would be deleted, and whoever asks before
  /// a delete is told so. What has been deleted already waits for room.
  private func refuseQuestions(_ now: Moment) {
    guard isStoreFull else { return }
    for (log, question) in attendance.asked where question.atLeast == nil {
      tell(AnswerDeleteRequest(refusedQuestion: question.question), to: log, now)
    }
    attendance.forgetAsked { _, question in question.atLeast == nil }
  }

  /// That an answer is lost, its owner finds out: it asks again on its next stream.
  private func tell(_ answer: AnswerDeleteRequest, to log: LogName, _ now: Moment) {
    ask(log, .answerDelete, answer, timeoutMs: Limits.followTimeoutMs, at: now) { _ in }
  }
}

extension AttendDeletesResponse {
  /// Whether a state is as new as the question asks for.
  fileprivate func canBeAnswered(at revisions: Revisions) -> Bool {
    (atLeast ?? Revisions()).beyond(revisions) == Revisions()
  }
}
