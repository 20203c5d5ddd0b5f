package import ServiceKit

extension StoreKind {
  /// The location service's store.
  package static let locations = StoreKind(
    log: .locations, applicationID: LocationSchema.applicationID,
    migrations: LocationSchema.migrations(secret: []),
    restore: { database, now in
      try LocationStore(database, historyMs: .max, random: SystemRandomNumberGenerator())
        .restore(at: now)
    },
    check: LocationCheck.findings)
}
