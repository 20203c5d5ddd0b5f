import Glibc
import SQLite
import ServiceKit
import ZeroMQ

/// Puts stores of a backup in the place of those that are there.
///
/// Everything is copied, verified and made ready beside the stores first; then each takes its place
/// by one rename, so that at every moment there is a whole store, the old one or the new one. What
/// was there stays, in a folder of its own.
package struct Restore {
  private let backup: Backup
  private let stores: [Installation.Store]
  /// Where in a data folder the old store is kept.
  private let asideName: String
  private var locks: [EndpointLock] = []

  /// What was done.
  package struct Done: Equatable {
    package var service: String
    /// Where the log stands now.
    package var revision: UInt64
    /// The folder that holds what was there; nil: nothing was.
    package var aside: String?
  }

  /// - Parameters:
  ///   - only: names of services whose stores are restored; empty: all.
  /// - Throws: `UpkeepError` where a service still runs, or the backup lacks a store.
  package init(
    _ backup: Backup, into installation: Installation, only: Set<String>
  ) throws {
    self.backup = backup
    stores = installation.stores.filter { only.isEmpty || only.contains($0.name) }
    if let other = only.subtracting(stores.map(\.name)).sorted().first {
      throw UpkeepError(
        .usage, "\(other) is not on this machine, as far as the settings say",
        hint: "restore it where it runs, or name its settings with --config")
    }
    asideName = "before-restore-\(Backup.newName())"
    for store in stores {
      guard try Files.exists(store.folder) else {
        throw UpkeepError(
          .usage, "there is no folder \(store.folder)", hint: "make it, for the service's user")
      }
      if let lock = try Self.lock(store) { locks.append(lock) }
    }
  }

  /// Restores.
  /// - Throws: `UpkeepError`, `RestoreRefusal`, `SystemError`, `SQLiteError`, `MigrationError`.
  package func run() throws -> [Done] {
    var revisions: [UInt64] = []
    do {
      for store in stores { revisions.append(try stage(store)) }
    } catch {
      for store in stores { Files.removeStore(staged(store)) }
      throw error
    }
    var done: [Done] = []
    for (store, revision) in zip(stores, revisions) {
      let aside = try swap(store)
      done.append(Done(service: store.name, revision: revision, aside: aside))
    }
    return done
  }

  /// Makes the new store beside the old one.
  private func stage(_ store: Installation.Store) throws -> UInt64 {
    guard let entry = backup.manifest.entries.first(where: { $0.service == store.name }) else {
      throw UpkeepError(
        .usage, "\(backup.folder) has no store of \(store.name)", hint: "use another backup")
    }
    let path = staged(store)
    // What an earlier one has left beside it would be taken for this one's.
    Files.removeStore(path)
    try Files.copy("\(backup.folder)/\(entry.file)", to: path)
    let (byteCount, sha256) = try Files.digest(of: path)
    guard byteCount == entry.byteCount, sha256 == entry.sha256 else {
      throw UpkeepError(
        .conflict, "\(backup.folder)/\(entry.file) is not what was backed up: its checksum differs",
        hint: "use another backup")
    }
    let file = StoreFile(path: path, kind: store.kind)
    _ = try file.verify()
    let revision = try moveOn(file)
    if let last = try lastRevision(of: store), last >= revision {
      throw UpkeepError(
        .conflict, "the log of \(store.name) is at \(last) already, and would go on at \(revision)",
        hint: "the clock was ahead when it was written; set it, and restore again later")
    }
    try Files.give(path, toOwnerOf: store.folder)
    try Files.sync(path)
    return revision
  }

  /// The log goes on above every number that it can have given out since the backup.
  private func moveOn(_ file: StoreFile) throws -> UInt64 {
    let (database, _) = try file.open()
    defer { database.close() }
    try file.kind.restore(database, SystemClock.waitForNextSecond())
    return try LogCheck(database).lastRevision
  }

  /// How far the log has come that is there now; nil: it cannot be read, or there is none.
  private func lastRevision(of store: Installation.Store) throws -> UInt64? {
    guard try Files.exists(store.file) else { return nil }
    do {
      let (database, _) = try StoreFile(path: store.file, kind: store.kind).open()
      defer { database.close() }
      return try LogCheck(database).lastRevision
    } catch let error as SQLiteError where error.kind == .busy {
      throw Self.running(store)
    } catch {
      // A store that is damaged is a good reason to restore.
      return nil
    }
  }

  /// Keeps what is there aside, and puts the new store in its place.
  private func swap(_ store: Installation.Store) throws -> String? {
    guard try Files.exists(store.file) else {
      try Files.rename(staged(store), to: store.file)
      try Files.sync(store.folder)
      return nil
    }
    // Held until the old store has lost its name: a service that starts now finds it in use.
    let guarding = try StoreLock(store.file)
    guard guarding.isHeld else { throw Self.running(store) }
    let aside = "\(store.folder)/\(asideName)"
    try Files.makeFolder(aside)
    try Files.give(aside, toOwnerOf: store.folder)
    // What stands in it belongs to the old store, and must not be taken for the new one's.
    for suffix in Files.besides where try Files.exists(store.file + suffix) {
      try Files.rename(store.file + suffix, to: "\(aside)/\(store.kind.fileName)\(suffix)")
    }
    guard link(store.file, "\(aside)/\(store.kind.fileName)") == 0 else {
      throw SystemError(number: errno, what: aside)
    }
    try Files.sync(aside)
    try Files.rename(staged(store), to: store.file)
    try Files.sync(store.folder)
    return aside
  }

  private func staged(_ store: Installation.Store) -> String { store.file + ".restoring" }

  /// Keeps the service from starting, where it has ever run here. A lock file that this made,
  /// perhaps as root, would keep it out for good.
  private static func lock(_ store: Installation.Store) throws -> EndpointLock? {
    let path = store.rpc.dropFirst("ipc://".count) + ".lock"
    guard store.rpc.hasPrefix("ipc://"), try Files.exists(String(path)) else { return nil }
    do {
      return try EndpointLock(store.rpc)
    } catch EndpointLockError.inUse {
      throw running(store)
    }
  }

  private static func running(_ store: Installation.Store) -> UpkeepError {
    UpkeepError(
      .conflict, "the service \(store.name) is running on \(store.file)",
      hint: "stop it first: 'systemctl stop muster.target', or end 'muster up'")
  }
}
