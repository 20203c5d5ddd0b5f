import Model
import Profiles
import ServiceKit
import Testing
import Wire

@Suite("Reading many profiles")
struct ListTests {
  @Test("Everybody, by last name, first name and id, by code points")
  func order() throws {
    let desk = try Desk()
    let names = [
      ("Z", "a"), ("a", "Z"), ("", "b"), ("Émile", "Zola"), ("", "ö"), ("A", "Zola"),
      ("𝒳", "b"),
      ("\u{FFFD}", "b"), ("A", ""), ("Same", "Same"), ("Same", "Same"),
    ].map { (first: $0.0.isEmpty ? "-" : $0.0, last: $0.1) }
    for (index, name) in names.enumerated() { try desk.create("u\(index)", name.first, name.last) }
    let listed = try desk.ask(ListProfilesRequest(pageSize: 100)).profiles
    let sorted = listed.sorted { a, b in
      let (a, b) = ([a.lastName, a.firstName], [b.lastName, b.firstName])
      return a.map { Array($0.utf8) }.lexicographicallyPrecedes(b.map { Array($0.utf8) }) {
        $0.lexicographicallyPrecedes($1)
      }
    }
    #expect(listed.map(\.userID) == sorted.map(\.userID))
    #expect(listed.count == names.count)
    #expect(try desk.list(pageSize: 1) == listed.map(\.userID))
    #expect(try desk.list(pageSize: 3) == listed.map(\.userID))
  }

  @Test("Pages to the end give everybody once, also while others come and go")
  func pages() throws {
    let desk = try Desk()
    for number in 0..<250 { try desk.create("u\(number)", "F", "L\(number % 7)") }
    var users: [String] = []
    var token = ""
    var sizes: [Int] = []
    repeat {
      let page = try desk.ask(ListProfilesRequest(pageToken: token))
      users += page.profiles.map(\.userID)
      sizes.append(page.profiles.count)
      token = page.nextPageToken
      try desk.create("late\(sizes.count)", "F", "L3")
      _ = try desk.ask(DeleteProfileRequest(), as: page.profiles[99 % page.profiles.count].userID)
    } while !token.isEmpty
    #expect(sizes.prefix(2) == [100, 100])
    #expect(Set(users).count == users.count)
    #expect(users.filter { $0.hasPrefix("u") }.count == 250)
  }

  @Test("Pages end at 512 KiB, and at 1 000 whatever is asked")
  func full() throws {
    let desk = try Desk()
    for _ in 0..<2 {
      _ = try desk.ask(
        BatchCreateProfilesRequest(
          profiles: Array(repeating: Profile(firstName: "G", lastName: "Z"), count: 600)))
    }
    #expect(try desk.ask(ListProfilesRequest(pageSize: .max)).profiles.count == 1_000)
    let bio = String(repeating: "👩‍👩‍👧‍👦", count: 100)
    for _ in 0..<2 {
      _ = try desk.ask(
        BatchCreateProfilesRequest(
          profiles: Array(repeating: Profile(firstName: "A", lastName: "!", bio: bio), count: 350)))
    }
    let page = try desk.ask(ListProfilesRequest(pageSize: 1_000))
    let size = Encoder().size(of: page)
    #expect(size > 500_000 && size <= Limits.pageBytes)
    #expect(Set(try desk.list(pageSize: 1_000)).count == 1_900)
    let snapshot = try desk.ask(GetSnapshotRequest(pageSize: 1_000))
    #expect(Encoder().size(of: snapshot) <= Limits.pageBytes)
  }

  @Test("A token that is none, or another question's, is refused before anything else")
  func token() throws {
    let desk = try Desk()
    for user in ["a", "b"] { try desk.create(user) }
    let snapshot = try desk.ask(GetSnapshotRequest(pageSize: 1)).nextPageToken
    #expect(!snapshot.isEmpty)
    for token in ["x", snapshot] {
      let request = ListProfilesRequest(pageToken: token)
      #expect(try desk.call(request, as: "me", .display).reason == "PAGE_TOKEN_INVALID")
    }
  }

