import Model
import Places
package import ServiceKit
package import Wire

/// `muster.v1.LocationService`: the places that people can check in at.
package final class LocationService: Service {
  package let name = LogName.locations.text
  package let ownLogs: LogSet = .locations

  let store: LocationStore
  let encoder = Encoder()
  private var random: any RandomNumberGenerator

  /// - Parameter random: makes ids; a simulator brings its own.
  package init(
    store: LocationStore, random: any RandomNumberGenerator = SystemRandomNumberGenerator()
  ) {
    self.store = store
    self.random = random
  }

  package var revisions: Revisions { Revisions(locations: store.lastRevision) }

  package func register(_ handlers: inout Handlers) {
    registerReads(&handlers)
    registerWrites(&handlers)
    registerImages(&handlers)
  }

  package func begin() throws { try store.begin() }
  package func commit() throws { try store.commit() }
  package func rollBack() { store.rollBack() }
  package func takeCommittedChanges() -> [Change] { store.takeCommittedChanges() }
  package func workBehind(at now: Moment) throws -> Bool { try store.compact(at: now) }

  func makeID(_ now: Moment) -> ID {
    ID(milliseconds: now.wallMs, random: (random.next(), random.next()))
  }

  /// - Throws: `LOCATION_NOT_FOUND`; `SQLiteError`.
  func location(_ id: ID?) throws -> Location {
    guard let id, let location = try store.places.location(id) else { throw Self.notFound }
    return location
  }

  static var notFound: Refusal { Refusal(.locationNotFound, "There is no such place.") }
}
