import Model
import Places
package import SQLite
package import ServiceKit
package import Wire

/// Places in SQLite: the index of them is the state. Throws `SQLiteError` throughout.
package final class LocationStore {
  /// The responses that are given again, for the core.
  package let keptResponses: KeptResponses
  /// What fingerprints of idempotency keys are made with.
  package let secret: [UInt8]
  let places: PlaceIndex

  private let changeLog: ChangeLog
  private let database: Database
  private let images: ImageStore
  private let historyMs: Int64
  /// A batch could not be undone; that has to be made up for before the next one.
  private var isHalfUndone = false

  /// Opens the database, and creates or migrates its tables.
  /// - Parameters:
  ///   - historyMs: how far back the log tells single changes.
  ///   - random: makes the secret of a new database.
  package init(
    _ database: Database, historyMs: Int64, random: some RandomNumberGenerator
  ) throws {
    var random = random
    let secret = Fingerprint.makeSecret(using: &random)
    try database.migrate(
      applicationID: LocationSchema.applicationID, LocationSchema.migrations(secret: secret))
    self.database = database
    self.historyMs = historyMs
    places = try PlaceIndex(database)
    changeLog = try ChangeLog(database, .locations)
    keptResponses = try KeptResponses(database)
    images = try ImageStore(database)
    self.secret = try database.prepare("SELECT secret FROM meta").first { $0.blob(0) } ?? []
  }

  /// For the first start on a file that comes from a backup: its log goes on above every number
  /// that it can have given out since.
  /// - Throws: `RestoreRefusal`, or `SQLiteError`.
  package func restore(at now: Moment) throws {
    try begin()
    do {
      _ = try changeLog.restore(now: now)
    } catch {
      rollBack()
      throw error
    }
    try commit()
  }

  // MARK: - Batches

  func begin() throws {
    if isHalfUndone { try undo() }
    try database.begin()
  }

  func commit() throws { try database.commit() }

  func rollBack() {
    do {
      try undo()
    } catch {
      isHalfUndone = true
    }
  }

  private func undo() throws {
    try database.rollback()
    try changeLog.rolledBack()
    try places.rolledBack()
    isHalfUndone = false
  }

  func takeCommittedChanges() -> [Change] { changeLog.takeAppended() }

  func compact(at now: Moment) throws -> Bool {
    try changeLog.compact(olderThanMs: now.wallMs - historyMs, limit: 500)
  }

  // MARK: - Writing

  /// Adds a place that has an id of its own by now.
  func add(_ location: Location, at now: Moment) throws -> Location {
    var added = location
    added.createTimeMs = changeLog.nextTimeMs(now)
    return try put(added, at: now)
  }

  /// Makes a place what it has become, and tells it when and by which change.
  func put(_ location: Location, at now: Moment) throws -> Location {
    var changed = location
    changed.updateTimeMs = changeLog.nextTimeMs(now)
    changed.revision = changeLog.lastRevision + 1
    try changeLog.append(
      .locationPut(changed), entity: Self.id(of: changed), timeMs: changed.updateTimeMs)
    try places.put(changed)
    return changed
  }

  func setImage(
    _ image: WritableKeyPath<Location, [UInt8]>, of location: Location, to bytes: [UInt8],
    at now: Moment
  ) throws -> Location {
    var changed = location
    changed[keyPath: image] = try images.replace(location[keyPath: image], with: bytes)
    return changed == location ? location : try put(changed, at: now)
  }

  func remove(_ location: Location, at now: Moment) throws {
    let id = Self.id(of: location)
    try places.remove(id)
    try images.remove(location.squareImageID)
    try images.remove(location.bannerImageID)
    try changeLog.append(.locationDeleted(id), entity: id, timeMs: changeLog.nextTimeMs(now))
  }

  func image(_ hash: [UInt8]) throws -> GetLocationImageResponse? {
    try images.find(hash).map {
      GetLocationImageResponse(image: $0.bytes, mediaType: $0.type.mediaType)
    }
  }

  private static func id(of location: Location) -> ID {
    guard let id = location.id else { preconditionFailure("a place that is kept has an id") }
    return id
  }
}

/// What those who follow the log of places read.
extension LocationStore: ChangeLogReading {
  package var lastRevision: UInt64 { changeLog.lastRevision }

  package func changes(after revision: UInt64, limit: Int) throws -> ListChangesResponse {
    try changeLog.changes(after: revision, limit: limit)
  }

  package func snapshot(_ request: GetSnapshotRequest) throws -> GetSnapshotResponse {
    try changeLog.snapshot(request) { after, limit in
      try places.locations(after: after, limit: limit).compactMap { location in
        location.id.map { id in
          ChangeLog.Row(
            id: id,
            change: Change(
              revision: location.revision, timeMs: location.updateTimeMs,
              what: .locationPut(location)))
        }
      }
    } bytes: { change in
      if case .locationPut(let location) = change.what { location.wireBytesAtMost + 30 } else { 30 }
    }
  }
}

extension Location {
  /// No fewer bytes than it takes on the wire inside a list: its texts, up to 96 bytes of ids, 18
  /// of its position, 40 of numbers, and up to 4 for each tag and length.
  var wireBytesAtMost: Int {
    let texts = [name, description, address, websiteURL, phoneNumber, externalID]
    return texts.reduce(220) { $0 + $1.utf8.count }
  }
}
