/// One step of a schema, from the version before it to its own.
package struct Migration: Sendable {
  /// Counted from 1, without gaps.
  package let version: Int
  private let step: @Sendable (Database) throws(SQLiteError) -> Void

  /// A step written in SQL.
  package init(version: Int, _ sql: String) {
    self.init(version: version) { database throws(SQLiteError) in try database.execute(sql) }
  }

  /// A step that has to compute. It runs inside a transaction, which it may not end.
  package init(version: Int, apply: @escaping @Sendable (Database) throws(SQLiteError) -> Void) {
    self.version = version
    step = apply
  }

  /// Takes the step, inside a transaction of the caller's.
  package func apply(to database: Database) throws(SQLiteError) { try step(database) }
}

/// Why a file cannot be used. It is then as it was, at its last complete version.
package enum MigrationError: Error, Equatable, Sendable, CustomStringConvertible {
  /// The file belongs to another program, or to another service of this one.
  case foreign(path: String, applicationID: Int32)
  /// The file was written by a newer version of this program.
  case newer(path: String, version: Int, known: Int)
  /// The step to this version failed and was undone.
  case failed(version: Int, SQLiteError)
  /// The file could not be read.
  case unreadable(SQLiteError)

  package var description: String {
    switch self {
    case .foreign(let path, 0):
      "\(path) is a database of another program"
    case .foreign(let path, let applicationID):
      "\(path) is a database of another program or service (application id \(applicationID))"
    case .newer(let path, let version, let known):
      "\(path) has schema \(version), written by a newer version; this one knows up to \(known)"
    case .failed(let version, let error):
      "the step to schema \(version) failed and was undone: \(error)"
    case .unreadable(let error):
      "\(error)"
    }
  }
}

extension Database {
  /// Brings the schema to the last of `migrations`, each in a transaction of its own, so that a
  /// crash leaves a complete version. A file with another application id, or a newer schema, is
  /// refused and not touched.
  package func migrate(
    applicationID: Int32, _ migrations: [Migration]
  ) throws(MigrationError) {
    precondition(applicationID != 0, "0 is what a file of nobody has")
    precondition(migrations.enumerated().allSatisfy { $0.offset + 1 == $0.element.version })
    let version = try currentVersion(applicationID, known: migrations.count)
    do {
      try useWriteAheadLog()
    } catch {
      throw .unreadable(error)
    }
    for migration in migrations[version...] {
      do {
        try transaction { () throws(SQLiteError) in
          try migration.apply(to: self)
          try execute("PRAGMA application_id=\(applicationID)")
          try execute("PRAGMA user_version=\(migration.version)")
        }
      } catch {
        throw .failed(version: migration.version, error)
      }
    }
  }

  private func currentVersion(
    _ applicationID: Int32, known: Int
  ) throws(MigrationError) -> Int {
    let found: Int32
    let version: Int
    let isEmpty: Bool
    do {
      found = Int32(truncatingIfNeeded: try number("PRAGMA application_id"))
      version = Int(try number("PRAGMA user_version"))
      isEmpty = try number("SELECT count(*) FROM sqlite_schema") == 0
    } catch {
      throw .unreadable(error)
    }
    if found == 0 && version == 0 && isEmpty { return 0 }
    guard found == applicationID, version >= 0 else {
      throw .foreign(path: path, applicationID: found)
    }
    guard version <= known else { throw .newer(path: path, version: version, known: known) }
    return version
  }
}
