import Harness
import Locations
import Model
import SQLite
import ServiceKit
import Testing
import Wire

/// The location service at work, with the check-in service there to be asked about deletes.
final class Desk {
  let harness = Harness()
  private(set) var store: LocationStore!
  private(set) var database: Database!
  private let path: String
  private let historyMs: Int64
  private let attended: Bool

  var now: Moment {
    get { harness.now }
    set { harness.now = newValue }
  }
  /// What the feed has told.
  var published: [ChangesPublished] { harness.published }

  /// A service on a new database, in memory unless a path is given.
  init(
    path: String = ":memory:", historyMs: Int64 = 86_400_000, attended: Bool = true
  ) throws {
    self.path = path
    self.historyMs = historyMs
    self.attended = attended
    try start()
  }

  /// Starts the service, again after the first time: what it then knows is what is on disk.
  func start() throws {
    database?.close()
    database = try Database(path: path)
    store = try LocationStore(
      database, historyMs: historyMs, random: SystemRandomNumberGenerator())
    harness.start(
      LocationService(store: store),
      store: ServiceCore.Store(
        keptResponses: store.keptResponses, changeLog: store, secret: store.secret))
    if attended { harness.attend() }
  }

  /// Makes a call and takes its response.
  func call<Q: Request>(
    _ request: Q, as user: String = "", _ roles: Roles = [], key: ID? = nil,
    atLeast: Revisions = Revisions()
  ) throws -> Reply<Q.Response> {
    try harness.call(request, as: user, roles, key: key, atLeast: atLeast)
  }

  /// The response of a call that must succeed.
  func ask<Q: Request>(
    _ request: Q, as user: String = "", _ roles: Roles = [], key: ID? = nil
  ) throws -> Q.Response {
    try harness.ask(request, as: user, roles, key: key)
  }
}

extension Desk {
  @discardableResult
  func create(_ location: Location) throws -> Location {
    try #require(try ask(CreateLocationRequest(location: location)).location)
  }

  func get(_ id: ID?) throws -> Location {
    try #require(try ask(GetLocationRequest(id: id)).location)
  }

  /// Every page of a list.
  func list(_ request: ListLocationsRequest = ListLocationsRequest()) throws -> [LocationResult] {
    var results: [LocationResult] = []
    var request = request
    repeat {
      let page = try ask(request)
      results += page.results
      request.pageToken = page.nextPageToken
    } while !request.pageToken.isEmpty
    return results
  }

  /// All changes that the log tells.
  func changes() throws -> [Change] { try ask(ListChangesRequest()).changes }
}

extension [LocationResult] {
  var names: [String] { compactMap(\.location?.name) }
}

/// What begins like a PNG; no two of different seeds are the same.
func png(_ seed: UInt8, count: Int = 100) -> [UInt8] {
  [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A] + [UInt8](repeating: seed, count: count - 8)
}

/// Runs `body` with a folder of its own, which is gone afterwards.
func withFolder(_ body: (String) throws -> Void) throws {
  let folder = try TemporaryFolder()
  try withExtendedLifetime(folder) { try body(folder.path) }
}

/// A place with something in each field that a caller gives.
let harbour = Location(
  name: "Harbour", description: "Two\nlines", address: "Quay 1\n8000 Zürich",
  point: GeoPoint(latitude: 47.36, longitude: 8.54), websiteURL: "https://harbour.example/x?y=1",
  phoneNumber: "+41 (44) 123-45.67", capacity: 120, externalID: "HRB")
