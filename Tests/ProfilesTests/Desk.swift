import Harness
import Model
import Profiles
import SQLite
import ServiceKit
import Testing
import Wire

/// The profile service at work, with the check-in service there to be asked about deletes.
final class Desk {
  let harness = Harness()
  private(set) var store: SQLiteProfileStore!
  private(set) var database: Database!
  private let path: String
  private let rules: ProfileRules
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
    path: String = ":memory:", required: Set<ProfileText> = [], historyMs: Int64 = 86_400_000,
    attended: Bool = true
  ) throws {
    self.path = path
    self.historyMs = historyMs
    self.attended = attended
    rules = ProfileRules(required: required)
    try start()
  }

  /// Starts the service, again after the first time: what it then knows is what is on disk.
  func start() throws {
    database?.close()
    database = try Database(path: path)
    store = try SQLiteProfileStore(
      database, historyMs: historyMs, random: SystemRandomNumberGenerator())
    harness.start(
      ProfileService(store: store, rules: rules),
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
  /// A profile of a user, made by an administrator.
  @discardableResult
  func create(_ user: String, _ first: String = "Ada", _ last: String = "") throws -> Profile {
    let request = CreateProfileRequest(
      profile: Profile(userID: user, firstName: first, lastName: last))
    return try #require(try ask(request).profile)
  }

  /// Every page of the list, as users' ids.
  func list(pageSize: UInt32) throws -> [String] {
    var users: [String] = []
    var token = ""
    repeat {
      let page = try ask(ListProfilesRequest(pageSize: pageSize, pageToken: token))
      users += page.profiles.map(\.userID)
      token = page.nextPageToken
    } while !token.isEmpty
    return users
  }

  /// All changes that the log tells.
  func changes() throws -> [Change] { try ask(ListChangesRequest()).changes }
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
