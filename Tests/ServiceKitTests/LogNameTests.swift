import ServiceKit
import Testing
import Wire

@Suite("Logs by name")
struct LogNameTests {
  @Test("each log has its own number in the revisions")
  func revisions() {
    var revisions = Revisions()
    for (number, log) in LogName.allCases.enumerated() { revisions[log] = UInt64(number) + 1 }
    #expect(revisions == Revisions(profiles: 1, locations: 2, checkIns: 3))
    #expect(LogName.allCases.map { revisions[$0] } == [1, 2, 3])
    #expect(revisions.only([.locations, .checkIns]) == Revisions(locations: 2, checkIns: 3))
    #expect(revisions.only([]) == Revisions())
  }

  @Test("they are called as the protocol calls them")
  func names() {
    #expect(LogName.allCases.map(\.text) == ["profiles", "locations", "check-ins"])
    #expect(LogSet.all.contains(.checkIns as LogName))
    #expect(!LogName.profiles.set.contains(LogName.locations))
  }

  @Test("the clocks run, and the one of this boot never backwards")
  func clocks() {
    let one = SystemClock.now()
    let two = SystemClock.now()
    #expect(two.monotonicUs >= one.monotonicUs)
    #expect(one.wallMs > 1_700_000_000_000)
    let next = SystemClock.waitForNextSecond()
    #expect(next.wallMs / 1_000 > one.wallMs / 1_000)
    #expect(next.monotonicUs - one.monotonicUs < 10_000_000)
  }
}
