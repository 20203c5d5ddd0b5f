import CProcess
import Client
import Foundation
import Terminal
import Wire

/// Runs the four programs of one data folder until it is told to stop: starts them, says when calls
/// are answered, starts again what dies, and stops them from the outside in.
final class Supervisor {
  private let plan: UpPlan
  private let console: Console
  private let user: String
  private let children: [ChildProcess]
  private let signals: Int32
  private let lock: Int32

  private var isReady = false
  /// The children not yet told to stop, while stopping.
  private var toStop: [ChildProcess]?
  private var stopDeadlineMs = 0
  private var nextProbeMs = 0
  private var nextNoticeMs = 0
  /// Why it ends with an error; nil: it was asked to end.
  private var failure: Failure?

  private static let stopMs = 10_000
  private static let probeMs = 50
  private static let noticeMs = 5_000

  init(plan: UpPlan, console: Console, user: String) throws {
    self.plan = plan
    self.console = console
    self.user = user
    try plan.makeFolders()
    lock = try Supervisor.takeLock(of: plan)
    signals = muster_signal_descriptor()
    guard signals >= 0 else { throw POSIXError.now }
    signal(SIGPIPE, SIG_IGN)
    children = plan.programs.map(ChildProcess.init)
  }

  /// Runs until a signal ends it. Throws why one of the programs could not be started.
  func run() throws {
    for child in children { start(child) }
    nextNoticeMs = monotonicMs() + Supervisor.noticeMs
    while !isOver { step() }
    for child in children { removeProcessID(of: child) }
    if let failure { throw failure }
  }

  private var isOver: Bool {
    toStop != nil && children.allSatisfy { $0.processID == nil && $0.output < 0 }
  }

  private func step() {
    waitForSomething()
    takeSignals()
    for child in children {
      for line in child.readLines() { say(child.program.name, line) }
    }
    reap()
    let now = monotonicMs()
    if toStop != nil {
      continueStopping(now)
    } else {
      for child in children {
        if let time = child.restartAtMs, now >= time { start(child) }
      }
      if !isReady { probe(now) }
    }
  }

  private func waitForSomething() {
    let now = monotonicMs()
    var wake = now + 1_000
    for time in children.compactMap(\.restartAtMs) { wake = min(wake, time) }
    if toStop != nil { wake = min(wake, stopDeadlineMs) }
    if !isReady && toStop == nil { wake = min(wake, nextProbeMs) }
    var polled = [pollfd(fd: signals, events: Int16(POLLIN), revents: 0)]
    polled += children.map { pollfd(fd: $0.output, events: Int16(POLLIN), revents: 0) }
    poll(&polled, nfds_t(polled.count), Int32(max(0, wake - now)))
  }

  private func takeSignals() {
    var info = signalfd_siginfo()
    while read(signals, &info, MemoryLayout.size(ofValue: info)) > 0 {
      guard info.ssi_signo != UInt32(SIGCHLD) else { continue }
      if toStop == nil {
        say("muster", "stopping")
        stop()
      } else {
        say("muster", "killing what still runs")
        for child in children { child.send(SIGKILL) }
      }
    }
  }

  private func start(_ child: ChildProcess) {
    let name = child.program.name
    guard access(child.program.executable, X_OK) == 0 else {
      return fail("there is no program \(child.program.executable) to be the \(name)")
    }
    do {
      try child.start(nowMs: monotonicMs())
    } catch {
      let why = "\(name) could not be started: \(Failure.reason(error))"
      guard isReady else { return fail(why) }
      say("muster", "\(why); trying again in 1 s")
      child.restartAtMs = monotonicMs() + 1_000
      return
    }
    if let processID = child.processID { note(processID, of: name) }
  }

  /// On a full disk a process that has died is started again all the same: what is there is read,
  /// and the others go on. Then a file that says the wrong number goes.
  private func note(_ processID: pid_t, of name: String) {
    let path = plan.processIDFile(of: name)
    do {
      try Data("\(processID)\n".utf8).write(to: URL(filePath: path), options: .atomic)
    } catch {
      guard isReady else {
        return fail("the id of \(name) could not be written: \(Failure.reason(error))")
      }
      unlink(path)
      say("muster", "\(name) is \(processID), which cannot be written: \(Failure.reason(error))")
    }
  }

