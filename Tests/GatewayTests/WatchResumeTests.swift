import Harness
import Model
import ServiceKit
import Testing
import Wire

@testable import Gateway

@Suite("G3: watching on, after a state or anew")
struct WatchResumeTests {
  @Test("a watch goes on after a state: comings, goings and edits, each once")
  func after() throws {
    let hub = try Hub(people: 5)
    for person in 0..<4 { hub.move(person, to: 1) }
    hub.tell()
    let first = hub.watch(place: 1)
    hub.move(0, to: 2)
    hub.move(4, to: 1)
    hub.move(1, to: nil)
    hub.put(person: 2, first: "Edited")
    hub.put(person: 4, first: "New")
    hub.put(person: 0, first: "Elsewhere")
    hub.tell()
    var second = hub.resume(first, place: 1)
    #expect(second.resets == 1 && second.responses.count == 1)
    let told = second.changes
    #expect(told.prefix(3).map(\.kind) == [.left, .arrived, .left])
    #expect(Set(told.dropFirst(3).map(\.person?.firstName)) == ["Edited", "New"])
    #expect(second.asOf == hub.gateway.revisions && second.count == 3)
    second.forget()
    var third = hub.resume(second, place: 1)
    #expect(third.responses.count == 1 && third.changes == [] && third.count == 3)
    hub.move(3, to: nil)
    hub.tell(&third)
    second.read(hub.harness)
    #expect(second.changes.count == 1 && third.changes.count == 1)
  }

  @Test("where the gateway does not know any more what has happened, it begins with a reset")
  func outOfReach() throws {
    let hub = try Hub()
    hub.move(0, to: 1)
    hub.tell()
    let first = hub.watch(place: 1)
    hub.move(1, to: 1)
    try hub.start()
    let second = hub.watch(place: 1, after: first.asOf)
    #expect(second.resets == 1 && second.names == ["P0", "P1"])
    // Edits that nobody can tell are a reason, too.
    var known = second.asOf
    known.profiles = 1
    #expect(hub.watch(place: 1, after: known).resets == 1)
    let passing = hub.watch(place: 1, mode: .passThrough, after: first.asOf)
    #expect(passing.resets == 1 && passing.names == ["P0", "P1"])
    #expect(hub.watch(place: 1, mode: .passThrough, after: Revisions()).resets == 0)
  }

  @Test("more has happened than is remembered: a reset")
  func forgotten() throws {
    var entries = RecentEntries<Int>(size: 3)
    #expect(entries.after(0) == [] && entries.after(1) == nil)
    for revision in 1...5 { entries.append(revision * 10, revision: UInt64(revision)) }
    #expect(entries.after(5) == [] && entries.after(2) == [30, 40, 50])
    #expect(entries.after(1) == nil && entries.after(6) == nil && entries.after(.max) == nil)
    entries.reached(5)
    #expect(entries.after(4) == [50])
    entries.append(99, revision: 9)
    #expect(entries.after(8) == [99] && entries.after(5) == nil && entries.after(7) == nil)
    entries.reached(20)
    #expect(entries.after(9) == nil && entries.after(20) == [])
    entries.begin(at: 4)
    entries.append(1, revision: 5)
    #expect(entries.after(4) == [1] && entries.after(3) == nil)
    entries.append(2, revision: 0)
    #expect(entries.after(0) == [])
  }

  @Test("a state that has not come is waited for until the deadline")
  func notYet() throws {
    let hub = try Hub()
    hub.move(0, to: 1)
    hub.tell()
    var first = hub.watch(place: 1)
    let request = WatchRequest(locationID: Hub.place(1), after: Revisions(checkIns: 2))
    let late = hub.harness.send(request, RequestHeader(timeoutMs: 1_000))
    hub.harness.pass(ms: 1_500)
    #expect(hub.harness.take(late)?.header.status?.reason == "NOT_CAUGHT_UP")
    var second = hub.watch(place: 1, after: Revisions(profiles: 3, checkIns: 2))
    #expect(second.responses == [])
    hub.move(1, to: 1)
    hub.tell(&first)
    second.read(hub.harness)
    #expect(second.responses.count == 1 && second.changes == [] && second.count == 2)
    #expect(first.names == ["P0", "P1"])
    #expect(hub.watch(place: 1, after: Revisions(locations: 99)).responses == [])
  }

  @Test("a state that a restore has lost is not waited for; who watches is told anew")
  func restored() throws {
    let hub = try Hub()
    for person in 0..<3 { hub.move(person, to: 1) }
    hub.tell()
    var screen = hub.watch(place: 1)
    var counts = hub.watch(WatchRequest(allCounts: true))
    let lost = screen.asOf
    hub.checkIns.restore(to: 1, base: 1_000)
    hub.tell(&screen)
    counts.read(hub.harness)
    #expect(screen.resets == 2 && screen.names == ["P0"] && screen.asOf.checkIns == 1_000)
    #expect(counts.resets == 2 && counts.counts == [Hub.place(1): 1] && counts.total == 1)
    try hub.check(screen, 1)
    let again = hub.watch(place: 1, after: lost)
    #expect(again.resets == 1 && again.names == ["P0"])
  }

