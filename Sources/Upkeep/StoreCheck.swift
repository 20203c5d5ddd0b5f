import ServiceKit

/// Looks whether the stores of one Muster are whole: each in itself, and what they say of each
/// other.
package enum StoreCheck {
  /// What was found in one store.
  package struct Report {
    package let service: String
    /// How far its log has come; nil: it cannot be read.
    package var revision: UInt64?
    package var faults: [Fault] = []
  }

  /// One thing that is not as it would have to be.
  package struct Fault: Equatable {
    package let what: String
    package let outcome: Outcome
  }

  /// What became of it, or could.
  package enum Outcome: String, Sendable {
    case repaired
    case repairable
    /// Only a backup has what is missing.
    case lost
    /// A newer version wrote it, and can tell; this one cannot.
    case unknown
  }

  /// Checks. Running services are asked for copies, and these are looked at; what is stopped is
  /// looked at where it is.
  /// - Parameters:
  ///   - repairs: makes right what can be made right; then every service has to be stopped.
  ///   - copyOf: asks the running service for a copy, and gives the file; it is taken away.
  /// - Throws: `UpkeepError` where a store is to be repaired whose service runs; what `copyOf`
  ///   throws.
  package static func run(
    _ installation: Installation, repairs: Bool,
    copyOf: @escaping (Installation.Store) throws -> String
  ) throws -> [Report] {
    var open: [OpenStore] = []
    defer { for store in open { store.close() } }
    for store in installation.stores {
      open.append(try OpenStore(store, copyOf: repairs ? nil : copyOf))
    }
    // What the check-in service knows is held against owners that are right by then.
    let reports = try open.reversed().map { store in
      if let fault = store.fault { return Report(service: store.name, faults: [fault]) }
      var report = Report(service: store.name)
      report.faults = try faults(repairs: repairs, store) {
        let own = store.findings()
        let isFollower = store.kind.log == .checkIns
        return own.isEmpty && isFollower ? try CrossCheck(open).findings() : own
      }
      report.revision = store.lastRevision
      return report
    }
    return reports.reversed()
  }

  /// Looks, makes the first thing right that can be, and looks again: what was found beside it may
  /// have come of it.
  private static func faults(
    repairs: Bool, _ store: OpenStore, find: () throws -> [Finding]
  ) throws -> [Fault] {
    var repaired: [Fault] = []
    while true {
      let findings = try find()
      let first = repairs ? findings.first { $0.repair != nil } : nil
      guard let first, !repaired.contains(where: { $0.what == first.what }) else {
        return repaired
          + findings.map { finding in
            Fault(
              what: finding.what,
              outcome: finding.repair == nil || repairs ? .lost : .repairable)
          }
      }
      try store.repair(first)
      repaired.append(Fault(what: first.what, outcome: .repaired))
    }
  }
}