  private func reap() {
    var status: Int32 = 0
    while true {
      let processID = waitpid(-1, &status, WNOHANG)
      guard processID > 0 else { return }
      guard let child = children.first(where: { $0.processID == processID }) else { continue }
      for line in child.readLines() { say(child.program.name, line) }
      child.ended(nowMs: monotonicMs())
      guard toStop == nil else {
        child.restartAtMs = nil
        continue
      }
      let signal = status & 0x7F
      let how = signal == 0 ? "ended with \((status >> 8) & 0xFF)" : "was ended by signal \(signal)"
      if !isReady && signal == 0 {
        let why = child.lastLine.isEmpty ? "" : ": \(TerminalText.visible(child.lastLine))"
        fail("\(child.program.name) could not start; it \(how)\(why)")
      } else {
        let pause = Double(max(0, (child.restartAtMs ?? 0) - monotonicMs())) / 1000
        say("muster", "\(child.program.name) \(how); starting it again in \(pause) s")
      }
    }
  }

  /// Ready is when the gateway answers for everybody behind it.
  private func probe(_ now: Int) {
    guard now >= nextProbeMs else { return }
    nextProbeMs = now + Supervisor.probeMs
    let health: CheckHealthResponse?
    do {
      let client = try Client(
        endpoints: [plan.endpoints[0]], user: user, timeoutMs: 100)
      health = try client.call(CheckHealthRequest())
    } catch {
      health = nil  // Not yet; the notice below says so when it takes long.
    }
    if health?.state == .serving {
      isReady = true
      for endpoint in plan.endpoints { console.write("ready \(endpoint)\n") }
      console.flush()
    } else if now >= nextNoticeMs {
      nextNoticeMs = now + Supervisor.noticeMs
      let late = health?.services.filter { $0.state != .serving }.map(\.service) ?? []
      say("muster", "waiting for \(late.isEmpty ? "the gateway" : late.joined(separator: ", "))")
    }
  }
}

// MARK: - The end

extension Supervisor {
  private func fail(_ why: String) {
    if failure == nil { failure = Failure(.unavailable, why, hint: "what it said is above") }
    if toStop == nil { stop() }
  }

  /// The gateway first, which answers what it has taken on; then those who follow; then the rest.
  private func stop() {
    for child in children { child.restartAtMs = nil }
    toStop = children
    stopDeadlineMs = 0
    continueStopping(monotonicMs())
  }

  private func continueStopping(_ now: Int) {
    let told = children.suffix(children.count - (toStop?.count ?? 0))
    if told.contains(where: { $0.processID != nil }) {
      guard now >= stopDeadlineMs else { return }
      for child in told where child.processID != nil {
        say("muster", "\(child.program.name) does not stop; killing it")
        child.send(SIGKILL)
      }
      stopDeadlineMs = now + Supervisor.stopMs
    } else if let next = toStop?.popLast() {
      next.send(SIGTERM)
      stopDeadlineMs = now + (next.processID == nil ? 0 : Supervisor.stopMs)
    }
  }

  private func removeProcessID(of child: ChildProcess) {
    unlink(plan.processIDFile(of: child.program.name))
  }

  private func say(_ name: String, _ line: String) {
    // The priority in front, "<6>", is for journald.
    let isPrefixed = line.hasPrefix("<") && line.dropFirst(2).first == ">"
    let line = isPrefixed ? String(line.dropFirst(3)) : line
    console.message("\(name) | \(TerminalText.visible(line))")
  }

  private static func takeLock(of plan: UpPlan) throws -> Int32 {
    let path = "\(plan.runFolder)/up.lock"
    let descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else {
      throw Failure(.serverError, "cannot open \(path): \(Failure.reason(POSIXError.now))")
    }
    guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
      close(descriptor)
      throw Failure(
        .conflict, "another 'muster up' runs on \(plan.data)",
        hint: "use that one, or choose another --data")
    }
    return descriptor
  }

  private func monotonicMs() -> Int {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return time.tv_sec * 1000 + time.tv_nsec / 1_000_000
  }
}
