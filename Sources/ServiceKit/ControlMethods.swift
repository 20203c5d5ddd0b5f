import Model
import Wire
import ZeroMQ

/// What every process answers about itself.
extension Handlers {
  mutating func addControlMethods() {
    readLater(.checkHealth, of: []) { (_: CheckHealthRequest, core, call, context) in
      core.tellHealth(call, context.now)
    }
    readLater(.getInfo, of: [], check: Self.checkName { $0.service }) {
      (request: GetInfoRequest, core, call, context) in
      if try core.passOn(call, to: request.service, context.now) { return }
      core.reply(call, core.info, asOf: Revisions(), context.now)
    }
    readLater(.getStats, of: [], check: Self.checkName { $0.service }) {
      (request: GetStatsRequest, core, call, context) in
      if try core.passOn(call, to: request.service, context.now) { return }
      core.reply(call, core.stats, asOf: Revisions(), context.now)
    }
  }

  private static func checkName<Q: Message>(
    _ name: @escaping (Q) -> String
  ) -> (Q, inout Form) throws -> Void {
    { request, form in
      let name = name(request)
      let isKnown =
        name.isEmpty || name == "gateway" || LogName.allCases.contains { $0.text == name }
      if !isKnown {
        form.refuse("service", "Not one of gateway, profiles, locations, check-ins.")
      }
    }
  }
}

extension ServiceCore {
  /// Passes a question about another process on to it. False: this process is meant.
  func passOn(_ call: CallHandle, to name: String, _ now: Moment) throws -> Bool {
    guard !name.isEmpty, name != service.name else { return false }
    guard let log = LogName.allCases.first(where: { $0.text == name }), backends[log] != nil else {
      throw Refusal(.serviceUnreachable, "\(service.name) has no connection to \(name).")
    }
    bodyFrame.clear()
    try forward(call, to: log, body: bodyFrame, now)
    return true
  }

  /// Answers how this process is. A gateway has those behind it say how they are, too: one that can
  /// be reached may have a full disk.
  func tellHealth(_ call: CallHandle, _ now: Moment) {
    let asked = service.ownLogs.isEmpty ? LogName.allCases.filter { isReachable($0, at: now) } : []
    guard !asked.isEmpty else { return reply(call, health(at: now), asOf: Revisions(), now) }
    let timeoutMs = min(Limits.healthTimeoutMs, timeLeftMs(of: call, at: now) * 3 / 4)
    var told: [ServiceHealth] = []
    var openCount = asked.count
    for log in asked {
      ask(log, .checkHealth, CheckHealthRequest(), timeoutMs: timeoutMs, at: now) { [self] in
        let answer = $0.flatMap { decode(CheckHealthResponse.self, $0) }
        told += answer?.services.filter { $0.service == log.text && !$0.detail.isEmpty } ?? []
        openCount -= 1
        guard openCount == 0 else { return }
        reply(call, health(at: self.now).with(told), asOf: Revisions(), self.now)
      }
    }
  }

  /// Up and serving; degraded where a service behind it cannot be reached, or its disk is full.
  func health(at now: Moment) -> CheckHealthResponse {
    var isWhole = true
    var services: [ServiceHealth] = []
    for log in LogName.allCases {
      guard let backend = backends[log] else { continue }
      let isReachable = backend.isReachable(at: now)
      isWhole = isWhole && isReachable && backend.follower.position != nil
      let silentUs =
        backend.follower.heardUs == .min ? 0 : now.monotonicUs - backend.follower.heardUs
      services.append(
        ServiceHealth(
          service: log.text, state: isReachable ? .serving : .notServing,
          revision: backend.follower.position ?? 0, silentMs: UInt64(max(0, silentUs / 1_000)),
          detail: detail(of: backend, isReachable)))
    }
    let state: ServingState =
      isDraining ? .draining : isWhole && !isStoreFull ? .serving : .degraded
    let own = ServiceHealth(
      service: service.name, state: state, revision: changeLog?.lastRevision ?? 0,
      detail: isStoreFull ? "its disk is full, and nothing can be written" : "")
    return CheckHealthResponse(state: state, services: [own] + services)
  }

  private func detail(of backend: Backend, _ isReachable: Bool) -> String {
    switch (backend.isConnected, isReachable) {
    case (false, _): "not connected"
    case (true, false):
      backend.follower.confirmedQuestion < backend.connectedQuestion
        ? "its log is being read" : "connected, but silent"
    case (true, true): backend.follower.position == nil ? "its log is being read" : ""
    }
  }

  var info: GetInfoResponse {
    GetInfoResponse(
      service: service.name, version: options.version, methods: handlers.methods.map(\.fullName),
      fileDescriptorSet: Wire.fileDescriptorSet, startTimeMs: options.startTimeMs,
      durability: options.durability)
  }

  var stats: GetStatsResponse {
    let own = [
      Gauge(name: "muster_requests_in_flight", value: Double(calls.count)),
      Gauge(name: "muster_calls_to_others_in_flight", value: Double(pending.count)),
      Gauge(name: "muster_bytes_not_taken", value: Double(AcceptedConnections.bytesAhead)),
      Gauge(
        name: "muster_connections_turned_away_total",
        value: Double(AcceptedConnections.turnedAway)),
      Gauge(name: "muster_connections_hung_up_total", value: Double(AcceptedConnections.hungUp)),
    ]
    return GetStatsResponse(
      methods: metrics.stats, gauges: own + metrics.gauges + service.gauges)
  }
}

extension CheckHealthResponse {
  /// With what services have said of themselves that others cannot see.
  fileprivate func with(_ told: [ServiceHealth]) -> CheckHealthResponse {
    var health = self
    for own in told {
      guard let index = services.firstIndex(where: { $0.service == own.service }) else { continue }
      health.services[index].state = own.state
      health.services[index].detail = own.detail
      if state == .serving && own.state != .serving { health.state = .degraded }
    }
    // The first one is the process that answers.
    if health.state != state { health.services[0].state = health.state }
    return health
  }
}
