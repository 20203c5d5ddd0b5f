/// Where somebody is, as the check-in log counts: at a place by its number, or at none.
package struct Whereabouts: Equatable, Sendable {
  /// Nil: nowhere.
  package var location: Int?
  package var revision: UInt64

  package init(location: Int?, revision: UInt64) {
    self.location = location
    self.revision = revision
  }
}

/// What a read may not be older than.
package struct ReadFloor: Equatable, Sendable {
  /// Of everything: the newest write that this client was told of.
  package var checkIns: UInt64 = 0
  /// Of the person asked for: the newest write that this client was told of, and what it said.
  package var person: Whereabouts?
}

/// What the driver was told for certain while it ran, and what it was not: a model of what must be
/// true, which keeps no more than that takes.
package struct Ledger: Sendable {
  /// A write that was acknowledged: this person went there with this revision.
  package struct Entry: Equatable, Sendable {
    package var revision: UInt64
    package var profile: Int32
    /// -1: nowhere.
    package var location: Int32
  }

  private struct Person {
    var newest: Whereabouts?
    /// Who was told so.
    var client = 0
  }

  /// Acknowledged writes that changed something, in the order in which they were acknowledged.
  package private(set) var entries: [Entry] = []
  /// Where writes may have led that were not answered for certain, by person.
  package private(set) var unknown: [Int: [Int?]] = [:]
  /// Reads that were looked at, and the first that was too old.
  package private(set) var reads = 0
  package private(set) var staleReads = 0
  package private(set) var firstStaleRead = ""
  private var people: [Person]
  private var newestOfClient: [UInt64]

  package init(profiles: Int, clients: Int) {
    people = Array(repeating: Person(), count: profiles)
    newestOfClient = Array(repeating: 0, count: clients)
  }

  /// The newest thing that was acknowledged about somebody; nil: nothing was.
  package func newest(_ profile: Int) -> Whereabouts? { people[profile].newest }

  /// The newest of all that was acknowledged.
  package var newestRevision: UInt64 { newestOfClient.max() ?? 0 }

  /// Everybody of whom something was acknowledged.
  package var known: [Int] { people.indices.filter { people[$0].newest != nil } }

  /// A write has been answered: this is true now. `changed`: it was not before.
  package mutating func acknowledge(
    _ profile: Int, _ whereabouts: Whereabouts, changed: Bool, client: Int
  ) {
    if changed {
      entries.append(
        Entry(
          revision: whereabouts.revision, profile: Int32(profile),
          location: Int32(whereabouts.location ?? -1)))
    }
    newestOfClient[client] = max(newestOfClient[client], whereabouts.revision)
    if whereabouts.revision >= people[profile].newest?.revision ?? 0 {
      people[profile] = Person(newest: whereabouts, client: client)
    }
  }

  /// A write has not been answered, or not for certain.
  package mutating func loseSight(of profile: Int, goingTo location: Int?) {
    if unknown[profile]?.contains(location) != true {
      unknown[profile, default: []].append(location)
    }
  }

  /// What a read that is sent now must show at least.
  package func floor(client: Int, profile: Int?) -> ReadFloor {
    var floor = ReadFloor(checkIns: newestOfClient[client])
    if let profile, people[profile].client == client { floor.person = people[profile].newest }
    return floor
  }

  /// A read has been answered. `person`: where it says that the person asked for is.
  package mutating func note(
    _ operation: Operation, asOf checkIns: UInt64, person: Whereabouts?, floor: ReadFloor
  ) {
    reads += 1
    var fault = ""
    if checkIns < floor.checkIns {
      fault = "\(operation.name) was answered as of \(checkIns), after \(floor.checkIns) was told"
    } else if let person, let told = floor.person {
      if person.revision < told.revision {
        fault = "\(operation.name) showed revision \(person.revision) after \(told.revision)"
      } else if person.revision == told.revision, person.location != told.location {
        fault = "\(operation.name) showed another place for revision \(told.revision)"
      }
    }
    guard !fault.isEmpty else { return }
    staleReads += 1
    if firstStaleRead.isEmpty { firstStaleRead = fault }
  }
}
