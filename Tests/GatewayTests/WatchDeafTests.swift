import Harness
import Model
import Testing
import Wire

@testable import Gateway
@testable import ServiceKit

@Suite("G4: watchers that do not read, and those that are gone")
struct WatchDeafTests {
  private let deaf: UInt8 = 7

  /// People come and go until a peer that does not read is told nothing any more.
  private func fill(_ hub: Hub, rounds: Int = 1_500) {
    for round in 0..<rounds {
      hub.move(round % 3, to: round % 2 == 0 ? 1 : nil)
      hub.harness.pass(ms: 1)
    }
    hub.tell()
  }

  @Test("one that does not read gets one reset when it reads, no backlog, and holds little")
  func conflated() throws {
    let hub = try Hub()
    hub.tell()
    var reader = hub.watch(place: 1)
    var slow = hub.watch(place: 1, from: deaf)
    var counts = hub.watch(WatchRequest(allCounts: true), from: deaf)
    hub.harness.fullPeers = [deaf]
    fill(hub)
    reader.read(hub.harness)
    #expect(reader.resets == 1 && reader.responses.count > 1_000)
    let held = hub.harness.core.connections.unsentByteCount(
      [0, 0, 0, 0, deaf].withUnsafeBytes { hub.harness.core.connections.find($0) })
    #expect(held <= Limits.unreadUpdatesBytes + 1_024)
    hub.harness.drain(deaf)
    slow.read(hub.harness)
    counts.read(hub.harness)
    let backlog = slow.responses.count
    #expect(slow.resets == 1 && backlog < 600)
    hub.harness.finish()
    slow.read(hub.harness)
    counts.read(hub.harness)
    #expect(slow.resets == 2 && slow.responses.count == backlog + 1)
    #expect(counts.resets == 2)
    try hub.check(slow, 1)
    hub.move(2, to: 1)
    hub.tell(&slow)
    try hub.check(slow, 1)
    #expect(slow.resets == 2)
  }

  @Test("a place that is deleted, a cancel and a drain reach who does not read, too")
  func ends() throws {
    let hub = try Hub()
    hub.tell()
    let screens = (0..<3).map { _ in hub.watch(place: 1, from: deaf) }
    let other = hub.watch(WatchRequest(allCounts: true), from: deaf)
    hub.harness.fullPeers = [deaf]
    fill(hub)
    hub.harness.send(CancelWatchRequest(callID: screens[0].id), from: deaf)
    hub.harness.finish()
    hub.locations.append(.locationDeleted(Hub.place(1)))
    for person in 0..<3 { hub.move(person, to: nil) }
    hub.tell()
    hub.harness.core.drain(at: hub.harness.now)
    hub.harness.drain(deaf)
    hub.harness.finish()
    let ends = screens.map { hub.end(of: $0, from: deaf) }
    #expect(ends == ["CANCELLED", "LOCATION_NOT_FOUND", "LOCATION_NOT_FOUND"])
    #expect(hub.end(of: other, from: deaf) == "DRAINING")
  }

  @Test("one that is gone is forgotten within the heartbeat, and costs nothing any more")
  func gone() throws {
    let hub = try Hub()
    hub.tell()
    for _ in 0..<10 { _ = hub.watch(place: 1, heartbeatMs: 1_000, from: deaf) }
    _ = hub.watch(place: 0, heartbeatMs: 60_000)
    #expect(hub.gateway.watches.count == 11)
    hub.harness.gonePeers = [deaf]
    hub.harness.pass(ms: 1_500)
    #expect(hub.gateway.watches.count == 1 && hub.gateway.watches.places.count == 1)
    hub.harness.gonePeers = []
    #expect(hub.watch(place: 1, from: deaf).responses.count == 1)
  }

  @Test("one that goes while something waits for it is forgotten when that is tried again")
  func goneWhileFull() throws {
    let hub = try Hub()
    hub.tell()
    _ = hub.watch(place: 1, from: deaf)
    hub.harness.fullPeers = [deaf]
    fill(hub)
    hub.harness.fullPeers = []
    hub.harness.gonePeers = [deaf]
    let index = [0, 0, 0, 0, deaf].withUnsafeBytes { hub.harness.core.connections.find($0) }
    hub.harness.core.connections.drop(index)
    hub.harness.finish()
    #expect(hub.gateway.watches.isEmpty && hub.gateway.watches.places.isEmpty)
  }

  @Test("heartbeats come in silence, say where things stand, and go on without check-ins")
  func heartbeats() throws {
    let hub = try Hub()
    hub.move(0, to: 1)
    hub.tell()
    var screen = hub.watch(place: 1, heartbeatMs: 2_000)
    var counts = hub.watch(WatchRequest(allCounts: true, heartbeatMs: 1_000))
    screen.forget()
    counts.forget()
    hub.harness.pass(ms: 1_500)
    screen.read(hub.harness)
    counts.read(hub.harness)
    #expect(screen.responses == [] && counts.responses.count == 1)
    #expect(counts.responses[0].total == 1 && counts.responses[0].counts == [])
    hub.move(1, to: 1)
    hub.tell(&screen)
    hub.harness.pass(ms: 1_500)
    screen.read(hub.harness)
    #expect(screen.responses.count == 1, "news are as good as a heartbeat")
    hub.harness.pass(ms: 1_000)
    screen.read(hub.harness)
    #expect(screen.responses.count == 2 && screen.responses[1].changes == [])
    #expect(screen.count == 2 && screen.asOf == hub.gateway.revisions)
    hub.harness.disconnect(.checkIns)
    screen.forget()
    hub.harness.pass(ms: 10_000)
    screen.read(hub.harness)
    #expect(screen.responses.count >= 4 && screen.changes == [])
    #expect(try hub.harness.call(WatchRequest(allCounts: true)).reason == "SERVICE_UNREACHABLE")
    hub.move(1, to: nil)
    hub.harness.connect(.checkIns)
    screen.read(hub.harness)
    #expect(screen.changes.map(\.kind) == [.left] && screen.resets == 1)
  }

  @Test("the wheel gives each watch when it is due, also after a long sleep")
  func wheel() {
    var wheel = HeartbeatWheel()
    var now = Moment(wallMs: 0, monotonicUs: 7_777_777)
    #expect(wheel.take(at: now).isEmpty)
    for ms: Int64 in [0, 1, 1_000, 5_000, 60_000] {
      wheel.add(watch(), dueUs: now.monotonicUs + ms * 1_000, at: now)
    }
    var counts: [Int] = []
    for ms: Int64 in [40, 60, 800, 1_200, 4_000, 54_000, 200, 400_000] {
      now.monotonicUs += ms * 1_000
      counts.append(wheel.take(at: now).count)
    }
    #expect(counts.reduce(0, +) == 5 && counts[0] + counts[1] == 2 && counts[2] == 0)
    #expect(counts[3] == 1 && counts[4] == 1)
    wheel.add(watch(), dueUs: now.monotonicUs + 10_000_000_000, at: now)
    now.monotonicUs += 101_000_000
    #expect(wheel.take(at: now).count <= 1)
    now.monotonicUs += 400_000_000
    _ = wheel.take(at: now)
    #expect(wheel.take(at: now).isEmpty)
  }

  private func watch() -> Watch {
    Watch(
      CallHandle(slot: 0, generation: 0), connection: 0, heartbeatMs: 0, place: nil, from: .now)
  }
}
