import Harness
import Model
import ServiceKit
import Testing
import Wire

@testable import Gateway

@Suite("Names that a watcher is shown")
struct WatchNamesTests {
  @Test("names are asked for before an arrival is told; who watches elsewhere is not held up")
  func waiting() throws {
    let hub = try Hub(people: 4)
    hub.tell()
    var here = hub.watch(place: 1)
    var elsewhere = hub.watch(place: 2)
    hub.move(3, to: 2)
    hub.tell(&elsewhere)
    let answer = hub.profiles.other
    hub.profiles.other = { _ in nil }
    hub.move(0, to: 1)
    hub.move(3, to: nil)
    hub.tell(&here)
    elsewhere.read(hub.harness)
    #expect(here.changes == [] && elsewhere.changes.count == 2)
    hub.move(1, to: 1)
    hub.tell(&here)
    #expect(here.changes == [])
    hub.profiles.other = answer
    hub.harness.pass(ms: 1)
    here.read(hub.harness)
    #expect(here.names == ["P0", "P1"] && here.changes.allSatisfy { $0.kind == .arrived })
    #expect(here.people.values.allSatisfy { !$0.profileUnavailable })
    #expect(here.asOf == hub.gateway.revisions)
  }

  @Test(
    "C2: nobody is shown at two places, also where one of them waits for names, on any way",
    arguments: [[2], [nil, 2], [0, 2], [2, 0, 2]])
  func order(way: [Int?]) throws {
    let hub = try Hub(people: 4)
    hub.move(0, to: 1)
    hub.tell()
    var one = hub.watch(place: 1)
    var other = hub.watch(place: 2)
    let answer = hub.profiles.other
    hub.profiles.other = { _ in nil }
    // Place 1 waits for the name of 1, and so does whoever leaves it.
    hub.move(1, to: 1)
    for (step, place) in way.enumerated() {
      hub.move(0, to: place)
      // In one publication or in several, as it happens.
      if step == 0 { hub.tell() }
    }
    hub.tell(&one)
    other.read(hub.harness)
    #expect(one.changes.count == 1 && other.changes == [])
    hub.profiles.other = answer
    hub.harness.pass(ms: 1)
    let order = hub.harness.streamed.map(\.header.id)
    #expect(order == [one.id, other.id])
    one.read(hub.harness)
    other.read(hub.harness)
    #expect(one.names == ["P1"] && other.names == ["P0"])
  }

  @Test(
    "C2: who begins to watch where somebody has come from elsewhere is told after the leaving",
    arguments: [false, true])
  func beginning(goesOn: Bool) throws {
    let hub = try Hub(people: 4)
    hub.put(place: 3)
    hub.move(0, to: 1)
    hub.tell()
    var one = hub.watch(place: 1)
    let before = hub.gateway.revisions
    let answer = hub.profiles.other
    hub.profiles.other = { _ in nil }
    hub.move(1, to: 1)
    hub.move(0, to: 2)
    hub.tell(&one)
    var other = hub.watch(place: 2, after: goesOn ? before : nil)
    let third = hub.watch(place: 3)
    #expect(one.responses.count == 1 && other.responses.isEmpty && third.responses.count == 1)
    hub.profiles.other = answer
    hub.harness.pass(ms: 1)
    #expect(hub.harness.streamed.map(\.header.id) == [one.id, other.id])
    one.read(hub.harness)
    other.read(hub.harness)
    #expect(one.names == ["P1"] && other.names == ["P0"])
  }

  @Test("who begins is not held up for long, though there are always names to wait for")
  func patience() throws {
    let hub = try Hub(people: 5)
    hub.move(0, to: 1)
    hub.tell()
    var one = hub.watch(place: 1)
    let answer = hub.profiles.other
    hub.profiles.other = { _ in nil }
    hub.move(1, to: 1)
    hub.move(0, to: 2)
    hub.tell()
    var other = hub.watch(place: 2)
    for person in 2...3 {
      hub.move(person, to: 1)
      hub.tell()
      // What was asked before is answered, and not what is asked then.
      var isAnswered = false
      hub.profiles.other = { question in
        defer { isAnswered = true }
        return isAnswered ? nil : answer(question)
      }
      hub.harness.pass(ms: 200)
      other.read(hub.harness)
      #expect(other.responses.isEmpty)
    }
    hub.harness.pass(ms: 101)
    #expect(hub.harness.streamed.map(\.header.id) == [one.id, other.id])
    one.read(hub.harness)
    other.read(hub.harness)
    #expect(other.names == ["P0"] && one.people.count == 3)
    #expect(one.people[Hub.person(3)]?.profileUnavailable == true)
    hub.profiles.other = answer
    hub.harness.pass(ms: 1)
    one.read(hub.harness)
    #expect(one.names == ["P1", "P2", "P3"])
    try hub.check(one, 1)
  }

