import Harness
import Model
import SQLite
import ServiceKit
import Testing
import Wire

@testable import CheckIns

@Suite("What happened")
struct HistoryTests {
  /// Moves three people about for a while, a second between any two changes.
  private func filled(_ venue: Venue) throws {
    for step in 0..<30 {
      venue.harness.pass(ms: 1_000)
      let person = step % 3
      if step % 5 == 4 {
        _ = try venue.checkOut(person)
      } else {
        _ = try venue.checkIn(person, (step / 3 + person) % 3)
      }
    }
  }

  /// What the log has of a person or a place, newest first.
  private func expected(
    _ venue: Venue, _ isMeant: (CheckInChange) -> Bool
  ) throws -> [CheckInChange] {
    try venue.log().reversed().filter { $0.reason != .renewed && isMeant($0) }
  }

  @Test(
    "newest first, by person, by place and by both, in pages of any size; after a restart too",
    arguments: [false, true], [1, 2, 7, 1_000] as [UInt32])
  func pages(restarts: Bool, pageSize: UInt32) throws {
    let venue = try Venue()
    try filled(venue)
    if restarts { try venue.start() }
    let person = try expected(venue) { $0.profileID == Venue.person(1) }
    #expect(try venue.history(person: 1, pageSize: pageSize) == person)
    let place = try expected(venue) {
      $0.fromLocationID == Venue.place(2) || $0.toLocationID == Venue.place(2)
    }
    #expect(try venue.history(place: 2, pageSize: pageSize) == place)
    let both = place.filter { $0.profileID == Venue.person(1) }
    #expect(try venue.history(person: 1, place: 2, pageSize: pageSize) == both)
    #expect(person.count > 7 && place.count > 7 && !both.isEmpty)
  }

  @Test("B6: nobody else is said to have done what somebody did who was deleted")
  func forgottenActor() throws {
    let venue = try Venue()
    _ = try venue.checkIn(0, 1, as: "user 1")
    venue.deletePerson(1)
    for restarts in [false, true] {
      if restarts { try venue.start() }
      _ = try venue.checkIn(2, 1, as: "later \(restarts)")
      let first = try #require(try venue.log().first)
      #expect(first.profileID == Venue.person(0) && first.actingUser == "")
    }
  }

  @Test("a page looks at so many entries only: it may be empty, and the next one goes on")
  func shortPages() throws {
    let venue = try Venue(people: 4)
    _ = try venue.checkIn(0, 2)
    _ = try venue.checkIn(3, 1)
    let endMs = venue.harness.now.wallMs + 1
    venue.harness.pass(ms: 1_000)
    for step in 0..<Limits.historyEntriesPerPage { _ = try venue.checkIn(0, step % 2) }
    let person = ListHistoryRequest(profileID: Venue.person(0), locationID: Venue.place(2))
    let first = try venue.harness.ask(person)
    #expect(first.changes.map(\.revision) == [3] && !first.nextPageToken.isEmpty)
    #expect(try venue.history(person: 0, place: 2).map(\.revision) == [3, 1])
    // Of a place, where the log is looked through backwards from there.
    let place = ListHistoryRequest(locationID: Venue.place(1), endTimeMs: endMs)
    #expect(try venue.harness.ask(place).changes.map(\.revision) == [2])
    var forged = person
    forged.profileID = Venue.person(1)
    forged.pageToken = first.nextPageToken
    #expect(try venue.harness.call(forged).reason == "PAGE_TOKEN_INVALID")
  }

  @Test("a log whose histories were indexes tells the same when it has become chains")
  func fromIndexes() throws {
    let folder = try TemporaryFolder()
    let path = folder.path + "/check-ins.db"
    let person = Venue.person(0)
    do {
      let database = try Database(path: path)
      defer { database.close() }
      try database.migrate(
        applicationID: CheckInSchema.applicationID,
        Array(CheckInSchema.migrations(secret: Array(repeating: 7, count: 16)).prefix(1)))
      try database.prepare("INSERT INTO person (number, id, user) VALUES (0, ?, 'ada')")
        .run(person)
      for number in 0..<2 {
        try database.prepare("INSERT INTO place VALUES (?, ?, 0, 1)")
          .run(number, Venue.place(number))
      }
      // More than are linked at once, and the last ones are in no snapshot.
      let insert = try database.prepare(
        "INSERT INTO log VALUES (?, ?, 0, ?, ?, 1, NULL, 0, NULL, NULL)")
      try database.begin()
      for revision in 1...2_500 {
        let from = revision == 1 ? nil : Optional((revision + 1) % 2)
        try insert.run(revision, revision * 10, from, Optional(revision % 2))
      }
      try database.commit()
    }
    let database = try Database(path: path)
    defer { database.close() }
    let store = try CheckInStore(database, random: SeededGenerator(seed: 1))
    let now = Moment(wallMs: 30_000, monotonicUs: 0)
    let service = try CheckInService(store: store, settings: .init(), now: now)
    let slot = try #require(service.presence.person(person))
    var told: [UInt64] = []
    try store.history.follow(.person(slot), from: service.lastEntries[person: slot]) { entry in
      told.append(entry.revision)
      return true
    }
    #expect(told == (1...2_500).reversed())
    let place = try #require(service.presence.place(Venue.place(1)))
    told = []
    try store.history.follow(.place(place), from: service.lastEntries[place: place]) { entry in
      told.append(entry.revision)
      return true
    }
    #expect(told == (1...2_500).reversed(), "each entry is an arrival there or a leaving")
  }

