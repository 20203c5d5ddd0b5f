import Harness
import Model
import ServiceKit
import Testing
import Wire

@testable import Gateway

@Suite("Watching all counts")
struct WatchCountsTests {
  private let request = WatchRequest(allCounts: true)

  /// Lets time pass in rounds of 10 ms, as a process does.
  private func pass(_ hub: Hub, ms: Int, _ screens: inout [Screen]) {
    for _ in 0..<(ms / 10) {
      hub.harness.pass(ms: 10)
      for index in screens.indices { screens[index].read(hub.harness) }
    }
  }

  @Test("E5, G1: counts come as they are, then those that change, zeros too")
  func counts() throws {
    let hub = try Hub()
    hub.move(0, to: 1)
    hub.tell()
    var screens = [hub.watch(request)]
    #expect(screens[0].counts == [Hub.place(1): 1] && screens[0].total == 1)
    #expect(screens[0].resets == 1 && screens[0].asOf == Revisions(checkIns: 1))
    pass(hub, ms: 200, &screens)
    screens[0].forget()
    hub.move(0, to: 2)
    hub.move(1, to: 2)
    hub.tell(&screens[0])
    #expect(screens[0].responses.count == 1 && screens[0].resets == 1)
    let told = screens[0].responses[0].counts
    #expect(told.contains(LocationCount(locationID: Hub.place(1), count: 0)))
    #expect(screens[0].counts == [Hub.place(2): 2] && screens[0].total == 2)
    #expect(screens[0].asOf.checkIns == 3)
    var silent = hub.watch(WatchRequest(allCounts: true, mode: .passThrough))
    #expect(silent.responses.count == 1 && silent.resets == 0 && silent.total == 2)
    #expect(silent.responses[0].counts == [])
    pass(hub, ms: 200, &screens)
    hub.move(2, to: 0)
    hub.tell(&silent)
    #expect(silent.counts == [Hub.place(0): 1] && silent.total == 3)
  }

  @Test("E5: at most ten times a second, and the last word is always told")
  func rate() throws {
    let hub = try Hub(people: 10)
    hub.tell()
    var screens = [hub.watch(request)]
    for round in 0..<300 {
      hub.move(round % 10, to: round % 3)
      pass(hub, ms: 10, &screens)
      if round == 33 || round == 77 { screens.append(hub.watch(request)) }
    }
    for (screen, most) in zip(screens, [31, 28, 24]) {
      #expect(screen.responses.count <= most && screen.responses.count >= most - 4)
      #expect(screen.resets == 1)
    }
    hub.tell()
    screens.append(hub.watch(request))
    hub.move(0, to: nil)
    pass(hub, ms: 250, &screens)
    let counts = try hub.harness.ask(GetCountsRequest())
    for screen in screens {
      #expect(screen.total == 9 && screen.counts.count == counts.counts.count)
      for place in counts.counts {
        #expect(place.locationID.flatMap { screen.counts[$0] } == place.count)
      }
    }
  }

  @Test("G3: counts go on after a state, or from the beginning where that is not known")
  func resume() throws {
    let hub = try Hub()
    hub.move(0, to: 1)
    hub.move(1, to: 0)
    hub.tell()
    let first = hub.watch(request)
    hub.move(0, to: 2)
    hub.tell()
    var second = hub.watch(WatchRequest(allCounts: true, after: first.asOf))
    #expect(second.resets == 0 && second.total == 2)
    #expect(Set(second.responses[0].counts.map(\.locationID)) == [Hub.place(1), Hub.place(2)])
    try hub.start()
    second = hub.watch(WatchRequest(allCounts: true, after: first.asOf))
    #expect(second.resets == 1 && second.counts == [Hub.place(0): 1, Hub.place(2): 1])
    hub.profiles.answers = false
    second = hub.watch(
      WatchRequest(allCounts: true, after: Revisions(profiles: 99, checkIns: 3)))
    #expect(second.resets == 0 && second.responses.count == 1, "counts have no profiles in them")
  }

  @Test("G3: more places than one response holds come in parts, all of one state")
  func parts() throws {
    let hub = try Hub(people: 0, places: 0)
    for person in 0..<20_500 { hub.move(person, to: person) }
    hub.tell()
    hub.harness.pass(ms: 1_000)
    let screen = hub.watch(request)
    #expect(screen.responses.map(\.reset) == [true, false])
    #expect(screen.responses.map(\.incomplete) == [true, false])
    #expect(screen.counts.count == 20_500 && screen.total == 20_500)
    #expect(screen.responses.allSatisfy { Encoder().size(of: $0) < Limits.frameBytes })
  }
}
