import CZeroMQ
import Glibc

/// Waits for the first of several sockets and file descriptors to have something to read. An index
/// names a place in it and stays the same until it is removed.
package final class Poller {
  private var items: [zmq_pollitem_t] = []
  /// The sockets at their places, kept alive while they are watched.
  private var sockets: [Socket?] = []

  package init() {}

  /// Watches a socket. Remove it before it is closed.
  package func add(_ socket: Socket) -> Int {
    let item = zmq_pollitem_t(socket: socket.pointer, fd: -1, events: readable, revents: 0)
    return add(item, socket)
  }

  /// Watches a file descriptor, which stays the caller's.
  package func add(fileDescriptor: Int32) -> Int {
    precondition(fileDescriptor >= 0)
    return add(zmq_pollitem_t(socket: nil, fd: fileDescriptor, events: readable, revents: 0), nil)
  }

  /// Watches the place no more; its index may be given out again.
  package func remove(_ index: Int) {
    items[index] = zmq_pollitem_t(socket: nil, fd: -1, events: 0, revents: 0)
    sockets[index] = nil
  }

  /// Waits until something can be read or `timeoutMs` is over; negative: however long it takes.
  /// A signal does not end the wait.
  package func wait(timeoutMs: Int) throws(ZeroMQError) {
    let end = timeoutMs > 0 ? monotonicMs() + timeoutMs : 0
    var left = timeoutMs
    while true {
      let count = Int32(items.count)
      let result = items.withUnsafeMutableBufferPointer { zmq_poll($0.baseAddress, count, left) }
      if result != -1 { return }
      let number = zmq_errno()
      if number != EINTR { throw ZeroMQError(number: number, call: "zmq_poll") }
      if timeoutMs > 0 { left = max(0, end - monotonicMs()) }
    }
  }

  /// Whether the last `wait` found something to read there. Of a descriptor, also its end or error.
  package func isReadable(_ index: Int) -> Bool {
    items[index].revents & Int16(ZMQ_POLLIN | ZMQ_POLLERR) != 0
  }

  private var readable: Int16 { Int16(ZMQ_POLLIN) }

  private func add(_ item: zmq_pollitem_t, _ socket: Socket?) -> Int {
    if let free = items.firstIndex(where: { $0.socket == nil && $0.fd == -1 }) {
      items[free] = item
      sockets[free] = socket
      return free
    }
    items.append(item)
    sockets.append(socket)
    return items.count - 1
  }

  private func monotonicMs() -> Int {
    var now = timespec()
    clock_gettime(CLOCK_MONOTONIC, &now)
    return now.tv_sec * 1_000 + now.tv_nsec / 1_000_000
  }
}
