import Model

/// Why a call was refused, for programs: the contract's table of reasons.
package enum Reason: String, CaseIterable, Sendable {
  case malformedRequest = "MALFORMED_REQUEST"
  case invalidFields = "INVALID_FIELDS"
  case idempotencyKeyReused = "IDEMPOTENCY_KEY_REUSED"
  case pageTokenInvalid = "PAGE_TOKEN_INVALID"

  case profileNotFound = "PROFILE_NOT_FOUND"
  case locationNotFound = "LOCATION_NOT_FOUND"
  case imageNotFound = "IMAGE_NOT_FOUND"
  case callNotFound = "CALL_NOT_FOUND"

  case profileExists = "PROFILE_EXISTS"
  case externalIDExists = "EXTERNAL_ID_EXISTS"

  case statusChanged = "STATUS_CHANGED"
  case locationOccupied = "LOCATION_OCCUPIED"
  case locationFull = "LOCATION_FULL"
  case noProfile = "NO_PROFILE"

  case revisionMismatch = "REVISION_MISMATCH"

  case logCompacted = "LOG_COMPACTED"
  case logRestored = "LOG_RESTORED"

  case overloaded = "OVERLOADED"
  case rateLimited = "RATE_LIMITED"
  case tooManyCalls = "TOO_MANY_CALLS"
  case tooManyWatches = "TOO_MANY_WATCHES"
  case storageFull = "STORAGE_FULL"

  case serviceUnreachable = "SERVICE_UNREACHABLE"
  case starting = "STARTING"
  case draining = "DRAINING"
  case notCaughtUp = "NOT_CAUGHT_UP"
  case outcomeUnknown = "OUTCOME_UNKNOWN"

  case noIdentity = "NO_IDENTITY"
  case notAllowed = "NOT_ALLOWED"
  case keyRevoked = "KEY_REVOKED"

  case deadlineExceeded = "DEADLINE_EXCEEDED"
  case unknownMethod = "UNKNOWN_METHOD"
  case cancelled = "CANCELLED"
  case `internal` = "INTERNAL"
}

extension Reason {
  /// The code that goes with it.
  package var code: Code {
    switch self {
    case .malformedRequest, .invalidFields, .idempotencyKeyReused, .pageTokenInvalid:
      .invalidArgument
    case .profileNotFound, .locationNotFound, .imageNotFound, .callNotFound: .notFound
    case .profileExists, .externalIDExists: .alreadyExists
    case .statusChanged, .locationOccupied, .locationFull, .noProfile: .failedPrecondition
    case .revisionMismatch: .aborted
    case .logCompacted, .logRestored: .outOfRange
    case .overloaded, .rateLimited, .tooManyCalls, .tooManyWatches, .storageFull:
      .resourceExhausted
    case .serviceUnreachable, .starting, .draining, .notCaughtUp, .outcomeUnknown: .unavailable
    case .noIdentity, .keyRevoked: .unauthenticated
    case .notAllowed: .permissionDenied
    case .deadlineExceeded: .deadlineExceeded
    case .unknownMethod: .unimplemented
    case .cancelled: .cancelled
    case .internal: .internal
    }
  }
}

extension Status: Error {
  /// A refusal. `message` is one sentence for a person: it ends as one, and control characters in
  /// it, which come from what it quotes, are shown by their number.
  package init(
    _ reason: Reason, _ message: String, violations: [FieldViolation] = [],
    retryAfterMs: UInt32 = 0
  ) {
    self.init(
      code: reason.code, message: Text.sentence(message), reason: reason.rawValue,
      fieldViolations: violations, retryAfterMs: retryAfterMs)
  }

  /// The refusal of a request with these violations of its form.
  package init(_ violations: [FieldViolation]) {
    let kept = Array(violations.prefix(Limits.violations))
    let fields = kept.prefix(3).map(\.field).joined(separator: ", ")
    let more = kept.count > 3 ? " and \(kept.count - 3) more" : ""
    self.init(.invalidFields, "There is something wrong with \(fields)\(more).", violations: kept)
  }
}

extension Text {
  /// The text on one line, and with an end.
  fileprivate static func sentence(_ text: String) -> String {
    let line = shown(text)
    return line.hasSuffix(".") || line.hasSuffix("?") ? line : line + "."
  }

  /// The text with its control characters as `\u{…}`, on one line.
  package static func shown(_ text: String) -> String {
    if !text.unicodeScalars.contains(where: isUnshowable) { return text }
    return text.unicodeScalars.reduce(into: "") { shown, scalar in
      if isUnshowable(scalar) {
        shown += "\\u{\(String(scalar.value, radix: 16))}"
      } else {
        shown.unicodeScalars.append(scalar)
      }
    }
  }

  static func isUnshowable(_ scalar: Unicode.Scalar) -> Bool {
    isControl(scalar) || isBidirectional(scalar)
  }
}
