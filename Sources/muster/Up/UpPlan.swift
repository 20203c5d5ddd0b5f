import Foundation
import Terminal

/// Where everything of one data folder is: sockets, data and process ids, and how the four programs
/// are started on it.
struct UpPlan {
  /// One program to run.
  struct Program {
    /// As health, info and files have it: "check-ins".
    var name: String
    var executable: String
    var arguments: [String]
  }

  /// Absolute, links resolved.
  let data: String
  /// In the order in which they are started; they are stopped in the opposite one.
  let programs: [Program]
  /// What clients connect to, the ipc one first.
  let endpoints: [String]

  /// libzmq and the kernel take ipc paths of at most this many bytes.
  static let socketPathBytes = 107

  private static let services = ["profiles", "locations", "check-ins"]

  init(data folder: String, listen: [String], programsFolder: String) throws {
    let data = UpPlan.withoutSlash(
      URL(filePath: folder).standardizedFileURL.path(percentEncoded: false))
    let programsFolder = UpPlan.withoutSlash(programsFolder)
    self.data = data
    endpoints = [UpPlan.socket(self.data, "gateway")] + listen
    try listen.forEach(UpPlan.checkLoopback)
    let root = self.data
    let longest = "\(root)/run/check-ins-feed.sock"
    guard longest.utf8.count <= UpPlan.socketPathBytes else {
      throw Failure(
        .usage,
        "the data folder's path is too long for a socket: \(longest) has "
          + "\(longest.utf8.count) bytes, and \(UpPlan.socketPathBytes) is the most",
        hint: "choose a shorter --data")
    }
    func pair(_ name: String) -> String {
      "\(UpPlan.socket(root, name)),\(UpPlan.socket(root, "\(name)-feed"))"
    }
    func service(_ name: String, _ program: String, _ others: [String] = []) -> Program {
      Program(
        name: name, executable: "\(programsFolder)/\(program)",
        arguments: [
          "--data", UpPlan.folder(root, name), "--rpc", UpPlan.socket(root, name),
          "--feed", UpPlan.socket(root, "\(name)-feed"),
        ] + others)
    }
    let followed = ["--profiles", pair("profiles"), "--locations", pair("locations")]
    programs = [
      service("profiles", "muster-profiles"),
      service("locations", "muster-locations"),
      service("check-ins", "muster-checkins", followed),
      Program(
        name: "gateway", executable: "\(programsFolder)/muster-gateway",
        arguments: endpoints.flatMap { ["--rpc", $0] } + followed
          + ["--check-ins", pair("check-ins"), "--trust-clients"]),
    ]
  }

  /// The folder of process ids, sockets and the lock.
  var runFolder: String { "\(data)/run" }

  func processIDFile(of name: String) -> String { "\(runFolder)/\(name).pid" }

  /// Where a service keeps its data.
  func folder(of service: String) -> String { UpPlan.folder(data, service) }

  /// Where a process answers.
  func endpoint(of name: String) -> String { UpPlan.socket(data, name) }

  /// Makes the folders, and says where that is not possible.
  func makeFolders() throws {
    for folder in [data, runFolder] + UpPlan.services.map(folder(of:)) {
      do {
        try FileManager.default.createDirectory(
          atPath: folder, withIntermediateDirectories: true,
          attributes: [.posixPermissions: 0o700])
      } catch {
        throw Failure(
          .serverError, "cannot make the folder \(folder): \(Failure.reason(error))",
          hint: "choose another --data")
      }
    }
  }

  private static func withoutSlash(_ folder: String) -> String {
    folder.count > 1 && folder.hasSuffix("/") ? String(folder.dropLast()) : folder
  }

  private static func folder(_ data: String, _ service: String) -> String { "\(data)/\(service)" }

  private static func socket(_ data: String, _ name: String) -> String {
    "ipc://\(data)/run/\(name).sock"
  }

  /// A gateway that trusts its clients may be reached from this machine only.
  private static func checkLoopback(_ endpoint: String) throws {
    let address = endpoint.hasPrefix("tcp://") ? endpoint.dropFirst(6) : ""
    let colon = address.lastIndex(of: ":")
    let host = colon.map { address[..<$0] } ?? ""
    let port = colon.flatMap { UInt16(address[address.index(after: $0)...]) } ?? 0
    let isLoopback =
      host == "localhost" || host == "[::1]"
      || host.hasPrefix("127.") && host.split(separator: ".").compactMap { UInt8($0) }.count == 4
    guard isLoopback, port > 0 else {
      throw Failure(
        .usage, "--listen \(endpoint) is no loopback endpoint, and clients are trusted there",
        hint: "write --listen tcp://127.0.0.1:PORT")
    }
  }
}
