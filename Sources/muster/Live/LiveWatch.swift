import Client
import Foundation
import Terminal
import Wire

/// One thing that a watch told, with what was true then.
struct Told<Content: WatchContent> {
  let news: WatchNews
  let content: Content
  let changes: [Content.Change]
  let timeMs: Int64
  /// Nil: nothing is known.
  let asOf: Revisions?
  /// 0: it is right.
  let staleSinceMs: Int64

  init(_ watch: Watch<Content>, _ news: WatchNews) {
    self.news = news
    content = watch.content
    changes = news == .changed ? watch.changes : []
    timeMs = watch.timeMs
    asOf = watch.asOf
    staleSinceMs = watch.staleSinceMs ?? 0
  }

  /// What every line of a program's says first.
  func members(_ event: String, staleSinceMs: Int64? = nil) -> [JSONValue.Member] {
    [
      .init("event", .text(event)), .init("time_ms", .integer(timeMs)),
      .init("as_of", asOf.map { Wire.json($0) } ?? .null),
      .init("stale_since_ms", .integer(staleSinceMs ?? self.staleSinceMs)),
    ]
  }
}

extension Session {
  /// Heard of at least this often, so that somebody who looks is told soon when nothing is.
  static let heartbeatMs: UInt32 = 2_000

  /// Follows a watch until Ctrl-C, and gives what it tells to `show`, which may ask for more.
  func follow<Content>(
    _ begin: (Client, @escaping (Watch<Content>, WatchNews) -> Void) -> Watch<Content>,
    show: ([Told<Content>]) throws -> Void
  ) throws {
    let client = try client()
    let interrupted = client.loop.poller.add(fileDescriptor: try Interruption.hold())
    defer { client.loop.poller.remove(interrupted) }
    var inbox: [Told<Content>] = []
    let watch = begin(client) { inbox.append(Told($0, $1)) }
    let patientUntilMs = ClientLoop.nowMs + timeoutMs
    while !Interruption.isAsked, !console.outputIsGone {
      try client.loop.step(untilMs: ClientLoop.nowMs + 1_000)
      if watch.asOf == nil, ClientLoop.nowMs > patientUntilMs, let why = client.whyNothingComes {
        throw why
      }
      let told = inbox
      inbox = []
      try show(told)
      console.flush()
      if case .ended(let status)? = told.last?.news { throw CallError(status) }
    }
    watch.cancel()
    // What was drawn stays; the shell goes on below the ^C that the terminal shows.
    if console.outputIsTerminal { console.write("\n") }
    throw Interrupted()
  }

  /// The place that is to be followed. Like what is followed, it is waited for while it cannot be
  /// had, until Ctrl-C.
  func placeToFollow(_ name: String) throws -> Location {
    var told = ""
    while true {
      do {
        return try placeHere(name)
      } catch let error as CallError where error.isPassing {
        if let why = try client().whyNothingComes { throw why }
        let why = Failure(error).message
        if why != told { noteWaiting(why) }
        told = why
      }
      let againMs = ClientLoop.nowMs + 1_000
      while ClientLoop.nowMs < againMs {
        guard !console.outputIsGone else { throw Interrupted() }
        try client().loop.step(untilMs: againMs)
      }
    }
  }

  /// Says, in a pipe too, that nothing can be shown yet.
  func noteWaiting(_ why: String) {
    console.message(TerminalText.visible("muster: waiting: \(why)"))
  }

  /// Whether what is followed is written for a program: one JSON object a line. A picture is for a
  /// terminal, or for who asks for it.
  func writesObjects() throws(UsageError) -> Bool {
    switch format {
    case .csv:
      throw UsageError("what goes on has no CSV", hint: "say -o ndjson: one JSON object a line")
    case .json, .ndjson: break
    case .table, .wide: if console.outputIsTerminal || hasFormat { return false }
    }
    guard fields.isEmpty else {
      throw UsageError("--fields is for tables here", hint: "say -o table, or leave it out")
    }
    return true
  }

  /// One line for a program.
  func write(_ members: [JSONValue.Member]) {
    console.write(JSONValue.object(members).write() + "\n")
  }

  /// Tells what became of a watch, where that is no change: a line for a program, or a sentence.
  func tell<Content>(
    _ told: Told<Content>, _ members: [JSONValue.Member], _ writesObjects: Bool
  ) {
    let since = LocalTime.clock(milliseconds: told.staleSinceMs)
    let (event, sentence): (String, String)
    switch told.news {
    case .stale(let why) where told.asOf == nil:
      noteWaiting(why)
      if writesObjects { write(told.members("stale") + members) }
      return
    case .stale(let why): (event, sentence) = ("stale", "not current since \(since): \(why)")
    case .current: (event, sentence) = ("current", "current again")
    case .missed: (event, sentence) = ("missed", "something happened meanwhile that is not known")
    case .whole, .changed, .ended: return
    }
    if writesObjects { write(told.members(event) + members) } else { note(sentence) }
  }
}
