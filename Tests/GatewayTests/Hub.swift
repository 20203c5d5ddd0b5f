import Harness
import Model
import ServiceKit
import Wire

@testable import Gateway

/// The gateway at work, with the logs of three services to follow. Profiles are asked for by name
/// only as lists need them.
final class Hub {
  let harness = Harness()
  let profiles = Owner(.profiles)
  let locations = Owner(.locations)
  let checkIns = Owner(.checkIns)
  private(set) var gateway: GatewayService
  /// How many names one answer of the profile service has at most.
  var namesPerAnswer = 1_000
  private var whereabouts: [Int: Int] = [:]
  private var timeMs: Int64 = 1_000

  init(people: Int = 3, places: Int = 3, trustsClients: Bool = true) throws {
    gateway = try GatewayService()
    harness.owners = [.profiles: profiles, .locations: locations, .checkIns: checkIns]
    for number in 0..<people { put(person: number) }
    for number in 0..<places { put(place: number) }
    profiles.other = { [unowned self] in profiles.names($0, limit: namesPerAnswer) }
    try start(trustsClients: trustsClients)
  }

  /// Starts the gateway, again after the first time, and connects it.
  func start(
    trustsClients: Bool = true, callRate: Rate? = nil, watchRate: Rate? = nil
  ) throws {
    gateway = try GatewayService()
    var options = ServiceCore.Options()
    options.trustsClients = trustsClients
    (options.callRate, options.watchRate) = (callRate, watchRate)
    harness.start(gateway, follows: LogName.allCases, options: options)
    for log in LogName.allCases { harness.connect(log) }
  }

  // MARK: - What the services have

  static func person(_ number: Int) -> ID { id(UInt64(1_000_000 + number)) }
  static func place(_ number: Int) -> ID { id(UInt64(2_000_000 + number)) }

  func put(person number: Int, first: String? = nil, last: String = "Last") {
    profiles.append(
      .profilePut(
        Profile(
          id: Self.person(number), userID: "user \(number)", firstName: first ?? "P\(number)",
          lastName: last)))
  }

  func put(place number: Int, name: String? = nil, at point: GeoPoint? = nil) {
    locations.append(
      .locationPut(
        Location(
          id: Self.place(number), name: name ?? String(UnicodeScalar(UInt8(97 + number % 26))),
          point: point)))
  }

  func delete(person: Int) { profiles.append(.profileDeleted(Self.person(person))) }

  /// Somebody goes somewhere; nil: out. A millisecond after whatever was before.
  func move(
    _ person: Int, to place: Int?, _ reason: ChangeReason = .requested, expireMs: Int64 = 0
  ) {
    timeMs += 1
    checkIns.append(
      .checkIn(
        CheckInChange(
          timeMs: timeMs, profileID: Self.person(person),
          fromLocationID: whereabouts[person].map(Self.place),
          toLocationID: place.map(Self.place), reason: reason, expireTimeMs: expireMs)),
      timeMs: timeMs)
    whereabouts[person] = place
  }

  /// The feeds tell what is new.
  func tell() {
    for log in LogName.allCases { harness.publish(log) }
    harness.finish()
  }

  // MARK: - Calls

  /// A page of who is here.
  func here(
    _ place: Int, pageSize: UInt32 = 0, token: String = "", completeOnly: Bool = false,
    as user: String = ""
  ) throws -> Reply<ListPeopleHereResponse> {
    try harness.call(
      ListPeopleHereRequest(
        locationID: Self.place(place), pageSize: pageSize, pageToken: token,
        completeOnly: completeOnly), as: user)
  }

  /// The first names of everybody here.
  func firstNames(_ place: Int) throws -> [String] {
    try here(place, pageSize: 1_000).response.people.map(\.firstName)
  }

  /// The rows of the whole board, in pages.
  func board(_ request: GetBoardRequest, pageSize: UInt32) throws -> [BoardRow] {
    var rows: [BoardRow] = []
    var request = request
    request.pageSize = pageSize
    repeat {
      let page = try harness.ask(request)
      rows += page.rows
      request.pageToken = page.nextPageToken
    } while !request.pageToken.isEmpty
    return rows
  }

  /// Sends a call that the gateway passes on, and gives what arrives behind it.
  func forward<Q: Request>(
    _ request: Q, _ header: RequestHeader = RequestHeader(), from peer: UInt8 = 1
  ) -> (id: UInt64, asked: Harness.Asked?) {
    let known = Set(harness.asked.map(\.header.id))
    let id = harness.send(request, header, from: peer)
    harness.finish()
    return (
      id, harness.asked.last { $0.header.method == Q.method && !known.contains($0.header.id) }
    )
  }
}
