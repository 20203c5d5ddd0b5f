// Made by tools/generate from proto/muster/v1/rpc.proto. Do not edit.

/// The canonical RPC codes, under the numbers that gRPC gives them.
package enum Code: Int32, CaseIterable, Sendable {
  case ok = 0
  case cancelled = 1
  case unknown = 2
  case invalidArgument = 3
  case deadlineExceeded = 4
  case notFound = 5
  case alreadyExists = 6
  case permissionDenied = 7
  case resourceExhausted = 8
  case failedPrecondition = 9
  case aborted = 10
  case outOfRange = 11
  case unimplemented = 12
  case `internal` = 13
  case unavailable = 14
  case dataLoss = 15
  case unauthenticated = 16
}

/// How far each service's change log had come. A log counts its changes 1, 2, 3 … and never goes
/// back: one that is restored from a backup goes on above every number that it has ever given out.
package struct Revisions: Equatable, Sendable {
  package var profiles: UInt64
  package var locations: UInt64
  package var checkIns: UInt64

  package init(
    profiles: UInt64 = 0,
    locations: UInt64 = 0,
    checkIns: UInt64 = 0
  ) {
    self.profiles = profiles
    self.locations = locations
    self.checkIns = checkIns
  }
}

/// How a call ended. Absent in the header, or code 0: it succeeded.
package struct Status: Equatable, Sendable {
  package var code: Code
  /// For a person: one English sentence, with no control characters.
  package var message: String
  /// For a program: stable, UPPER_SNAKE_CASE, for example "PROFILE_NOT_FOUND".
  package var reason: String
  /// What was wrong with which field; only with CODE_INVALID_ARGUMENT.
  package var fieldViolations: [FieldViolation]
  /// With CODE_RESOURCE_EXHAUSTED and CODE_UNAVAILABLE: not before this time has passed.
  package var retryAfterMs: UInt32

  package init(
    code: Code = .ok,
    message: String = "",
    reason: String = "",
    fieldViolations: [FieldViolation] = [],
    retryAfterMs: UInt32 = 0
  ) {
    self.code = code
    self.message = message
    self.reason = reason
    self.fieldViolations = fieldViolations
    self.retryAfterMs = retryAfterMs
  }
}

/// `FieldViolation` of the contract.
package struct FieldViolation: Equatable, Sendable {
  /// Path of the field in the request, for example "profile.bio".
  package var field: String
  package var description: String

  package init(
    field: String = "",
    description: String = ""
  ) {
    self.field = field
    self.description = description
  }
}
