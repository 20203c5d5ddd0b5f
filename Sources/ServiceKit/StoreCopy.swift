import Glibc
import Model
package import SQLite
import Wire

/// Copies of a running service's database, for backups: one at a time, a piece of it each round.
package final class StoreCopy {
  /// Where the copy is made: beside the database.
  let path: String
  private let database: Database
  /// The one that is being made.
  private var copy: DatabaseCopy?
  /// Who waits for it, and takes it away.
  var call: CallHandle?

  /// Removes what an earlier process has left.
  package init(_ database: Database) {
    self.database = database
    // Whoever asks has a working folder of its own.
    let whole = realpath(database.path, nil)
    defer { free(whole) }
    path = (whole.map { String(cString: $0) } ?? database.path) + ".copy"
    removeLeft()
  }

  var isRunning: Bool { copy != nil }

  func begin() throws(SQLiteError) {
    guard copy == nil else { return }
    copy = try DatabaseCopy(of: database, to: path)
  }

  /// Goes on; true: the copy is complete. Where this throws, nothing of it is left.
  func step() throws(SQLiteError) -> Bool {
    do {
      guard try copy?.step(pages: Limits.copiedPages) == true else { return false }
      copy = nil
      return true
    } catch {
      copy = nil
      throw error
    }
  }

  /// Removes a copy that nobody has taken away.
  func removeLeft() {
    if !isRunning { unlink(path) }
  }
}

extension ServiceCore {
  /// Begins a copy of the database; the call is answered when it is complete.
  func copyStore(for call: CallHandle, _ now: Moment) {
    guard let storeCopy else {
      return refuse(
        call, Refusal(.unknownMethod, "\(service.name) keeps nothing that could be copied."), now)
    }
    // One that nobody waits for any more is for whoever asks now.
    if storeCopy.isRunning, let other = storeCopy.call, calls.contains(other) {
      return refuse(
        call, Refusal(.overloaded, "Another copy is being made.", retryAfterMs: 1_000), now)
    }
    storeCopy.call = call
    do { try storeCopy.begin() } catch { giveUpCopy(error, now) }
  }

  /// Adds a piece to the copy that is being made. Between two batches.
  package func continueCopy(at now: Moment) {
    guard let storeCopy, storeCopy.isRunning, fatalError == nil else { return }
    do {
      guard try storeCopy.step() else { return }
    } catch {
      return giveUpCopy(error, now)
    }
    guard let call = storeCopy.call, calls.contains(call) else { return storeCopy.removeLeft() }
    log.notice("copied the store for a backup", ["path": .text(storeCopy.path)])
    reply(call, CopyStoreResponse(path: storeCopy.path), asOf: ownRevisions, now)
    storeCopy.call = nil
  }

  private func giveUpCopy(_ error: SQLiteError, _ now: Moment) {
    log.error("the store could not be copied for a backup", ["error": .error(error)])
    let refusal =
      error.kind == .full
      ? Refusal(.storageFull, "The disk is too full for a copy of the store.", retryAfterMs: 5_000)
      : Refusal(.internal, "The store could not be copied; the service's log says why.")
    if let call = storeCopy?.call { refuse(call, refusal, now) }
    storeCopy?.call = nil
  }
}
