import Harness
import Model
import SQLite
import ServiceKit
import Wire

@testable import CheckIns

/// The check-in service at work on a file, with a log of profiles and one of places to follow.
final class Venue {
  let harness = Harness()
  let profiles = Owner(.profiles)
  let locations = Owner(.locations)
  private(set) var database: Database!
  private(set) var service: CheckInService!
  /// Stands before the service and fails where it is told to.
  private(set) var fault: FaultyService!
  private let folder: TemporaryFolder
  var settings: CheckInService.Settings

  /// A service on a new database, which knows some people and places.
  init(
    people: Int = 3, places: Int = 3, ttlS: UInt32 = 0, historyMs: Int64 = 365 * 86_400_000,
    connects: Bool = true
  ) throws {
    folder = try TemporaryFolder()
    settings = CheckInService.Settings(ttlS: ttlS, historyMs: historyMs)
    harness.owners = [.profiles: profiles, .locations: locations]
    for number in 0..<people { addPerson(number) }
    for number in 0..<places { addPlace(number) }
    try start(connects: connects)
  }

  /// Starts the service, again after the first time: what it then knows is what is on disk.
  func start(connects: Bool = true) throws {
    database?.close()
    database = try open()
    let store = try CheckInStore(database, random: SeededGenerator(seed: 1))
    service = try CheckInService(store: store, settings: settings, now: harness.now)
    fault = FaultyService(service)
    harness.start(
      fault,
      store: ServiceCore.Store(
        keptResponses: store.keptResponses, changeLog: service, secret: store.secret),
      follows: [.profiles, .locations])
    guard connects else { return }
    harness.connect(.profiles)
    harness.connect(.locations)
  }

  /// The file; several at a time may look at it.
  private func open() throws -> Database {
    var settings = DatabaseSettings()
    settings.isExclusive = false
    return try Database(path: folder.path + "/check-ins.db", settings: settings)
  }

  // MARK: - People and places

  static func person(_ number: Int) -> ID { id(UInt64(1_000_000 + number)) }
  static func place(_ number: Int) -> ID { id(UInt64(2_000_000 + number)) }

  func addPerson(_ number: Int, user: String? = nil) {
    profiles.append(
      .profilePut(Profile(id: Self.person(number), userID: user ?? "user \(number)")))
  }

  func addPlace(_ number: Int, capacity: UInt32 = 0) {
    locations.append(.locationPut(Location(id: Self.place(number), capacity: capacity)))
  }

  /// The feeds tell what is new, in a round of their own.
  func tell() {
    harness.publish(.profiles)
    harness.publish(.locations)
    harness.finish()
  }

  func deletePerson(_ number: Int) {
    profiles.append(.profileDeleted(Self.person(number)))
    tell()
  }

  func deletePlace(_ number: Int) {
    locations.append(.locationDeleted(Self.place(number)))
    tell()
  }

  // MARK: - Calls

  func checkIn(
    _ person: Int?, _ place: Int, ttlS: UInt32 = 0, expect: Expectation.What? = nil,
    as user: String = "desk", _ roles: Roles = [], key: ID? = nil
  ) throws -> Reply<CheckInResponse> {
    try harness.call(
      CheckInRequest(
        profileID: person.map(Self.person), locationID: Self.place(place), ttlS: ttlS,
        expect: expect.map { Expectation(what: $0) }), as: user, roles, key: key)
  }

  func checkOut(
    _ person: Int?, expect: Expectation.What? = nil, as user: String = "desk", _ roles: Roles = [],
    key: ID? = nil
  ) throws -> Reply<CheckOutResponse> {
    try harness.call(
      CheckOutRequest(
        profileID: person.map(Self.person), expect: expect.map { Expectation(what: $0) }),
      as: user, roles, key: key)
  }

  func status(_ person: Int) throws -> CheckInStatus {
    try harness.ask(GetStatusRequest(profileID: Self.person(person))).status ?? CheckInStatus()
  }

