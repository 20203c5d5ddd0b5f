import Client
import Foundation
import LoadDriver
import Terminal
import Wire

/// One run, from the system's start to the report.
struct RunCommand {
  private let plan: LoadPlan
  private let said: SaidOptions
  private let around: LoadSurroundings
  private var console: Console { around.console }

  static let run: LoadAction = { typed, around in
    let scenario = try ScenarioFiles.options(typed.option("scenario"), around)
    let said = SaidOptions(typed, scenario: scenario)
    let command = RunCommand(plan: try LoadPlan(said), said: said, around: around)
    return try command.run(format: ReportFormat(typed.option("output") ?? "text"))
  }

  private func run(format: ReportFormat) throws -> Int32 {
    let reports = try said.options("report").map { ($0, try ReportFormat(fileName: $0)) }
    let machine = Machine.facts()
    let ownData = said.flag("up") && said.option("data") == nil ? try temporaryFolder() : nil
    // A temporary folder more or less.
    defer { if let ownData { try? FileManager.default.removeItem(atPath: ownData) } }
    let up = try said.flag("up") ? start(ownData ?? said.option("data") ?? "") : nil
    defer { up?.stop() }
    let context = up == nil ? try around.context(said.option("context")) : nil
    let endpoint =
      up?.endpoint ?? said.option("endpoint") ?? context?.endpoints[0] ?? around.endpoint
    let curve = try context?.curve()
    let client = try Client(
      endpoints: [endpoint], user: "load-driver", timeoutMs: 10_000, curve: curve)
    let info = try client.call(GetInfoRequest())
    let population =
      try plan.prepares
      ? Population.prepare(plan, client, progress: progress) : Population.find(plan, client)
    clearLine()
    let firstRevision = plan.verifies ? try EvidenceReader.revision(client) : 0
    let driver = try Driver(
      plan, endpoint: endpoint, curve: curve, population: population,
      logsHistograms: said.option("histograms") != nil)
    let startMs = Int64(Date().timeIntervalSince1970 * 1000)
    try driver.drive(
      up: up, look: { Interruption.isWanted ? .stop : .goOn }, onSecond: show)
    clearLine()
    let wasInterrupted = Interruption.isWanted
    let checks =
      wasInterrupted ? nil : try verify(driver, client, endpoint, firstRevision: firstRevision)
    if plan.cleansUp, !wasInterrupted {
      try population.cleanUp(client, progress: progress)
      clearLine()
    }
    let report = LoadReport(
      startMs: startMs, plan: plan, configuration: configuration(endpoint, info), machine: machine,
      measured: driver.measurements, cost: driver.cost, checks: checks, events: driver.events,
      wasInterrupted: wasInterrupted)
    console.write(format.text(report, console))
    for (path, format) in reports { try write(format.text(report, nil), to: path) }
    if let path = said.option("histograms"), let log = driver.run.log {
      try write(log.text, to: path)
    }
    return report.verdict.exitCode
  }

  private func verify(
    _ driver: Driver, _ client: Client, _ endpoint: String, firstRevision: UInt64
  ) throws -> [CheckResult]? {
    guard let ledger = driver.ledger else { return nil }
    status("verifying")
    defer { clearLine() }
    let log = try logEndpoint(endpoint).map { endpoint in
      try Client(endpoints: [endpoint], user: "load-driver", timeoutMs: 30_000)
    }
    let reader = EvidenceReader(
      driver, ledger, client: client, log: log, firstRevision: firstRevision)
    return Verification(ledger, try reader.evidence()).results()
  }

  /// The check-in service's own socket, where it is said, or is beside the gateway's.
  private func logEndpoint(_ gateway: String) -> String? {
    if let endpoint = said.option("check-ins") { return endpoint }
    guard gateway.hasPrefix("ipc://"), gateway.hasSuffix("/gateway.sock") else { return nil }
    let path = gateway.dropFirst("ipc://".count).dropLast("gateway.sock".count) + "check-ins.sock"
    return FileManager.default.fileExists(atPath: String(path)) ? "ipc://\(path)" : nil
  }
}

// MARK: - What it stands on

extension RunCommand {
  private func start(_ data: String) throws -> UpProcess {
    try FileManager.default.createDirectory(atPath: data, withIntermediateDirectories: true)
    let muster = try around.programsFolder.appending(path: "muster").path(percentEncoded: false)
    return try UpProcess(program: muster, data: data, log: "\(data)/up.log")
  }

  /// Short, for a socket's path may have 107 bytes only.
  private func temporaryFolder() throws -> String {
    let folder = FileManager.default.temporaryDirectory.path(percentEncoded: false)
    return "\(folder)/muster-load-\(UUID().uuidString.prefix(8))"
  }

  private func configuration(_ endpoint: String, _ info: GetInfoResponse) -> [Fact] {
    var facts = [
      Fact("endpoint", endpoint),
      Fact("server", "\(info.service) \(info.version)"),
      Fact("driver", "muster-load \(LoadProgram.version)"),
    ]
    facts += plan.facts
    return facts
  }

  private func write(_ text: String, to path: String) throws {
    do {
      try Data(text.utf8).write(to: URL(filePath: path))
    } catch {
      throw LoadFailure("cannot write \(path): \(error.localizedDescription)")
    }
  }
}

// MARK: - What is shown meanwhile

extension RunCommand {
  private func status(_ text: String) {
    if console.errorIsTerminal { console.status("\r\(text)\u{1B}[K") }
  }

  private func clearLine() { status("") }

  private func progress(_ what: String, _ done: Int, _ total: Int) throws(CallError) {
    guard !Interruption.isWanted else {
      throw CallError(Status(code: .cancelled, message: "interrupted before the load began"))
    }
    status("\(what): \(NumberText.grouped(done)) of \(NumberText.grouped(total))")
  }

  private func show(_ second: SecondLine) { status(second.liveText) }
}

extension LoadSurroundings {
  /// Where the gateway is, if nobody says.
  fileprivate var endpoint: String {
    environment["MUSTER_ENDPOINT"].flatMap { $0.isEmpty ? nil : $0 }
      ?? "ipc:///run/muster/gateway.sock"
  }

  /// The context that is said, by option or environment; nil: none.
  fileprivate func context(_ option: String?) throws -> SavedContext? {
    let variable = environment["MUSTER_CONTEXT"].flatMap { $0.isEmpty ? nil : $0 }
    guard let name = option ?? variable else { return nil }
    guard let context = try SavedContexts(environment: environment)?.read(name) else {
      throw LoadFailure("there is no context '\(name)'", hint: "'muster context list' shows all")
    }
    return context
  }
}

/// How a report is written.
enum ReportFormat: String {
  case text, json, csv, html

  init(_ name: String) { self = ReportFormat(rawValue: name) ?? .text }

  /// By the suffix of a file.
  init(fileName: String) throws(UsageError) {
    switch fileName.split(separator: ".").last {
    case "txt": self = .text
    case "json": self = .json
    case "csv": self = .csv
    case "html": self = .html
    default:
      throw UsageError(
        "--report \(fileName) does not say which format",
        hint: "end it with .txt, .json, .csv or .html")
    }
  }

  /// The report; `console`: what text is for, nil for a file.
  func text(_ report: LoadReport, _ console: Console?) -> String {
    switch self {
    case .text:
      TextReport(report, console: console ?? Console(color: .never, environment: [:])).text()
    case .json: report.json.write(pretty: true) + "\n"
    case .csv: report.csv
    case .html: HTMLReport(report).text()
    }
  }
}
