import Gateway
import Harness
import Model
import ServiceKit
import Wire
import ZeroMQ

/// The gateway, driven without sockets as fast as it goes, in front of services that are logs in
/// memory: 1 000 places, 50 people at each of the first hundred of them and one at each other.
/// Time stands still, so that nothing falls silent.
final class Front: Outlet {
  private var core: ServiceCore!
  private let owners: [LogName: Owner]
  private var asked: [(log: LogName, header: Frame, body: Frame)] = []
  private var free: [Frame] = []
  private let encoder = Encoder()
  private let decoder = Decoder()
  private let body = Frame()
  private let now = SystemClock.now()
  private var lastCall: UInt64 = 0
  /// How many responses have been successes, and how many not.
  private(set) var succeeded = 0
  private(set) var refused = 0

  static let places = 1_000
  /// Places with a crowd, and how many are in it.
  static let crowded = 100
  static let crowd = 50

  init() throws {
    let profiles = Owner(.profiles)
    let locations = Owner(.locations)
    let checkIns = Owner(.checkIns)
    owners = [.profiles: profiles, .locations: locations, .checkIns: checkIns]
    var person = 0
    for place in 0..<Self.places {
      locations.append(.locationPut(Location(id: id(ofPlace: place), name: "Place \(place)")))
      for _ in 0..<(place < Self.crowded ? Self.crowd : 1) {
        profiles.append(
          .profilePut(
            Profile(
              id: id(ofPerson: person), userID: user(person), firstName: "First \(person)",
              lastName: "Last")))
        let arrival = CheckInChange(
          timeMs: Int64(person), profileID: id(ofPerson: person), toLocationID: id(ofPlace: place),
          reason: .requested)
        checkIns.append(.checkIn(arrival), timeMs: Int64(person))
        person += 1
      }
    }
    profiles.other = { [unowned profiles] in profiles.names($0) }
    checkIns.other = { [unowned checkIns] _ in checkIns.response(CheckInResponse(changed: true)) }
    core = ServiceCore(
      try GatewayService(), store: nil, follows: LogName.allCases,
      options: ServiceCore.Options(), outlet: self, connections: Connections(), log: .none,
      clock: { [now] in now })
    for log in LogName.allCases {
      core.connected(to: log, at: now)
      while !asked.isEmpty { take(answers()) }
    }
    // Names are asked for once.
    _ = people(Self.crowded) { body in
      body()
      return 0
    }
  }

  func status(_ calls: Int) -> Double {
    run(calls) { GetStatusRequest(profileID: id(ofPerson: $0 % Self.places)) }
  }

  func people(_ calls: Int, timed: (() -> Void) -> Double = measured) -> Double {
    run(calls, timed) {
      ListPeopleHereRequest(
        locationID: id(ofPlace: $0 % Self.crowded), pageSize: UInt32(Self.crowd))
    }
  }

  func counts(_ calls: Int) -> Double { run(calls) { _ in GetCountsRequest() } }

  /// Passed on to the check-in service, and its response back.
  func checkIns(_ calls: Int) -> Double {
    run(calls) {
      CheckInRequest(
        profileID: id(ofPerson: $0 % Self.places), locationID: id(ofPlace: $0 % Self.places))
    }
  }

  /// Calls in rounds of 64. What services say is prepared while the clock stands.
  /// - Returns: how long it took, in seconds.
  private func run<Q: Request>(
    _ count: Int, _ timed: (() -> Void) -> Double = measured, _ request: (Int) -> Q
  ) -> Double {
    var seconds = 0.0
    for start in stride(from: 0, to: count, by: 64) {
      let calls = (start..<min(count, start + 64)).map { call(request($0)) }
      seconds += timed { core.carryOut(calls, through: body, at: now) }
      while !asked.isEmpty {
        let answers = answers()
        seconds += timed { take(answers) }
      }
    }
    return seconds
  }

  private func call<Q: Request>(_ request: Q) -> Call {
    lastCall += 1
    let key = Q.method.isWrite ? ID(high: 1, low: lastCall) : nil
    let header = RequestHeader(
      id: lastCall, method: Q.method, idempotencyKey: key,
      actingUser: user(Int(lastCall % 1_000)))
    return Call(header: encoder.bytes(header), body: encoder.bytes(request))
  }

  // MARK: - The services behind it

  private struct Answer {
    var log: LogName
    var header: [UInt8]
    var body: [UInt8]
  }

  /// What the services say to all that was asked.
  private func answers() -> [Answer] {
    defer {
      free += asked.flatMap { [$0.header, $0.body] }
      asked.removeAll()
    }
    return asked.compactMap { question in
      var violations: [FieldViolation] = []
      let header = try? decoder.decode(
        RequestHeader.self, from: question.header.bytes, violations: &violations)
      guard let header else { preconditionFailure("the gateway has asked something malformed") }
      let asked = Harness.Asked(
        log: question.log, header: header, body: Array(question.body.bytes))
      return owners[question.log]?.answer(asked).map { response in
        var told = response.header
        told.id = header.id
        return Answer(log: question.log, header: encoder.bytes(told), body: response.body)
      }
    }
  }

  private func take(_ answers: [Answer]) {
    for answer in answers {
      body.assign(answer.body)
      answer.header.withUnsafeBytes {
        core.receive(from: answer.log, header: $0, body: body, at: now)
      }
    }
    core.finish(at: now)
  }

  // MARK: - What it sends

  func respond(to _: Int, delimiter _: Bool, header: Frame, body: Frame) -> Bool {
    // None of these has an empty body but where it was refused.
    if body.isEmpty { refused += 1 } else { succeeded += 1 }
    header.clear()
    body.clear()
    return true
  }

  func publish(_ body: Frame) { body.clear() }

  func ask(_ log: LogName, header: Frame, body: Frame) -> Bool {
    let frames = (free.popLast() ?? Frame(), free.popLast() ?? Frame())
    frames.0.move(from: header)
    frames.1.move(from: body)
    asked.append((log, frames.0, frames.1))
    return true
  }
}