  @Test("from a time on, and before another one", arguments: [false, true])
  func times(isSaved: Bool) throws {
    let venue = try Venue()
    try filled(venue)
    if isSaved { venue.harness.workBehind() }
    let all = try venue.history(person: 0)
    let times = all.map(\.timeMs)
    for (startMs, endMs) in [
      (times[5], 0), (times[5] + 1, 0), (0, times[3]), (0, times[3] + 1), (times[6], times[2]),
      (times[2], times[2]), (times[2], times[2] + 1), (1, 2), (times[0] + 1, 0), (-5, 0),
    ] {
      let meant = all.filter { $0.timeMs >= startMs && (endMs == 0 || $0.timeMs < endMs) }
      #expect(try venue.history(person: 0, from: startMs, until: endMs, pageSize: 3) == meant)
    }
    let backwards = try venue.harness.call(
      ListHistoryRequest(profileID: Venue.person(0), startTimeMs: 10, endTimeMs: 5))
    #expect(backwards.fields == ["end_time_ms"])
    #expect(try venue.harness.call(ListHistoryRequest()).reason == "INVALID_FIELDS")
  }

  @Test("pages go on where they were though changes come in between")
  func growing() throws {
    let venue = try Venue()
    try filled(venue)
    let before = try venue.history(person: 0)
    var seen: [CheckInChange] = []
    var token = ""
    repeat {
      let page = try venue.harness.ask(
        ListHistoryRequest(profileID: Venue.person(0), pageSize: 2, pageToken: token))
      seen += page.changes
      token = page.nextPageToken
      _ = try venue.checkIn(0, seen.count % 3)
      venue.harness.workBehind()
    } while !token.isEmpty
    #expect(seen == before)
  }

  @Test("renewals are not told, however many there are")
  func renewals() throws {
    let venue = try Venue()
    _ = try venue.checkIn(0, 1, ttlS: 100)
    for ttlS in 101..<150 { _ = try venue.checkIn(0, 1, ttlS: UInt32(ttlS)) }
    _ = try venue.checkOut(0)
    venue.harness.workBehind()
    #expect(try venue.history(person: 0, pageSize: 1).map(\.revision) == [51, 1])
    #expect(try venue.history(place: 1, pageSize: 1).map(\.revision) == [51, 1])
  }

  @Test("B6: who asked is told, until that user's profile is deleted; after a restart too")
  func actors() throws {
    let venue = try Venue()
    _ = try venue.checkIn(0, 1, as: "user 1")
    _ = try venue.checkIn(0, 2, as: "desk")
    _ = try venue.checkIn(0, 1, as: "user 1")
    _ = try venue.checkIn(0, 2, as: "")
    #expect(try venue.history(person: 0).map(\.actingUser) == ["", "user 1", "desk", "user 1"])
    try venue.start()
    #expect(try venue.history(person: 0).map(\.actingUser) == ["", "user 1", "desk", "user 1"])
    venue.deletePerson(1)
    for restarts in [false, true] {
      if restarts { try venue.start() }
      #expect(try venue.history(person: 0).map(\.actingUser) == ["", "", "desk", ""])
      #expect(try venue.log().map(\.actingUser) == ["", "desk", "", ""])
    }
    venue.addPerson(8, user: "user 1")
    venue.tell()
    _ = try venue.checkIn(0, 1, as: "user 1")
    #expect(try venue.history(person: 0).map(\.actingUser) == ["user 1", "", "", "desk", ""])
    #expect(try venue.stateOnDisk() == venue.state)
  }

  @Test("B6: a deleted profile has no history of its own; its place's keeps the id")
  func deletedProfile() throws {
    let venue = try Venue()
    _ = try venue.checkIn(0, 1)
    venue.deletePerson(0)
    let own = try venue.harness.call(ListHistoryRequest(profileID: Venue.person(0)))
    #expect(own.reason == "PROFILE_NOT_FOUND")
    let place = try venue.history(place: 1)
    #expect(place.map(\.profileID) == [Venue.person(0), Venue.person(0)])
    #expect(place.map(\.reason) == [.profileDeleted, .requested])
  }
}
