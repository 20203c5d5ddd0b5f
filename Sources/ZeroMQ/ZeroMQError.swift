import CZeroMQ
import Glibc

/// What libzmq refused, and why. The number is kept as it came, so that an unknown one survives.
package struct ZeroMQError: Error, Equatable, Sendable, CustomStringConvertible {
  /// errno, or one of libzmq's own numbers above it (`ETERM`, `EFSM`).
  package let number: Int32
  /// The C function that failed, with the option or endpoint where that tells more.
  package let call: String

  package init(number: Int32, call: String) {
    self.number = number
    self.call = call
  }

  /// The context is being terminated: close the socket and go.
  package var isTerminated: Bool { number == ETERM }

  /// "zmq_bind ipc:///run/x.sock: Permission denied".
  package var description: String { "\(call): \(String(cString: zmq_strerror(number)))" }
}

/// Calls `body` until no signal interrupts it. libzmq says -1 for every failure and the number
/// apart.
@inline(__always)
@discardableResult
func attempt(_ call: @autoclosure () -> String, _ body: () -> Int32) throws(ZeroMQError) -> Int32 {
  while true {
    let result = body()
    if result != -1 { return result }
    let number = zmq_errno()
    if number != EINTR { throw ZeroMQError(number: number, call: call()) }
  }
}
