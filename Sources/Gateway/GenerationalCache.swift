/// A dictionary of bounded size that forgets what has not been used for longest, roughly: when the
/// newer half is full it becomes the older one, and the older one goes.
struct GenerationalCache<Key: Hashable, Value> {
  private var newer: [Key: Value] = [:]
  private var older: [Key: Value] = [:]
  private let halfSize: Int

  init(size: Int) { halfSize = max(1, size / 2) }

  var count: Int { newer.count + older.count }

  /// What is known under the key; it counts as used.
  mutating func value(for key: Key) -> Value? {
    if let value = newer[key] { return value }
    guard let value = older[key] else { return nil }
    _ = set(value, for: key)
    return value
  }

  /// What is known under the key, which does not count as use.
  func peek(_ key: Key) -> Value? { newer[key] ?? older[key] }

  /// - Returns: what was forgotten to make room.
  mutating func set(_ value: Value, for key: Key) -> [Key: Value] {
    update(key, default: value) { $0 = value }
  }

  /// Changes what is known under the key; where nothing is, from `initial`.
  /// - Returns: what was forgotten to make room.
  mutating func update(
    _ key: Key, default initial: @autoclosure () -> Value, _ change: (inout Value) -> Void
  ) -> [Key: Value] {
    change(&newer[key, default: older[key] ?? initial()])
    guard newer.count >= halfSize else { return [:] }
    let forgotten = older
    older = newer
    newer = [:]
    return forgotten
  }

  mutating func remove(_ key: Key) {
    newer[key] = nil
    older[key] = nil
  }

  mutating func removeAll() {
    newer = [:]
    older = [:]
  }
}
