import Model
import Wire

/// The log of profiles or of places as it was committed: what each of them was at every revision.
struct EntityLog<Value: Equatable> {
  struct Version {
    var revision: UInt64
    var atUs: Int64
    /// Nil: deleted.
    var value: Value?
  }

  private(set) var lastRevision: UInt64 = 0
  /// All that there ever were, in the order in which they came.
  private(set) var ids: [ID] = []
  private(set) var versions: [ID: [Version]] = [:]
  /// Those that are there now.
  private(set) var living: Set<ID> = []
  /// Whom each change was about, the first one's at 0.
  private(set) var entities: [ID] = []

  mutating func append(_ id: ID, _ value: Value?, atUs: Int64) {
    lastRevision += 1
    if versions[id] == nil { ids.append(id) }
    entities.append(id)
    if value == nil { living.remove(id) } else { living.insert(id) }
    versions[id, default: []].append(
      Version(revision: lastRevision, atUs: atUs, value: value))
  }

  /// What it was at a revision.
  func value(_ id: ID, at revision: UInt64) -> Value? {
    guard let all = versions[id] else { return nil }
    let next = all.partitioningIndex { $0.revision > revision }
    return next == 0 ? nil : all[next - 1].value
  }

  func current(_ id: ID) -> Value? { versions[id]?.last?.value }

  /// The first version, as it was created.
  func created(_ id: ID) -> Value? { versions[id]?.first?.value }

  func all(at revision: UInt64) -> [Value] { ids.compactMap { value($0, at: revision) } }

  /// Whether it was there without a break from one moment to another.
  func existed(_ id: ID, fromUs: Int64, toUs: Int64) -> Bool {
    guard let all = versions[id], let first = all.first, first.atUs < fromUs else { return false }
    return all.allSatisfy { $0.value != nil || $0.atUs > toUs }
  }

  /// Whether somebody may have seen this value: it held at a revision or later, up to now.
  func held(_ id: ID, since revision: UInt64, where condition: (Value) -> Bool) -> Bool {
    if value(id, at: revision).map(condition) == true { return true }
    return versions[id]?.contains {
      $0.revision > revision && $0.value.map(condition) == true
    } ?? false
  }

  /// Whether it was deleted, and is still not there.
  func isDeleted(_ id: ID) -> Bool { versions[id].map { $0.last?.value == nil } ?? false }
}
