package import Wire

/// One of the three logs, by the name of the service that owns it.
@usableFromInline package enum LogName: UInt8, CaseIterable, Sendable {
  case profiles, locations, checkIns

  /// As health, info and files call it.
  package var text: String {
    switch self {
    case .profiles: "profiles"
    case .locations: "locations"
    case .checkIns: "check-ins"
    }
  }

  /// The set with this log alone.
  package var set: LogSet { LogSet(rawValue: 1 << rawValue) }
}

/// At most one value for each log: a dictionary that hashes nothing, since every call looks into
/// one.
@usableFromInline package struct ByLog<Value> {
  @usableFromInline var profiles: Value?
  @usableFromInline var locations: Value?
  @usableFromInline var checkIns: Value?

  @inlinable package init() {}

  @inlinable package subscript(_ log: LogName) -> Value? {
    get {
      switch log {
      case .profiles: profiles
      case .locations: locations
      case .checkIns: checkIns
      }
    }
    set {
      switch log {
      case .profiles: profiles = newValue
      case .locations: locations = newValue
      case .checkIns: checkIns = newValue
      }
    }
  }

  /// The logs that have a value, with it, in the order of the logs.
  package var entries: [(log: LogName, value: Value)] {
    LogName.allCases.compactMap { log in self[log].map { (log, $0) } }
  }
}

/// Some of the three logs.
package struct LogSet: OptionSet, Sendable {
  package let rawValue: UInt8
  package init(rawValue: UInt8) { self.rawValue = rawValue }

  package static let profiles = LogName.profiles.set
  package static let locations = LogName.locations.set
  package static let checkIns = LogName.checkIns.set
  package static let all: LogSet = [.profiles, .locations, .checkIns]

  /// Whether the log is one of them.
  package func contains(_ log: LogName) -> Bool { contains(log.set) }
}

extension Revisions {
  /// How far one log had come.
  package subscript(_ log: LogName) -> UInt64 {
    get {
      switch log {
      case .profiles: profiles
      case .locations: locations
      case .checkIns: checkIns
      }
    }
    set {
      switch log {
      case .profiles: profiles = newValue
      case .locations: locations = newValue
      case .checkIns: checkIns = newValue
      }
    }
  }

  /// The same for some logs, and 0, "had no part in it", for the others.
  package func only(_ logs: LogSet) -> Revisions {
    Revisions(
      profiles: logs.contains(.profiles) ? profiles : 0,
      locations: logs.contains(.locations) ? locations : 0,
      checkIns: logs.contains(.checkIns) ? checkIns : 0)
  }

  /// What is asked for here and not yet there in `reached`; zeros: all of it is.
  package func beyond(_ reached: Revisions) -> Revisions {
    Revisions(
      profiles: profiles > reached.profiles ? profiles : 0,
      locations: locations > reached.locations ? locations : 0,
      checkIns: checkIns > reached.checkIns ? checkIns : 0)
  }

  /// The later of the two in each log.
  package func merged(with other: Revisions) -> Revisions {
    Revisions(
      profiles: max(profiles, other.profiles), locations: max(locations, other.locations),
      checkIns: max(checkIns, other.checkIns))
  }

  /// For people: "profiles 12, check-ins 4711".
  package var sentence: String {
    LogName.allCases.filter { self[$0] > 0 }.map { "\($0.text) \(self[$0])" }
      .joined(separator: ", ")
  }
}
