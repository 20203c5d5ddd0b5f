import SQLite

/// The statements of a `PlaceIndex`, compiled once.
struct PlaceStatements {
  let count: Statement
  let insert: Statement
  let update: Statement
  let remove: Statement
  let addName: Statement
  let removeName: Statement
  let addPosition: Statement
  let removePosition: Statement
  let indexed: Statement
  let exists: Statement
  let bodyByID: Statement
  let bodyByExternalID: Statement
  let bodyByNumber: Statement
  let bodiesAfterID: Statement
  let numbersByName: Statement
  let numbersByTrigram: Statement
  let numbersByPosition: Statement
  let rowByID: Statement
  let rowByNumber: Statement
  let rowsByName: Statement
  let rowsByPosition: Statement

  /// What the walks read of each row; the `?` is a part of the folded name.
  private static let row =
    "SELECT p.number, p.id, p.name, p.latitude, p.longitude, instr(p.folded_name, ?1)"
  /// What of a row has a position within a ring; see `Ring` for its parameters.
  private static let ring = "MATCH ring(?2, ?3, ?4, ?5, ?6)"

  init(_ database: Database) throws(SQLiteError) {
    count = try database.prepare("SELECT count(*) FROM place")
    insert = try database.prepare(
      """
      INSERT INTO place(id, name, external_id, folded_name, latitude, longitude, body)
      VALUES(?, ?, ?, ?, ?, ?, ?)
      """)
    update = try database.prepare(
      """
      UPDATE place SET name=?, external_id=?, folded_name=?, latitude=?, longitude=?, body=?
      WHERE number=?
      """)
    remove = try database.prepare("DELETE FROM place WHERE number=?")
    addName = try database.prepare("INSERT INTO place_name(rowid, folded_name) VALUES(?, ?)")
    // An index without its texts has to be told what it forgets:
    // https://www.sqlite.org/fts5.html#the_delete_command
    removeName = try database.prepare(
      "INSERT INTO place_name(place_name, rowid, folded_name) VALUES(?, ?, ?)")
    addPosition = try database.prepare("INSERT INTO place_position VALUES(?, ?, ?, ?, ?, ?, ?)")
    removePosition = try database.prepare("DELETE FROM place_position WHERE number=?")
    indexed = try database.prepare(
      "SELECT number, folded_name, latitude, longitude FROM place WHERE id=?")
    exists = try database.prepare("SELECT 1 FROM place WHERE id=?")
    bodyByID = try database.prepare("SELECT body FROM place WHERE id=?")
    bodyByExternalID = try database.prepare("SELECT body FROM place WHERE external_id=?")
    bodyByNumber = try database.prepare("SELECT body FROM place WHERE number=?")
    bodiesAfterID = try database.prepare(
      "SELECT body FROM place WHERE id>? ORDER BY id LIMIT ?")
    numbersByName = try database.prepare("SELECT rowid FROM place_name WHERE place_name MATCH ?")
    numbersByTrigram = try database.prepare(
      "SELECT doc FROM place_trigram WHERE term>=? AND term<=?")
    numbersByPosition = try database.prepare(
      "SELECT number FROM place_position WHERE number MATCH ring(?, ?, ?, ?, ?)")
    rowByID = try database.prepare("\(Self.row) FROM place p WHERE p.id=?2")
    rowByNumber = try database.prepare("\(Self.row) FROM place p WHERE p.number=?2")
    rowsByName = try database.prepare(
      "\(Self.row) FROM place p WHERE (p.name, p.id) > (?2, ?3) ORDER BY p.name, p.id")
    // CROSS: the tree is to be walked, and each place looked up.
    rowsByPosition = try database.prepare(
      """
      \(Self.row) FROM place_position n CROSS JOIN place p ON p.number=n.number
      WHERE n.number \(Self.ring)
      """)
  }
}
