/// Every limit of the contract, with its unit in its name.
package enum Limits {
  /// A frame; beyond it ZeroMQ drops the connection.
  package static let frameBytes = 1_048_576
  /// A page ends here, though it was asked to be longer.
  package static let pageBytes = 524_288
  /// No place is longer than this on the wire.
  package static let placeBytes = 24_576
  /// A page that names no size.
  package static let defaultPageItems = 100
  /// The longest page; a larger `page_size` is taken as this.
  package static let pageItems = 1_000

  /// How many items a page has at most that was asked for with this `page_size`.
  package static func pageItems(asked: UInt32) -> Int {
    asked == 0 ? defaultPageItems : min(Int(asked), pageItems)
  }

  /// The longest page of counts, and one that names no size.
  package static let countsPageItems = 10_000
  /// Places of one `GetCounts` that names them.
  package static let countedLocations = 1_000
  /// Items of a batch.
  package static let batchItems = 1_000
  /// Changes of one `ListChanges` that names no number, and the most of one.
  package static let defaultListedChanges = 1_000
  package static let listedChanges = 10_000
  /// People of each place in who's where, where no number is named, and the most.
  package static let defaultPeoplePerLocation = 4
  package static let peoplePerLocation = 50
  /// An avatar, or an image of a place.
  package static let imageBytes = 524_288

  /// Calls of one caller that have no response yet.
  package static let callsInFlightPerCaller = 4_096
  /// Bytes of their bodies: what a process, and those behind it, hold of one caller.
  package static let bytesInFlightPerCaller = 33_554_432
  /// A call costs its caller one token, and one more for each of these in its body and in its
  /// response.
  package static let bytesPerToken = 4_096
  /// What all connections together may have sent that has not been looked at; one alone may have
  /// half, which is more than `bytesInFlightPerCaller`. Frames of two bytes are seven times that.
  package static let bytesAhead = 83_886_080
  /// The same of a service, to which other processes of Muster come for many callers.
  package static let bytesAheadOfPeers = 671_088_640
  /// So often something is forgiven of what is counted there and never taken: of each connection's
  /// heartbeats, 64 bytes a second, and of messages that connections had begun that are over.
  package static let forgivenMs: Int64 = 8_000
  package static let forgivenHeartbeatBytes = 512
  package static let forgivenPastBytes = 8_388_608
  /// Descriptors that connections may not have: for files, copies, and what the libraries open.
  package static let ownDescriptors = 64
  /// How often it is told that connections are closed at these bounds.
  package static let closedToldMs: Int64 = 60_000
  /// Watches of one caller.
  package static let watchesPerCaller = 256
  /// Responses that one caller has not read.
  package static let unreadResponsesBytes = 33_554_432
  /// Refusals of what comes beyond that are added to it, up to here; then nothing is answered.
  package static let mostUnreadBytes = unreadResponsesBytes + 8_388_608
  /// Responses of streams that wait until a peer reads. Beyond it the peer's streams are told
  /// nothing, and begin anew when it has read.
  package static let unreadUpdatesBytes = 262_144
  /// Field violations of one response.
  package static let violations = 20

  /// A call that names no time-out, and the longest time-out of one.
  package static let defaultTimeoutMs: UInt32 = 5_000
  package static let timeoutMs: UInt32 = 300_000
  /// A watch that names no heartbeat, and the shortest and longest of one.
  package static let defaultHeartbeatMs: UInt32 = 5_000
  package static let heartbeatMs: ClosedRange<UInt32> = 1_000...60_000
  /// Changed counts are sent to a watcher at most this often.
  package static let countsIntervalMs: Int64 = 100
  /// A feed says where it stands at least this often.
  package static let feedIntervalMs: Int64 = 1_000
  /// For how long the response to an idempotency key is kept.
  package static let idempotencyMs: Int64 = 86_400_000
  /// The `ttl_s` of a stay that never ends, though the server's setting says otherwise.
  package static let endlessTtlS = UInt32.max

  /// A position in WGS 84 degrees.
  package static let latitudeDegrees: ClosedRange<Double> = -90...90
  package static let longitudeDegrees: ClosedRange<Double> = -180...180

  /// What unpacking one message may take, all copies of its parts included.
  package static let unpackBudgetBytes = 16_777_216
  /// Responses that one peer's pipe holds. A response is not much longer than half a frame, so that
  /// is 24 MiB: with `mostUnreadBytes` a peer that does not read makes a process hold 64 MiB. More
  /// would be little faster: 24, 48 and 96 gave 43, 52 and 57 thousand calls a second.
  package static let routerSendMessages: Int32 = 48
  /// Responses that are sent together, in one go. One at a time wakes libzmq's thread for each; all
  /// of a round would leave their readers idle meanwhile. Other numbers have not been tried.
  package static let responsesTogether = 16
  /// Requests that wait to be read by one service behind this process: as many as sixteen callers
  /// may have in flight. A service that is busy with a commit for a moment is not out of reach.
  package static let backendSendMessages = Int32(16 * callsInFlightPerCaller)
  /// Publications that one subscriber may be behind before it misses some.
  package static let feedSendMessages: Int32 = 1_000
  /// Messages taken from one socket in one round: the size of a batch at most.
  package static let messagesPerRound = 256
  /// A round that has taken this long takes no more requests.
  package static let roundMs: Int64 = 20
  /// How soon a store that failed is tried again for what nobody asks for, and told of again.
  package static let storeRetryMs: Int64 = 1_000
  /// How long after a change the work begins that nobody waits for, and how often some of it is
  /// done where changes never pause for that long.
  package static let workBehindPauseMs: Int64 = 20
  package static let workBehindLatestMs: Int64 = 100
  /// People and places that are written to the stored snapshot together: a millisecond or two.
  package static let savedTogether = 500
  /// How often it is looked for what has become too old to be kept, though nothing happens.
  package static let workBehindIntervalMs: Int64 = 60_000
  /// Entries of the check-in log that the stored snapshot of the state does not have yet: a start
  /// reads them all. Beyond it the snapshot moves on though calls wait.
  package static let logTailEntries: UInt64 = 1_000_000
  /// Entries that one page of a history looks at: some 10 ms. What it has found by then is a page.
  package static let historyEntriesPerPage = 4_096
  /// For how long the write-ahead log may still have what was erased.
  package static let tracesMs: Int64 = 5_000
  /// Pages of 4 KiB that a round adds to a copy of the database: some 0.2 ms.
  package static let copiedPages = 64
  /// The longest message to a feed. It is sent none but subscriptions, each of which libzmq keeps
  /// as long as its subscriber is there, at some 50 bytes of memory for a byte.
  package static let subscriptionBytes: Int64 = 1_024
  /// Blocks of memory from here on go back to the system as soon as they are freed.
  package static let largeBlockBytes: Int32 = 131_072
  /// Memory that is free and not given back is looked for this often, and so much of it may be.
  package static let freeMemoryIntervalMs: Int64 = 2_000
  package static let spareMemoryBytes = 16_777_216
  /// How often time-outs are looked for.
  package static let sweepIntervalMs: Int64 = 10
  /// The same, while nothing comes and no time-out is near.
  package static let quietIntervalMs: Int64 = 200
  /// A peer that was full is tried again whenever others have taken something, so many times; if it
  /// has taken nothing then, after 1 ms, 2 ms, 4 ms and so on, up to this.
  package static let eagerTries = 16
  package static let sendAgainMs: Int64 = 50
  /// How long a deletion waits for the departures that it has caused.
  package static let earlyMs: Int64 = 200
  /// For how long a service that starts waits for whoever has its store open.
  package static let storeLockMs: Int32 = 3_000
  /// How soon a lost connection is tried again.
  package static let reconnectIntervalMs: Int32 = 50
  /// How often the service manager is told that a process is well.
  package static let healthToldMs: Int64 = 1_000
  /// How much may be passed on to a service that answers nothing: twice what one caller may have in
  /// flight.
  package static let unansweredBytes = 64 << 20
  /// For how long a gateway waits for what services say of their own health.
  package static let healthTimeoutMs = 500
  /// A service that has not been heard of for this long cannot be reached.
  package static let silentMs: Int64 = 3_500
  /// How much sooner a call that is passed on has to be answered than the caller gives up.
  package static let forwardMarginMs: Int64 = 50
  /// For how long a list waits for names, and a watch, which others stand behind.
  package static let namesTimeoutMs = 1_500
  package static let watchedNamesTimeoutMs = 500
  /// For how long names are not asked for when no answer came.
  package static let namesPauseMs: Int64 = 1_000
  /// Changes that a gateway remembers, for watches that go on where they were.
  package static let recentCheckIns = 65_536
  package static let recentProfiles = 16_384
  /// For how long a follower waits for an answer.
  package static let followTimeoutMs = 5_000
  /// For how long one service waits for another to come, to be asked: as long as a restart takes.
  package static let attendanceGraceMs: Int64 = 1_000
  /// Questions about deletes that the check-in service has not answered.
  package static let openQuestions = 65_536
  /// For how long a process that ends waits for calls in flight.
  package static let drainMs: Int64 = 5_000
  /// For how long it then waits for the last responses to be sent.
  package static let lingerMs: Int32 = 500
}
