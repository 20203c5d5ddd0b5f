import CZeroMQ
import Glibc

/// Waits for the first of several sockets and file descriptors to have something to read. An index
/// names a place in it and stays the same until it is removed.
///
/// zmq_poll asks each socket before and after each wait, with a system call every time. Here one
/// that is known to be empty is asked only when its descriptor says that something has happened.
package final class Poller {
  /// One for each place, as poll(2) wants them; a free one has the descriptor -1.
  private var items: [pollfd] = []
  /// The sockets at their places, kept alive while they are watched.
  private var sockets: [Socket?] = []
  private var readable: [Bool] = []

  package init() {}

  /// Watches a socket. Remove it before it is closed.
  package func add(_ socket: Socket) -> Int { add(socket.descriptor, socket) }

  /// Watches a file descriptor, which stays the caller's.
  package func add(fileDescriptor: Int32) -> Int {
    precondition(fileDescriptor >= 0)
    return add(fileDescriptor, nil)
  }

  private func add(_ descriptor: Int32, _ socket: Socket?) -> Int {
    let item = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    if let free = items.firstIndex(where: { $0.fd == -1 }) {
      items[free] = item
      sockets[free] = socket
      return free
    }
    items.append(item)
    sockets.append(socket)
    readable.append(false)
    return items.count - 1
  }

  /// Watches the place no more; its index may be given out again.
  package func remove(_ index: Int) {
    items[index] = pollfd(fd: -1, events: 0, revents: 0)
    sockets[index] = nil
    readable[index] = false
  }

  /// Waits until something can be read or `timeoutMs` is over; negative: however long it takes.
  /// A signal does not end the wait.
  package func wait(timeoutMs: Int) throws(ZeroMQError) {
    let end = timeoutMs > 0 ? monotonicMs() + timeoutMs : 0
    var left = timeoutMs
    repeat {
      // A message may be there that no descriptor tells of any more: then it is only looked.
      let mayHaveSome = sockets.contains { $0?.isKnownEmpty == false }
      try look(waitingMs: mayHaveSome ? 0 : Int32(clamping: left))
      if timeoutMs > 0 { left = max(0, end - monotonicMs()) }
    } while left != 0 && !readable.contains(true)
  }

  private func look(waitingMs: Int32) throws(ZeroMQError) {
    let count = nfds_t(items.count)
    let result = items.withUnsafeMutableBufferPointer { poll($0.baseAddress, count, waitingMs) }
    guard result >= 0 || errno == EINTR else { throw ZeroMQError(number: errno, call: "poll") }
    for index in items.indices {
      let hasNews = result > 0 && items[index].revents != 0
      if let socket = sockets[index] {
        // The news of a socket may be another than a message.
        readable[index] = (hasNews || !socket.isKnownEmpty) ? try socket.hasMessage() : false
      } else {
        readable[index] = hasNews
      }
    }
  }

  /// Whether the last `wait` found something to read there. Of a descriptor, also its end or error.
  package func isReadable(_ index: Int) -> Bool { readable[index] }

  private func monotonicMs() -> Int {
    var now = timespec()
    clock_gettime(CLOCK_MONOTONIC, &now)
    return now.tv_sec * 1_000 + now.tv_nsec / 1_000_000
  }
}
