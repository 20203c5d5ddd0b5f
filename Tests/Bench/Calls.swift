import Glibc
import Model
import ServiceKit
import Wire
import ZeroMQ

/// A request, as it was encoded before the clock runs.
struct Call {
  var header: [UInt8]
  var body: [UInt8]
}

extension ServiceCore {
  /// Takes calls in one round. `body` is what carries their bodies.
  func carryOut(_ calls: [Call], through body: Frame, at now: Moment) {
    for call in calls {
      body.assign(call.body)
      ([0, 0, 0, 0, 1] as [UInt8]).withUnsafeBytes { routingID in
        call.header.withUnsafeBytes {
          receive(from: routingID, hasDelimiter: false, header: $0, body: body, at: now)
        }
      }
    }
    finish(at: now)
  }
}

/// Runs what is measured, and nothing else: tools/instructions counts what happens in here.
/// - Returns: how long it took, in seconds.
@inline(never)
func measured(_ body: () -> Void) -> Double {
  let before = Allocations.ever
  let began = monotonicNs()
  body()
  let seconds = Double(monotonicNs() - began) / 1e9
  Allocations.measured += Allocations.ever - before
  return seconds
}

/// Counted where tools/allocations.c has been preloaded.
enum Allocations {
  /// By all that was measured. There is one thread.
  nonisolated(unsafe) static var measured = 0

  private static let count = dlsym(nil, "muster_allocations").map {
    unsafeBitCast($0, to: (@convention(c) () -> Int).self)
  }

  /// How many there have been since the start.
  static var ever: Int { count?() ?? 0 }
}

func user(_ number: Int) -> String { "user-\(1_000_000_000 + number)@example.org" }
func id(ofPerson number: Int) -> ID { ID(high: 0x1000_7000, low: UInt64(number) << 20) }
func id(ofPlace number: Int) -> ID { ID(high: 0x2000_7000, low: UInt64(number) << 20) }

extension Int {
  /// So many changes, as a log numbers them.
  func numbered(_ change: (Int) -> Change.What) -> [Change] {
    (0..<self).map { Change(revision: UInt64($0 + 1), what: change($0)) }
  }
}

func monotonicNs() -> Int64 {
  var time = timespec()
  clock_gettime(CLOCK_MONOTONIC, &time)
  return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
}

/// SplitMix64 (Steele, Lea, Flood 2014).
struct Mixer {
  var state: UInt64

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var value = state
    value = (value ^ (value >> 30)) &* 0xBF58_476D_1CE4_E5B9
    value = (value ^ (value >> 27)) &* 0x94D0_49BB_1331_11EB
    return value ^ (value >> 31)
  }
}
