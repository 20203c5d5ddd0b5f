import Glibc
import SQLite
import ServiceKit

/// Copies of all stores of one Muster in a folder of their own, with a manifest. Each is consistent
/// in itself; what they say of each other is put right by following, as after any restart.
package struct Backup {
  package let folder: String
  package let manifest: Manifest

  /// Makes a backup, also while the services run.
  ///
  /// It is made in a folder beside and gets its name when all of it is verified and on disk, so
  /// that a folder of that name is a whole backup.
  /// - Parameters:
  ///   - folder: may not exist.
  ///   - version: the program's.
  ///   - copyOf: asks the running service for a copy, and gives the file; it is taken away.
  /// - Throws: `UpkeepError`, `SystemError`, `SQLiteError`, `MigrationError`; what `copyOf` throws.
  package init(
    of installation: Installation, into folder: String, version: String,
    copyOf: (Installation.Store) throws -> String
  ) throws {
    guard try !Files.exists(folder) else {
      throw UpkeepError(
        .conflict, "there is a \(folder) already", hint: "name a folder that does not exist")
    }
    let unfinished = "\(folder).unfinished-\(getpid())"
    try Files.makeFolder(unfinished)
    var written: [String] = []
    do {
      var entries: [Manifest.Entry] = []
      for store in installation.stores {
        let path = "\(unfinished)/\(store.kind.fileName)"
        written.append(path)
        try Self.copy(store, to: path, copyOf)
        entries.append(try Self.entry(StoreFile(path: path, kind: store.kind)))
      }
      manifest = Manifest(
        version: version, timeMs: SystemClock.now().wallMs, entries: entries)
      written.append("\(unfinished)/\(Manifest.fileName)")
      try Files.write(
        Array((manifest.json.write(pretty: true) + "\n").utf8), to: written[written.count - 1])
      try Files.sync(unfinished)
      try Files.rename(unfinished, to: folder)
      try Files.sync(Files.folder(of: folder))
    } catch {
      // What went wrong first is what counts.
      for path in written { Files.removeStore(path) }
      rmdir(unfinished)
      throw error
    }
    self.folder = folder
  }

  /// Opens a backup: reads what it says of itself, and looks at no more.
  /// - Throws: `UpkeepError`.
  package init(_ folder: String) throws {
    self.folder = folder
    manifest = try Manifest(ofBackup: folder)
  }

  /// Removes the oldest backups of a folder that has them under their dates.
  /// - Parameter count: so many stay.
  /// - Returns: those that were removed.
  package static func prune(_ folder: String, keeping count: Int) throws -> [String] {
    let dated = try Files.names(in: folder).filter { name in
      try isDate(name) && Files.exists("\(folder)/\(name)/\(Manifest.fileName)")
    }
    // What a backup has left that was killed.
    let unfinished = try Files.names(in: folder).filter { name in
      let parts = name.split(separator: ".")
      guard parts.count == 2, isDate(String(parts[0])), parts[1].hasPrefix("unfinished-"),
        let process = pid_t(parts[1].dropFirst("unfinished-".count))
      else { return false }
      return kill(process, 0) != 0 && errno == ESRCH
    }
    let old = (dated.dropLast(count) + unfinished).map { "\(folder)/\($0)" }
    for backup in old {
      // The manifest first: what is left of a backup is then none any more.
      try Files.remove("\(backup)/\(Manifest.fileName)")
      for name in try Files.names(in: backup) { try Files.remove("\(backup)/\(name)") }
      guard rmdir(backup) == 0 else { throw SystemError(number: errno, what: backup) }
    }
    return old
  }

  /// Where a backup goes that is made now: under a name that sorts by time, "2026-11-30T141500Z".
  /// Where there is one of this second already, the next second is waited for. The folder is made,
  /// where there is none.
  /// - Throws: `UpkeepError`, `SystemError`.
  package static func newPlace(in folder: String) throws -> String {
    if try !Files.exists(folder) { try Files.makeFolder(folder) }
    var place = "\(folder)/\(newName())"
    while try Files.exists(place) {
      _ = SystemClock.waitForNextSecond()
      place = "\(folder)/\(newName())"
    }
    return place
  }

  static func newName() -> String {
    var seconds = time_t(SystemClock.now().wallMs / 1_000)
    var parts = tm()
    gmtime_r(&seconds, &parts)
    var text = [CChar](repeating: 0, count: 32)
    let count = strftime(&text, text.count, "%Y-%m-%dT%H%M%SZ", &parts)
    return String(decoding: text[..<count].map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }

  private static func isDate(_ name: String) -> Bool {
    let pattern = "0000-00-00T000000Z"
    return name.utf8.count == pattern.utf8.count
      && zip(name, pattern).allSatisfy { $1 == "0" ? $0.isASCII && $0.isNumber : $0 == $1 }
  }

  /// From the file, where nobody has it open; from the service otherwise.
  private static func copy(
    _ store: Installation.Store, to path: String, _ copyOf: (Installation.Store) throws -> String
  ) throws {
    do {
      let (database, _) = try StoreFile(path: store.file, kind: store.kind).open()
      defer { database.close() }
      try copyAll(of: database, to: path)
    } catch let error as SQLiteError where error.kind == .busy {
      try Files.move(copyOf(store), to: path)
    }
    try Files.sync(path)
  }

  private static func copyAll(of database: Database, to path: String) throws {
    let copy = try DatabaseCopy(of: database, to: path)
    while try !copy.step(pages: 10_000) {}
  }

  private static func entry(_ file: StoreFile) throws -> Manifest.Entry {
    let content = try file.verify()
    let (byteCount, sha256) = try Files.digest(of: file.path)
    return Manifest.Entry(
      service: file.kind.log.text, file: file.kind.fileName, schema: content.schema,
      revision: content.revision, byteCount: byteCount, sha256: sha256)
  }
}
