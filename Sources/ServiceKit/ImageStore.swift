package import SQLite

/// Images by the SHA-256 of their bytes, each kept once, for as long as anybody has it. What kind
/// an image is stands in its first bytes.
package final class ImageStore {
  /// Goes into the first migration of a service that keeps images.
  package static let schema = """
    CREATE TABLE image (
      hash BLOB PRIMARY KEY,
      uses INTEGER NOT NULL CHECK (uses > 0),
      bytes BLOB NOT NULL
    ) STRICT;
    """

  private let add: Statement
  private let dropOne: Statement
  private let dropLast: Statement
  private let read: Statement

  /// The database has the schema.
  package init(_ database: Database) throws(SQLiteError) {
    add = try database.prepare(
      "INSERT INTO image VALUES (?, 1, ?) ON CONFLICT (hash) DO UPDATE SET uses = uses + 1")
    dropOne = try database.prepare("UPDATE image SET uses = uses - 1 WHERE hash = ? AND uses > 1")
    dropLast = try database.prepare("DELETE FROM image WHERE hash = ? AND uses = 1")
    read = try database.prepare("SELECT bytes FROM image WHERE hash = ?")
  }

  /// Somebody who had one image has another one from now on. Inside the transaction that also
  /// changes the owner.
  ///
  /// - Parameters:
  ///   - old: the hash of the image until now; empty: none.
  ///   - bytes: the new image; empty: none any more.
  /// - Returns: the hash of the new one; empty: none.
  package func replace(_ old: [UInt8], with bytes: [UInt8]) throws(SQLiteError) -> [UInt8] {
    let new = bytes.isEmpty ? [] : SHA256.digest(bytes)
    if new == old { return old }
    if !new.isEmpty { try add.run(new, bytes) }
    try remove(old)
    return new
  }

  /// One owner fewer; with the last one the image is gone.
  /// - Parameter hash: empty: nothing to do.
  package func remove(_ hash: [UInt8]) throws(SQLiteError) {
    if hash.isEmpty { return }
    // The last use first: after the other statement a count of 2 would look like it.
    try dropLast.run(hash)
    try dropOne.run(hash)
  }

  /// The bytes of an image and their kind; nil: nobody has it.
  package func find(_ hash: [UInt8]) throws(SQLiteError) -> (bytes: [UInt8], type: ImageType)? {
    guard let bytes = try read.first(hash, row: { $0.blob(0) }) else { return nil }
    guard let type = ImageType(of: bytes) else {
      preconditionFailure("an image was stored that no form had checked")
    }
    return (bytes, type)
  }
}
