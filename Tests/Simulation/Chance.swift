import Harness
import Model

/// All chance of a run: the same numbers from the same seed, wherever it runs.
final class Chance: RandomNumberGenerator {
  private var generator: SeededGenerator

  init(seed: UInt64) { generator = SeededGenerator(seed: seed) }

  func next() -> UInt64 { generator.next() }

  /// Another stream of numbers, so that what is drawn here does not move what is drawn there.
  func fork() -> Chance { Chance(seed: next()) }

  /// From 0 up to, and without, `count`.
  func below(_ count: Int) -> Int {
    Int(next().multipliedFullWidth(by: UInt64(count)).high)
  }

  func between(_ low: Int64, _ high: Int64) -> Int64 {
    low + Int64(next().multipliedFullWidth(by: UInt64(high - low + 1)).high)
  }

  /// True once in so many times.
  func one(in count: Int) -> Bool { below(count) == 0 }

  /// True so many times in a hundred.
  func percent(_ share: Int) -> Bool { below(100) < share }

  func pick<T>(_ list: [T]) -> T { list[below(list.count)] }

  /// One of them; nil where there is none.
  func any<T>(_ list: [T]) -> T? { list.isEmpty ? nil : pick(list) }

  func id() -> ID { ID(high: next(), low: next()) }
}
