import Glibc
import Keys
import Model
import SQLite
import ZeroMQ

/// What every program's main does: reads its configuration, opens its store, runs its loop.
package enum ServiceMain {
  /// A service ready to run.
  package struct Parts {
    package var service: any Service
    /// Nil: it keeps nothing.
    package var store: ServiceCore.Store?
    package var rpc: [Endpoint]
    package var feed: Endpoint?
    package var backends: [LogName: BackendEndpoints]
    package var trustsClients: Bool
    /// What a user who comes with a key may begin; nil: any number.
    package var callRate: Rate?
    package var watchRate: Rate?

    package init(
      service: any Service, store: ServiceCore.Store?, rpc: [Endpoint], feed: Endpoint?,
      backends: [LogName: BackendEndpoints] = [:], trustsClients: Bool = true,
      callRate: Rate? = nil, watchRate: Rate? = nil
    ) {
      self.service = service
      self.store = store
      self.rpc = rpc
      self.feed = feed
      self.backends = backends
      self.trustsClients = trustsClients
      self.callRate = callRate
      self.watchRate = watchRate
    }
  }

  /// Where it is not known what is on disk, the process ends with this, to be started again
  /// (`EX_IOERR` of sysexits(3)).
  package static let diskFailed: Int32 = 74

  /// Runs a program; returns its exit status.
  ///
  /// - Parameter build: opens the store and makes the service.
  package static func run(
    _ program: Program, settings: [Setting], build: (Configuration, Log) throws -> Parts
  ) -> Int32 {
    let signals = Signals()
    let configuration: Configuration
    do {
      let start = try Configuration.load(
        program: program, settings: settings,
        arguments: Array(CommandLine.arguments.dropFirst()), environment: environment(),
        readFile: read, check: ProgramKeys.problems)
      switch start {
      case .say(let text):
        print(text, terminator: "")
        return 0
      case .run(let loaded): configuration = loaded
      }
    } catch {
      writeToStandardError("\(program.name): \(error)\n")
      return ConfigurationError.exitStatus
    }
    let log = Log.onStandardError(
      level: Log.Level(configuration.text("log-level")) ?? .info,
      format: Log.Format(rawValue: configuration.text("log-format")) ?? .text,
      environment: environment())
    FreeMemory.keepLargeBlocksApart()
    do {
      // Keys first: the memory of whoever has one is kept private from then on.
      let keys = try ProgramKeys(configuration)
      let parts = try build(configuration, log)
      boundConnections(parts)
      try serve(program, parts, keys, signals, log)
      log.notice("ended", ["program": .text(program.name)])
      return 0
    } catch let error as ConfigurationError {
      for problem in error.problems { log.error("cannot run", ["error": .text(problem)]) }
      return ConfigurationError.exitStatus
    } catch let error as KeyFileError {
      log.error("cannot run", ["error": .text(error.description)])
      return ConfigurationError.exitStatus
    } catch let error as SQLiteError where error.kind == .busy {
      log.error("cannot run", ["error": .text(error.message)])
      return 1
    } catch let error as SQLiteError {
      log.error("the store failed", ["error": .error(error)])
      return diskFailed
    } catch {
      log.error("cannot run", ["error": .error(error)])
      return 1
    }
  }

  private static func serve(
    _ program: Program, _ parts: Parts, _ keys: ProgramKeys, _ signals: Signals, _ log: Log
  ) throws {
    let now = SystemClock.now()
    let admission = Admission(keys.allowed, peers: parts.feed != nil, log: log, at: now)
    var options = ServiceCore.Options()
    options.trustsClients = parts.trustsClients
    options.callRate = parts.callRate
    options.watchRate = parts.watchRate
    options.version = program.version
    options.startTimeMs = now.wallMs
    if parts.store == nil { options.durability = "none: it keeps nothing" }
    let connections = Connections()
    let sockets = try Sockets(
      rpc: parts.rpc, feed: parts.feed, backends: parts.backends, connections: connections,
      keys: keys)
    try sockets.open(admitting: admission.keys, at: now)
    let core = ServiceCore(
      parts.service, store: parts.store, follows: parts.backends.keys.sorted { $0.text < $1.text },
      options: options, outlet: sockets, connections: connections, log: log, clock: SystemClock.now)
    log.notice(
      "ready",
      [
        "program": .text(program.name),
        "rpc": .text(parts.rpc.map(\.description).joined(separator: ",")),
      ])
    core.allow(admission.keys, at: now)
    try ServiceLoop(core, sockets, signals, admission, log: log).run()
  }

  /// As many descriptors as the system lets a process have, some of them for itself alone.
  private static func boundConnections(_ parts: Parts) {
    var limit = rlimit()
    let resource = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
    guard getrlimit(resource, &limit) == 0 else { return }
    if limit.rlim_cur < limit.rlim_max {
      let most = rlimit(rlim_cur: limit.rlim_max, rlim_max: limit.rlim_max)
      // Where this is refused, the limit stays what it was.
      withUnsafePointer(to: most) { if setrlimit(resource, $0) == 0 { limit = most } }
    }
    let own = min(Limits.ownDescriptors, Int(clamping: limit.rlim_cur) / 2)
    AcceptedConnections.bound(
      descriptorsBelow: Int32(clamping: Int(clamping: limit.rlim_cur) - own),
      bytesAhead: parts.feed == nil ? Limits.bytesAhead : Limits.bytesAheadOfPeers)
  }

  private static func read(_ path: String) throws -> [UInt8] {
    guard let file = fopen(path, "rb") else { throw SystemError(number: errno, what: path) }
    defer { fclose(file) }
    var content: [UInt8] = []
    var part = [UInt8](repeating: 0, count: 65_536)
    while true {
      let count = fread(&part, 1, part.count, file)
      guard count > 0 else { break }
      content += part[..<count]
    }
    guard ferror(file) == 0 else { throw SystemError(number: errno, what: path) }
    return content
  }

  /// The variables of this process.
  private static func environment() -> [String: String] {
    var result: [String: String] = [:]
    var next = environ
    while let entry = next.pointee {
      let text = String(cString: entry)
      if let equals = text.firstIndex(of: "=") {
        result[String(text[..<equals])] = String(text[text.index(after: equals)...])
      }
      next += 1
    }
    return result
  }
}
