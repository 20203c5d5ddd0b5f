import Glibc
import Terminal
import Testing

@testable import LoadDriver

@Suite("Schedules")
struct PacerTests {
  private func times(_ profile: RateProfile, _ arrivals: Arrivals, seed: UInt64 = 1) -> [Int] {
    var pacer = Pacer(profile, arrivals: arrivals, seed: seed)
    var times: [Int] = []
    while let next = pacer.nextNs {
      times.append(next)
      pacer.advance()
    }
    return times
  }

  private func stages(_ texts: String...) throws -> RateProfile {
    RateProfile(try texts.map(RateProfile.Stage.init))
  }

  @Test("Uniform requests are evenly apart, as many as rate and time make")
  func uniform() throws {
    let times = times(try stages("2s:100"), .uniform)
    #expect(times.count == 200)
    #expect(times[0] == 0)
    for (a, b) in zip(times, times.dropFirst()) { #expect(abs(b - a - 10_000_000) <= 1) }
  }

  @Test("Requests at random come at the rate asked for, with distances as often short as 1 - 1/e")
  func poisson() throws {
    let times = times(try stages("100s:1000"), .poisson)
    // Five standard deviations either way.
    #expect(abs(times.count - 100_000) < 1_600)
    let distances = zip(times, times.dropFirst()).map { $1 - $0 }
    let short = Double(distances.count { $0 < 1_000_000 }) / Double(distances.count)
    #expect(abs(short - 0.632) < 0.01)
    #expect(times == self.times(try stages("100s:1000"), .poisson))
    #expect(times != self.times(try stages("100s:1000"), .poisson, seed: 2))
  }

  @Test("A ramp has half of its requests after the square root of a half of its time")
  func ramp() throws {
    let times = times(try stages("10s:0..100"), .uniform)
    #expect(times.count == 500)
    #expect(times.count { $0 < 7_071_067_811 } == 250)
    #expect(times.last.map { $0 < 10_000_000_000 } == true)
    let falling = self.times(try stages("10s:100..0"), .uniform)
    #expect(falling.count == 500)
    #expect(falling.count { $0 < 2_928_932_188 } == 250)
  }

  @Test("Stages follow each other, also through one without requests")
  func stagesInOrder() throws {
    let profile = try stages("1s:10", "1s:0", "1s:20..40")
    let times = times(profile, .uniform)
    #expect(times.count { $0 < 1_000_000_000 } == 10)
    #expect(times.count { (1_000_000_000..<2_000_000_000).contains($0) } == 0)
    #expect(times.count == 40)
    #expect(times == times.sorted())
    #expect(profile.durationNs == 3_000_000_000)
    #expect(profile.text == "1s:10 1s:0 1s:20..40")
  }

  @Test(
    "What is no stage is refused",
    arguments: ["", "30s", "30s:", "0s:5", "30s:1..2..3", "30s:-1", "30s:x", "x:5", "30s:1e99"])
  func misspelt(text: String) {
    #expect(throws: UsageError.self) { try RateProfile.Stage(text) }
  }
}

@Suite("What is asked")
struct WorkloadTests {
  private func shares(_ keys: KeyDistribution, count: Int, picks: Int) -> [Double] {
    let picker = KeyPicker(keys, count: count)
    var random = RandomSource(seed: 11)
    var found = Array(repeating: 0.0, count: count)
    for _ in 0..<picks { found[picker.next(&random)] += 1 }
    return found.map { $0 / Double(picks) }
  }

  @Test("Zipf's law holds for each of the first keys", arguments: [0.5, 0.99, 1.0, 1.5])
  func zipf(exponent: Double) {
    let shares = shares(.zipf(exponent: exponent), count: 1_000, picks: 100_000)
    let weights = (1...1_000).map { pow(Double($0), -exponent) }
    let sum = weights.reduce(0, +)
    for key in 0..<20 {
      let expected = weights[key] / sum
      // Five standard deviations of so many picks.
      let most = 5 * (expected / 100_000).squareRoot()
      #expect(abs(shares[key] - expected) < most, "key \(key)")
    }
    #expect(shares.allSatisfy { $0 < 1 } && abs(shares.reduce(0, +) - 1) < 1e-9)
  }

  @Test("A hot spot gets its share, evenly, and the rest gets the rest")
  func hotspot() {
    let shares = shares(.hotspot(keys: 0.2, picks: 0.8), count: 100, picks: 200_000)
    #expect(abs(shares[..<20].reduce(0, +) - 0.8) < 0.01)
    #expect(shares[..<20].allSatisfy { abs($0 - 0.04) < 0.004 })
    #expect(shares[20...].allSatisfy { abs($0 - 0.0025) < 0.001 })
  }

  @Test("Uniform keys are all as likely, and one key is always that one")
  func uniform() {
    #expect(shares(.uniform, count: 50, picks: 100_000).allSatisfy { abs($0 - 0.02) < 0.003 })
    for keys in [KeyDistribution.uniform, .zipf(exponent: 0.99), .hotspot(keys: 0.5, picks: 0.5)] {
      #expect(shares(keys, count: 1, picks: 10) == [1])
    }
  }

  @Test("A mix is asked for in its shares, and the same seed asks the same")
  func mix() throws {
    let mix = try Mix("check-in=10,status=70,who=10,counts=10")
    func requests(_ seed: UInt64) -> [Workload.Request] {
      var workload = Workload(
        mix: mix, batchItems: 3, profiles: 100, locations: 10, keys: .uniform, seed: seed)
      return (0..<20_000).map { _ in workload.next() }
    }
    let first = requests(1)
    #expect(abs(first.count { $0.operation == .status } - 14_000) < 400)
    #expect(abs(first.count { $0.operation == .who } - 2_000) < 250)
    #expect(first == requests(1))
    #expect(first != requests(2))
    #expect(Set(first.map(\.visit.profile)).count == 100)
  }

  @Test("A batch has as many items as it is to have")
  func batch() throws {
    var workload = Workload(
      mix: try Mix("batch"), batchItems: 3, profiles: 9, locations: 4, keys: .uniform, seed: 1)
    #expect(workload.next().more.count == 2)
  }

  @Test(
    "What is no mix, and no distribution, is refused",
    arguments: ["", "x", "who=0", "who=1,who=2", "who=", "who=1.5", "who=1,"])
  func misspelt(text: String) {
    #expect(throws: UsageError.self) { try Mix(text) }
    #expect(throws: UsageError.self) { try KeyDistribution("zipf:" + text) }
    #expect(throws: UsageError.self) { try KeyDistribution("hotspot:0.5:1" + text) }
  }
}
