package import Model
package import SQLite
package import Wire

/// All places, found by id, by name, by what a name contains, and by distance. It lives in the
/// database of whoever owns it, and changes within that one's transactions.
package final class PlaceIndex {
  /// The tables, for the owner's first migration.
  ///
  /// - `place`: the places themselves; `body` is the message, and last, for it can be long.
  /// - `place_by_name`: has all that a walk by name looks at, so that it reads nothing else.
  /// - `place_position`: those with a position, as points on the unit sphere. It rounds to 32 bits,
  ///   outwards, so it finds a little too much, and what it finds is measured again.
  /// - `place_name`: which names have which three code points in a row. Two more stand behind each
  ///   name (`padding`), so that one or two code points are found as the beginning of three.
  package static let schema = """
    CREATE TABLE place(
      number INTEGER PRIMARY KEY, id BLOB NOT NULL UNIQUE, name TEXT NOT NULL,
      external_id TEXT UNIQUE, folded_name TEXT NOT NULL, latitude REAL, longitude REAL,
      body BLOB NOT NULL) STRICT;
    CREATE INDEX place_by_name ON place(name, id, folded_name, latitude, longitude);
    CREATE VIRTUAL TABLE place_position USING rtree(
      number, min_x, max_x, min_y, max_y, min_z, max_z);
    CREATE VIRTUAL TABLE place_name USING fts5(
      folded_name, content='', columnsize=0, detail=none, tokenize='trigram case_sensitive 1');
    CREATE VIRTUAL TABLE place_trigram USING fts5vocab(place_name, instance);
    """

  /// No name has a control character.
  static let padding = "\u{1}\u{1}"

  /// How many places there are.
  package private(set) var count: Int

  let database: Database
  let statements: PlaceStatements
  private let encoder = Encoder()
  private let decoder = Decoder()

  /// On a database that has `schema` in it.
  package init(_ database: Database) throws(SQLiteError) {
    self.database = database
    try database.addNearestFirst("ring") { Ring(parameters: $0)?.score(box: $1) }
    statements = try PlaceStatements(database)
    count = try statements.count.first { $0.int(0) } ?? 0
  }

  /// Adds a place, or puts it in the place of the one with its id. Its `external_id`, where it has
  /// one, may not be another place's.
  package func put(_ location: Location) throws(SQLiteError) {
    guard let id = location.id else { preconditionFailure("a place that is kept has an id") }
    let folded = Text.folded(location.name)
    let externalID = location.externalID.isEmpty ? nil : location.externalID
    let body = encoder.bytes(location)
    let old = try indexed(id)
    let number: Int64
    if let old {
      number = old.number
      try statements.update.run(
        location.name, externalID, folded, location.point?.latitude, location.point?.longitude,
        body, number)
    } else {
      try statements.insert.run(
        id, location.name, externalID, folded, location.point?.latitude,
        location.point?.longitude, body)
      number = database.lastInsertRowID
      count += 1
    }
    if old?.folded != folded {
      if let old { try statements.removeName.run("delete", number, old.folded + Self.padding) }
      try statements.addName.run(number, folded + Self.padding)
    }
    if old?.point != location.point {
      if old?.point != nil { try statements.removePosition.run(number) }
      if let point = location.point {
        let (x, y, z) = Sphere.vector(point)
        try statements.addPosition.run(number, x, x, y, y, z, z)
      }
    }
  }

  /// Takes a place out; one that is not there is none.
  package func remove(_ id: ID) throws(SQLiteError) {
    guard let old = try indexed(id) else { return }
    try statements.remove.run(old.number)
    try statements.removeName.run("delete", old.number, old.folded + Self.padding)
    if old.point != nil { try statements.removePosition.run(old.number) }
    count -= 1
  }

  /// Takes all places out.
  package func removeAll() throws(SQLiteError) {
    try database.execute(
      """
      DELETE FROM place; DELETE FROM place_position;
      INSERT INTO place_name(place_name) VALUES('delete-all');
      """)
    count = 0
  }

  /// To be called after the owner's transaction has been rolled back.
  package func rolledBack() throws(SQLiteError) {
    count = try statements.count.first { $0.int(0) } ?? 0
  }

  /// Nil: there is no such place.
  package func location(_ id: ID) throws(SQLiteError) -> Location? {
    try statements.bodyByID.first(id) { row throws(SQLiteError) in try location(in: row, 0) }
  }

  /// The place that an importer knows by this key; nil: none. The empty text is no key.
  package func location(externalID: String) throws(SQLiteError) -> Location? {
    try statements.bodyByExternalID.first(externalID) { row throws(SQLiteError) in
      try location(in: row, 0)
    }
  }

  /// Whether there is such a place.
  package func contains(_ id: ID) throws(SQLiteError) -> Bool {
    try statements.exists.first(id) { _ in true } ?? false
  }

  /// Up to `limit` places by rising id, from the first one after `id` on.
  package func locations(after id: ID?, limit: Int) throws(SQLiteError) -> [Location] {
    var locations: [Location] = []
    try statements.bodiesAfterID.forEach(id?.bytes ?? [], limit) { row throws(SQLiteError) in
      locations.append(try location(in: row, 0))
      return true
    }
    return locations
  }

  /// The place in a column of the row.
  func location(in row: Statement, _ column: Int) throws(SQLiteError) -> Location {
    try row.withBlob(column) { bytes throws(SQLiteError) in
      var violations: [FieldViolation] = []
      do {
        return try decoder.decode(Location.self, from: bytes, violations: &violations)
      } catch {
        // 11 is SQLITE_CORRUPT: what was written here was a place.
        throw SQLiteError(code: 11, message: "a place is damaged", sql: "SELECT body FROM place")
      }
    }
  }

  /// What the indexes hold of a place.
  private func indexed(
    _ id: ID
  ) throws(SQLiteError) -> (number: Int64, folded: String, point: GeoPoint?)? {
    try statements.indexed.first(id) { row in
      let point =
        row.isNull(2) ? nil : GeoPoint(latitude: row.double(2), longitude: row.double(3))
      return (row.int64(0), row.text(1), point)
    }
  }
}
