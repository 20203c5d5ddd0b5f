package import ServiceKit

extension StoreKind {
  /// The profile service's store.
  package static let profiles = StoreKind(
    log: .profiles, applicationID: ProfileSchema.applicationID,
    migrations: ProfileSchema.migrations(secret: []),
    restore: { database, now in
      try SQLiteProfileStore(database, historyMs: .max, random: SystemRandomNumberGenerator())
        .restore(now: now)
    },
    check: ProfileCheck.findings)
}
