import Glibc
package import Terminal

/// How often each of many keys is picked.
package enum KeyDistribution: Equatable, Sendable {
  case uniform
  /// Key k, from 1, in proportion to 1/k^θ.
  case zipf(exponent: Double)
  /// This share of the keys gets that share of the picks, evenly among themselves.
  case hotspot(keys: Double, picks: Double)

  /// As `--keys` has it: "uniform", "zipf:0.99", "hotspot:0.2:0.8".
  package init(_ text: String) throws(UsageError) {
    let parts = text.split(separator: ":", omittingEmptySubsequences: false)
    let numbers = parts.dropFirst().map { Double($0) ?? .nan }
    switch (parts.first, numbers.count) {
    case ("uniform", 0): self = .uniform
    case ("zipf", 1) where numbers[0] > 0 && numbers[0] <= 10: self = .zipf(exponent: numbers[0])
    case ("hotspot", 2) where numbers.allSatisfy { $0 > 0 && $0 < 1 }:
      self = .hotspot(keys: numbers[0], picks: numbers[1])
    default:
      throw UsageError(
        "--keys is '\(text)', and may be uniform, zipf:EXPONENT or hotspot:KEYS:PICKS",
        hint: "write it as zipf:0.99 or hotspot:0.2:0.8")
    }
  }

  /// As `--keys` has it.
  package var text: String {
    switch self {
    case .uniform: "uniform"
    case .zipf(let exponent): "zipf:\(exponent)"
    case .hotspot(let keys, let picks): "hotspot:\(keys):\(picks)"
    }
  }
}

/// Picks keys, numbered from 0, of which the first ones are the hot ones.
package struct KeyPicker: Sendable {
  private let count: Int
  private let distribution: KeyDistribution
  private let zipf: ZipfSampler?

  /// `count`: how many keys there are, at least one.
  package init(_ distribution: KeyDistribution, count: Int) {
    precondition(count > 0)
    self.count = count
    self.distribution = distribution
    if case .zipf(let exponent) = distribution {
      zipf = ZipfSampler(count: count, exponent: exponent)
    } else {
      zipf = nil
    }
  }

  package func next(_ random: inout RandomSource) -> Int {
    if let zipf { return zipf.next(&random) - 1 }
    guard case .hotspot(let keys, let picks) = distribution else { return random.below(count) }
    let hot = min(count, max(1, Int((Double(count) * keys).rounded())))
    if hot == count || random.unit() < picks { return random.below(hot) }
    return hot + random.below(count - hot)
  }
}

/// Zipf's law by rejection-inversion: W. Hörmann and G. Derflinger, "Rejection-inversion to
/// generate variates from monotone discrete distributions", ACM TOMACS 6 (1996), in the form that
/// Apache Commons RNG gives it. Takes no table, and about one try for a number.
struct ZipfSampler: Sendable {
  private let count: Double
  private let exponent: Double
  private let integralAtOne: Double
  private let integralAtEnd: Double
  private let threshold: Double

  init(count: Int, exponent: Double) {
    self.count = Double(count)
    self.exponent = exponent
    integralAtOne = ZipfSampler.integral(1.5, exponent) - 1
    integralAtEnd = ZipfSampler.integral(Double(count) + 0.5, exponent)
    threshold =
      2
      - ZipfSampler.inverse(
        ZipfSampler.integral(2.5, exponent) - ZipfSampler.density(2, exponent), exponent)
  }

  /// From 1 to `count`.
  func next(_ random: inout RandomSource) -> Int {
    while true {
      let u = integralAtEnd + random.unit() * (integralAtOne - integralAtEnd)
      let x = ZipfSampler.inverse(u, exponent)
      let k = min(max(x.rounded(), 1), count)
      if k - x <= threshold
        || u >= ZipfSampler.integral(k + 0.5, exponent) - ZipfSampler.density(k, exponent)
      {
        return Int(k)
      }
    }
  }

  private static func density(_ x: Double, _ exponent: Double) -> Double { exp(-exponent * log(x)) }

  /// The integral of x^-θ: (x^(1-θ) - 1) / (1-θ), and log x where θ is 1.
  private static func integral(_ x: Double, _ exponent: Double) -> Double {
    let logX = log(x)
    return expm1OverX((1 - exponent) * logX) * logX
  }

  private static func inverse(_ x: Double, _ exponent: Double) -> Double {
    let t = max(-1, x * (1 - exponent))
    return exp(log1pOverX(t) * x)
  }

  /// log(1+x)/x and (e^x-1)/x, by their series near 0.
  private static func log1pOverX(_ x: Double) -> Double {
    abs(x) > 1e-8 ? log1p(x) / x : 1 - x * (0.5 - x * (1.0 / 3 - 0.25 * x))
  }

  private static func expm1OverX(_ x: Double) -> Double {
    abs(x) > 1e-8 ? expm1(x) / x : 1 + x * 0.5 * (1 + x * (1.0 / 3) * (1 + 0.25 * x))
  }
}
