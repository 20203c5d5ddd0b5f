import Terminal
package import Wire

extension LoadReport {
  /// The report as a JSON object, times in microseconds. Each histogram is there as HdrHistogram's
  /// tools read it, too.
  package var json: JSONValue {
    .object([
      .init("verdict", verdictJSON),
      .init("start_time_ms", .integer(startMs)),
      .init("configuration", LoadReport.object(configuration)),
      .init("machine", LoadReport.object(machine)),
      .init("load", loadJSON),
      .init("driver", driverJSON),
      .init("operations", .array(rows.map(LoadReport.operation))),
      .init("errors", .array(measured.failures.map(LoadReport.failure))),
      .init("seconds", .array(measured.seconds.map(second))),
      .init("rules", .array(rules.map(LoadReport.rule))),
      .init("verification", checks.map { .array($0.map(LoadReport.check)) } ?? .null),
    ])
  }

  private static func object(_ facts: [Fact]) -> JSONValue {
    .object(facts.map { .init($0.name, .text($0.value)) })
  }

  private var verdictJSON: JSONValue {
    .object([
      .init("name", .text(verdict.name)),
      .init("text", .text(verdict.text)),
      .init("exit_code", .integer(Int64(verdict.exitCode))),
    ])
  }

  private var loadJSON: JSONValue {
    let total = measured.total
    return .object([
      .init("seconds", .double(measured.lengthSeconds)),
      .init("offered", measured.offered > 0 ? .integer(Int64(measured.offered)) : .null),
      .init("sent", .integer(Int64(measured.sent))),
      .init("dropped", .integer(Int64(measured.dropped))),
      .init("succeeded", .number(total.response.count)),
      .init("succeeded_in_time", .integer(Int64(measured.succeededInTime))),
      .init("failed", .number(total.failed.count)),
      .init("timed_out", .number(total.timedOut.count)),
      .init("rate_per_s", .double(measured.rate)),
      .init("most_in_flight", .integer(Int64(measured.mostInFlight))),
    ])
  }

  private var driverJSON: JSONValue {
    .object([
      .init("thread_cores", .double(cost.threadCores)),
      .init("process_cores", .double(cost.processCores)),
      .init("machine_cores", .double(cost.machineCores)),
      .init("lag", measured.lag.count > 0 ? LoadReport.histogram(measured.lag) : .null),
    ])
  }

  private static func operation(_ row: Row) -> JSONValue {
    .object(
      [
        .init("operation", .text(row.name)),
        .init("rate_per_s", .double(row.rate)),
        .init("failures", .number(row.latencies.errors)),
      ] + row.latencies.tagged.map { .init($0.tag, histogram($0.histogram)) })
  }

  private static func histogram(_ histogram: Histogram) -> JSONValue {
    var members: [JSONValue.Member] = [.init("count", .number(histogram.count))]
    guard histogram.count > 0 else { return .object(members) }
    members += [
      .init("over_range", .number(histogram.overRange)),
      .init("min_us", .number(histogram.minUs)),
      .init("mean_us", .double(histogram.meanUs)),
    ]
    members += percentiles.map { percentile in
      .init(
        "\(NumberText.percentile(percentile))_us", .number(histogram.us(percentile: percentile)))
    }
    members += [
      .init("max_us", .number(histogram.maxUs)),
      .init(
        "spectrum",
        .array(
          histogram.spectrum(steps: 5).map { point in
            .array([.double(point.percentile), .number(point.us), .number(point.count)])
          })),
      .init("hdr", .text(histogram.encoded())),
    ]
    return .object(members)
  }

  private static func failure(_ failure: FailureCount) -> JSONValue {
    .object([
      .init("operation", .text(failure.operation.name)),
      .init("code", .text("CODE_\(failure.code.contractName)")),
      .init("reason", .text(failure.reason)),
      .init("count", .integer(Int64(failure.count))),
      .init("first_at_s", .double(Double(failure.firstNs) / 1e9)),
      .init("first_message", .text(failure.firstMessage)),
    ])
  }

  private func second(_ second: SecondLine) -> JSONValue {
    .object([
      .init("start_s", .double(Double(second.startNs) / 1e9)),
      .init("length_s", .double(Double(second.lengthNs) / 1e9)),
      .init("sent", .integer(Int64(second.sent))),
      .init("succeeded", .integer(Int64(second.succeeded))),
      .init("failed", .integer(Int64(second.failed))),
      .init("timed_out", .integer(Int64(second.timedOut))),
      .init("dropped", .integer(Int64(second.dropped))),
      .init("in_flight", .integer(Int64(second.inFlight))),
      .init("p50_us", .number(second.p50Us)),
      .init("p99_us", .number(second.p99Us)),
      .init("max_us", .number(second.maxUs)),
      .init("remark", .text(remark(second))),
    ])
  }

  private static func rule(_ result: RuleResult) -> JSONValue {
    .object([
      .init("rule", .text(result.rule.text)),
      .init("measured", result.value.map { .double($0) } ?? .null),
      .init("limit", .double(result.rule.limit)),
      .init("holds", .bool(result.holds)),
    ])
  }

  private static func check(_ check: CheckResult) -> JSONValue {
    .object([
      .init("check", .text(check.name)),
      .init("looked_at", check.checked.map { .integer(Int64($0)) } ?? .null),
      .init("faults", .integer(Int64(check.faults))),
      .init("first_fault", .text(check.fault)),
      .init("holds", .bool(check.holds)),
    ])
  }
}

extension LoadReport {
  /// The table of the operations as CSV, times in microseconds: a record for each operation and
  /// kind of time.
  package var csv: String {
    let percentiles = LoadReport.percentiles.map { "\(NumberText.percentile($0))_us" }
    var text = CSVWriter.record(
      ["operation", "time", "count", "rate_per_s", "min_us", "mean_us"] + percentiles
        + ["max_us"])
    for row in rows {
      let rate = String(row.rate)
      for (kind, histogram) in row.latencies.tagged {
        let isSuccess = kind == "response" || kind == "service"
        let us =
          [String(histogram.minUs), String(histogram.meanUs)]
          + LoadReport.percentiles.map { String(histogram.us(percentile: $0)) }
          + [String(histogram.maxUs)]
        text += CSVWriter.record(
          [row.name, kind, String(histogram.count), isSuccess ? rate : ""]
            + (histogram.count > 0 ? us : us.map { _ in "" }))
      }
    }
    return text
  }
}
