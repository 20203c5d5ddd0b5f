import Client
import Foundation
import Keys
import Terminal
import Wire

/// Why a command ends without success, for a person and for a script.
struct Failure: Error {
  var exit: ExitCode
  /// One sentence, without a full stop.
  var message: String
  /// What to do next.
  var hint: String
  /// The server's status, where it was the server that refused.
  var status: Status?

  init(_ exit: ExitCode, _ message: String, hint: String = "", status: Status? = nil) {
    self.exit = exit
    self.message = message
    self.hint = hint
    self.status = status
  }

  /// Whatever a command threw that takes these options.
  init(_ error: any Error, options: [Option] = []) {
    switch error {
    case let failure as Failure: self = failure
    case let usage as UsageError: self.init(.usage, usage.message, hint: usage.hint)
    case let call as CallError: self.init(call, options: options)
    case let file as KeyFileError: self.init(file.isTaken ? .conflict : .usage, file.description)
    default: self.init(.serverError, Failure.reason(error))
    }
  }

  /// A refused call, with what to do about it. Fields are called as whoever typed the options knows
  /// them.
  init(_ error: CallError, options: [Option] = []) {
    let status = error.status
    let violations = status.fieldViolations.map { violation in
      let name = Failure.typed(violation.field, options)
      // A description may name the other field that this one goes with.
      let words = violation.description.split(separator: " ").map(String.init)
      let description = words.map { $0.contains("_") ? Failure.typed($0, options) : $0 }
        .joined(separator: " ")
      return "\(name): \(Failure.withoutStop(description))"
    }
    var message = violations.isEmpty ? status.message : violations.joined(separator: "; ")
    if message.isEmpty { message = status.reason }
    message = Failure.withoutStop(message)
    let exit = ExitCode(status.code)
    self.init(exit, message, hint: Failure.advice(error), status: status)
  }

  /// The one line for standard error.
  var line: String {
    let text = hint.isEmpty ? message : message + (message.hasSuffix("?") ? " " : ": ") + hint
    return "muster: \(TerminalText.visible(text))"
  }

  /// The same for a program: the server's status, the advice and the exit code.
  var json: JSONValue {
    let shown = status ?? Status(code: .unknown, message: message)
    let violations = shown.fieldViolations.map { Wire.json($0) }
    return .object([
      .init(
        "error",
        .object([
          .init("code", .text(status == nil ? exit.name : "CODE_\(shown.code.contractName)")),
          .init("reason", .text(shown.reason)),
          .init("message", .text(message)),
          .init("hint", .text(hint)),
          .init("field_violations", .array(violations)),
          .init("retry_after_ms", .integer(Int64(shown.retryAfterMs))),
          .init("exit_code", .integer(Int64(exit.rawValue))),
        ]))
    ])
  }

  /// What the operating system says about an error, without the framework around it.
  static func reason(_ error: any Error) -> String {
    if let error = error as? POSIXError { return String(cString: strerror(error.code.rawValue)) }
    let error = error as NSError
    if let inner = error.userInfo[NSUnderlyingErrorKey] as? POSIXError {
      return String(cString: strerror(inner.code.rawValue))
    }
    return error.localizedDescription
  }

  /// Options that are not called as the field that they fill.
  private static let optionNames = [
    "radius_m": "radius", "name_contains": "name", "ttl_s": "ttl", "company_name": "company",
    "website_url": "website", "phone_number": "phone", "user_id": "user", "point": "at",
    "start_time_ms": "since", "end_time_ms": "until", "people_per_location": "people",
    "expected_revision": "revision", "acting_user": "as",
  ]

  /// "--radius" for the field "radius_m" of a command that has that option; else the field.
  private static func typed(_ field: String, _ options: [Option]) -> String {
    for part in field.split(separator: ".").reversed().map(String.init) {
      let name = optionNames[part] ?? part.replacing("_", with: "-")
      if options.contains(where: { $0.name == name }) { return "--\(name)" }
    }
    return field
  }

  private static func withoutStop(_ sentence: String) -> String {
    sentence.hasSuffix(".") ? String(sentence.dropLast()) : sentence
  }

  private static func advice(_ error: CallError) -> String {
    guard let reason = error.reason else { return "" }
    switch reason {
    case .noProfile: return "'muster profile create NAME' makes one"
    case .profileNotFound: return "'muster profile list' shows who there is"
    case .locationNotFound: return "'muster location list' shows what there is"
    case .imageNotFound: return "nobody has that image any more"
    case .profileExists: return "change it with 'muster profile update'"
    case .externalIDExists: return "change that place with 'muster location update'"
    case .statusChanged: return "look again with: muster status"
    case .locationOccupied: return "say --check-out-everyone, or 'muster empty PLACE' first"
    case .locationFull: return "'muster here PLACE' shows who is there"
    case .revisionMismatch: return "look at it again, then say the revision that it has now"
    case .serviceUnreachable, .starting, .draining, .notCaughtUp:
      if error.status.message.contains(" key") {
        return "'muster context show' says what is known here; 'muster context add' changes it"
      }
      let isThere = error.status.message.hasSuffix(".") || error.status.message.hasSuffix("stuck")
      return isThere
        ? "try again soon, or with a longer --timeout; 'muster health' shows what is down"
        : "start one with 'muster up --data DIR', or name another with --endpoint"
    case .outcomeUnknown: return "look at what holds now, then try again"
    case .overloaded, .rateLimited, .tooManyCalls, .tooManyWatches, .deadlineExceeded:
      return "try again in a moment"
    case .storageFull: return "the server's disk is full; free some of it"
    case .noIdentity: return "say who you are with --as USER"
    case .notAllowed: return "ask whoever runs this Muster for the role"
    case .keyRevoked:
      return "ask whoever runs this Muster to allow your key; 'muster key show FILE' shows it"
    case .unknownMethod: return "'muster info -o wide' shows what the server answers"
    case .malformedRequest, .invalidFields, .idempotencyKeyReused, .pageTokenInvalid,
      .callNotFound, .logCompacted, .logRestored, .cancelled:
      return ""
    case .internal: return "the server's log says more"
    }
  }
}

extension ExitCode {
  /// What a failure of the command's own is called where a server's would have its code.
  fileprivate var name: String {
    switch self {
    case .success: "CODE_OK"
    case .serverError, .partlyFailed: "CODE_UNKNOWN"
    case .interrupted: "CODE_CANCELLED"
    case .notAllowed: "CODE_PERMISSION_DENIED"
    case .notFound: "CODE_NOT_FOUND"
    case .conflict: "CODE_FAILED_PRECONDITION"
    case .usage: "CODE_INVALID_ARGUMENT"
    case .unavailable, .tryAgain: "CODE_UNAVAILABLE"
    }
  }
}
