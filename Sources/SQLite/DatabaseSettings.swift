import Model

/// How a database is opened, beyond what always holds: WAL, `synchronous=FULL`, foreign keys, and
/// deleted content overwritten.
package struct DatabaseSettings: Equatable, Sendable {
  /// Keeps every other process, and every other connection of this one, out.
  package var isExclusive = true
  /// Pages of 4 KiB in the write-ahead log after which a commit also moves them into the database
  /// (tried with appends: fewer cost throughput, more make the one commit that moves them slower);
  /// 0: only `Database.checkpoint` does.
  package var walAutocheckpointPages = 500
  /// Bytes that the write-ahead log is cut to after it was moved; negative: it is kept as it is,
  /// and written over, which is faster.
  package var walKeptBytes: Int64 = -1
  /// Memory for pages, in KiB. What a transaction changes should fit, or it is written twice.
  package var cacheKiB = 2_000
  /// How long to wait for somebody else's lock.
  package var busyTimeoutMs: Int32 = 0

  package init() {}

  /// As a service opens its store. Who had it may be ending still: a process that is killed in the
  /// middle of an fsync has its locks until that is over.
  package static var ofService: DatabaseSettings {
    var settings = DatabaseSettings()
    settings.busyTimeoutMs = Limits.storeLockMs
    return settings
  }
}
