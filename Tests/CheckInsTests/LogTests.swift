import Harness
import Model
import ServiceKit
import Testing
import Wire

@testable import CheckIns

@Suite("The check-in log, for those who follow it")
struct LogTests {
  private func listed(
    _ venue: Venue, after revision: UInt64, limit: UInt32 = 0
  ) throws -> Reply<ListChangesResponse> {
    try venue.harness.call(ListChangesRequest(afterRevision: revision, limit: limit))
  }

  @Test("changes come oldest first, after a revision, up to a limit, with how far the log is")
  func changes() throws {
    let venue = try Venue(people: 30)
    for person in 0..<30 { _ = try venue.checkIn(person, 0) }
    #expect(try listed(venue, after: 0).response.changes.map(\.revision) == Array(1...30))
    let some = try listed(venue, after: 10, limit: 5)
    #expect(some.response.changes.map(\.revision) == Array(11...15))
    #expect(some.response.lastRevision == 30 && some.header.asOf == Revisions(checkIns: 30))
    #expect(try listed(venue, after: 30).response.changes == [])
    #expect(try listed(venue, after: 31).reason == "LOG_RESTORED", "it never gave that out")
  }

  @Test("a page has as many changes as fit into its bytes, so that whoever is behind catches up")
  func longPages() throws {
    let user = String(repeating: "u", count: 100)
    let venue = try Venue(people: 100)
    for round in 0..<30 {
      let items = (0..<100).map {
        BatchCheckInItem(
          profileID: Venue.person($0), locationID: Venue.place(round % 2), ttlS: 100)
      }
      _ = try venue.harness.ask(BatchCheckInRequest(items: items), as: user)
    }
    let page = try listed(venue, after: 0, limit: 10_000).response
    let byteCount = Encoder().bytes(page).count
    #expect(byteCount <= Limits.pageBytes && byteCount > Limits.pageBytes / 2)
    #expect(page.changes.map(\.revision) == Array(1...UInt64(page.changes.count)))
    #expect(page.changes.count > 2_000 && page.lastRevision == 3_000)
  }

  @Test("the stored snapshot keeps up, however fast the log grows")
  func boundedTail() throws {
    let people = 3_000
    let venue = try Venue(people: people)
    venue.service.mostTailEntries = 100
    for round in 0..<24 {
      let items = (0..<1_000).map { number in
        BatchCheckInItem(
          profileID: Venue.person((round * 1_000 + number) % people),
          locationID: Venue.place(round / 3 % 2))
      }
      _ = try venue.harness.ask(BatchCheckInRequest(items: items), as: "desk")
      if venue.service.isFarBehind { venue.harness.core.workBehind(at: venue.harness.now) }
      let tail = venue.service.lastRevision - venue.service.savedRevision
      // What a round writes, and what had come when it began.
      #expect(tail <= UInt64(100 + 2 * people + 1_000), "round \(round)")
    }
    #expect(try venue.stateOnDisk() == venue.state)
  }

  @Test("the feed has each commit's changes, as the log tells them")
  func feed() throws {
    let venue = try Venue()
    venue.harness.published = []
    for place in 0..<3 {
      venue.harness.send(
        CheckInRequest(profileID: Venue.person(0), locationID: Venue.place(place)))
    }
    venue.harness.finish()
    let told = try #require(venue.harness.published.first)
    #expect(told.previousRevision == 0 && told.lastRevision == 3)
    #expect(told.changes == (try listed(venue, after: 0).response.changes))
    venue.harness.published = []
    venue.harness.pass(ms: 2_500)
    #expect(venue.harness.published.count == 2 || venue.harness.published.count == 3)
    #expect(venue.harness.published.allSatisfy { $0.lastRevision == 3 && $0.changes.isEmpty })
  }

  private struct Snapshot {
    var revision: UInt64 = 0
    var entries: [Change] = []
    var pages = 0
  }

