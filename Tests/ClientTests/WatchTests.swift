import Model
import Testing
import Wire

@testable import Client

/// Answers calls and leaves streams to the test.
private let quiet: StandInServer.Handler = { request, _ in
  request.method == .watch ? nil : (ResponseHeader(id: request.id), [])
}

private let place = ID(high: 9, low: 9)

private func arrivals(_ names: String...) -> [HereChange] {
  names.map { name in
    let number = Int64(name.utf8.first ?? 0)
    let person = Person(
      profileID: ID(high: 1, low: UInt64(number)), firstName: name, sinceMs: number)
    return HereChange(kind: .arrived, person: person)
  }
}

private func picture(_ names: String...) -> WatchResponse {
  let changes = names.flatMap { arrivals($0) }
  return WatchResponse(reset: true, changes: changes, count: UInt32(changes.count))
}

private func change(_ name: String, count: UInt32) -> WatchResponse {
  WatchResponse(changes: arrivals(name), count: count)
}

extension Watch<PeopleHere> {
  fileprivate var names: [String] { content.people.map(\.firstName) }
}

@Suite struct WatchTests {
  @Test("G1, G3: a watch shows what the server says, and at another gateway goes on where it was")
  func failover() throws {
    let first = StandInServer(quiet)
    let endpoints = [first.endpoint, StandInServer.newEndpoint()]
    let client = try Client(endpoints: endpoints, user: "anna")
    var news: [WatchNews] = []
    let watch = client.watchPeople(at: place, heartbeatMs: 1_000) { news.append($1) }
    #expect(try run(client) { first.seen(WatchRequest.self).count == 1 })
    #expect(
      first.seen(WatchRequest.self) == [WatchRequest(locationID: place, heartbeatMs: 1_000)])
    first.push(picture("a", "b"), checkIns: 5)
    first.push(change("c", count: 3), checkIns: 6)
    #expect(try run(client) { watch.names == ["a", "b", "c"] })
    #expect(watch.staleSinceMs == nil)

    let second = StandInServer(endpoint: endpoints[1], quiet)
    first.stop()
    #expect(try run(client) { second.seen(WatchRequest.self).count == 1 })
    #expect(second.seen(WatchRequest.self)[0].after == Revisions(checkIns: 6))
    #expect(watch.staleSinceMs != nil)
    #expect(watch.names == ["a", "b", "c"])
    second.push(change("d", count: 4), checkIns: 8)
    #expect(try run(client) { watch.names == ["a", "b", "c", "d"] })
    #expect(watch.staleSinceMs == nil)
    #expect(watch.asOf == Revisions(checkIns: 8))
    let lost = WatchNews.stale(why: "the connection was lost")
    #expect(news == [.whole, .changed, lost, .changed, .current])
    second.stop()
  }

  @Test("A stream that is silent is cancelled, and begun again where something is heard")
  func silence() throws {
    let first = StandInServer(quiet)
    defer { first.stop() }
    let client = try Client(endpoints: [first.endpoint], user: "anna")
    let watch = client.watchPeople(at: place, heartbeatMs: 50) { _, _ in }
    #expect(try run(client) { first.seen(WatchRequest.self).count == 1 })
    let id = first.seen[0].id
    first.push(picture("a"), checkIns: 5)
    #expect(try run(client) { first.seen(WatchRequest.self).count == 2 })
    #expect(first.seen(CancelWatchRequest.self) == [CancelWatchRequest(callID: id)])
    // What the stream that was given up says is not heard any more.
    first.push(ResponseHeader(id: id, more: true), Encoder().bytes(change("x", count: 2)))
    first.push(change("b", count: 2), checkIns: 6)
    #expect(try run(client) { watch.names == ["a", "b"] })
  }

  @Test("A connection that is silent altogether is left for another one")
  func otherConnection() throws {
    let frozen = StandInServer(quiet)
    defer { frozen.stop() }
    let endpoints = [frozen.endpoint, StandInServer.newEndpoint()]
    let client = try Client(endpoints: endpoints, user: "anna")
    let watch = client.watchPeople(at: place, heartbeatMs: 1_000) { _, _ in }
    #expect(try run(client) { frozen.seen(WatchRequest.self).count == 1 })
    frozen.push(picture("a"), checkIns: 5)
    #expect(try run(client) { watch.names == ["a"] })
    let other = StandInServer(endpoint: endpoints[1], quiet)
    defer { other.stop() }
    #expect(try run(client) { other.seen(WatchRequest.self).count == 1 })
    #expect(other.seen(WatchRequest.self)[0].after == Revisions(checkIns: 5))
    #expect(frozen.seen(WatchRequest.self).count == 1)
  }

  @Test("G4: a watch that nobody holds any more is cancelled at the server")
  func forgotten() throws {
    let server = StandInServer(quiet)
    defer { server.stop() }
    let client = try Client(endpoints: [server.endpoint], user: "anna")
    var watches = (0..<3).map { _ in client.watchCounts { _, _ in } }
    #expect(try run(client) { server.seen(WatchRequest.self).count == 3 })
    #expect(server.seen(WatchRequest.self).allSatisfy { $0.allCounts && $0.locationID == nil })
    watches[0].cancel()
    watches = []
    #expect(try run(client) { server.seen(CancelWatchRequest.self).count == 3 })
    let ids = server.seen.filter { $0.method == .watch }.map(\.id)
    #expect(Set(server.seen(CancelWatchRequest.self).map(\.callID)) == Set(ids))
  }

  @Test("The end of a watch is told with its reason, and nothing comes after it")
  func ended() throws {
    let server = StandInServer { request, _ in
      (ResponseHeader(id: request.id, status: Status(.locationNotFound, "It is deleted.")), [])
    }
    defer { server.stop() }
    let client = try Client(endpoints: [server.endpoint], user: "anna")
    var news: [WatchNews] = []
    let watch = client.watchPeople(at: place) { news.append($1) }
    #expect(try run(client) { !news.isEmpty })
    #expect(news == [.ended(Status(.locationNotFound, "It is deleted."))])
    #expect(throws: CallError.self) { try client.call(GetMeRequest()) }
    #expect(server.seen(WatchRequest.self).count == 1)
    #expect(watch.names == [])
  }

  @Test("Thousands of watches are one thread's work, through several clients of one loop")
  func many() throws {
    let server = StandInServer { request, _ in
      (ResponseHeader(id: request.id, more: true), Encoder().bytes(picture("a")))
    }
    defer { server.stop() }
    let loop = try ClientLoop()
    let clients = try (0..<4).map { number in
      try Client(endpoints: [server.endpoint], user: "u\(number)", loop: loop)
    }
    var told = 0
    let watches = clients.flatMap { client in
      (0..<500).map { _ in
        client.watchPeople(at: place) { _, news in if news == .whole { told += 1 } }
      }
    }
    #expect(try run(clients[0]) { told == 2_000 })
    #expect(watches.allSatisfy { $0.names == ["a"] })
  }
}
