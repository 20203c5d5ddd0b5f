import Model
import Testing
import Wire

@testable import ServiceKit

@Suite("A follower")
struct FollowerTests {
  private let now = Moment(wallMs: 0, monotonicUs: 0)
  private let base: UInt64 = 1_790_000_000 << 20

  private func changes(_ revisions: UInt64...) -> [Change] {
    revisions.map { Change(revision: $0, what: .profileDeleted(id($0))) }
  }

  /// What to do, in short: "ask 5", "snapshot", "apply [6, 7] through 7".
  private func short(_ actions: [Follower.Action]) -> [String] {
    actions.map { action in
      switch action {
      case .ask(let request): "ask \(request.afterRevision)"
      case .askSnapshot: "snapshot"
      case .apply(let changes, let revision): "apply \(changes.map(\.revision)) through \(revision)"
      case .applySnapshot(let page): "page \(page.revision)"
      }
    }
  }

  @Test("a log that was restored and has not changed since is followed to where it stands")
  func restoredWithoutChanges() {
    var follower = Follower(log: .profiles, position: 5)
    let heartbeat = ChangesPublished(previousRevision: base, lastRevision: base)
    #expect(short(follower.receive(heartbeat, at: now)) == ["ask 5"])
    let answer = ListChangesResponse(changes: [], lastRevision: base)
    #expect(short(follower.receive(answer, at: now)) == ["apply [] through \(base)"])
    #expect(follower.position == base)
    #expect(short(follower.receive(heartbeat, at: now)) == [], "and is not asked again")
    let next = ChangesPublished(
      previousRevision: base, lastRevision: base + 1, changes: changes(base + 1))
    #expect(
      short(follower.receive(next, at: now)) == ["apply [\(base + 1)] through \(base + 1)"])
  }

  @Test("G3: whoever knows changes that a restore has lost notices at the first publication")
  func lostChanges() {
    var follower = Follower(log: .profiles, position: 7)
    let published = ChangesPublished(
      previousRevision: base, lastRevision: base + 1, changes: changes(base + 1))
    #expect(short(follower.receive(published, at: now)) == ["ask 7"])
    let next = follower.refused("LOG_RESTORED", at: now).map { [$0] } ?? []
    #expect(short(next) == ["snapshot"])
    #expect(follower.position == nil)
  }

  @Test("a gap in the numbers is read, and what was read already is not applied again")
  func gap() {
    var follower = Follower(log: .profiles, position: 5)
    let late = ChangesPublished(previousRevision: 7, lastRevision: 8, changes: changes(8))
    #expect(short(follower.receive(late, at: now)) == ["ask 5"])
    let answer = ListChangesResponse(changes: changes(6, 7, 8), lastRevision: 8)
    #expect(short(follower.receive(answer, at: now)) == ["apply [6, 7, 8] through 8"])
    let overlapping = ChangesPublished(
      previousRevision: 7, lastRevision: 9, changes: changes(8, 9))
    #expect(short(follower.receive(overlapping, at: now)) == ["apply [9] through 9"])
  }
}
