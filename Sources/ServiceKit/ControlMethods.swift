import Wire
import ZeroMQ

/// What every process answers about itself.
extension Handlers {
  mutating func addControlMethods() {
    readLater(.checkHealth, of: []) { (_: CheckHealthRequest, core, call, context) in
      core.reply(call, core.health(at: context.now), asOf: Revisions(), context.now)
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

  /// Up and serving; degraded where a service behind it cannot be reached.
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
    let state: ServingState = isDraining ? .draining : isWhole ? .serving : .degraded
    let own = ServiceHealth(
      service: service.name, state: state, revision: changeLog?.lastRevision ?? 0)
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
