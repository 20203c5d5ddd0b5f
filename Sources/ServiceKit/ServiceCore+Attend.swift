import Model
import Wire

/// The check-in service's side of deletes: it holds a stream open at each owner, and answers what
/// it is asked there.
extension ServiceCore {
  /// Holds a stream open on which the owner of `log` asks what it must know to delete.
  func attend(_ log: LogName, _ now: Moment) {
    guard service.attendsDeletes, backends[log]?.isAttended == false else { return }
    backends[log]?.isAttended = ask(
      log, .attendDeletes, AttendDeletesRequest(), .attendance, timeoutMs: nil, now)
  }

  func receiveQuestion(
    _ log: LogName, _ header: ResponseHeader, _ body: UnsafeRawBufferPointer, _ now: Moment
  ) {
    guard header.more else {
      backends[log]?.isAttended = false
      return
    }
    var violations: [FieldViolation] = []
    guard
      let question = try? decoder.decode(
        AttendDeletesResponse.self, from: body, violations: &violations)
    else { return self.log.error("a question could not be read", ["from": .text(log.text)]) }
    if question.question != 0 { attendance.asked.append((log, question)) }
  }

  /// Answers the questions whose state has come.
  func answerQuestions(_ now: Moment) {
    guard !attendance.asked.isEmpty else { return }
    let revisions = service.revisions
    let asked = attendance.asked
    attendance.asked = []
    for (log, question) in asked {
      guard (question.atLeast ?? Revisions()).beyond(revisions) == Revisions() else {
        attendance.asked.append((log, question))
        continue
      }
      do {
        let answer = try service.answer(question, at: now)
        ask(log, .answerDelete, answer, timeoutMs: Limits.followTimeoutMs, at: now) { _ in }
      } catch {
        self.log.error("a question could not be answered", ["error": .error(error)])
      }
    }
  }
}
