import Model
import Wire

/// Whether each change of the log of check-ins was asked for, and as often as it was done.
struct Accounts {
  private let world: World

  init(_ world: World) { self.world = world }

  func check() {
    var owner: [UInt64: Operation] = [:]
    var allowed: [Operation.Target: Int] = [:]
    for operation in world.customers.flatMap(\.operations) {
      for revision in operation.claims.sorted() {
        if owner[revision] != nil {
          return world.fail("check-ins \(revision) is the effect of two calls")
        }
        owner[revision] = operation
      }
      guard operation.unknown > 0 else { continue }
      let times = operation.key == nil ? operation.unknown : 1
      for target in operation.targets { allowed[target, default: 0] += times }
    }
    for entry in world.truth.checkIns.entries where entry.reason == .requested {
      guard let person = entry.profileID, !entry.actingUser.isEmpty else { continue }
      let target = Operation.Target(
        user: entry.actingUser, person: person, place: entry.toLocationID)
      if let operation = owner[entry.revision] {
        // What it was told of is no longer unknown.
        if operation.unknown > 0, operation.key != nil { allowed[target, default: 0] -= 1 }
        continue
      }
      allowed[target, default: 0] -= 1
    }
    for (target, left) in allowed where left < 0 {
      world.fail(
        "one effect of one key: \(target.user) has brought \(target.person) to "
          + "\(target.place.map { "\($0)" } ?? "nowhere") \(-left) times more than asked")
    }
  }
}
