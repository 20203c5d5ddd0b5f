import Foundation
import Testing

/// A command that goes on until it is interrupted, and what it has written so far.
final class LiveCommand {
  private let process = Process()
  private let output = Pipe()
  private let input = Pipe()
  private let errors: FileHandle
  private let errorsFile: URL
  private var text: [UInt8] = []

  /// Starts it, on a terminal of its own by util-linux's script(1), or with a pipe to write to.
  init(
    _ muster: RunningMuster, _ arguments: [String], onTerminal: Bool = false,
    endpoints: String? = nil
  ) throws {
    let program = Programs.folder.appending(path: "muster").path
    errorsFile = muster.data.appending(path: "errors-\(UUID().uuidString)")
    try Data().write(to: errorsFile)
    errors = try FileHandle(forWritingTo: errorsFile)
    process.executableURL = URL(filePath: onTerminal ? "/usr/bin/script" : program)
    process.arguments =
      onTerminal
      // Without a shell in between, which Ctrl-C would end too.
      ? ["-qec", (["exec", program] + arguments).joined(separator: " "), "/dev/null"] : arguments
    process.environment = [
      "PATH": "/usr/bin:/bin", "LANG": "C.UTF-8", "TZ": "UTC", "TERM": "xterm",
      "MUSTER_USER": "ada", "MUSTER_ENDPOINT": endpoints ?? muster.endpoint,
    ]
    process.standardInput = input
    process.standardOutput = output
    process.standardError = errors
    try process.run()
    let descriptor = output.fileHandleForReading.fileDescriptor
    _ = fcntl(descriptor, F_SETFL, fcntl(descriptor, F_GETFL) | O_NONBLOCK)
  }

  deinit {
    if process.isRunning { process.terminate() }
    process.waitUntilExit()
  }

  /// All that it has written.
  var written: String {
    var buffer = [UInt8](repeating: 0, count: 65_536)
    while true {
      let count = read(output.fileHandleForReading.fileDescriptor, &buffer, buffer.count)
      if count <= 0 { return String(decoding: text, as: UTF8.self) }
      text += buffer[..<count]
    }
  }

  /// The whole lines of it.
  var lines: [String] {
    written.split(separator: "\n", omittingEmptySubsequences: false).dropLast().map(String.init)
  }

  /// The lines as JSON.
  func objects() throws -> [[String: Any]] {
    try lines.map { line in
      let value = try JSONSerialization.jsonObject(with: Data(line.utf8))
      return try #require(value as? [String: Any], "\(line)")
    }
  }

  /// What it told people.
  var said: String {
    get throws { String(decoding: try Data(contentsOf: errorsFile), as: UTF8.self) }
  }

  var isRunning: Bool { process.isRunning }

  /// Presses Ctrl-C.
  func pressInterrupt() throws {
    if process.executableURL?.lastPathComponent == "script" {
      try input.fileHandleForWriting.write(contentsOf: Data([3]))
    } else {
      process.interrupt()
    }
  }

  /// Presses Ctrl-C, and gives what it ended with.
  func interrupt() throws -> Int32 {
    try pressInterrupt()
    return end()
  }

  /// Waits for its end, and gives what it ended with.
  func end() -> Int32 {
    process.waitUntilExit()
    return process.terminationStatus
  }
}