  @Test("Profiles by their ids come in the order asked, each once")
  func batchGet() throws {
    let desk = try Desk()
    let ids = try ["a", "b", "c"].map { try #require(try desk.create($0).id) }
    let stranger = ID(high: 3, low: 3)
    let asked = [ids[2], stranger, ids[0], ids[2], stranger, ids[1]]
    let response = try desk.ask(BatchGetProfilesRequest(ids: asked))
    #expect(response.profiles.map(\.userID) == ["c", "a", "b"])
    #expect(response.missing == [stranger])
    #expect(response.unread == [])
    let many = BatchGetProfilesRequest(ids: Array(repeating: stranger, count: 1_001))
    #expect(try desk.call(many).fields == ["ids"])
  }

  @Test("What does not fit into one response is to be asked for again")
  func unread() throws {
    let desk = try Desk()
    let bio = String(repeating: "👩‍👩‍👧‍👦", count: 100)
    let ids = try (0..<2).flatMap { _ in
      try desk.ask(
        BatchCreateProfilesRequest(
          profiles: Array(repeating: Profile(firstName: "A", bio: bio), count: 350))
      ).ids
    }
    var left = ids
    var read: [ID] = []
    while !left.isEmpty {
      let response = try desk.ask(BatchGetProfilesRequest(ids: left))
      #expect(Encoder().size(of: response) <= Limits.pageBytes + 20 * response.unread.count)
      try #require(!response.profiles.isEmpty)
      read += response.profiles.compactMap(\.id)
      left = response.unread
    }
    #expect(read == ids)
  }

  @Test("A snapshot is the state at one revision, without those who are gone since")
  func snapshot() throws {
    let desk = try Desk()
    let people = try (0..<6).map { try desk.create("u\($0)") }
    var page = try desk.ask(GetSnapshotRequest(pageSize: 2))
    #expect(page.revision == 6)
    var entries = page.entries
    _ = try desk.ask(
      UpdateProfileRequest(
        profile: Profile(id: people[3].id, bio: "later"), updateMask: ["bio"]))
    _ = try desk.ask(DeleteProfileRequest(id: people[4].id))
    try desk.create("late")
    while !page.nextPageToken.isEmpty {
      page = try desk.ask(GetSnapshotRequest(pageSize: 2, pageToken: page.nextPageToken))
      #expect(page.revision == 6)
      entries += page.entries
    }
    let expected = people.filter { $0.userID != "u4" }.map {
      Change(revision: $0.revision, timeMs: $0.updateTimeMs, what: .profilePut($0))
    }
    #expect(entries == expected)
  }

  @Test("A snapshot's token is good for as long as the log reaches back to it")
  func snapshotToken() throws {
    let desk = try Desk(historyMs: 1_000)
    let people = try (0..<3).map { try desk.create("u\($0)") }
    let token = try desk.ask(GetSnapshotRequest(pageSize: 1)).nextPageToken
    _ = try desk.ask(
      UpdateProfileRequest(
        profile: Profile(id: people[2].id, bio: "later"), updateMask: ["bio"]))
    #expect(try desk.call(GetSnapshotRequest(pageToken: token)).code == .ok)
    desk.now.wallMs += 10_000
    desk.now.monotonicUs += 10_000_000
    try desk.create("late")
    desk.harness.workBehind()
    #expect(try desk.call(GetSnapshotRequest(pageToken: token)).reason == "PAGE_TOKEN_INVALID")
    #expect(try desk.call(ListChangesRequest()).reason == "LOG_COMPACTED")
    #expect(try desk.ask(GetSnapshotRequest()).entries.count == 4)
  }

  @Test("A log that comes from a backup goes on above every number that it gave out")
  func restored() throws {
    let desk = try Desk()
    try desk.create("ada")
    try desk.store.restore(now: desk.now)
    let base = UInt64(desk.now.wallMs / 1_000) << 20
    #expect(try desk.create("bob").revision == base + 1)
    #expect(desk.published.last?.previousRevision == base)
    #expect(
      try desk.ask(ListChangesRequest(afterRevision: 1)).changes.map(\.revision) == [base + 1])
    #expect(try desk.call(ListChangesRequest(afterRevision: 2)).reason == "LOG_RESTORED")
  }
}
