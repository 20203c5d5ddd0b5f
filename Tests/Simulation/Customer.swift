import Model
import ServiceKit
import Wire

/// Somebody who calls: one wish after the other, each tried through one gateway or another until it
/// is answered or given up, sometimes twice at once, sometimes again when it is long over.
final class Customer: Caller {
  let name: String
  let user: String
  unowned let world: World
  let chance: Chance
  let isThere = true
  private(set) var connections: [Connection] = []
  private(set) var operations: [Operation] = []
  private var home = 0
  private var attempts: [UInt64: Attempt] = [:]
  private var lastCall: UInt64 = 0
  private var current: Operation?
  /// What was written through each gateway, and through which process of it.
  private var written: [String: (incarnation: Int, revisions: Revisions)] = [:]
  /// The newest state that was seen anywhere.
  private var seen = Revisions()
  private var workload: Workload!

  private static let mostAttempts = 6

  init(_ number: Int, in world: World) {
    name = "customer-\(number)"
    user = "user-\(number)"
    self.world = world
    chance = world.chance.fork()
    home = chance.below(world.gateways.count)
    connections = world.gateways.map { gateway in
      Connection(.rpc, "\(name)>\(gateway.name)", from: self, to: gateway, in: world)
    }
    workload = Workload(self)
  }

  /// Whether it wants nothing and waits for nothing.
  var isIdle: Bool { current == nil && attempts.isEmpty }

  func start() {
    for connection in connections { connection.open() }
    world.after(chance.between(100_000, 400_000)) { [unowned self] in think() }
  }

  // MARK: - One wish after the other

  private func think() {
    world.after(chance.between(0, chance.one(in: 20) ? 300_000 : 60_000)) { [unowned self] in
      guard world.takeCall() else { return }
      begin(workload.another())
    }
  }

  /// Wants something now.
  func begin(_ operation: Operation) {
    current = operation
    operations.append(operation)
    operation.beganUs = world.nowUs
    if chance.one(in: 30) { home = chance.below(connections.count) }
    send(operation, through: home)
    if world.isOn(.double), operation.key != nil || !operation.method.isWrite, chance.one(in: 12) {
      world.count(.double)
      send(operation, through: (home + 1) % connections.count)
    }
    if world.isOn(.giveUp), chance.one(in: 40) {
      world.after(chance.between(100, 30_000)) { [weak self] in
        guard let self, current === operation else { return }
        world.count(.giveUp)
        finish(operation, nil)
      }
    }
  }

  /// Asks beside everything else.
  func inspect(_ operation: Operation, through gateway: Int) {
    home = gateway
    operations.append(operation)
    operation.beganUs = world.nowUs
    send(operation, through: gateway)
  }

  /// Another call of the same wish, as the next page of a list.
  func goOn(_ operation: Operation) {
    if world.takeCall() { begin(operation) }
  }

  private func finish(_ operation: Operation, _ answer: Answer?) {
    guard !operation.isFinished else { return }
    operation.isFinished = true
    if current === operation { current = nil }
    if world.isOn(.lateRepeat), operation.key != nil, chance.one(in: 15) {
      world.after(chance.between(1_000, 3_000_000)) { [weak self] in
        guard let self, world.isOn(.lateRepeat) else { return }
        world.count(.lateRepeat)
        send(operation, through: chance.below(connections.count))
      }
    }
    if let next = operation.next {
      operation.next = nil
      next(answer)
    }
    if current == nil { think() }
  }

  // MARK: - Sending

  private func send(_ operation: Operation, through gateway: Int) {
    let connection = connections[gateway]
    lastCall += 1
    let timeoutMs = chance.one(in: 5) ? chance.between(150, 600) : chance.between(1_000, 4_000)
    let attempt = Attempt(
      operation, on: connection, id: lastCall, sentUs: world.nowUs,
      deadlineUs: world.nowUs + timeoutMs * 1_000,
      atLeast: chance.one(in: 3) ? seen : Revisions(), ownWrites: ownWrites(connection.server))
    let header = RequestHeader(
      id: attempt.id, method: operation.method, timeoutMs: UInt32(timeoutMs),
      idempotencyKey: operation.key, atLeast: attempt.atLeast, actingUser: user)
    let parcel = Parcel(header: world.codec.bytes(header), body: operation.body)
    operation.attempts += 1
    attempts[attempt.id] = attempt
    world.countSent()
    world.note(.call, attempt.id, UInt64(operation.number), UInt64(connection.serial)) {
      "\(name) \(operation.number).\(attempt.id) \(operation.method) > \(connection.server.name)"
    }
    if !connection.send(parcel) {
      // Not sent, and so certainly not done.
      world.after(20_000) { [weak self] in self?.ended(attempt, nil, wasSent: false) }
      return
    }
    let graceUs: Int64 = 400_000
    world.at(attempt.deadlineUs + graceUs) { [weak self] in self?.timeIsUp(attempt) }
  }

