package import Model
package import Wire

/// A list that follows what happens: people at a place, or counts. Its `content` is right, always
/// whole, or `staleSinceMs` says since when it may not be; resets, resumption, silent and lost
/// connections and the way to another gateway are its own affair. It ends when it is cancelled,
/// when nobody holds it any more, or when it is told `ended`.
package final class Watch<Content: WatchContent> {
  private let client: Client
  private let request: WatchRequest
  private let user: String
  private var machine: WatchMachine<Content>
  private var stream: Stream?
  private var timer: Timer?
  private let listener: (Watch, WatchNews) -> Void

  /// Begins to watch; the listener is told from within a `step` of the client's loop.
  init(
    _ client: Client, _ request: WatchRequest, user: String,
    listener: @escaping (Watch, WatchNews) -> Void
  ) {
    let heartbeatMs = request.heartbeatMs == 0 ? Limits.defaultHeartbeatMs : request.heartbeatMs
    self.client = client
    self.request = request
    self.user = user
    self.listener = listener
    machine = WatchMachine(
      mode: request.mode, heartbeatMs: Int(heartbeatMs), nowMs: ClientLoop.nowMs)
    arm()
  }

  deinit {
    cancelStream()
    timer?.watch = nil
  }

  /// What is true at `asOf`; of a watch for what happens: nothing.
  package var content: Content { machine.content }
  /// What the news `changed` is about, one by one.
  package var changes: [Content.Change] { machine.changes }
  /// The state that the content is at; nil: nothing is known yet.
  package var asOf: Revisions? { machine.asOf }
  /// When the server made it, in milliseconds since 1970.
  package var timeMs: Int64 { machine.timeMs }
  /// Since when the content may be wrong, in milliseconds since 1970; nil: it is right.
  package var staleSinceMs: Int64? {
    machine.staleSinceMs.map { ClientLoop.wallMs - Int64(ClientLoop.nowMs - $0) }
  }

  /// Ends it; nothing is told any more.
  package func cancel() {
    timer?.watch = nil
    timer = nil
    cancelStream()
  }

  private func cancelStream() {
    // Where the connection fails, the server forgets the stream by itself.
    if let stream { try? client.cancel(stream) }
    stream = nil
  }

  private func handle(_ event: WatchMachine<Content>.Event) {
    let now = ClientLoop.nowMs
    for action in machine.handle(event, nowMs: now, chance: client.chance) {
      switch action {
      case .begin(let after): begin(after)
      case .cancel:
        // That a time has come ends a stream only for its silence.
        if case .time = event { stream?.missAnswer(nowMs: now) }
        cancelStream()
      case .tell(let news): listener(self, news)
      }
    }
    arm()
  }

  private func begin(_ after: Revisions?) {
    var request = request
    request.after = after
    let stream = client.open(request, user: user) { [weak self] stream, event in
      guard let self, self.stream === stream else { return }
      switch event {
      case .reply(let reply):
        do throws(CallError) {
          let response = try client.read(reply, as: WatchResponse.self)
          handle(.response(response, asOf: reply.asOf))
        } catch {
          cancelStream()
          handle(.refused(error.status))
        }
      case .refused(let status):
        self.stream = nil
        handle(.refused(status))
      case .lost:
        self.stream = nil
        handle(.lost)
      }
    }
    self.stream = stream
  }

  /// Sets the alarm, where the one that is set comes too late. One that comes too early is set anew
  /// then: every heartbeat moves the time, and few of these times ever come.
  private func arm() {
    guard let wakeMs = machine.wakeMs else { return }
    if let timer, timer.timeMs <= wakeMs { return }
    timer?.watch = nil
    let timer = Timer(watch: self, timeMs: wakeMs)
    self.timer = timer
    client.timers.add(timer, atMs: wakeMs)
  }

  /// An alarm of a watch.
  private final class Timer: Timed {
    weak var watch: Watch?
    let timeMs: Int

    init(watch: Watch, timeMs: Int) {
      self.watch = watch
      self.timeMs = timeMs
    }

    var isOver: Bool { watch == nil }

    func wake(nowMs: Int) {
      guard let watch else { return }
      watch.timer = nil
      watch.handle(.time)
    }
  }
}

extension Client {
  /// Who is at a place, from now on. The listener is told from within a `step` of the loop.
  /// - Parameters:
  ///   - mode: `unspecified` is what is now and then every change; `passThrough` only what happens
  ///     from now on.
  ///   - heartbeatMs: how often the server is heard of at least; after three of them without a word
  ///     the content is stale. 0 is 5 000.
  ///   - user: whom it is for; nil: the client's own user.
  package func watchPeople(
    at place: ID, mode: WatchMode = .unspecified, heartbeatMs: UInt32 = 0, user: String? = nil,
    listener: @escaping (Watch<PeopleHere>, WatchNews) -> Void
  ) -> Watch<PeopleHere> {
    let request = WatchRequest(locationID: place, mode: mode, heartbeatMs: heartbeatMs)
    return Watch(self, request, user: user ?? self.user, listener: listener)
  }

  /// How many are where, from now on; all else as with `watchPeople`.
  package func watchCounts(
    mode: WatchMode = .unspecified, heartbeatMs: UInt32 = 0, user: String? = nil,
    listener: @escaping (Watch<Counts>, WatchNews) -> Void
  ) -> Watch<Counts> {
    let request = WatchRequest(allCounts: true, mode: mode, heartbeatMs: heartbeatMs)
    return Watch(self, request, user: user ?? self.user, listener: listener)
  }

  /// Begins a stream, as soon as there is a connection for it.
  func open<R: Wire.Request>(
    _ request: R, user: String, listener: @escaping (Stream, Stream.Event) -> Void
  ) -> Stream {
    let stream = Stream(
      R.method, user: user, body: encoder.bytes(request), listener: listener)
    queue.append(.stream(stream))
    return stream
  }
}
