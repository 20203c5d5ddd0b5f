import Model
import SQLite
import ServiceKit
import Wire
import ZeroMQ

/// A process: a core with its service and its disk, the messages that wait for it, and its clocks.
final class Node {
  let name: String
  /// The log that it owns; nil: it is a gateway.
  let log: LogName?
  let disk: Disk?
  unowned let world: World
  let chance: Chance
  private(set) var core: ServiceCore?
  /// How often it has started.
  private(set) var incarnation = 0
  /// Whether the last process had a commit of which it is not known what became of it.
  var isInDoubt = false
  /// When it was last down, frozen, cut off or without a disk that works.
  var troubledUs: Int64 = 0
  var slowUntilUs: Int64 = 0
  /// Of a deliberate mistake: the calls for snapshots.
  var snapshotQuestions: [LogName: Set<UInt64>] = [:]

  private var database: Database?
  private(set) var changeLog: (any ChangeLogReading)?
  private var uplinks: [LogName: Uplink] = [:]
  private var peers: [UInt32: Connection] = [:]
  private var followers: [Connection] = []
  private var inbox = Inbox()

  private var wallOffsetMs: Int64
  private var monotonicOffsetUs: Int64 = 0
  private var frozenUntilUs: Int64 = 0
  private var drainUntilUs: Int64?
  private var busyUntilUs: Int64 = 0
  private var plannedUs: Int64?
  private var plans = 0
  /// How long the round takes that runs: what it sends leaves at its end.
  private var costUs: Int64 = 0

  private struct Uplink {
    var rpc: Connection
    var feed: Connection
  }

  private struct Inbox {
    var responses: [LogName: [Parcel]] = [:]
    var publications: [LogName: [[UInt8]]] = [:]
    var events: [(log: LogName, kind: Connection.Kind, isUp: Bool)] = []
    var requests: [(serial: UInt32, parcel: Parcel)] = []
  }

  init(_ name: String, owns log: LogName?, _ disk: Disk?, in world: World) {
    self.name = name
    self.log = log
    self.disk = disk
    self.world = world
    chance = world.chance.fork()
    wallOffsetMs = chance.between(-50, 50)
    disk?.pretendsToSync = world.plan.mistake == .noSync
  }

  var isThere: Bool { core != nil }
  var connections: [Connection] {
    follows.compactMap { uplinks[$0] }.flatMap { [$0.rpc, $0.feed] }
  }

  /// The logs that it follows.
  private var follows: [LogName] {
    switch log {
    case nil: LogName.allCases
    case .checkIns: [.profiles, .locations]
    case .profiles, .locations: []
    }
  }

  var now: Moment {
    Moment(
      wallMs: world.startMs + wallOffsetMs + world.nowUs / 1_000,
      monotonicUs: world.nowUs + monotonicOffsetUs)
  }

  // MARK: - Start and end

  func start() {
    incarnation += 1
    monotonicOffsetUs = chance.between(1_000_000, 1_000_000_000)
    troubledUs = max(troubledUs, world.nowUs)
    do {
      let parts = try Program(self).build()
      database = parts.database
      changeLog = parts.store?.changeLog
      core = ServiceCore(
        parts.service, store: parts.store, follows: follows, options: ServiceCore.Options(),
        outlet: self, connections: Connections(), log: .none, clock: { [unowned self] in now })
    } catch {
      world.note(.crash) { "\(name) does not start: \(error)" }
      return startAgain()
    }
    world.note(.start, UInt64(incarnation)) { "\(name) starts, \(incarnation)" }
    for owner in follows {
      guard let service = world.services[owner] else { continue }
      uplinks[owner] = Uplink(
        rpc: Connection(.rpc, "\(name)>\(owner.text)", from: self, to: service, in: world),
        feed: Connection(.feed, "\(name)<\(owner.text)", from: self, to: service, in: world))
      uplinks[owner]?.rpc.open()
      uplinks[owner]?.feed.open()
    }
    for connection in world.connections(to: self) { connection.serverStarted() }
    plan(atUs: world.nowUs)
  }

  /// Its process ends, and what is under way with it.
  func crash(losesPower: Bool) {
    guard isThere else { return }
    world.note(.crash) { "\(name) crashes" + (losesPower ? " with its power" : "") }
    halt()
    if losesPower { disk?.lostPower() } else { disk?.lostProcess() }
    startAgain()
  }

  /// It takes no new work, answers what is in flight, and then ends.
  func drain() {
    guard let core, drainUntilUs == nil else { return }
    world.note(.crash) { "\(name) drains" }
    drainUntilUs = world.nowUs + Limits.drainMs * 1_000
    troubledUs = max(troubledUs, world.nowUs)
    core.drain(at: now)
    plan(atUs: world.nowUs)
  }

