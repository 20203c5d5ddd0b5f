import Glibc
package import ZeroMQ

/// What the clients of one thread share: libzmq's context, and what is waited for. With one loop a
/// program can drive any number of clients, its own timers and its own descriptors on one thread:
///
///     let loop = try ClientLoop()
///     let clients = try users.map { try Client(endpoints: endpoints, user: $0, loop: loop) }
///     try clients[0].start(request) { outcome in … }
///     while !isDone { try loop.step(untilMs: nextTimerMs) }
package final class ClientLoop {
  let context: Context
  /// For descriptors of the program's own, which then end a `step` early.
  package let poller = Poller()
  private var members: [Member] = []

  private struct Member {
    weak var client: Client?
  }

  /// - Throws: `CallError` where libzmq cannot be set up.
  package init() throws(CallError) {
    do throws(ZeroMQError) { context = try Context() } catch { throw CallError(error, "libzmq") }
  }

  func add(_ client: Client) { members.append(Member(client: client)) }

  func removeGone() { members.removeAll { $0.client == nil } }

  /// Waits until something has happened, at the latest until `untilMs` of `nowMs`, and lets it
  /// happen: answers, connections, retries, deadlines and watches. What is told to a closure is
  /// told from in here; a closure may start calls, and must not wait.
  package func step(untilMs: Int) throws(CallError) {
    let clients = members.compactMap(\.client)
    var wake = untilMs
    for client in clients { wake = min(wake, try client.prepare()) }
    do throws(ZeroMQError) {
      try poller.wait(timeoutMs: max(0, min(wake - ClientLoop.nowMs, 60_000)))
    } catch { throw CallError(error, "libzmq") }
    for client in clients { try client.work() }
  }

  /// Milliseconds of the clock that deadlines go by; it never jumps.
  package static var nowMs: Int {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return time.tv_sec * 1000 + time.tv_nsec / 1_000_000
  }

  /// Milliseconds since 1970.
  package static var wallMs: Int64 {
    var time = timespec()
    clock_gettime(CLOCK_REALTIME, &time)
    return Int64(time.tv_sec) * 1000 + Int64(time.tv_nsec) / 1_000_000
  }
}
