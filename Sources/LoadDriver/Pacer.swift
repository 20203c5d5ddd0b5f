import Glibc

/// When requests come, around the rate that they have on average.
package enum Arrivals: String, CaseIterable, Sendable {
  /// At even distances.
  case uniform
  /// Each independent of the others, as many people are.
  case poisson
}

/// What happens to requests whose time has passed before they could be sent.
package enum CatchUp: String, CaseIterable, Sendable {
  /// They are dropped, but for those that are only as late as a machine's clock is coarse.
  case none
  /// They are sent, as long as somebody would still wait for them; then they are dropped.
  case limited
  /// They are all sent.
  case full

  /// How late one may be sent.
  package func mostLateNs(timeoutMs: Int) -> Int {
    switch self {
    case .none: 10_000_000
    case .limited: timeoutMs * 1_000_000
    case .full: .max
    }
  }
}

/// The schedule of an open loop: when each request should be sent, whatever has become of those
/// before it.
package struct Pacer: Sendable {
  private let profile: RateProfile
  private let arrivals: Arrivals
  private var random: RandomSource
  /// Where on the line of all requests the next one is.
  private var position: Double
  /// When the next one is due, from the beginning; nil: there are no more.
  package private(set) var nextNs: Int?

  package init(_ profile: RateProfile, arrivals: Arrivals, seed: UInt64) {
    self.profile = profile
    self.arrivals = arrivals
    random = RandomSource(seed: seed)
    position = 0
    if arrivals == .poisson { position = Pacer.distance(&random) }
    nextNs = profile.dueNs(position)
  }

  /// Goes on to the one after it.
  package mutating func advance() {
    position += arrivals == .uniform ? 1 : Pacer.distance(&random)
    nextNs = profile.dueNs(position)
  }

  /// From one request to the next where they come at random, once a unit on average. Distances of
  /// that kind on the line of all requests give a rate that varies as the profile says (Çinlar,
  /// "Introduction to Stochastic Processes", 1975, section 4.7).
  private static func distance(_ random: inout RandomSource) -> Double { -log1p(-random.unit()) }
}
