import Foundation
import Testing

/// What a command said, and what it ended with.
struct Said {
  var code: Int32
  var output: String
  var errors: String

  /// The output's lines.
  var lines: [String] { output.split(separator: "\n").map(String.init) }

  /// The output as JSON.
  func json() throws -> [String: Any] {
    let value = try JSONSerialization.jsonObject(with: Data(output.utf8))
    return try #require(value as? [String: Any], "\(output) \(errors)")
  }
}

/// The real programs, from the folder that this test was built into.
enum Programs {
  static let folder = URL(filePath: "/proc/self/exe").resolvingSymlinksInPath()
    .deletingLastPathComponent()

  /// Runs `muster` to its end.
  static func muster(
    _ arguments: [String], input: String = "", environment: [String: String] = [:]
  ) throws -> Said {
    try run(folder.appending(path: "muster").path, arguments, input, environment)
  }

  static func run(
    _ program: String, _ arguments: [String], _ input: String = "",
    _ environment: [String: String] = [:]
  ) throws -> Said {
    let process = Process()
    process.executableURL = URL(filePath: program)
    process.arguments = arguments
    var variables = ["PATH": "/usr/bin:/bin", "LANG": "C.UTF-8", "TZ": "UTC", "TERM": "xterm"]
    variables.merge(environment) { $1 }
    process.environment = variables
    let folder = FileManager.default.temporaryDirectory.appending(path: "said-\(UUID())")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }  // A temporary folder more or less.
    // Files, not pipes: however much is said, nobody waits for a reader.
    let files = try ["in", "out", "err"].map { name in
      let file = folder.appending(path: name)
      try Data((name == "in" ? input : "").utf8).write(to: file)
      return try FileHandle(forUpdating: file)
    }
    process.standardInput = files[0]
    process.standardOutput = files[1]
    process.standardError = files[2]
    try process.run()
    process.waitUntilExit()
    func text(_ name: String) throws -> String {
      String(decoding: try Data(contentsOf: folder.appending(path: name)), as: UTF8.self)
    }
    return Said(
      code: process.terminationStatus, output: try text("out"), errors: try text("err"))
  }
}

/// `muster up` on a folder of its own, ready, until it is stopped.
final class RunningMuster {
  let data: URL
  private let isOwner: Bool
  let process = Process()
  private let output = Pipe()
  private(set) var readyLine = ""

  init(_ options: [String] = [], on folder: URL? = nil) throws {
    data = folder ?? RunningMuster.newFolder()
    isOwner = folder == nil
    process.executableURL = Programs.folder.appending(path: "muster")
    process.arguments = ["up", "--data", data.path] + options
    process.standardOutput = output
    process.standardError = FileHandle.nullDevice
    try process.run()
    var line: [UInt8] = []
    // The first line says that it is ready; the end of the output, that it never will be.
    while let byte = try output.fileHandleForReading.read(upToCount: 1)?.first, byte != 10 {
      line.append(byte)
    }
    readyLine = String(decoding: line, as: UTF8.self)
    try #require(readyLine.hasPrefix("ready "), "muster up did not come up")
  }

  deinit {
    if process.isRunning { process.terminate() }
    process.waitUntilExit()
    // A temporary folder more or less.
    if isOwner { try? FileManager.default.removeItem(at: data) }
  }

  var endpoint: String { String(readyLine.dropFirst("ready ".count)) }

  func callAsFunction(
    _ arguments: String..., input: String = "", environment: [String: String] = [:]
  ) throws -> Said {
    try run(arguments, input: input, environment: environment)
  }

  func run(
    _ arguments: [String], input: String = "", environment: [String: String] = [:]
  ) throws -> Said {
    var variables = ["MUSTER_ENDPOINT": endpoint, "MUSTER_USER": "ada"]
    variables.merge(environment) { $1 }
    return try Programs.muster(arguments, input: input, environment: variables)
  }

  /// Runs it as on a terminal, by util-linux's script(1).
  func onTerminal(_ command: String, environment: [String: String] = [:]) throws -> Said {
    var variables = ["MUSTER_ENDPOINT": endpoint, "MUSTER_USER": "ada"]
    variables.merge(environment) { $1 }
    let muster = Programs.folder.appending(path: "muster").path
    return try Programs.run(
      "/usr/bin/script", ["-qec", "\(muster) \(command)", "/dev/null"], "n\n", variables)
  }

  /// The process id of one of the four.
  func processID(_ name: String) throws -> pid_t {
    let file = data.appending(path: "run/\(name).pid")
    let text = String(decoding: try Data(contentsOf: file), as: UTF8.self)
    return try #require(pid_t(text.trimmingCharacters(in: .newlines)))
  }

  static func newFolder() -> URL {
    URL(filePath: "/tmp/muster-\(UUID().uuidString.prefix(8))")
  }
}

/// One more gateway on the services of a running Muster, which nobody starts again.
final class OtherGateway {
  let endpoint: String
  private let process = Process()

  init(_ muster: RunningMuster) throws {
    let run = "ipc://\(muster.data.path)/run"
    endpoint = "\(run)/gateway-2.sock"
    process.executableURL = Programs.folder.appending(path: "muster-gateway")
    process.arguments =
      ["--rpc", endpoint, "--trust-clients"]
      + ["profiles", "locations", "check-ins"].flatMap { name in
        ["--\(name)", "\(run)/\(name).sock,\(run)/\(name)-feed.sock"]
      }
    process.standardError = FileHandle.nullDevice
    process.standardOutput = FileHandle.nullDevice
    try process.run()
  }

  deinit {
    process.terminate()
    process.waitUntilExit()
  }
}

/// Waits until a condition holds, looking again and again; false after thirty seconds.
func eventually(_ condition: () throws -> Bool) rethrows -> Bool {
  let end = ContinuousClock.now + .seconds(30)
  while ContinuousClock.now < end {
    if try condition() { return true }
    var nothing = pollfd(fd: -1, events: 0, revents: 0)
    poll(&nothing, 1, 20)
  }
  return false
}

/// Whether a process of this id is there, and not only waiting to be noticed.
func isAlive(_ processID: pid_t) -> Bool {
  guard kill(processID, 0) == 0 else { return false }
  // A process whose entry is gone meanwhile is not alive either.
  let status = try? String(contentsOfFile: "/proc/\(processID)/stat", encoding: .utf8)
  return status.map { !$0.contains(") Z ") } ?? false
}
