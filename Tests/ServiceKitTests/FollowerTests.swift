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

  @Test("C5: what was read and could not be kept is no longer known to be all there is")
  func notKept() {
    var follower = Follower(log: .profiles, position: 5)
    _ = follower.catchUp(at: now)
    let answer = ListChangesResponse(changes: changes(6), lastRevision: 6)
    #expect(short(follower.receive(answer, at: now)) == ["apply [6] through 6"])
    #expect(follower.confirmedQuestion == 1)
    follower.restart(at: 6)
    #expect(follower.confirmedQuestion == 1, "nothing of it was in the batch that failed")
    follower.restart(at: 5)
    #expect(follower.confirmedQuestion == 0)
    let heartbeat = ChangesPublished(previousRevision: 6, lastRevision: 6)
    #expect(short(follower.receive(heartbeat, at: now)) == ["ask 5"])
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

  @Test("a feed that is ahead of an answer does not make what is missing look like a restore")
  func feedOvertakesAnswer() {
    var follower = Follower(log: .checkIns, position: 10)
    #expect(short(follower.catchUp(at: now).map { [$0] } ?? []) == ["ask 10"])
    // A large batch comes by the feed, and then more that it has not brought yet.
    let batch = (11...1_200).map { Change(revision: UInt64($0), what: .profileDeleted(id(1))) }
    let published = ChangesPublished(previousRevision: 10, lastRevision: 1_200, changes: batch)
    #expect(short(follower.receive(published, at: now)).last?.hasSuffix("through 1200") == true)
    let answer = ListChangesResponse(changes: Array(batch.prefix(1_000)), lastRevision: 1_500)
    #expect(short(follower.receive(answer, at: now)) == ["ask 1200"])
    #expect(follower.position == 1_200)
  }

  @Test("whoever has to know that nothing is missing waits for a question that is asked after")
  func questions() {
    var follower = Follower(log: .profiles, position: 5)
    _ = follower.catchUp(at: now)
    // In the same microsecond: the question that is under way does not count.
    let needed = follower.nextQuestion
    #expect(follower.catchUp(at: now) == nil)
    let empty = ListChangesResponse(lastRevision: 5)
    #expect(short(follower.receive(empty, at: now)) == ["ask 5"])
    #expect(follower.confirmedQuestion < needed)
    #expect(short(follower.receive(empty, at: now)) == [])
    #expect(follower.confirmedQuestion == needed)
  }

  @Test("a question that came to nothing is asked again when the owner is heard of")
  func failedQuestion() {
    var follower = Follower(log: .profiles, position: 5)
    _ = follower.catchUp(at: now)
    follower.failed()
    let heartbeat = ChangesPublished(previousRevision: 5, lastRevision: 5)
    #expect(short(follower.receive(heartbeat, at: now)) == ["ask 5"])
    #expect(short(follower.receive(heartbeat, at: now)) == [])
  }

  @Test("a follower that goes back to an earlier position reads again what came after it")
  func restart() {
    var follower = Follower(log: .profiles, position: 5)
    let told = ChangesPublished(previousRevision: 5, lastRevision: 6, changes: changes(6))
    #expect(short(follower.receive(told, at: now)) == ["apply [6] through 6"])
    follower.restart(at: 5)
    let next = ChangesPublished(previousRevision: 6, lastRevision: 7, changes: changes(7))
    #expect(short(follower.receive(next, at: now)) == ["ask 5"])
  }
}