  private func endIfDrained(_ core: ServiceCore) -> Bool {
    guard let drainUntilUs, core.isDrained || world.nowUs >= drainUntilUs else { return false }
    world.note(.crash) { "\(name) ends" }
    halt(isClean: true)
    disk?.lostProcess()
    startAgain()
    return true
  }

  private func halt(isClean: Bool = false) {
    core = nil
    inbox = Inbox()
    plannedUs = nil
    plans += 1
    drainUntilUs = nil
    frozenUntilUs = 0
    // Closing writes; a process that dies does not.
    if !isClean { disk?.stop() }
    database?.close()
    database = nil
    changeLog = nil
    for link in connections { link.close() }
    uplinks = [:]
    snapshotQuestions = [:]
    for serial in peers.keys.sorted() { peers[serial]?.cut(hasLingered: isClean) }
    for follower in followers { follower.cut() }
    peers = [:]
    followers = []
  }

  private func startAgain() {
    troubledUs = max(troubledUs, world.nowUs)
    let waitUs = world.isHealed ? 100_000 : chance.between(30_000, 3_000_000)
    world.after(waitUs) { [unowned self] in
      disk?.lostProcess()
      start()
    }
  }

  /// The run is over.
  func end() {
    if isThere { halt() }
  }

  func heal() {
    disk?.heal()
    slowUntilUs = 0
    frozenUntilUs = min(frozenUntilUs, world.nowUs)
    plan(atUs: world.nowUs)
  }

  func freeze(untilUs: Int64) {
    frozenUntilUs = max(frozenUntilUs, untilUs)
    troubledUs = max(troubledUs, untilUs)
  }

  func jump(ms: Int64) { wallOffsetMs += ms }

  // MARK: - Rounds

  /// The next round begins then, or sooner.
  private func plan(atUs: Int64) {
    let atUs = max(atUs, busyUntilUs, world.nowUs)
    if let plannedUs, plannedUs <= atUs { return }
    plannedUs = atUs
    plans += 1
    let plan = plans
    world.at(atUs) { [weak self] in
      guard let self, plans == plan else { return }
      plannedUs = nil
      guard world.nowUs >= frozenUntilUs else { return self.plan(atUs: frozenUntilUs) }
      round()
    }
  }

  private func round() {
    guard let core else { return }
    costUs = chance.between(5, 60) + syncUs
    let now = now
    var isBusy = takeFromBackends(core, now)
    isBusy = takeRequests(core, now) || isBusy
    core.finish(at: now)
    sendHeld(core)
    if core.isWorkBehindDue(at: now, isBusy: isBusy) { core.workBehind(at: now) }
    if disk?.isDead == true {
      isInDoubt = true
      return crash(losesPower: chance.one(in: 2))
    }
    if core.fatalError != nil { return crash(losesPower: false) }
    if endIfDrained(core) { return }
    busyUntilUs = world.nowUs + costUs
    plan(atUs: core.nextRoundUs(at: now) - monotonicOffsetUs)
  }

  private var syncUs: Int64 {
    guard disk != nil else { return 0 }
    return world.nowUs < slowUntilUs ? chance.between(20_000, 200_000) : chance.between(20, 200)
  }

  private func takeFromBackends(_ core: ServiceCore, _ now: Moment) -> Bool {
    var isBusy = false
    for log in follows {
      isBusy = takeResponses(core, log, now) || isBusy
      let publications = inbox.publications.removeValue(forKey: log) ?? []
      for body in publications {
        body.withUnsafeBytes { core.receivePublished(of: log, $0, at: now) }
      }
      isBusy = isBusy || !publications.isEmpty
    }
    let events = inbox.events
    inbox.events = []
    for event in events {
      switch (event.kind, event.isUp) {
      case (.rpc, true): core.connected(to: event.log, at: now)
      case (.rpc, false):
        // What arrived before is read first; then there is another socket.
        _ = takeResponses(core, event.log, now)
        core.disconnected(from: event.log, at: now)
        uplinks[event.log]?.rpc.open()
      case (.feed, true): core.hears(event.log, at: now)
      case (.feed, false): uplinks[event.log]?.feed.open()
      }
    }
    return isBusy
  }

  private func takeResponses(_ core: ServiceCore, _ log: LogName, _ now: Moment) -> Bool {
    let responses = inbox.responses.removeValue(forKey: log) ?? []
    for parcel in responses {
      let body = Frame(parcel.body)
      parcel.header.withUnsafeBytes { core.receive(from: log, header: $0, body: body, at: now) }
    }
    return !responses.isEmpty
  }