  /// All pages of a snapshot, with something done between them.
  private func snapshot(
    _ venue: Venue, pageSize: UInt32, between: (Int) throws -> Void = { _ in }
  ) throws -> Snapshot {
    var all = Snapshot()
    var token = ""
    repeat {
      let page = try venue.harness.ask(GetSnapshotRequest(pageSize: pageSize, pageToken: token))
      #expect(all.pages == 0 || page.revision == all.revision)
      all.revision = page.revision
      all.entries += page.entries
      all.pages += 1
      token = page.nextPageToken
      try between(all.pages)
    } while !token.isEmpty
    return all
  }

  @Test("a snapshot has who is checked in, as check-ins from nowhere")
  func snapshotEntries() throws {
    let venue = try Venue(people: 4)
    _ = try venue.checkIn(0, 1, ttlS: 60)
    _ = try venue.checkIn(1, 1)
    _ = try venue.checkIn(1, 2)
    _ = try venue.checkIn(2, 1)
    _ = try venue.checkOut(2)
    _ = try venue.checkIn(0, 1, ttlS: 90)
    let all = try snapshot(venue, pageSize: 1)
    #expect(all.revision == 6 && all.entries.count == 2)
    let status = try venue.status(0)
    let expected = CheckInChange(
      revision: 1, timeMs: status.sinceMs, profileID: Venue.person(0),
      toLocationID: Venue.place(1), reason: .requested, expireTimeMs: status.expireTimeMs)
    #expect(all.entries.first?.what == .checkIn(expected))
    #expect(all.entries.last?.revision == 3)
  }

  @Test("pages of a snapshot are of one revision, though people come, go and are deleted meanwhile")
  func snapshotWhileThingsChange() throws {
    let venue = try Venue(people: 40, places: 4)
    for person in 0..<40 where person % 4 != 3 { _ = try venue.checkIn(person, person % 4) }
    _ = try venue.checkIn(36, 0, ttlS: 600)
    let before = try snapshot(venue, pageSize: 1_000)
    let during = try snapshot(venue, pageSize: 3) { page in
      for person in stride(from: page % 5, to: 40, by: 5) {
        _ = try venue.checkIn(person, (person + page) % 4)
        if page % 3 == 0 { _ = try venue.checkOut(person) }
      }
      if page % 2 == 0 { venue.harness.workBehind() }
    }
    #expect(during.entries == before.entries && during.pages > 3)
    let deleted = try snapshot(venue, pageSize: 3) { page in
      if page == 1 { venue.deletePerson(38) }
    }
    #expect(!deleted.entries.contains { "\($0)".contains("\(Venue.person(38))") })
  }

  @Test("a snapshot with what came after it leads to the same state as following from the start")
  func snapshotAndTail() throws {
    let venue = try Venue(people: 30, places: 5)
    for step in 0..<100 { _ = try venue.checkIn(step % 30, (step * 7) % 5) }
    let follower = Presence()
    let all = try snapshot(venue, pageSize: 4) { page in
      _ = try venue.checkIn(page % 30, (page * 3) % 5)
      _ = try venue.checkOut((page * 11) % 30)
    }
    for entry in all.entries { follower.takeOver(entry) }
    for change in try listed(venue, after: all.revision).response.changes {
      follower.takeOver(change)
    }
    for person in 0..<30 {
      let place = follower.person(Venue.person(person)).flatMap { follower[person: $0].place }
      #expect(try venue.whereabouts(person) == place.map { follower.id(ofPlace: $0) })
    }
  }

  @Test("the log goes back as far as the operator wants; the state is whole, after a restart too")
  func compaction() throws {
    let day: Int64 = 86_400_000
    let venue = try Venue(people: 20, historyMs: day)
    for person in 0..<20 {
      _ = try venue.checkIn(person, person % 3, ttlS: person == 3 ? 999_999 : 0)
    }
    venue.harness.now.wallMs += 2 * day
    venue.harness.now.monotonicUs += 2 * day * 1_000
    _ = try venue.checkOut(0)
    let before = venue.state
    venue.harness.workBehind()
    #expect(try listed(venue, after: 0).reason == "LOG_COMPACTED")
    #expect(try listed(venue, after: 19).reason == "LOG_COMPACTED")
    #expect(try listed(venue, after: 20).response.changes.map(\.revision) == [21])
    #expect(try venue.history(person: 1) == [])
    #expect(try venue.history(person: 0).map(\.revision) == [21])
    try venue.start()
    #expect(venue.state.people == before.people && venue.state.places == before.places)
    #expect(try venue.list(1).count == 7)
    #expect(try venue.stateOnDisk() == venue.state)
  }

