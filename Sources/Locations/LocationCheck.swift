import Model
import Places
import SQLite
import ServiceKit
import Wire

/// Holds the store of places against its log, and its indexes and images against its places.
enum LocationCheck {
  /// Throws `SQLiteError`.
  static func findings(_ database: Database) throws -> [Finding] {
    let places = try PlaceIndex(database)
    var ids: [ID] = []
    var used: [[UInt8]: Int] = [:]
    for location in try places.locations(after: nil, limit: .max) {
      if let id = location.id { ids.append(id) }
      for image in [location.squareImageID, location.bannerImageID] where !image.isEmpty {
        used[image, default: 0] += 1
      }
    }
    let entities = EntityCheck(
      database, .locations, ids: ids,
      put: { id in
        try places.location(id).map { location in
          Change(
            revision: location.revision, timeMs: location.updateTimeMs,
            what: .locationPut(location))
        }
      },
      store: { _, change in
        if case .locationPut(let location) = change.what { try places.put(location) }
      },
      remove: { _, id in try places.remove(id) })
    let indexes = try places.faults().map { fault in
      Finding(fault) { database in try PlaceIndex(database).rebuild() }
    }
    return try indexes + entities.findings() + ImageStore.findings(database, used: used)
  }
}
