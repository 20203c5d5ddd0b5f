/// What was found at the end, by asking.
package struct Evidence: Sendable {
  /// One change of the check-in log. People and places by their number; nil: none of the driver's.
  package struct Change: Equatable, Sendable {
    package var revision: UInt64
    package var profile: Int?
    package var from: Int?
    package var to: Int?

    package init(revision: UInt64, profile: Int?, from: Int?, to: Int?) {
      self.revision = revision
      self.profile = profile
      self.from = from
      self.to = to
    }
  }

  /// The log of check-ins from behind `firstRevision`; nil: it could not be read, for this reason.
  package var log: [Change]?
  package var whyNoLog = ""
  /// The newest change before the run.
  package var firstRevision: UInt64 = 0
  /// The newest change after it.
  package var lastRevision: UInt64 = 0
  /// Where the people are of whom something was acknowledged.
  package var people: [Int: Whereabouts] = [:]
  /// Who is at each place, by its number, as the gateway lists them.
  package var lists: [[Int?]] = []
  /// How many are at each place, by its number.
  package var counts: [Int] = []
  /// Who is shown at a place by each watch that was open, both by their number.
  package var shown: [(place: Int, people: Set<Int>)] = []
  /// Stays end by themselves.
  package var mayExpire = false

  package init() {}
}

/// One thing that was verified.
package struct CheckResult: Equatable, Sendable {
  package var name: String
  /// How many things were looked at; nil: it could not be checked, for the reason in `fault`.
  package var checked: Int?
  package var faults = 0
  /// The first thing that was wrong.
  package var fault = ""

  package var holds: Bool { faults == 0 }

  mutating func add(_ fault: @autoclosure () -> String) {
    faults += 1
    if self.fault.isEmpty { self.fault = fault() }
  }
}

/// Compares what was acknowledged with what is found.
package struct Verification: Sendable {
  private let ledger: Ledger
  private let evidence: Evidence

  package init(_ ledger: Ledger, _ evidence: Evidence) {
    self.ledger = ledger
    self.evidence = evidence
  }

  /// All checks, in the order in which they are reported.
  package func results() -> [CheckResult] {
    let results = [
      nothingLost(), onePlaceAPerson(), countsEqualLists(), noGaps(), readsNotOlder(),
    ]
    return evidence.shown.isEmpty ? results : results + [watchersAgree()]
  }

  private func nothingLost() -> CheckResult {
    let known = ledger.known
    var result = CheckResult(
      name: "no acknowledged check-in lost", checked: known.count + ledger.entries.count)
    for profile in known {
      guard let told = ledger.newest(profile) else { continue }
      guard let found = evidence.people[profile] else {
        result.add("person \(profile) is not found, and revision \(told.revision) was acknowledged")
        continue
      }
      if !explains(found, profile, told) {
        result.add(
          "person \(profile) is \(Verification.place(found)), and was last acknowledged "
            + Verification.place(told))
      }
    }
    guard let log = evidence.log else { return result }
    let written = Dictionary(log.map { ($0.revision, $0) }) { first, _ in first }
    for entry in ledger.entries {
      let change = written[entry.revision]
      let place = entry.location < 0 ? nil : Int(entry.location)
      if change?.profile != Int(entry.profile) || change?.to != place {
        result.add("revision \(entry.revision) was acknowledged, and the log does not have it so")
      }
    }
    return result
  }

  /// Whether what is found follows from what is known: it is what was acknowledged last, or what a
  /// write led to that was never answered for certain, or the end of a stay.
  private func explains(_ found: Whereabouts, _ profile: Int, _ told: Whereabouts) -> Bool {
    if found.revision < told.revision { return false }
    if found.revision == told.revision { return found.location == told.location }
    if ledger.unknown[profile]?.contains(found.location) == true { return true }
    return evidence.mayExpire && found.location == nil
  }

  private func onePlaceAPerson() -> CheckResult {
    var result = CheckResult(name: "one place a person", checked: 0)
    var places: [Int: Int] = [:]
    for (place, people) in evidence.lists.enumerated() {
      for profile in people.compactMap({ $0 }) {
        result.checked = (result.checked ?? 0) + 1
        if let other = places.updateValue(place, forKey: profile) {
          result.add("person \(profile) is at place \(other) and at place \(place)")
        }
      }
    }
    for (profile, found) in evidence.people where found.location != places[profile] {
      let listed = places[profile].map { "at place \($0)" } ?? "nowhere"
      result.add("person \(profile) is \(Verification.place(found)), and in lists \(listed)")
    }
    return result
  }

  private func countsEqualLists() -> CheckResult {
    var result = CheckResult(name: "counts equal lists", checked: evidence.lists.count)
    for (place, people) in evidence.lists.enumerated() where evidence.counts[place] != people.count
    {
      result.add("place \(place) counts \(evidence.counts[place]), and lists \(people.count)")
    }
    return result
  }

  private func noGaps() -> CheckResult {
    var result = CheckResult(name: "revisions without gaps")
    guard let log = evidence.log else {
      result.fault = evidence.whyNoLog
      return result
    }
    result.checked = log.count
    var expected = evidence.firstRevision + 1
    var places: [Int: Int?] = [:]
    for change in log {
      if change.revision != expected {
        result.add("revision \(change.revision) follows \(expected - 1)")
      }
      expected = change.revision + 1
      guard let profile = change.profile else { continue }
      if let place = places[profile], place != change.from {
        result.add("revision \(change.revision) leaves a place where person \(profile) was not")
      }
      places.updateValue(change.to, forKey: profile)
    }
    if expected <= evidence.lastRevision {
      result.add("the log ends with \(expected - 1), and \(evidence.lastRevision) was given out")
    }
    return result
  }

  private func watchersAgree() -> CheckResult {
    var result = CheckResult(
      name: "watchers show what lists show", checked: evidence.shown.count)
    for (place, people) in evidence.shown
    where people != Set(evidence.lists[place].compactMap { $0 }) {
      result.add("a watch of place \(place) shows \(people.count) people who are not its list")
    }
    return result
  }

  private func readsNotOlder() -> CheckResult {
    CheckResult(
      name: "reads not older than own writes", checked: ledger.reads, faults: ledger.staleReads,
      fault: ledger.firstStaleRead)
  }

  private static func place(_ whereabouts: Whereabouts) -> String {
    let place = whereabouts.location.map { "at place \($0)" } ?? "nowhere"
    return "\(place) by revision \(whereabouts.revision)"
  }
}
