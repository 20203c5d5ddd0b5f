package import Wire

/// How long the calls of one operation took, by what came of them: each in a histogram of its own.
package struct Latencies: Sendable {
  /// Successes, from when they should have been sent.
  package var response = Histogram()
  /// Successes, from when they were sent.
  package var service = Histogram()
  /// Refusals, from when they should have been sent.
  package var failed = Histogram()
  /// What was not answered in time, from when it should have been sent.
  package var timedOut = Histogram()

  /// One, empty, for each operation by its number.
  static let forEachOperation = Array(repeating: Latencies(), count: Operation.allCases.count)

  /// All that have come to an end.
  package var ended: UInt64 { response.count + failed.count + timedOut.count }
  /// All but successes.
  package var errors: UInt64 { failed.count + timedOut.count }

  mutating func add(_ other: Latencies) {
    response.add(other.response)
    service.add(other.service)
    failed.add(other.failed)
    timedOut.add(other.timedOut)
  }

  mutating func clear() {
    response.clear()
    service.clear()
    failed.clear()
    timedOut.clear()
  }

  /// The histograms by what the log calls them.
  var tagged: [(tag: String, histogram: Histogram)] {
    [
      ("response", response), ("service", service), ("errors", failed), ("timeouts", timedOut),
    ]
  }
}

/// What came of a call.
package enum CallOutcome: Equatable, Sendable {
  case success
  /// Refused, or cut off.
  case failure(Status)
  /// Not answered within its time.
  case timeout(Status)
}

/// One kind of failure, and the first of it.
package struct FailureCount: Equatable, Sendable {
  package var operation: Operation
  package var code: Code
  package var reason: String
  package var count: Int
  package var firstMessage: String
  /// From the beginning of the run.
  package var firstNs: Int
}

/// What happened in one second of the run.
package struct SecondLine: Equatable, Sendable {
  package var startNs: Int
  package var lengthNs: Int
  package var sent = 0
  package var succeeded = 0
  package var failed = 0
  package var timedOut = 0
  package var dropped = 0
  /// At its end.
  package var inFlight = 0
  /// Response times of its successes.
  package var p50Us: UInt64 = 0
  package var p99Us: UInt64 = 0
  package var maxUs: UInt64 = 0

  /// Successes a second.
  package var rate: Double { lengthNs > 0 ? Double(succeeded) * 1e9 / Double(lengthNs) : 0 }
}

/// All that one run has measured. What ends before the warm-up does is left out; what is under way
/// when the time is over is waited for and counted. `seconds` has the warm-up too.
package struct Measurements: Sendable {
  /// By the number of the operation.
  package internal(set) var operations = Latencies.forEachOperation
  package internal(set) var failures: [FailureCount] = []
  package internal(set) var seconds: [SecondLine] = []
  /// Due, sent, and due but never sent, after the warm-up.
  package internal(set) var offered = 0
  package internal(set) var sent = 0
  package internal(set) var dropped = 0
  /// Successes that came within the measured time, of which the rate is made.
  package internal(set) var succeededInTime = 0
  package internal(set) var mostInFlight = 0
  /// How much later than due the driver sent what nothing but itself held up; of an open loop.
  package internal(set) var lag = Histogram()
  /// From when a check-in was sent until a watcher of the place saw it; empty without watchers.
  package internal(set) var watched = Histogram()
  /// The measured time.
  package internal(set) var startNs = 0
  package internal(set) var endNs = 0

  package var lengthSeconds: Double { Double(endNs - startNs) / 1e9 }

  /// Successes a second.
  package var rate: Double { lengthSeconds > 0 ? Double(succeededInTime) / lengthSeconds : 0 }

  /// All operations together.
  package var total: Latencies {
    operations.reduce(into: Latencies()) { $0.add($1) }
  }

  mutating func note(_ operation: Operation, _ status: Status, atNs: Int) {
    let known = failures.firstIndex {
      $0.operation == operation && $0.code == status.code && $0.reason == status.reason
    }
    if let known {
      failures[known].count += 1
    } else {
      failures.append(
        FailureCount(
          operation: operation, code: status.code, reason: status.reason, count: 1,
          firstMessage: status.message, firstNs: atNs))
    }
  }
}
