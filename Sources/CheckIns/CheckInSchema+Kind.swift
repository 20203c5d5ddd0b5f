package import ServiceKit

extension StoreKind {
  /// The check-in service's store.
  package static let checkIns = StoreKind(
    log: .checkIns, applicationID: CheckInSchema.applicationID,
    migrations: CheckInSchema.migrations(secret: []),
    restore: { database, now in
      let store = try CheckInStore(database, random: SystemRandomNumberGenerator())
      try CheckInService(store: store, settings: CheckInService.Settings(), now: now)
        .restore(at: now)
    },
    check: CheckInCheck.findings)
}
