package import Model
package import SQLite

extension ImageStore {
  /// What is wrong with the images of a store.
  /// - Parameter used: how many have each image, by its hash.
  package static func findings(
    _ database: Database, used: [[UInt8]: Int]
  ) throws(SQLiteError) -> [Finding] {
    var there: Set<[UInt8]> = []
    var altered: [[UInt8]] = []
    var miscounted: [[UInt8]] = []
    try database.prepare("SELECT hash, uses, bytes FROM image").forEach { row in
      let hash = row.blob(0)
      there.insert(hash)
      let uses = used[hash] ?? 0
      if uses > 0, row.withBlob(2, { SHA256.digest($0) }) != hash { altered.append(hash) }
      if uses != row.int(1) { miscounted.append(hash) }
      return true
    }
    let missing = used.keys.filter { !there.contains($0) }
    return Finding.of(missing, "images are missing, and have to be set again", name: text)
      + Finding.of(altered, "images are not what they were, and have to be set again", name: text)
      + Finding.of(
        miscounted, "images are counted wrongly", name: text,
        repair: { database in
          for hash in miscounted {
            guard let uses = used[hash] else {
              try database.prepare("DELETE FROM image WHERE hash = ?").run(hash)
              continue
            }
            try database.prepare("UPDATE image SET uses = ? WHERE hash = ?").run(uses, hash)
          }
        })
  }

  private static func text(_ hash: [UInt8]) -> String {
    hash.prefix(4).map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
  }
}

extension KeptResponses {
  /// Responses that still tell of somebody who has been deleted.
  /// - Parameter exists: whether a profile is there.
  package static func findings(
    _ database: Database, exists: (_ profile: ID) throws(SQLiteError) -> Bool
  ) throws(SQLiteError) -> [Finding] {
    var dangling: [ID] = []
    try database.prepare(
      """
      SELECT DISTINCT profile FROM kept_response_profile AS told
      JOIN kept_response AS kept ON kept.number = told.number WHERE kept.body IS NOT NULL
      """
    ).forEach { row throws(SQLiteError) in
      if let id = row.id(0), try !exists(id) { dangling.append(id) }
      return true
    }
    return Finding.of(
      dangling, "stored responses tell of people who are not there", name: { "\($0)" },
      repair: { database in
        for id in dangling { try KeptResponses(database).erase(id) }
      })
  }
}
