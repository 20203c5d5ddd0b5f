package import Wire

/// How the program ends, for scripts.
package enum ExitCode: Int32, CaseIterable, Sendable {
  case success = 0
  case serverError = 1
  case interrupted = 2
  case notAllowed = 4
  case notFound = 5
  case conflict = 6
  case partlyFailed = 7
  case usage = 64
  case unavailable = 69
  case tryAgain = 75

  /// What the program ends with after a call with this code.
  package init(_ code: Code) {
    self =
      switch code {
      case .ok: .success
      case .cancelled: .interrupted
      case .invalidArgument: .usage
      case .deadlineExceeded, .resourceExhausted: .tryAgain
      case .notFound: .notFound
      case .alreadyExists, .failedPrecondition, .aborted: .conflict
      case .permissionDenied, .unauthenticated: .notAllowed
      case .unavailable: .unavailable
      case .unknown, .outOfRange, .unimplemented, .internal, .dataLoss: .serverError
      }
  }

  package var meaning: String {
    switch self {
    case .success: "done"
    case .serverError: "any other error of the server"
    case .interrupted: "interrupted, or cancelled"
    case .notAllowed: "not allowed, or not known who is calling"
    case .notFound: "a person, a place or an image does not exist"
    case .conflict: "what is there is not as it would have to be"
    case .partlyFailed: "part of a batch failed"
    case .usage: "the command, its input or a field makes no sense"
    case .unavailable: "no answer, or a service is down"
    case .tryAgain: "nothing was done; try again"
    }
  }

  /// The table of `help exit-codes`.
  package static func helpText() -> String {
    var text = "What a command ends with, for scripts:\n\n"
    for exit in allCases {
      let codes = Code.allCases.filter { ExitCode($0) == exit }.map(\.contractName)
      let number = String(exit.rawValue)
      text += String(repeating: " ", count: 4 - number.count) + "\(number)  \(exit.meaning)\n"
      if !codes.isEmpty { text += "      \(codes.joined(separator: ", "))\n" }
    }
    return text
  }
}

extension Code {
  /// As the contract writes it, without its prefix: "NOT_FOUND".
  package var contractName: String {
    switch self {
    case .ok: "OK"
    case .cancelled: "CANCELLED"
    case .unknown: "UNKNOWN"
    case .invalidArgument: "INVALID_ARGUMENT"
    case .deadlineExceeded: "DEADLINE_EXCEEDED"
    case .notFound: "NOT_FOUND"
    case .alreadyExists: "ALREADY_EXISTS"
    case .permissionDenied: "PERMISSION_DENIED"
    case .resourceExhausted: "RESOURCE_EXHAUSTED"
    case .failedPrecondition: "FAILED_PRECONDITION"
    case .aborted: "ABORTED"
    case .outOfRange: "OUT_OF_RANGE"
    case .unimplemented: "UNIMPLEMENTED"
    case .internal: "INTERNAL"
    case .unavailable: "UNAVAILABLE"
    case .dataLoss: "DATA_LOSS"
    case .unauthenticated: "UNAUTHENTICATED"
    }
  }
}
