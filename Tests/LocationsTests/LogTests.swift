import Model
import ServiceKit
import Testing
import Wire

@Suite("The log of places")
struct LogTests {
  private func snapshot(
    _ desk: Desk, pageSize: UInt32, between: () throws -> Void = {}
  ) throws -> (revision: UInt64, names: [String]) {
    var names: [String] = []
    var revision: UInt64 = 0
    var request = GetSnapshotRequest(pageSize: pageSize)
    repeat {
      let page = try desk.ask(request)
      if request.pageToken.isEmpty { revision = page.revision }
      #expect(page.revision == revision)
      for entry in page.entries {
        #expect(entry.revision <= revision)
        guard case .locationPut(let location) = entry.what else {
          Issue.record("no put: \(entry)")
          continue
        }
        #expect(location.revision == entry.revision)
        names.append(location.name)
      }
      request.pageToken = page.nextPageToken
      try between()
    } while !request.pageToken.isEmpty
    return (revision, names)
  }

  @Test("Each change is published and told in order, with what the place has become")
  func changes() throws {
    let desk = try Desk()
    let made = try desk.create(harbour)
    let changed = try #require(
      try desk.ask(
        UpdateLocationRequest(location: Location(id: made.id, name: "B"), updateMask: ["name"])
      ).location)
    _ = try desk.ask(DeleteLocationRequest(id: made.id))
    let changes = try desk.changes()
    #expect(changes.map(\.revision) == [1, 2, 3])
    #expect(changes.map(\.what).prefix(2) == [.locationPut(made), .locationPut(changed)])
    let published = desk.published.filter { !$0.changes.isEmpty }
    #expect(published.flatMap(\.changes) == changes)
    #expect(published.map(\.previousRevision) == [0, 1, 2])
    #expect(published.map(\.lastRevision) == [1, 2, 3])
  }

  @Test("A snapshot in pages is the state at one revision, whatever happens meanwhile")
  func snapshotWhileChanging() throws {
    let desk = try Desk()
    var ids: [ID] = []
    for number in 0..<20 {
      ids.append(try #require(try desk.create(Location(name: "P\(number)")).id))
    }
    var step = 0
    let snapshot = try snapshot(desk, pageSize: 3) {
      step += 1
      guard step == 1 else { return }
      for id in ids[10..<15] {
        _ = try desk.ask(
          UpdateLocationRequest(location: Location(id: id, name: "new"), updateMask: ["name"]))
      }
      _ = try desk.ask(DeleteLocationRequest(id: ids[17]))
      try desk.create(Location(name: "late"))
    }
    #expect(snapshot.revision == 20)
    #expect(snapshot.names == (0..<20).filter { $0 != 17 }.map { "P\($0)" })
  }

  @Test("D4: what was acknowledged is there after a restart: places, log, search and images")
  func restart() throws {
    try withFolder { folder in
      let desk = try Desk(path: folder + "/locations.db")
      let made = try desk.create(harbour)
      _ = try desk.ask(
        SetLocationImageRequest(locationID: made.id, which: .banner, image: png(9)))
      try desk.start()
      let found = try desk.get(made.id)
      #expect(found.revision == 2)
      #expect(try desk.list(ListLocationsRequest(nameContains: "HARB")).map(\.location) == [found])
      #expect(try desk.list(ListLocationsRequest(near: made.point, radiusM: 1)).count == 1)
      #expect(
        try desk.ask(GetLocationImageRequest(imageID: found.bannerImageID)).image == png(9))
      #expect(try desk.create(Location(name: "B")).revision == 3)
      #expect(try desk.changes().map(\.revision) == [1, 2, 3])
    }
  }

  @Test("Old changes go, and whoever asks for them starts from a snapshot")
  func compaction() throws {
    let desk = try Desk(historyMs: 1_000)
    let made = try desk.create(harbour)
    let gone = try desk.create(Location(name: "Gone"))
    _ = try desk.ask(DeleteLocationRequest(id: gone.id))
    desk.now.wallMs += 10_000
    try desk.create(Location(name: "B"))
    desk.harness.workBehind()
    #expect(try desk.call(ListChangesRequest(afterRevision: 0)).reason == "LOG_COMPACTED")
    #expect(try desk.ask(ListChangesRequest(afterRevision: 3)).changes.map(\.revision) == [4])
    let snapshot = try snapshot(desk, pageSize: 1)
    #expect(snapshot.revision == 4 && snapshot.names == ["Harbour", "B"])
    #expect(try desk.get(made.id) == made)
  }

  @Test("A log that is restored goes on above every number that it has given out")
  func restored() throws {
    try withFolder { folder in
      let desk = try Desk(path: folder + "/locations.db")
      try desk.create(harbour)
      try desk.start()
      try desk.store.restore(at: desk.now)
      let base = UInt64(desk.now.wallMs / 1_000) << 20
      #expect(try desk.ask(GetSnapshotRequest()).revision == base)
      #expect(try desk.create(Location(name: "B")).revision == base + 1)
      #expect(try desk.call(ListChangesRequest(afterRevision: 2)).reason == "LOG_RESTORED")
      #expect(try desk.ask(ListChangesRequest(afterRevision: base)).changes.count == 1)
      #expect(desk.published.last { !$0.changes.isEmpty }?.previousRevision == base)
    }
  }
}
