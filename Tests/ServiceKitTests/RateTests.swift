import Testing

@testable import ServiceKit

@Suite("Rates")
struct RateTests {
  private var bucket = TokenBucket()
  private var now = Moment(wallMs: 0, monotonicUs: 5_000_000)

  private mutating func pass(us: Int64) { now.monotonicUs += us }

  @Test("0 a second is no limit")
  func off() { #expect(Rate(perSecond: 0, burst: 5) == nil) }

  @Test("A bucket begins full, and fills at its rate and no further")
  mutating func fills() throws {
    let rate = try #require(Rate(perSecond: 10, burst: 3))
    for _ in 0..<3 {
      #expect(bucket.waitMs(for: 1, rate, at: now) == 0)
      bucket.take(1, rate, at: now)
    }
    #expect(bucket.waitMs(for: 1, rate, at: now) == 100)
    #expect(bucket.waitMs(for: 3, rate, at: now) == 300)
    pass(us: 100_000)
    #expect(bucket.waitMs(for: 1, rate, at: now) == 0)
    #expect(bucket.waitMs(for: 2, rate, at: now) == 100)
    #expect(!bucket.isFull(at: now))
    pass(us: 200_000)
    #expect(bucket.isFull(at: now))
    pass(us: 3_600_000_000)
    bucket.take(3, rate, at: now)
    #expect(bucket.waitMs(for: 1, rate, at: now) == 100, "an hour gave no more than a full bucket")
  }

  @Test(
    "The wait that is told is enough, and no millisecond too long", arguments: [3, 7, 999, 1_001])
  mutating func wait(perSecond: Int) throws {
    let rate = try #require(Rate(perSecond: perSecond, burst: 2))
    bucket.take(2, rate, at: now)
    pass(us: 123)
    let waitMs = Int64(bucket.waitMs(for: 1, rate, at: now))
    pass(us: (waitMs - 1) * 1_000)
    #expect(bucket.waitMs(for: 1, rate, at: now) == 1)
    pass(us: 1_000)
    #expect(bucket.waitMs(for: 1, rate, at: now) == 0)
  }

  @Test("What was taken beyond what was there has to come first")
  mutating func debt() throws {
    let rate = try #require(Rate(perSecond: 1_000, burst: 10))
    for _ in 0..<3 { bucket.take(10, rate, at: now) }
    #expect(bucket.waitMs(for: 1, rate, at: now) == 21)
  }

  @Test("The highest rates and the longest debts overflow nothing")
  mutating func extremes() throws {
    for (perSecond, burst) in [(1_000_000, 1_000_000), (1, 1_000_000), (1_000_000, 1)] {
      let rate = try #require(Rate(perSecond: perSecond, burst: burst))
      bucket = TokenBucket()
      for _ in 0..<4_096 { bucket.take(burst, rate, at: now) }
      #expect(bucket.waitMs(for: burst, rate, at: now) > 0)
    }
  }
}
