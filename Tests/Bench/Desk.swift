import CheckIns
import Glibc
import Model
import SQLite
import ServiceKit
import Wire
import ZeroMQ

/// The check-in service on a file, driven without sockets as fast as it goes: requests are encoded
/// before the clock runs, and what it sends is dropped.
final class Desk: Outlet {
  private var core: ServiceCore!
  private var database: Database?
  private let encoder = Encoder()
  private let body = Frame()
  private let folder: String
  private let people: Int
  private let places: Int
  private var lastCall: UInt64 = 0
  private var random = Mixer(state: 1)
  /// How many responses have been successes, and how many not.
  private(set) var succeeded = 0
  private(set) var refused = 0

  /// A service that knows so many people and places.
  init(folder: String, people: Int, places: Int) throws {
    self.folder = folder
    self.people = people
    self.places = places
    try start()
    try put(places.numbered { .locationPut(Location(id: id(ofPlace: $0))) }, of: .locations)
    try put(
      people.numbered { .profilePut(Profile(id: id(ofPerson: $0), userID: user($0))) },
      of: .profiles)
  }

  /// Starts the service, again after the first time, on what is on disk.
  /// - Returns: how long it took, in seconds.
  @discardableResult
  func start() throws -> Double {
    core = nil
    database?.close()
    let began = monotonicNs()
    let database = try Database(path: folder + "/check-ins.db")
    let store = try CheckInStore(database, random: SystemRandomNumberGenerator())
    let service = try CheckInService(
      store: store, settings: CheckInService.Settings(), now: SystemClock.now())
    let seconds = Double(monotonicNs() - began) / 1e9
    self.database = database
    core = ServiceCore(
      service,
      store: ServiceCore.Store(
        keptResponses: store.keptResponses, changeLog: service, secret: store.secret),
      follows: [], options: ServiceCore.Options(), outlet: self, connections: Connections(),
      log: .none)
    return seconds
  }

  private func put(_ changes: [Change], of log: LogName) throws {
    let service = core.service
    for start in stride(from: 0, to: changes.count, by: 1_000) {
      let some = Array(changes[start..<min(changes.count, start + 1_000)])
      try service.begin()
      try service.apply(
        some, of: log, through: some.last?.revision ?? 0, at: SystemClock.now())
      try service.commit()
    }
  }

  /// Everybody checks in once, in order: from here on each check-in is a move.
  func fill(_ count: Int) {
    for start in stride(from: 0, to: count, by: 1_024) {
      let calls = (start..<min(count, start + 1_024)).map { call(of: $0, isKeyed: false) }
      carryOut(calls)
    }
  }

  /// Does what nobody waits for until nothing is left of it.
  /// - Returns: how long it took, in seconds.
  func workBehind() -> Double {
    let began = monotonicNs()
    while core.hasWorkBehind {
      core.workBehind(at: SystemClock.now())
      core.finish(at: SystemClock.now())
    }
    return Double(monotonicNs() - began) / 1e9
  }

  /// How long it takes to say where somebody has been lately, in seconds.
  func history(of person: Int) -> Double {
    lastCall += 1
    let header = RequestHeader(id: lastCall, method: .listHistory, actingUser: user(person))
    let call = Call(
      header: encoder.bytes(header),
      body: encoder.bytes(ListHistoryRequest(profileID: id(ofPerson: person))))
    return measured { carryOut([call]) }
  }

  /// Check-ins of random people at random places, in rounds.
  /// - Returns: how long it took without what belongs to the benchmark, in seconds.
  func run(checkIns: Int, round: Int, isKeyed: Bool) -> Double {
    var seconds = 0.0
    var done = 0
    while done < checkIns {
      let calls = (0..<round).map { _ in
        call(of: Int(random.next() % UInt64(people)), isKeyed: isKeyed)
      }
      seconds += measured {
        carryOut(calls)
        if core.service.isFarBehind { core.workBehind(at: SystemClock.now()) }
      }
      done += round
    }
    return seconds
  }

  /// The store alone: entries of the log, with keys, appended in commits of so many.
  /// - Returns: how long it took, in seconds.
  func append(entries: Int, round: Int) throws -> Double {
    core = nil
    guard let database else { return 0 }
    let last = try database.prepare("SELECT max(revision) FROM log").first { $0.int64(0) } ?? 0
    let insert = try database.prepare(
      "INSERT INTO log VALUES (?, ?, ?, ?, ?, 1, 1, 0, ?, ?, 5, 6, 7)")
    let began = monotonicNs()
    for start in stride(from: 0, to: entries, by: round) {
      try database.begin()
      for number in start..<start + round {
        try insert.run(
          last + 1 + Int64(number), Int64(number), number % people, number % places,
          (number + 1) % places, ID(high: random.next(), low: random.next()), number)
      }
      try database.commit()
    }
    return Double(monotonicNs() - began) / 1e9
  }

  private func call(of person: Int, isKeyed: Bool) -> Call {
    lastCall += 1
    let key = isKeyed ? ID(high: random.next(), low: random.next()) : nil
    let header = RequestHeader(
      id: lastCall, method: .checkIn, idempotencyKey: key, actingUser: user(person))
    let place = id(ofPlace: Int(random.next() % UInt64(places)))
    return Call(
      header: encoder.bytes(header), body: encoder.bytes(CheckInRequest(locationID: place)))
  }

  private func carryOut(_ calls: [Call]) {
    core.carryOut(calls, through: body, at: SystemClock.now())
  }

  // MARK: - What it sends

  func respond(to _: Int, delimiter _: Bool, header: Frame, body: Frame) -> Bool {
    // A status makes the header longer than any of a success is.
    if body.isEmpty { refused += 1 } else { succeeded += 1 }
    header.clear()
    body.clear()
    return true
  }

  func publish(_ body: Frame) { body.clear() }

  func ask(_: LogName, header _: Frame, body _: Frame) -> Bool { false }
}
