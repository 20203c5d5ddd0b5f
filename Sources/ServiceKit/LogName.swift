package import Wire

/// One of the three logs, by the name of the service that owns it.
package enum LogName: UInt8, CaseIterable, Sendable {
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
    var result = Revisions()
    for log in LogName.allCases where logs.contains(log) { result[log] = self[log] }
    return result
  }

  /// What is asked for here and not yet there in `reached`; zeros: all of it is.
  package func beyond(_ reached: Revisions) -> Revisions {
    var result = Revisions()
    for log in LogName.allCases where self[log] > reached[log] { result[log] = self[log] }
    return result
  }

  /// The later of the two in each log.
  package func merged(with other: Revisions) -> Revisions {
    var result = self
    for log in LogName.allCases { result[log] = max(self[log], other[log]) }
    return result
  }

  /// For people: "profiles 12, check-ins 4711".
  package var sentence: String {
    LogName.allCases.filter { self[$0] > 0 }.map { "\($0.text) \(self[$0])" }
      .joined(separator: ", ")
  }
}
