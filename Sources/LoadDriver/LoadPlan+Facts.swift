extension LoadPlan {
  /// The plan for the report.
  package var facts: [Fact] {
    var facts: [Fact] = []
    switch course.loop {
    case .open(let profile, let arrivals, let catchUp, let most):
      facts.append(
        Fact("load", "open loop, \(arrivals.rawValue): \(profile.text)"))
      facts.append(Fact("catch-up", "\(catchUp.rawValue), at most \(most) in flight"))
    case .closed(let outstanding):
      facts.append(Fact("load", "closed loop: \(outstanding) outstanding"))
    }
    func seconds(_ ns: Int) -> String { "\(NumberText.plain(Double(ns) / 1e9)) s" }
    let measured = course.requests.map { "until \(NumberText.grouped($0)) requests" }
    facts += [
      Fact("measured", measured ?? seconds(course.durationNs - course.warmUpNs)),
      Fact("warm-up", seconds(course.warmUpNs)),
      Fact("mix", mix.text),
      Fact(
        "population",
        "\(NumberText.grouped(profiles)) people, \(NumberText.grouped(locations)) places"),
      Fact("keys", keys.text),
      Fact("seed", String(course.seed)),
      Fact("clients", "\(course.clients) on \(connections) connections"),
      Fact("time-out", seconds(course.timeoutMs * 1_000_000)),
      Fact("idempotency keys", hasKeys ? "on every write" : "none"),
    ]
    if mix.weights.contains(where: { $0.operation == .batch }) {
      facts.append(Fact("batch", "\(batchItems) items"))
    }
    if ttlS > 0 { facts.append(Fact("stays end after", "\(ttlS) s")) }
    if !kills.isEmpty {
      let times = kills.map { "\($0.process) at \(NumberText.plain(Double($0.atMs) / 1_000)) s" }
      facts.append(Fact("killed", times.joined(separator: ", ")))
    }
    if watchers > 0 { facts.append(Fact("watchers", NumberText.grouped(watchers))) }
    return facts
  }
}

extension SecondLine {
  /// The second on one line, for while it runs.
  package var liveText: String {
    let second = NumberText.decimal(Double(startNs + lengthNs) / 1e9, digits: 0)
    let times = [p50Us, p99Us].map { $0 > 0 ? NumberText.time(us: Double($0)) : "-" }
    return "\(second) s  \(NumberText.short(rate))/s  p50 \(times[0])  p99 \(times[1])"
      + "  errors \(failed + timedOut)  in flight \(inFlight)"
  }
}
