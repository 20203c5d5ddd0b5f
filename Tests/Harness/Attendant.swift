package import Wire

/// The check-in service as an owner of profiles or places knows it: asked about deletes on a stream
/// that it holds open, it answers, from its revision 77.
package final class Attendant {
  /// How many it says are at a place.
  package var occupants: UInt32 = 0
  /// Whether it answers by itself.
  package var answers = true
  /// What it has been asked and has not answered.
  package fileprivate(set) var questions: [AttendDeletesResponse] = []

  static let peer: UInt8 = 2

  func note(_ question: AttendDeletesResponse) {
    if question.question != 0 { questions.append(question) }
  }
}

extension Harness {
  /// The check-in service comes, also again, and asks to be asked.
  package func attend() {
    attendant.questions = []
    send(AttendDeletesRequest(), from: Attendant.peer)
    finish()
  }

  /// The check-in service answers a question.
  package func answer(_ question: AttendDeletesResponse) {
    attendant.questions.removeAll { $0.question == question.question }
    send(
      AnswerDeleteRequest(
        question: question.question, count: attendant.occupants, checkInsRevision: 77),
      from: Attendant.peer)
    finish()
  }

  /// The check-in service says that its disk is full.
  package func refuse(_ question: AttendDeletesResponse) {
    attendant.questions.removeAll { $0.question == question.question }
    send(AnswerDeleteRequest(refusedQuestion: question.question), from: Attendant.peer)
    finish()
  }
}