  /// Where somebody is; nil: nowhere.
  func whereabouts(_ person: Int) throws -> ID? { try status(person).locationID }

  /// Everybody at a place, by pages of a size.
  func list(_ place: Int, pageSize: UInt32 = 0) throws -> [CheckInStatus] {
    var all: [CheckInStatus] = []
    var token = ""
    repeat {
      let page = try harness.ask(
        ListCheckedInRequest(
          locationID: Self.place(place), pageSize: pageSize, pageToken: token))
      all += page.statuses
      token = page.nextPageToken
    } while !token.isEmpty
    return all
  }

  func count(_ place: Int) throws -> UInt32 {
    try harness.ask(GetCountsRequest(locationIDs: [Self.place(place)])).counts.first?.count ?? 0
  }

  func history(
    person: Int? = nil, place: Int? = nil, from startMs: Int64 = 0, until endMs: Int64 = 0,
    pageSize: UInt32 = 0
  ) throws -> [CheckInChange] {
    var all: [CheckInChange] = []
    var token = ""
    repeat {
      let page = try harness.ask(
        ListHistoryRequest(
          profileID: person.map(Self.person), locationID: place.map(Self.place),
          startTimeMs: startMs, endTimeMs: endMs, pageSize: pageSize, pageToken: token))
      all += page.changes
      token = page.nextPageToken
    } while !token.isEmpty
    return all
  }

  /// The whole log.
  func log() throws -> [CheckInChange] {
    var all: [CheckInChange] = []
    while true {
      let page = try harness.ask(ListChangesRequest(afterRevision: all.last?.revision ?? 0))
      for change in page.changes {
        if case .checkIn(let entry) = change.what { all.append(entry) }
      }
      if page.changes.isEmpty { return all }
    }
  }

  // MARK: - The state

  /// All that a service knows and that shows.
  struct State: Equatable {
    var people: [String] = []
    var places: [String] = []
    var occupied: [ID] = []
    var total = 0
    var lastRevision: UInt64 = 0
    var lastTimeMs: Int64 = 0
    var revisions = Revisions()
    var lastEntries: [UInt64] = []

    init(_ service: CheckInService) {
      let presence = service.presence
      for (slot, person) in presence.people.enumerated() {
        people.append(
          "\(person.id) \(service.userOfPerson[slot] ?? "-") \(presence.stay(of: Int32(slot)))"
            + " \(presence.person(person.id) == Int32(slot))")
      }
      for (slot, place) in presence.places.enumerated() {
        places.append(
          "\(place.id) \(service.capacities[slot]) \(place.members)"
            + " \(presence.place(place.id) == Int32(slot))")
      }
      occupied = presence.occupied.map { presence.id(ofPlace: $0) }
      total = presence.total
      lastRevision = service.lastRevision
      lastTimeMs = service.lastTimeMs
      revisions = service.revisions
      lastEntries =
        presence.people.indices.map { service.lastEntries[person: Int32($0)] }
        + presence.places.indices.map { service.lastEntries[place: Int32($0)] }
    }
  }

  /// What the service has in memory.
  var state: State { State(service) }

  /// What a service would know that were started now.
  func stateOnDisk() throws -> State {
    let other = try open()
    defer { other.close() }
    let store = try CheckInStore(other, random: SeededGenerator(seed: 2))
    return State(try CheckInService(store: store, settings: settings, now: harness.now))
  }

  /// From here on the disk is full.
  func fillDisk() throws {
    // The write-ahead log is moved, so that no page of it can be used again.
    try database.checkpoint()
    let pages = try database.prepare("PRAGMA page_count").first { $0.int(0) } ?? 0
    try database.execute("PRAGMA max_page_count = \(pages)")
  }

  func freeDisk() throws { try database.execute("PRAGMA max_page_count = 1000000") }
}
