package import Wire

/// A call ends without success: what its response says instead. Thrown for a peer's mistake or for
/// what cannot be done now; never for our own mistake.
package struct Refusal: Error, Equatable {
  package var status: Status
  /// The encoded response message, where the method says that a refusal has one; usually empty.
  package var body: [UInt8]

  /// - Parameters:
  ///   - message: one English sentence for a person, without anything that the caller sent.
  ///   - body: the encoded response, where the method says so (the profile that exists, the status
  ///     that holds).
  package init(
    _ reason: Reason, _ message: String, retryAfterMs: UInt32 = 0, body: [UInt8] = []
  ) {
    status = Status(reason, message, retryAfterMs: retryAfterMs)
    self.body = body
  }

  /// `INVALID_ARGUMENT / INVALID_FIELDS` with what is wrong with which field.
  package init(violations: [FieldViolation]) {
    precondition(!violations.isEmpty, "a refusal of fields names at least one")
    status = Status(violations)
    body = []
  }
}