  private func takeRequests(_ core: ServiceCore, _ now: Moment) -> Bool {
    let requests = inbox.requests
    inbox.requests = []
    for request in requests {
      let body = Frame(request.parcel.body)
      routingID(request.serial).withUnsafeBytes { routingID in
        request.parcel.header.withUnsafeBytes {
          core.receive(from: routingID, hasDelimiter: false, header: $0, body: body, at: now)
        }
      }
    }
    return !requests.isEmpty
  }

  /// As libzmq makes them: a zero and four bytes.
  private func routingID(_ serial: UInt32) -> [UInt8] {
    [0] + (0..<4).map { UInt8(truncatingIfNeeded: serial >> (24 - 8 * $0)) }
  }

  private func peer(_ connection: Int) -> Connection? {
    let id = core?.connections.routingID(connection) ?? []
    let serial = id.reduce(0) { $0 << 8 | UInt32($1) }
    guard let peer = peers[serial], peer.isUp, peer.serial == serial else { return nil }
    return peer
  }

  private func sendHeld(_ core: ServiceCore) {
    for connection in core.connections.stalled.sorted() {
      guard let peer = peer(connection) else {
        core.connections.drop(connection)
        continue
      }
      core.connections.drain(connection) { response in
        guard peer.unreadCount < Int(Limits.routerSendMessages) else { return false }
        peer.sendBack(Parcel(response.header, response.body), afterUs: costUs)
        return true
      }
    }
  }
}

// MARK: - As a server, and as a caller

extension Node: Caller {
  func accepted(_ connection: Connection) {
    switch connection.kind {
    case .rpc: peers[connection.serial] = connection
    case .feed: followers.append(connection)
    }
  }

  func lost(_ connection: Connection) {
    peers[connection.serial] = nil
    followers.removeAll { $0 === connection }
  }

  /// What waits for a peer that was full is tried again.
  func peerHasTaken() {
    if core?.connections.stalled.isEmpty == false { plan(atUs: world.nowUs) }
  }

  /// A request has arrived.
  func receivedRequest(_ parcel: Parcel, on connection: Connection) {
    inbox.requests.append((connection.serial, parcel))
    plan(atUs: world.nowUs)
  }

  func changed(_ connection: Connection, isUp: Bool) {
    guard let log = connection.server.log else { return }
    let incarnation = incarnation
    let kind = connection.kind
    world.after(chance.between(10, 300)) { [unowned self] in
      guard isThere, self.incarnation == incarnation else { return }
      inbox.events.append((log, kind, isUp))
      plan(atUs: world.nowUs)
    }
  }

  func received(_ parcel: Parcel, on connection: Connection) {
    guard let log = connection.server.log else { return }
    switch connection.kind {
    case .rpc: if !holdsBack(parcel, of: log) { take(parcel, of: log) }
    case .feed:
      inbox.publications[log, default: []].append(alteredPublication(parcel.body, of: log))
      plan(atUs: world.nowUs)
    }
  }

  /// A response has arrived.
  func take(_ response: Parcel, of log: LogName) {
    inbox.responses[log, default: []].append(response)
    plan(atUs: world.nowUs)
  }
}

extension Node: Outlet {
  func respond(to connection: Int, delimiter: Bool, header: Frame, body: Frame) -> Bool {
    // What a process does after its death nobody sees.
    guard disk?.isDead != true else { return true }
    guard let core, let peer = peer(connection) else { return false }
    guard peer.unreadCount < Int(Limits.routerSendMessages),
      !core.connections.stalled.contains(connection)
    else {
      core.connections.hold(connection, hasDelimiter: delimiter, header: header, body: body)
      return true
    }
    let parcel = Parcel(header, body)
    for _ in 0..<copies(of: parcel) { peer.sendBack(parcel, afterUs: costUs) }
    return true
  }

  func publish(_ body: Frame) {
    guard disk?.isDead != true else { return }
    let parcel = Parcel(Frame(), body)
    for follower in followers {
      if world.isOn(.feedDrop) && chance.one(in: 40) {
        world.count(.feedDrop)
        continue
      }
      follower.sendBack(parcel, afterUs: costUs)
    }
  }

  func ask(_ log: LogName, header: Frame, body: Frame) -> Bool {
    if disk?.isDead == true { return true }
    guard let rpc = uplinks[log]?.rpc else { return false }
    noteAsked(log, header)
    // Where the connection is lost and nobody has been told yet, it goes with the old socket.
    _ = rpc.send(Parcel(header, body), afterUs: costUs)
    return true
  }
}