  @Test("a restore that this gateway never saw the end of: what others saw of it is void")
  func restoredElsewhere() throws {
    let hub = try Hub()
    hub.move(0, to: 1)
    hub.tell()
    var screen = hub.watch(place: 1)
    hub.move(1, to: 1)
    hub.checkIns.restore(to: 1, base: 1_000)
    hub.tell(&screen)
    #expect(screen.resets == 1 && screen.names == ["P0"], "it had seen nothing that is lost")
    let other = hub.watch(place: 1, after: Revisions(profiles: 3, locations: 3, checkIns: 2))
    #expect(other.resets == 1 && other.names == ["P0"])
  }

  @Test("a state that is read anew, of check-ins or profiles, is told as a reset")
  func readAnew() throws {
    let hub = try Hub()
    hub.move(0, to: 1)
    hub.tell()
    var screen = hub.watch(place: 1)
    var counts = hub.watch(WatchRequest(allCounts: true))
    hub.harness.disconnect(.checkIns)
    hub.move(0, to: nil)
    hub.move(1, to: 1)
    hub.checkIns.compactedThrough = 3
    hub.harness.connect(.checkIns)
    screen.read(hub.harness)
    counts.read(hub.harness)
    #expect(screen.resets == 2 && screen.names == ["P1"] && counts.resets == 2)
    hub.harness.disconnect(.profiles)
    hub.put(person: 1, first: "Edited")
    hub.profiles.compactedThrough = 4
    hub.harness.connect(.profiles)
    screen.read(hub.harness)
    counts.read(hub.harness)
    #expect(screen.resets == 3 && screen.names == ["Edited"] && counts.resets == 2)
  }

  @Test("a place with more people than one response holds comes in parts, all of one state")
  func parts() throws {
    let hub = try Hub(people: 0)
    let long = String(repeating: "👩‍👩‍👧‍👦", count: 50)
    for person in 0..<300 {
      hub.put(person: person, first: long, last: long)
      hub.move(person, to: 1)
    }
    hub.namesPerAnswer = 90
    hub.tell()
    var screen = hub.watch(place: 1)
    #expect(screen.responses.count > 1 && screen.resets == 1)
    #expect(screen.responses.map(\.incomplete).filter { !$0 }.count == 1)
    #expect(screen.responses.last?.incomplete == false && screen.people.count == 300)
    let sizes = screen.responses.map { Encoder().size(of: $0) }
    #expect(sizes.allSatisfy { $0 < Limits.pageBytes + 10_000 })
    // Everybody leaves in one round: parts again, each of a state of its own.
    screen.forget()
    for person in 0..<300 { hub.move(person, to: nil, .everyoneOut) }
    hub.tell(&screen)
    #expect(screen.responses.count > 1 && screen.people == [:] && screen.count == 0)
    #expect(screen.responses.allSatisfy { Encoder().size(of: $0) < Limits.frameBytes })
    #expect(screen.responses.allSatisfy { !$0.incomplete })
    #expect(screen.responses.map(\.count).sorted(by: >) == screen.responses.map(\.count))
  }

  @Test(
    "whoever begins or goes on between two rounds of changes ends with the right list",
    arguments: [1, 2, 3] as [UInt64])
  func churn(seed: UInt64) throws {
    let hub = try Hub(people: 20, places: 3)
    hub.tell()
    var state = seed
    func random(_ below: Int) -> Int {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return Int(state >> 33) % below
    }
    var screens: [(screen: Screen, place: Int)] = []
    var places: [Int?] = Array(repeating: nil, count: 20)
    for round in 0..<200 {
      for _ in 0..<random(5) {
        let person = random(20)
        let place = [nil, 0, 1, 2][random(4)]
        if places[person] != place { hub.move(person, to: place) }
        places[person] = place
      }
      if round % 5 == 0 { screens.append((hub.watch(place: round % 3), round % 3)) }
      if round % 7 == 0 {
        let old = screens[random(screens.count)]
        screens.append((hub.resume(old.screen, place: old.place), old.place))
      }
      hub.harness.pass(ms: 3)
      if round % 3 == 0 { hub.put(person: random(20), first: "N\(round)") }
      hub.tell()
      for index in screens.indices { screens[index].screen.read(hub.harness) }
    }
    hub.harness.pass(ms: 200)
    for index in screens.indices {
      screens[index].screen.read(hub.harness)
      #expect(screens[index].screen.resets == 1)
      try hub.check(screens[index].screen, screens[index].place)
    }
  }
}