  @Test("a log of which nothing is left goes on where it was, in number and in time")
  func emptied() throws {
    let day: Int64 = 86_400_000
    let venue = try Venue(historyMs: day)
    _ = try venue.checkIn(0, 1)
    let last = try venue.checkIn(0, 2)
    venue.harness.now.wallMs += 2 * day
    venue.harness.now.monotonicUs += 2 * day * 1_000
    venue.harness.pass(ms: 60_000)
    venue.harness.workBehind()
    #expect(try listed(venue, after: 1).reason == "LOG_COMPACTED")
    // The clock is set back to before everything.
    venue.harness.now.wallMs -= 10 * day
    try venue.start()
    let reply = try venue.checkOut(0)
    #expect(reply.response.status?.revision == 3)
    #expect(reply.response.status?.sinceMs == last.response.status?.sinceMs)
  }

  @Test("a page token of a snapshot of which the log does not tell any more is invalid")
  func snapshotTooOld() throws {
    let day: Int64 = 86_400_000
    let venue = try Venue(people: 6, historyMs: day)
    for person in 0..<6 { _ = try venue.checkIn(person, 1) }
    venue.harness.now.wallMs += 2 * day
    venue.harness.now.monotonicUs += 2 * day * 1_000
    _ = try venue.checkIn(0, 1, ttlS: 999)
    let first = try venue.harness.ask(GetSnapshotRequest(pageSize: 2))
    // The log forgets when somebody came who was there, and that one goes.
    venue.harness.workBehind()
    #expect(try listed(venue, after: 5).reason == "LOG_COMPACTED")
    let second = try venue.harness.ask(
      GetSnapshotRequest(pageSize: 2, pageToken: first.nextPageToken))
    #expect(second.entries.count == 2, "whoever has stayed is known")
    _ = try venue.checkOut(4)
    let third = try venue.harness.call(
      GetSnapshotRequest(pageSize: 2, pageToken: second.nextPageToken))
    #expect(third.reason == "PAGE_TOKEN_INVALID")
    #expect(try snapshot(venue, pageSize: 2).entries.count == 5)
  }

  @Test("a log restored from a backup stands above every number that it ever gave out")
  func restored() throws {
    let venue = try Venue()
    for place in 0..<3 { _ = try venue.checkIn(0, place) }
    venue.harness.workBehind()
    let token = try venue.harness.ask(GetSnapshotRequest(pageSize: 1)).nextPageToken
    venue.harness.now.wallMs += 5_000
    try venue.service.restore(at: venue.harness.now)
    let base = UInt64(venue.harness.now.wallMs / 1_000) << 20
    #expect(venue.service.lastRevision == base)
    for restarts in [false, true] {
      if restarts { try venue.start() }
      #expect(try listed(venue, after: 3).response.lastRevision >= base)
      #expect(try listed(venue, after: 4).reason == "LOG_RESTORED")
      #expect(try listed(venue, after: base - 1).reason == "LOG_RESTORED")
      #expect(try listed(venue, after: base).code == .ok)
    }
    #expect(try venue.harness.call(GetSnapshotRequest(pageToken: token)).code == .ok)
    venue.harness.published = []
    let reply = try venue.checkIn(1, 1)
    #expect(reply.response.status?.revision == base + 1)
    #expect(venue.harness.published.first?.previousRevision == base)
    #expect(try venue.history(person: 0).count == 3 && venue.history(place: 1).count == 3)
    #expect(try venue.history(person: 0, from: 1, until: venue.harness.now.wallMs).count == 3)
    #expect(try venue.stateOnDisk() == venue.state)
  }
}

extension Presence {
  /// As whoever follows the log takes a change over.
  func takeOver(_ change: Change) {
    if case .checkIn(let entry) = change.what { apply(entry) }
  }
}
