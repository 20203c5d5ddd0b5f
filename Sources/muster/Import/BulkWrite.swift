import Client
import Model
import Terminal
import Wire

/// What came of a bulk write. What was there already as it is in the file is neither.
struct BulkResult {
  var created = 0
  var changed = 0
  /// Entries of the batches that were written.
  var written = 0
}

/// Sends checked entries in batches, several on their way at a time.
struct BulkWrite<Item: Message, R: Request> {
  let session: Session
  /// "people" or "places".
  let noun: String
  /// The file, for messages.
  let file: String
  let request: ([Item]) -> R
  let outcome: (R.Response) -> (created: UInt32, changed: UInt32)

  /// Batches on their way at a time: one is written while the next is read.
  private static var window: Int { 4 }
  /// A batch stays well under a frame.
  private static var batchBytes: Int { Limits.frameBytes * 3 / 4 }
  /// A batch waits behind others, so it gets more time than a call of its own.
  private static var timeoutMs: Int { 30_000 }

  /// Writes all of them; `places` says where each stands in the file. After Ctrl-C no further batch
  /// is sent, and it throws how much was written.
  func run(_ items: [Item], places: [EntryPlace]) throws -> BulkResult {
    var result = BulkResult()
    var bar = ProgressBar("Importing \(noun)", total: items.count, console: session.console)
    var sent: [(call: PendingCall, items: Range<Int>)] = []
    defer { bar.clear() }
    let client = try session.client()
    try Interruption.hold()
    for range in batches(items) {
      if sent.count == Self.window { try settle(sent.removeFirst(), sent, places, &result) }
      if Interruption.isAsked { break }
      let timeout = session.hasTimeout ? session.timeoutMs : Self.timeoutMs
      let call = try client.start(request(Array(items[range])), timeoutMs: timeout)
      sent.append((call, range))
      bar.show(result.written)
    }
    while !sent.isEmpty {
      try settle(sent.removeFirst(), sent, places, &result)
      bar.show(result.written)
    }
    guard result.written == items.count else {
      throw Failure(
        .interrupted, "interrupted; \(result.written) of \(items.count) \(noun) were imported",
        hint: "importing the file again completes it")
    }
    return result
  }

  private func batches(_ items: [Item]) -> [Range<Int>] {
    var ranges: [Range<Int>] = []
    let encoder = Encoder()
    var start = 0
    var bytes = 0
    for (index, item) in items.enumerated() {
      let size = encoder.size(of: item) + 8
      if index - start == Limits.batchItems || bytes + size > Self.batchBytes {
        ranges.append(start..<index)
        start = index
        bytes = 0
      }
      bytes += size
    }
    if start < items.count { ranges.append(start..<items.count) }
    return ranges
  }

  /// Waits for one batch. Where it is refused, those behind it are waited for too, so that it can
  /// be said how much was written.
  private func settle(
    _ batch: (call: PendingCall, items: Range<Int>),
    _ others: [(call: PendingCall, items: Range<Int>)], _ places: [EntryPlace],
    _ result: inout BulkResult
  ) throws {
    let client = try session.client()
    func add(_ batch: (call: PendingCall, items: Range<Int>)) throws(CallError) {
      let (created, changed) = outcome(try client.finish(batch.call, as: R.Response.self))
      result.created += Int(created)
      result.changed += Int(changed)
      result.written += batch.items.count
    }
    do throws(CallError) {
      try add(batch)
    } catch {
      for other in others {
        // The first refusal is the one that is told.
        try? add(other)
      }
      throw failure(error, batch.items, places, result)
    }
  }

  private func failure(
    _ error: CallError, _ items: Range<Int>, _ places: [EntryPlace], _ result: BulkResult
  ) -> Failure {
    var failure = Failure(error)
    let faults = error.status.fieldViolations.map { violation in
      // "profiles[3].bio" is the third entry of this batch.
      let digits =
        violation.field.split(separator: "[").dropFirst().first?
        .prefix { $0.isNumber } ?? ""
      guard let index = Int(digits), index < items.count else {
        return "\(violation.field): \(violation.description)"
      }
      let field = violation.field.split(separator: ".").last.map(String.init) ?? violation.field
      return "\(places[items.lowerBound + index]): \(field): \(violation.description)"
    }
    if !faults.isEmpty { failure.message = "\(file), \(faults.joined(separator: "; "))" }
    let written = result.created + result.changed
    if written > 0 {
      failure.exit = .partlyFailed
      failure.message =
        "\(written) of \(places.count) \(noun) were imported, then: \(failure.message)"
      if failure.hint.isEmpty { failure.hint = "mend it and import the file again" }
    }
    return failure
  }
}
