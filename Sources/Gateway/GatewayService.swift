import Model
import Places
import SQLite
package import ServiceKit
package import Wire

/// The one endpoint that clients know: answers who is here, status, counts and the board from its
/// own view of the logs, and passes everything else on.
package final class GatewayService: Service {
  package let name = "gateway"
  package let ownLogs: LogSet = []
  /// Of profiles only what lists show is read, as they need it.
  package let followsWhole: LogSet = [.locations, .checkIns]

  var presence = Presence()
  let places: PlaceIndex
  private let database: Database
  var names = Names()
  var ownWrites = OwnWrites()
  var watches = Watches()
  var kept = KeptPages()
  var watchedNames = WatchedNames()
  /// What a watch that goes on from a state is told.
  var recentMoves = RecentEntries<Presence.Move>(size: Limits.recentCheckIns)
  var recentProfiles = RecentEntries<ID>(size: Limits.recentProfiles)
  /// Watched places that are gone, though somebody may still have to be told that all have left.
  var deletedPlaces: Set<ID> = []
  private var positions = ByLog<UInt64>()
  private var reachable: LogSet = []
  /// People whose profile is gone while the check-in log still has them somewhere.
  private var deleted: Set<ID> = []
  /// Those who are somewhere, and whose deletion may not have been told: they were heard of before
  /// one of the two logs began anew. Once they are out, the check-in service is asked about them.
  private var doubtful: Set<Presence.Slot> = []
  /// A state of check-ins that is being read, before it becomes the view.
  private var incoming = Presence()
  private var hasBatch = false

  /// - Throws: `SQLiteError`, where there is no memory.
  package init() throws {
    // The index of places is the same one that the location service has, in memory.
    database = try Database(path: ":memory:")
    try database.execute(PlaceIndex.schema)
    places = try PlaceIndex(database)
  }

  package var revisions: Revisions {
    Revisions(
      profiles: positions[.profiles] ?? 0, locations: positions[.locations] ?? 0,
      checkIns: positions[.checkIns] ?? 0)
  }

  package func register(_ handlers: inout Handlers) {
    for method in [
      Method.getMe, .createProfile, .batchCreateProfiles, .getProfile, .batchGetProfiles,
      .updateProfile, .deleteProfile, .listProfiles, .setAvatar, .getAvatar,
    ] { handlers.forward(method, to: .profiles) }
    for method in [
      Method.createLocation, .batchCreateLocations, .getLocation, .batchGetLocations,
      .updateLocation, .deleteLocation, .listLocations, .setLocationImage, .getLocationImage,
    ] { handlers.forward(method, to: .locations) }
    for method in [
      Method.checkIn, .checkOut, .batchCheckIn, .checkOutEveryone, .listCheckedIn, .listHistory,
    ] { handlers.forward(method, to: .checkIns) }
    registerState(&handlers)
    registerLists(&handlers)
    registerBoard(&handlers)
    registerWatches(&handlers)
  }

  // MARK: - Batches: the view is memory, and always has what it was told

  package func begin() throws {
    try database.begin()
  }

  package func commit() throws {
    try database.commit()
  }

  package func rollBack() {
    preconditionFailure("a view in memory cannot fail but for want of memory")
  }

  package func takeCommittedChanges() -> [Change] { [] }

  // MARK: - What callers have written

  package func received(_ header: inout RequestHeader, connection: Int) {
    let writer = OwnWrites.Writer(header, connection: connection)
    header.atLeast = header.atLeast.merged(with: ownWrites.revisions(of: writer))
  }

  package func forwarded(
    _ request: RequestHeader, _ response: ResponseHeader, connection: Int
  ) {
    guard request.method?.isWrite == true, (response.status?.code ?? .ok) == .ok else { return }
    ownWrites.note(response.asOf, of: OwnWrites.Writer(request, connection: connection))
  }

  // MARK: - What can be asked

  package func backendChanged(_ log: LogName, isReachable: Bool, at _: Moment) {
    if isReachable { reachable.insert(log.set) } else { reachable.remove(log.set) }
    kept.removeAll()
    if log == .profiles && isReachable { watchedNames.mustTellAgain = true }
  }

  func isReachable(_ log: LogName) -> Bool { reachable.contains(log) }

  func hasState(of log: LogName) -> Bool { positions[log] != nil }

  /// Those of the logs whose owners cannot be asked now, as lists name them.
  func unreachable(of logs: [LogName]) -> [String] {
    logs.filter { !isReachable($0) }.map(\.text)
  }

  /// That a state has been read at all.
  /// - Throws: `UNAVAILABLE`.
  func needState(of logs: [LogName]) throws(Refusal) {
    for log in logs where positions[log] == nil {
      throw Refusal(
        .serviceUnreachable, "\(log.text) cannot be reached, or its state is still being read.",
        retryAfterMs: 500)
    }
  }

  // MARK: - Following

  package func apply(
    _ changes: [Change], of log: LogName, through revision: UInt64, at _: Moment
  ) throws {
    for change in changes { try apply(change) }
    positions[log] = revision
    switch log {
    case .profiles: recentProfiles.reached(revision)
    case .locations: break
    case .checkIns: recentMoves.reached(revision)
    }
  }

  package func applySnapshot(_ page: SnapshotPage, of log: LogName, at _: Moment) throws {
    kept.removeAll()
    switch log {
    case .profiles:
      names.removeAll()
      recentProfiles.begin(at: page.revision)
      doubtPeople()
      // Who has been edited meanwhile is not told.
      watches.resetPlaces()
    case .locations:
      if page.isFirst { try places.removeAll() }
      for change in page.entries { try apply(change) }
      if page.isLast {
        for id in watches.places.keys where try places.location(id) == nil {
          deletedPlaces.insert(id)
        }
      }
    case .checkIns:
      if page.isFirst { incoming = Presence(isLoading: true) }
      for change in page.entries {
        if case .checkIn(let entry) = change.what { _ = incoming.apply(entry) }
      }
      if page.isLast {
        incoming.finishLoading()
        presence = incoming
        incoming = Presence()
        deleted = []
        doubtPeople()
        recentMoves.begin(at: page.revision)
        watches.resetAll()
      }
    }
    if page.isLast { positions[log] = page.revision } else { positions[log] = nil }
  }

  /// Whoever was deleted is shown until the check-in log has told of the departure, which is about
  /// to come, and is then shown nowhere: never half of both.
  package func isEarly(_ changes: [Change], of log: LogName) -> Bool {
    guard log != .checkIns, isReachable(.checkIns) else { return false }
    return changes.contains { change in
      switch change.what {
      case .profileDeleted(let id):
        presence.person(id).map { presence[person: $0].place != nil } ?? false
      case .locationDeleted(let id): presence.place(id).map { presence.count($0) > 0 } ?? false
      case .profilePut, .locationPut, .checkIn, nil: false
      }
    }
  }

  private func apply(_ change: Change) throws {
    switch change.what {
    case .profilePut(let profile): changed(profile, revision: change.revision)
    case .profileDeleted(let id):
      names.deleted(id, revision: change.revision)
      listChanged(ofPerson: id)
      recentProfiles.append(id, revision: change.revision)
      forget(id)
    case .locationPut(let location):
      try places.put(location)
      guard let id = location.id else { return }
      deletedPlaces.remove(id)
      if let place = presence.place(id) { kept.changed(place) }
    case .locationDeleted(let id):
      try places.remove(id)
      if let place = presence.place(id) { kept.changed(place) }
      if watches.places[id] != nil { deletedPlaces.insert(id) }
    case .checkIn(let entry):
      guard let id = entry.profileID, let move = presence.apply(entry) else { return }
      for place in [move.from, move.to] { if let place { kept.changed(place) } }
      if move.from != move.to { kept.countsChanged() }
      recentMoves.append(move, revision: change.revision)
      note(move, revision: change.revision)
      let isInDoubt = deleted.contains(id) || doubtful.contains(move.person)
      if entry.reason == .profileDeleted || (entry.toLocationID == nil && isInDoubt) {
        deleted.remove(id)
        doubtful.remove(move.person)
        forget(id)
      }
    case nil: break
    }
  }

  /// Whether the profile is gone, though the check-in log has not told of it yet.
  func isDeleted(_ id: ID) -> Bool { deleted.contains(id) }

  /// Somebody may have been deleted, and nothing tells who: a log was restored, or was not followed
  /// for too long.
  private func doubtPeople() {
    doubtful = []
    for (index, person) in presence.people.enumerated() {
      let slot = Presence.Slot(index)
      if person.place != nil {
        doubtful.insert(slot)
      } else if presence.person(person.id) == slot {
        presence.forgetPerson(slot)
      }
    }
  }

  /// A deleted profile is found by nobody; where it is still checked in, as soon as it is out.
  private func forget(_ id: ID) {
    guard let person = presence.person(id) else { return }
    if presence[person: person].place == nil {
      presence.forgetPerson(person)
    } else {
      deleted.insert(id)
    }
  }

  package var gauges: [Gauge] {
    [
      Gauge(name: "muster_people_checked_in", value: Double(presence.total)),
      Gauge(name: "muster_people_known", value: Double(presence.people.count)),
      Gauge(name: "muster_places", value: Double(places.count)),
      Gauge(name: "muster_names_cached", value: Double(names.count)),
      Gauge(name: "muster_watches", value: Double(watches.count)),
    ]
  }
}