  private func ownWrites(_ gateway: Node) -> Revisions {
    guard let known = written[gateway.name], known.incarnation == gateway.incarnation else {
      return Revisions()
    }
    return known.revisions
  }

  private func timeIsUp(_ attempt: Attempt) {
    guard !attempt.isOver else { return }
    let isLost =
      attempt.serial != attempt.connection.serial || !attempt.connection.isUp
      || attempt.connection.troubledUs >= attempt.sentUs
      || attempt.gateway.troubledUs >= attempt.sentUs
      || attempt.gateway.incarnation != attempt.incarnation
    if !isLost {
      world.fail(
        "each call ends once: \(name)'s \(attempt.operation.method), \(attempt.id), has no answer")
    }
    ended(attempt, nil, wasSent: true)
  }

  func changed(_ connection: Connection, isUp: Bool) {
    guard !isUp else { return }
    connection.open()
    for id in attempts.keys.sorted() {
      guard let attempt = attempts[id], attempt.connection === connection,
        attempt.serial == connection.serial
      else { continue }
      // Most notice at once; others only that time is up.
      if chance.one(in: 3) { continue }
      ended(attempt, nil, wasSent: true)
    }
  }

  // MARK: - Answers

  func received(_ parcel: Parcel, on connection: Connection) {
    let header = world.codec.read(ResponseHeader.self, parcel.header)
    guard let attempt = attempts[header.id] else { return answeredLate(header) }
    attempts[header.id] = nil
    attempt.isAnswered = true
    let answer = Answer(
      header: header, body: parcel.body, attempt: attempt, atUs: world.nowUs)
    world.note(.answer, header.id, UInt64(answer.code.rawValue), header.asOf.checkIns) {
      "\(name) \(attempt.operation.number).\(header.id) \(answer.code) \(answer.reason) "
        + "as of \(header.asOf.profiles),\(header.asOf.locations),\(header.asOf.checkIns)"
        + (header.replayed ? " replayed" : "")
    }
    Judge(world).judge(answer)
    learn(answer)
    ended(attempt, answer, wasSent: true)
  }

  private var over: [UInt64: Attempt] = [:]

  private func answeredLate(_ header: ResponseHeader) {
    guard let attempt = over[header.id] else {
      return world.fail("each call ends once: \(name) gets an answer to \(header.id), unasked")
    }
    if attempt.isAnswered {
      world.fail("each call ends once: \(name) gets two answers to \(header.id)")
    }
    attempt.isAnswered = true
  }

  private func learn(_ answer: Answer) {
    guard answer.code == .ok else { return }
    seen = seen.merged(with: answer.header.asOf)
    guard answer.attempt.operation.method.isWrite else { return }
    let gateway = answer.attempt.gateway
    guard gateway.incarnation == answer.attempt.incarnation else { return }
    let known = ownWrites(gateway)
    written[gateway.name] = (gateway.incarnation, known.merged(with: answer.header.asOf))
  }

  private func ended(_ attempt: Attempt, _ answer: Answer?, wasSent: Bool) {
    guard !attempt.isOver else { return }
    attempt.isOver = true
    attempts[attempt.id] = nil
    over[attempt.id] = attempt
    let operation = attempt.operation
    if wasSent && (answer == nil || answer?.reason == Reason.outcomeUnknown.rawValue) {
      operation.unknown += 1
    }
    guard !operation.isFinished else { return }
    if let answer, !answer.isWorthARetry { return finish(operation, answer) }
    guard operation.attempts < (world.isHealed ? 40 : Self.mostAttempts) else {
      if world.isHealed { world.fail("\(name)'s \(operation.method) does not succeed") }
      return finish(operation, nil)
    }
    let isAnotherUnderWay = attempts.values.contains { $0.operation === operation }
    if isAnotherUnderWay { return }
    let waitUs = chance.between(1_000, 60_000) << min(4, operation.attempts)
    if !world.isHealed, chance.one(in: 2) { home = (home + 1) % connections.count }
    world.after(waitUs) { [weak self] in
      guard let self, !operation.isFinished else { return }
      send(operation, through: home)
    }
  }
}
