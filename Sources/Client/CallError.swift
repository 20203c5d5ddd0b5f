import Glibc
package import Wire
import ZeroMQ

/// Why a call gave no success: the server said so, or nobody answered.
package struct CallError: Error, Sendable {
  /// The server's status. Where nobody answered, one of the client's own with the contract's reason
  /// for what is known then: SERVICE_UNREACHABLE, or OUTCOME_UNKNOWN of a write that was sent.
  package let status: Status
  /// The body that came with it, where the method says that one does.
  package let body: [UInt8]

  package init(_ status: Status, body: [UInt8] = []) {
    self.status = status
    self.body = body
  }

  /// What libzmq refused.
  init(_ error: ZeroMQError, _ endpoint: String) {
    let status =
      switch error.number {
      case EINVAL, EPROTONOSUPPORT, ENODEV:
        Status(
          code: .invalidArgument,
          message: "'\(endpoint)' is no endpoint: write ipc:///path/to/socket or tcp://host:port")
      case ENAMETOOLONG:
        Status(
          code: .invalidArgument,
          message: "'\(endpoint)' is too long: the path of a socket has at most 107 bytes")
      default: Status(.internal, "\(endpoint): \(error)")
      }
    self.init(status)
  }

  /// The contract's reason; nil where it is one that this program does not know.
  package var reason: Reason? { Reason(rawValue: status.reason) }

  /// The message that came with the refusal: the profile that exists, the status that holds.
  package func details<M: Message>(_ type: M.Type) -> M? {
    guard !body.isEmpty else { return nil }
    var violations: [FieldViolation] = []
    return body.withUnsafeBytes { bytes in
      // A body that is none of this type tells nothing more than the status does.
      try? Decoder().decode(type, from: bytes, violations: &violations)
    }
  }
}
