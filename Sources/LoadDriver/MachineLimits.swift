import Glibc
import Model
import Synchronization
import Terminal
package import Wire
import ZeroMQ

/// One figure of a machine's own limits: what no system on it can do better than.
package struct LimitRow: Sendable {
  package var name: String
  package var outstanding: Int
  package var histogram: Histogram
  package var seconds: Double

  package var rate: Double { seconds > 0 ? Double(histogram.count) / seconds : 0 }
}

/// A table of limits for people, and for programs.
package struct LimitsReport: Sendable {
  package let rows: [LimitRow]

  package init(_ rows: [LimitRow]) { self.rows = rows }

  /// For a terminal.
  package func text(color: Bool) -> String {
    let names = ["limit", "at once", "a second", "p50", "p99", "p99.9"]
    var table = Table(columns: names.enumerated().map { Table.Column($1, right: $0 > 0) })
    table.rows = rows.map { row in
      [row.name, String(row.outstanding), NumberText.short(row.rate)]
        + [50, 99, 99.9].map { NumberText.time(us: Double(row.histogram.us(percentile: $0))) }
    }
    return table.text(width: nil, color: color)
  }

  /// Times in microseconds.
  package var json: JSONValue {
    .array(
      rows.map { row in
        .object(
          [
            .init("limit", .text(row.name)),
            .init("outstanding", .integer(Int64(row.outstanding))),
            .init("rate_per_s", .double(row.rate)),
          ]
            + [50, 99, 99.9].map { percentile in
              .init(
                "\(NumberText.percentile(percentile))_us",
                .number(row.histogram.us(percentile: percentile)))
            })
      })
  }
}

/// Appends of 4 KiB, each on disk before the next: no commit of one write can be faster.
package enum SyncLimit {
  /// - Parameter folder: where the file is made, and removed again.
  package static func measure(folder: String, seconds: Double) throws(LoadFailure) -> LimitRow {
    let path = "\(folder)/muster-load-\(getpid()).sync"
    let file = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
    guard file >= 0 else { throw LoadFailure.system("cannot write \(path)") }
    defer {
      close(file)
      unlink(path)
    }
    let block = [UInt8](repeating: 0x6D, count: 4_096)
    var histogram = Histogram()
    let startNs = Clock.nowNs
    var beforeNs = startNs
    while Double(beforeNs - startNs) < seconds * 1e9 {
      guard write(file, block, block.count) == block.count, fdatasync(file) == 0 else {
        throw LoadFailure.system("cannot write \(path)")
      }
      let nowNs = Clock.nowNs
      histogram.record(ns: nowNs - beforeNs)
      beforeNs = nowNs
    }
    return LimitRow(
      name: "append 4 KiB + fdatasync", outstanding: 1, histogram: histogram,
      seconds: Double(beforeNs - startNs) / 1e9)
  }
}

/// Messages as calls have them, there and back over ipc with nothing done to them: direct to a
/// server, or by way of a proxy as calls go by way of the gateway.
package final class EchoLimit: Sendable {
  private let isStopping = Atomic(false)
  private let server: String
  private let proxy: String

  /// `folder`: where the sockets are.
  package init(folder: String) {
    server = "ipc://\(folder)/echo-\(getpid()).sock"
    proxy = "ipc://\(folder)/proxy-\(getpid()).sock"
  }

  /// Ends the server and the proxy.
  package func stop() { isStopping.store(true, ordering: .releasing) }

  /// Sends back what comes, until `stop`. For a thread of its own.
  package func serve() throws {
    let context = try Context()
    let socket = try EchoLimit.socket(context, .router)
    try socket.bind(server)
    let poller = Poller()
    _ = poller.add(socket)
    try untilStopped(poller) { frame in try EchoLimit.pass(socket, socket, frame) }
    socket.close()
  }

  /// Passes on what comes, both ways, until `stop`. For a thread of its own.
  package func passOn() throws {
    let context = try Context()
    let (front, back) = try (
      EchoLimit.socket(context, .router), EchoLimit.socket(context, .dealer)
    )
    try front.bind(proxy)
    try back.connect(server)
    let poller = Poller()
    _ = poller.add(front)
    _ = poller.add(back)
    try untilStopped(poller) { frame in
      let there = try EchoLimit.pass(front, back, frame)
      let backAgain = try EchoLimit.pass(back, front, frame)
      return there || backAgain
    }
    front.close()
    back.close()
  }

  /// So many messages on their way at any time.
  package func measure(byProxy: Bool, outstanding: Int, seconds: Double) throws -> LimitRow {
    let context = try Context()
    let socket = try EchoLimit.socket(context, .dealer)
    try socket.connect(byProxy ? proxy : server)
    let poller = Poller()
    _ = poller.add(socket)
    let (header, body) = EchoLimit.message()
    let (first, second) = (Frame(), Frame())
    func send() throws {
      first.assign(header)
      second.assign(body)
      guard try socket.send(first, more: true) == .sent, try socket.send(second) == .sent else {
        throw LoadFailure("there is no room for \(outstanding) messages")
      }
    }
    // They come back in the order in which they go.
    var sentNs = Array(repeating: Clock.nowNs, count: outstanding)
    for _ in 0..<outstanding { try send() }
    var histogram = Histogram()
    let warmNs = sentNs[0] + 300_000_000
    let endNs = warmNs + Int(seconds * 1e9)
    var oldest = 0
    var nowNs = sentNs[0]
    while nowNs < endNs {
      try poller.wait(timeoutMs: 1_000)
      while nowNs < endNs, try socket.receive(into: first) {
        _ = try socket.receive(into: second)
        nowNs = Clock.nowNs
        if nowNs >= warmNs { histogram.record(ns: nowNs - sentNs[oldest]) }
        sentNs[oldest] = nowNs
        oldest = (oldest + 1) % outstanding
        try send()
      }
      nowNs = Clock.nowNs
    }
    socket.close()
    return LimitRow(
      name: byProxy ? "echo through a proxy" : "echo", outstanding: outstanding,
      histogram: histogram, seconds: seconds)
  }

  private func untilStopped(_ poller: Poller, _ work: (Frame) throws -> Bool) throws {
    let frame = Frame()
    while !isStopping.load(ordering: .acquiring) {
      try poller.wait(timeoutMs: 100)
      while try work(frame) {}
    }
  }

  /// Takes one message, if there is one, and sends it on as it is.
  private static func pass(_ from: Socket, _ to: Socket, _ frame: Frame) throws -> Bool {
    guard try from.receive(into: frame) else { return false }
    while frame.hasMore {
      _ = try to.send(frame, more: true)
      _ = try from.receive(into: frame)
    }
    _ = try to.send(frame)
    return true
  }

  private static func socket(_ context: Context, _ kind: SocketKind) throws -> Socket {
    let socket = try Socket(context, kind)
    // Nothing is dropped, whoever is slow.
    try socket.set(.sendHighWater, 0)
    try socket.set(.receiveHighWater, 0)
    return socket
  }

  /// A check-in with a key.
  private static func message() -> (header: [UInt8], body: [UInt8]) {
    let id = ID(high: 0x0190_0000_0000_7000, low: 0x8000_0000_0000_0001)
    let header = RequestHeader(
      id: 1_000_000, method: .checkIn, timeoutMs: 5_000, idempotencyKey: id,
      atLeast: Revisions(checkIns: 1_000_000), actingUser: "load-driver-1")
    return (
      Encoder().bytes(header), Encoder().bytes(CheckInRequest(profileID: id, locationID: id))
    )
  }
}
