/// Who opens a connection: a customer's DEALER, or a process's DEALER or SUB.
protocol Caller: AnyObject {
  /// The connection is up, or lost; then it is for the caller to open it again.
  func changed(_ connection: Connection, isUp: Bool)
  func received(_ parcel: Parcel, on connection: Connection)
  /// Whether it can take part now: a process that is down cannot.
  var isThere: Bool { get }
}

/// A connection as ZeroMQ makes it: what is sent on it arrives in order and once, or not at all,
/// since the connection was lost; then another one is made, under another routing id.
final class Connection {
  enum Kind { case rpc, feed }

  let kind: Kind
  let name: String
  unowned let caller: any Caller
  unowned let server: Node
  private unowned let world: World
  /// The routing id; another one each time that it comes up.
  private(set) var serial: UInt32 = 0
  private(set) var isUp = false
  /// It comes up as soon as the other side is there.
  private var isWanted = false
  /// Its owner is gone and opens no connection any more.
  private var isClosed = false
  /// Nothing gets through for now.
  var isStalled: Bool { world.nowUs < stalledUntilUs }
  private var stalledUntilUs: Int64 = 0
  /// When something last did not get through at once, or not at all.
  private(set) var troubledUs: Int64 = -1
  private let toServer = Lane()
  private let toCaller = Lane()
  private var delayUs: ClosedRange<Int64>

  private final class Lane {
    var waiting: [(readyUs: Int64, parcel: Parcel)] = []
    var lastUs: Int64 = 0
  }

  init(_ kind: Kind, _ name: String, from caller: any Caller, to server: Node, in world: World) {
    self.kind = kind
    self.name = name
    self.caller = caller
    self.server = server
    self.world = world
    delayUs = 5...world.chance.between(20, 400)
  }

  // MARK: - Up and down

  /// Comes up a little later, if the other side is there by then; otherwise when it comes.
  func open() {
    isWanted = true
    world.after(world.chance.between(500, 60_000)) { [weak self] in self?.shake() }
  }

  private func shake() {
    guard !isClosed, !isUp, caller.isThere else { return }
    // Whoever comes back is told, and then it is tried again.
    guard server.isThere else { return }
    guard !isStalled else {
      return world.at(stalledUntilUs) { [weak self] in self?.open() }
    }
    serial = world.nextSerial()
    isUp = true
    isWanted = false
    toServer.lastUs = world.nowUs
    toCaller.lastUs = world.nowUs
    server.accepted(self)
    world.note(.up, UInt64(serial)) { "\(name) is up as \(serial)" }
    caller.changed(self, isUp: true)
  }

  /// The server is there again.
  func serverStarted() {
    if isWanted && !isUp && !isClosed { open() }
  }

  /// Lost. What had nearly arrived still does, on either side that is there; all of it, where the
  /// server has waited for that.
  func cut(hasLingered: Bool = false) {
    guard isUp else { return }
    troubledUs = world.nowUs
    let sent = toServer.waiting.prefix(world.chance.below(toServer.waiting.count + 1))
    let count = toCaller.waiting.count
    let answered = toCaller.waiting.prefix(hasLingered ? count : world.chance.below(count + 1))
    world.note(.cut, UInt64(serial)) {
      "\(name) is cut; lost are \(toServer.waiting.count - sent.count) to the server, "
        + "\(toCaller.waiting.count - answered.count) to the caller"
    }
    toServer.waiting = []
    toCaller.waiting = []
    for item in sent where server.isThere { server.receivedRequest(item.parcel, on: self) }
    for item in answered where caller.isThere { caller.received(item.parcel, on: self) }
    isUp = false
    server.lost(self)
    if caller.isThere { caller.changed(self, isUp: false) }
  }

  /// Its owner ends.
  func close() {
    cut()
    isClosed = true
  }

  /// Holds everything back until then.
  func stall(untilUs: Int64) {
    stalledUntilUs = max(stalledUntilUs, untilUs)
    troubledUs = stalledUntilUs
    world.at(stalledUntilUs) { [weak self] in
      guard let self, !isStalled else { return }
      pump(toServer)
      pump(toCaller)
    }
  }

  // MARK: - Messages

  /// How many wait on the way back, of which a peer that does not read leaves many.
  var unreadCount: Int { toCaller.waiting.count }

  /// False: there is no connection.
  func send(_ parcel: Parcel, afterUs: Int64 = 0) -> Bool {
    guard isUp else { return false }
    put(parcel, into: toServer, afterUs)
    return true
  }

  func sendBack(_ parcel: Parcel, afterUs: Int64) {
    put(parcel, into: toCaller, afterUs)
  }

  private func put(
    _ parcel: Parcel, into lane: Lane, _ afterUs: Int64
  ) {
    // Now and then one takes long, and all behind it wait.
    let late = world.chance.one(in: 200) ? world.chance.between(1_000, 40_000) : 0
    let delayUs = world.chance.between(delayUs.lowerBound, delayUs.upperBound) + late
    let readyUs = max(lane.lastUs, world.nowUs + afterUs + delayUs)
    lane.lastUs = readyUs
    lane.waiting.append((readyUs, parcel))
    let serial = serial
    world.at(readyUs) { [weak self] in
      guard let self, self.serial == serial, isUp else { return }
      pump(lane)
    }
  }

  private func pump(_ lane: Lane) {
    while !isStalled, isUp, let first = lane.waiting.first,
      first.readyUs <= world.nowUs
    {
      lane.waiting.removeFirst()
      if lane === toServer {
        server.receivedRequest(first.parcel, on: self)
      } else {
        caller.received(first.parcel, on: self)
        server.peerHasTaken()
      }
    }
  }
}
