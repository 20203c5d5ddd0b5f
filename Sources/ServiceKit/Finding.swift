package import SQLite

/// Something in a store that is not as it would have to be.
package struct Finding {
  /// One sentence, without a full stop.
  package let what: String
  /// Makes it right, inside a transaction of its own; nil: only a backup has what is missing.
  package let repair: ((Database) throws -> Void)?

  package init(_ what: String, repair: ((Database) throws -> Void)? = nil) {
    self.what = what
    self.repair = repair
  }

  /// A finding about so many things, where there are any; the first is named.
  package static func of<T>(
    _ items: [T], _ what: String, name: (T) -> String, repair: ((Database) throws -> Void)? = nil
  ) -> [Finding] {
    guard let first = items.first else { return [] }
    let others = items.count == 1 ? "" : ", and \(items.count - 1) more"
    return [Finding("\(what): \(name(first))\(others)", repair: repair)]
  }
}
