import CheckIns
import Foundation
import Locations
import Profiles
import SQLite
import ServiceKit
import Testing

@testable import Upkeep

/// The stores of each service in every schema that there ever was: see Tests/Fixtures.
@Suite struct StoreMigrationTests {
  static let kinds = [StoreKind.profiles, .locations, .checkIns]

  /// A store of the first schema, in a folder of the test's own.
  private final class OldStore {
    let store: Installation.Store

    init(_ kind: StoreKind) throws {
      let folder = "/tmp/muster-upkeep-\(UUID().uuidString.prefix(8))"
      try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
      store = Installation.Store(kind: kind, folder: folder, rpc: "ipc://\(folder)/rpc")
      let fixture = URL(filePath: #filePath).deletingLastPathComponent()
        .appending(path: "../Fixtures/schema-1/\(kind.log.text).sql")
      let database = try Database(path: store.file)
      try database.execute(String(decoding: Data(contentsOf: fixture), as: UTF8.self))
      database.close()
    }

    // A temporary folder more or less.
    deinit { try? FileManager.default.removeItem(atPath: store.folder) }

    func bytes() throws -> Data { try Data(contentsOf: URL(filePath: store.file)) }
  }

  /// The same kind with one more step, which rewrites the whole log.
  private static func later(_ kind: StoreKind, kills: Bool = false) -> StoreKind {
    let step = Migration(version: kind.migrations.count + 1) { database throws(SQLiteError) in
      try database.execute("ALTER TABLE log ADD COLUMN later INTEGER NOT NULL DEFAULT 7")
      try database.execute("UPDATE log SET later = revision; CREATE INDEX log_later ON log(later)")
      if kills { kill(getpid(), SIGKILL) }
    }
    return StoreKind(
      log: kind.log, applicationID: kind.applicationID, migrations: kind.migrations + [step],
      restore: kind.restore, check: kind.check)
  }

  @Test(
    "A store of the first schema is whole when it has been brought to the newest one",
    arguments: 0..<3)
  func whole(index: Int) throws {
    let old = try OldStore(Self.kinds[index])
    let run = try MigrationRun(old.store, copyOf: nil)
    #expect(run.schema == 1 && run.newest == old.store.kind.migrations.count)
    let (database, schema) = try StoreFile(path: old.store.file, kind: old.store.kind).open()
    #expect(schema == run.newest)
    #expect(try old.store.kind.check(database).map(\.what) == [])
    #expect(try LogCheck(database).gaps == [])
  }

  @Test("A step that is tried on a copy changes nothing; one that is taken does", arguments: 0..<3)
  func trial(index: Int) throws {
    let kind = Self.later(Self.kinds[index])
    let old = try OldStore(kind)
    // It is taken over, as at a start; then its bytes can be compared.
    _ = try MigrationRun(
      Installation.Store(kind: Self.kinds[index], folder: old.store.folder, rpc: old.store.rpc),
      copyOf: nil)
    let before = try old.bytes()
    let trial = try MigrationRun(old.store) { _ in throw CancellationError() }
    #expect(trial.schema == kind.migrations.count - 1 && trial.newest == kind.migrations.count)
    #expect(try old.bytes() == before)
    #expect(try FileManager.default.contentsOfDirectory(atPath: old.store.folder).count == 1)
    _ = try MigrationRun(old.store, copyOf: nil)
    let (database, schema) = try StoreFile(path: old.store.file, kind: kind).open()
    #expect(schema == kind.migrations.count)
    #expect(try database.number("SELECT count(*) FROM log WHERE later <> revision") == 0)
    database.close()
    // And a program that does not know the step refuses what came of it.
    #expect(throws: MigrationError.self) {
      try StoreFile(path: old.store.file, kind: Self.kinds[index]).open()
    }
  }

  @Test(
    "A process killed in the middle of a step leaves the store as it was before", arguments: 0..<3)
  func killed(index: Int) async throws {
    let old = try OldStore(Self.kinds[index])
    await #expect(processExitsWith: .signal(SIGKILL)) {
      [index, folder = old.store.folder as String] in
      let kind = StoreMigrationTests.later(StoreMigrationTests.kinds[index], kills: true)
      _ = try MigrationRun(
        Installation.Store(kind: kind, folder: folder, rpc: "ipc://\(folder)/rpc"), copyOf: nil)
    }
    let (database, schema) = try StoreFile(path: old.store.file, kind: old.store.kind).open()
    #expect(schema == old.store.kind.migrations.count)
    #expect(try database.integrityFaults(limit: 1) == [])
    #expect(try database.number("SELECT count(*) FROM sqlite_schema WHERE name='log_later'") == 0)
    #expect(try old.store.kind.check(database).map(\.what) == [])
  }
}
