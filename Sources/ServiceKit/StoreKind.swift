package import SQLite

/// What the store of one service is to those who look after its file, and not after what it means.
package struct StoreKind: Sendable {
  /// Whose store it is.
  package let log: LogName
  /// What marks the file.
  package let applicationID: Int32
  /// The steps of the schema that this program knows.
  package let migrations: [Migration]
  /// Makes the log of a file that comes from a backup go on above every number that it can have
  /// given out since, and brings an older schema to the newest one.
  package let restore: @Sendable (Database, Moment) throws -> Void
  /// Holds what the store says twice against each other: everything that is wrong. The schema is
  /// the newest one, and the log has no gap.
  package let check: @Sendable (Database) throws -> [Finding]

  package init(
    log: LogName, applicationID: Int32, migrations: [Migration],
    restore: @escaping @Sendable (Database, Moment) throws -> Void,
    check: @escaping @Sendable (Database) throws -> [Finding]
  ) {
    self.log = log
    self.applicationID = applicationID
    self.migrations = migrations
    self.restore = restore
    self.check = check
  }

  /// As the file is called in the service's data folder.
  package var fileName: String { "\(log.text).db" }
}