  @Test("C2: two who change places in one round are never shown at two")
  func crossing() throws {
    let hub = try Hub(people: 4)
    hub.move(0, to: 1)
    hub.move(1, to: 2)
    hub.tell()
    var screens = [hub.watch(place: 1), hub.watch(place: 2)]
    for _ in 0..<3 {
      hub.move(0, to: 2)
      hub.move(1, to: 1)
      hub.move(1, to: 2)
      hub.move(0, to: 1)
    }
    hub.move(0, to: 2)
    hub.move(1, to: 1)
    hub.tell()
    for response in hub.harness.streamed {
      let index = screens[0].id == response.header.id ? 0 : 1
      var screen = screens[index]
      let rest = hub.harness.streamed
      hub.harness.streamed = [response]
      screen.read(hub.harness)
      hub.harness.streamed = rest
      screens[index] = screen
      #expect(Set(screens[0].people.keys).isDisjoint(with: screens[1].people.keys))
    }
    #expect(screens.map(\.names) == [["P1"], ["P0"]])
    #expect(screens.map(\.asOf.checkIns) == [16, 16])
  }

  @Test("D6: without the profile service people come without a name, and with it once it is back")
  func unavailable() throws {
    let hub = try Hub()
    hub.move(0, to: 1)
    hub.tell()
    var screen = hub.watch(place: 1)
    hub.harness.disconnect(.profiles)
    hub.move(1, to: 1)
    hub.tell(&screen)
    let newcomer = screen.people[Hub.person(1)]
    #expect(newcomer?.profileUnavailable == true && newcomer?.firstName == "")
    #expect(screen.asOf.profiles == 0, "no state of profiles is shown")
    let unnamed = screen.asOf
    hub.harness.connect(.profiles)
    hub.harness.pass(ms: 1)
    screen.read(hub.harness)
    #expect(screen.changes.last?.kind == .updated)
    #expect(screen.names == ["P0", "P1"] && screen.asOf.profiles == 3)
    try hub.check(screen, 1)
    // Whoever goes on from there, at any gateway, gets the names, too.
    let again = hub.watch(place: 1, after: unnamed)
    #expect(again.resets == 1 || again.changes.contains { $0.person?.firstName == "P1" })
  }

  @Test("a profile service that is silent holds nobody up for long")
  func silent() throws {
    let hub = try Hub()
    hub.tell()
    var screen = hub.watch(place: 1)
    let answer = hub.profiles.other
    hub.profiles.other = { _ in nil }
    hub.move(0, to: 1)
    hub.tell(&screen)
    #expect(screen.changes == [])
    hub.harness.pass(ms: 600)
    screen.read(hub.harness)
    #expect(screen.people[Hub.person(0)]?.profileUnavailable == true)
    hub.move(1, to: 1)
    hub.tell(&screen)
    #expect(screen.people.count == 2, "it is not asked again at once")
    hub.harness.asked = []
    hub.profiles.other = answer
    hub.harness.pass(ms: 2_000)
    screen.read(hub.harness)
    #expect(screen.names == ["P0", "P1"])
    #expect(screen.people.values.allSatisfy { !$0.profileUnavailable })
  }

  @Test("B7: who was shown somebody without a name gets it, also where another one began with it")
  func namedForAnother() throws {
    let hub = try Hub()
    hub.tell()
    var one = hub.watch(place: 1)
    let answer = hub.profiles.other
    hub.profiles.other = { _ in nil }
    hub.move(0, to: 1)
    hub.tell()
    hub.harness.pass(ms: 600)
    one.read(hub.harness)
    #expect(one.people[Hub.person(0)]?.profileUnavailable == true)
    hub.profiles.other = answer
    // A list asks for names by itself, and who begins then has them at once.
    #expect(try hub.firstNames(1) == ["P0"])
    let other = hub.watch(place: 1)
    #expect(other.names == ["P0"])
    var resumed = hub.resume(one, place: 1)
    hub.harness.pass(ms: 2_000)
    one.read(hub.harness)
    resumed.read(hub.harness)
    for screen in [one, resumed] {
      #expect(screen.names == ["P0"])
      #expect(screen.people[Hub.person(0)]?.profileUnavailable == false)
    }
  }

  @Test("B6: who has been deleted, and is not out yet, has no name, and is not asked for again")
  func deleted() throws {
    let hub = try Hub()
    hub.move(0, to: 1)
    hub.delete(person: 0)
    hub.tell()
    hub.harness.pass(ms: Limits.earlyMs + 10)
    var screen = hub.watch(place: 1)
    #expect(screen.people[Hub.person(0)] == Person(profileID: Hub.person(0), sinceMs: 1_001))
    hub.move(0, to: nil, .profileDeleted)
    hub.tell(&screen)
    #expect(screen.people == [:])
  }

  @Test("a first state of many people waits for all their names")
  func many() throws {
    let hub = try Hub(people: 2_500)
    for person in 0..<2_500 { hub.move(person, to: 1) }
    hub.namesPerAnswer = 700
    hub.tell()
    let screen = hub.watch(place: 1)
    #expect(screen.people.count == 2_500)
    #expect(screen.people.values.allSatisfy { !$0.firstName.isEmpty && !$0.profileUnavailable })
  }
}
