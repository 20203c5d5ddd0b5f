import Foundation
import Model
import Terminal

/// Options that several commands take, each described once.
enum CommonOptions {
  static let all = Option("all", "Show all there is")
  static let limit = Option("limit", value: "N", "Show at most this many; 100 by default")
  static let watch = Option(
    "watch", short: "w", "Show it anew whenever it changes, until Ctrl-C; 'muster watch' says how")
  static let radius = Option(
    "radius", value: "DISTANCE",
    "How near: 500m or 80km, and metres without a unit; 50km by default")
  static let yes = Option("yes", short: "y", "Do not ask")
  static let person = Option(
    "person", short: "p", value: "PERSON", "The person's id or user; you, where it is left out")
  static let expect = Option(
    "expect", value: "WHAT",
    "Only if this holds: 'out', a place that the person is at, or revision=N")
  static let revision = Option(
    "revision", value: "N", "Only if nothing has changed it since this revision")

  /// The names of contexts, for shells to complete.
  static let contexts = Offer.column("context list --fields name -o csv")

  /// What every command takes.
  static let global = [
    Option(
      "output", short: "o", value: "FORMAT", choices: OutputFormat.allCases.map(\.rawValue),
      "How to write data"),
    Option("fields", value: "A,B", "Only these fields, in this order"),
    Option(
      "endpoint", value: "ENDPOINT", repeatable: true,
      "The gateway, or several, of which one that answers is used; MUSTER_ENDPOINT, or "
        + "\(Session.defaultEndpoint), by default"),
    Option(
      "context", value: "NAME", offers: contexts,
      "Where and as whom to call; MUSTER_CONTEXT, or what 'muster context use' said, by default"),
    Option("as", value: "USER", "Who you are; MUSTER_USER, or your login name, by default"),
    Option("timeout", value: "DURATION", "How long a call may take; 5s by default"),
    Option(
      "color", value: "WHEN", choices: Console.Color.allCases.map(\.rawValue),
      "Whether to colour data; auto is on a terminal, and without NO_COLOR"),
    Option("no-input", "Never ask anything"),
    Option("version", "Show the version"),
  ]
}

extension Invocation {
  /// The revision that something must still have; 0: whichever it has.
  func revision() throws(UsageError) -> UInt64 {
    guard let text = option("revision") else { return 0 }
    guard let number = UInt64(text), number > 0 else {
      throw UsageError("--revision is '\(text)', and has to be a number above 0")
    }
    return number
  }
}

/// The files that commands read and write.
enum Files {
  /// The whole of a file, or of standard input for "-".
  static func read(_ path: String) throws -> [UInt8] {
    do {
      // Not `Data(contentsOf:)`, which takes no pipes, nor a `FileHandle`, which does not say why.
      let file = path == "-" ? STDIN_FILENO : open(path, O_RDONLY | O_CLOEXEC)
      guard file >= 0 else { throw POSIXError.now }
      defer { if path != "-" { close(file) } }
      var bytes: [UInt8] = []
      var chunk = [UInt8](repeating: 0, count: 65_536)
      while true {
        let count = Glibc.read(file, &chunk, chunk.count)
        guard count >= 0 else { throw POSIXError.now }
        if count == 0 { return bytes }
        bytes += chunk[..<count]
      }
    } catch {
      throw Failure(.usage, "cannot read \(path): \(Failure.reason(error))")
    }
  }

  /// A picture, which is not read where it is larger than any server takes.
  static func image(_ path: String) throws -> [UInt8] {
    let bytes = try read(path)
    guard !bytes.isEmpty, bytes.count <= Limits.imageBytes else {
      throw Failure(
        .usage,
        "\(path) has \(bytes.count) bytes, and a picture has 1 to \(Limits.imageBytes)",
        hint: "make it smaller")
    }
    return bytes
  }

  /// Writes data to a file, or to standard output for "-".
  static func write(_ bytes: [UInt8], to path: String, _ session: Session) throws {
    if path == "-" {
      if session.console.outputIsTerminal {
        throw Failure(.usage, "a picture is not for a terminal", hint: "name a file")
      }
      return session.console.write(bytes)
    }
    do {
      try Data(bytes).write(to: URL(filePath: path))
    } catch {
      throw Failure(.usage, "cannot write \(path): \(Failure.reason(error))")
    }
    session.note("\(bytes.count) bytes written to \(path)")
  }
}
