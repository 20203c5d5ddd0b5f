import CZeroMQ
import Glibc
import Synchronization

/// The one ZeroMQ context of a process: made at start, closed last. Do not fork after making it.
// @unchecked: the rule that makes it true is that `pointer`, the one thing here that is not
// Sendable, never changes and is handed to nothing but zmq_ctx_set, zmq_socket and zmq_ctx_term,
// which libzmq lets every thread call (zmq_ctx_new(3): "thread safe"); all else is an atomic.
package final class Context: @unchecked Sendable {
  let pointer: UnsafeMutableRawPointer
  /// How many sockets live in it: terminating waits for the last one, which would be for ever.
  let openSockets = Atomic<Int>(0)
  /// Whether a `ZAPHandler` answers. libzmq lets everybody in where nobody does.
  let hasZAPHandler = Atomic<Bool>(false)
  private let isClosed = Atomic<Bool>(false)

  /// A context with `ioThreads` threads that move bytes; one carries a gigabyte a second.
  package init(ioThreads: Int = 1) throws(ZeroMQError) {
    // libzmq counts those who set no routing id from a number that it has of rand(3), which it
    // leaves in its first state. Who claims the next number beforehand ends the process
    // (`Assertion failed: ok`), so it must not be known which that is.
    srand(UInt32.random(in: .min ... .max))
    guard let pointer = zmq_ctx_new() else {
      throw ZeroMQError(number: zmq_errno(), call: "zmq_ctx_new")
    }
    self.pointer = pointer
    try attempt("zmq_ctx_set") { zmq_ctx_set(pointer, ZMQ_IO_THREADS, Int32(ioThreads)) }
  }

  deinit { close() }

  /// Ends the context, once. Every socket must be closed and every `ZAPHandler` stopped before:
  /// what would otherwise hang is a precondition here.
  package func close() {
    guard !isClosed.exchange(true, ordering: .acquiringAndReleasing) else { return }
    let open = openSockets.load(ordering: .acquiring)
    precondition(open == 0, "\(open) sockets are still open")
    while zmq_ctx_term(pointer) == -1 && zmq_errno() == EINTR {}
  }
}
