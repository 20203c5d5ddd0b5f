import Wire

/// A call with more than one response, on one connection. It ends with that: to go on is for
/// whoever listens.
final class Stream {
  /// What it is told. The last two end it.
  enum Event {
    case reply(Reply)
    case refused(Status)
    /// Its connection is gone.
    case lost
  }

  let method: Method
  let user: String
  let body: [UInt8]
  /// Its header's id, once it is sent.
  var id: UInt64?
  var link: Link?
  /// When it was sent, or something was heard of it last.
  var heardMs = 0
  /// Nobody listens any more.
  var isOver = false
  private let listener: (Stream, Event) -> Void

  init(
    _ method: Method, user: String, body: [UInt8], listener: @escaping (Stream, Event) -> Void
  ) {
    self.method = method
    self.user = user
    self.body = body
    self.listener = listener
  }

  /// It should have said something by now. Where its whole connection has not, that is left for
  /// another one.
  func missAnswer(nowMs: Int) { link?.missAnswer(sentMs: heardMs, nowMs: nowMs) }

  func tell(_ event: Event) {
    guard !isOver else { return }
    listener(self, event)
  }
}
