/// A table of a report, however it is written.
struct ReportTable {
  /// One column.
  struct Column {
    var name: String
    /// Words, which stand left; numbers stand right.
    var isText: Bool
  }

  var title: String
  var columns: [Column]
  var rows: [[String]]

  /// `texts`: the names of the columns that hold words.
  init(_ title: String, _ names: [String], texts: Set<String>, rows: [[String]]) {
    self.title = title
    columns = names.map { Column(name: $0, isText: texts.contains($0)) }
    self.rows = rows
  }
}

extension LoadReport {
  /// Each operation: how many, how often, and how long.
  var operationsTable: ReportTable {
    let percentiles = LoadReport.percentiles.map { NumberText.percentile($0) }
    var cells: [[String]] = []
    for row in rows {
      for (kind, histogram) in row.latencies.tagged where histogram.count > 0 || kind == "response"
      {
        let isFirst = kind == "response"
        let us =
          [Double(histogram.minUs), histogram.meanUs]
          + LoadReport.percentiles.map { Double(histogram.us(percentile: $0)) }
          + [Double(histogram.maxUs)]
        cells.append(
          [
            isFirst ? row.name : "", kind, NumberText.grouped(histogram.count),
            isFirst ? NumberText.short(row.rate) : "",
            isFirst ? NumberText.grouped(row.latencies.errors) : "",
          ] + us.map { histogram.count > 0 ? NumberText.time(us: $0) : "-" })
      }
    }
    return ReportTable(
      "Operations",
      ["operation", "time", "count", "rate/s", "errors", "min", "mean"] + percentiles + ["max"],
      texts: ["operation", "time"], rows: cells)
  }

  /// Failures by code, with the first of each.
  var failuresTable: ReportTable {
    ReportTable(
      "Errors", ["operation", "code", "reason", "count", "first at", "the first said"],
      texts: ["operation", "code", "reason", "the first said"],
      rows: measured.failures.map { failure in
        [
          failure.operation.name, failure.code.contractName, failure.reason,
          NumberText.grouped(failure.count),
          "\(NumberText.decimal(Double(failure.firstNs) / 1e9, digits: 3)) s",
          failure.firstMessage,
        ]
      })
  }

  /// A line a second.
  var secondsTable: ReportTable {
    ReportTable(
      "Seconds",
      [
        "second", "sent", "succeeded", "failed", "timed out", "dropped", "in flight", "p50", "p99",
        "max", "",
      ], texts: [""],
      rows: measured.seconds.map { second in
        let counts = [
          second.sent, second.succeeded, second.failed, second.timedOut, second.dropped,
          second.inFlight,
        ]
        let times = [second.p50Us, second.p99Us, second.maxUs].map { us in
          us > 0 ? NumberText.time(us: Double(us)) : "-"
        }
        return [NumberText.decimal(Double(second.startNs) / 1e9, digits: 1)]
          + counts.map { NumberText.grouped($0) } + times + [remark(second)]
      })
  }

  /// Response times of each operation.
  var spectrumTable: ReportTable {
    let percentiles = [0, 25, 50, 75, 90, 95, 99, 99.5, 99.9, 99.95, 99.99, 99.999, 100]
    let shown = rows.filter { $0.latencies.response.count > 0 }
    return ReportTable(
      "Response times by percentile", ["percentile"] + shown.map(\.name), texts: [],
      rows: shown.isEmpty
        ? []
        : percentiles.map { percentile in
          [NumberText.percentile(percentile)]
            + shown.map { row in
              NumberText.time(us: Double(row.latencies.response.us(percentile: percentile)))
            }
        })
  }

  /// What was to hold.
  var rulesTable: ReportTable {
    ReportTable(
      "Rules", ["rule", "measured", ""], texts: ["rule", ""],
      rows: rules.map { result in
        [
          result.rule.text, result.value.map { result.rule.shown($0) } ?? "nothing",
          result.holds ? "holds" : "BROKEN",
        ]
      })
  }

  /// What was verified.
  var checksTable: ReportTable {
    ReportTable(
      "Verification", ["check", "looked at", "", "what is wrong first"],
      texts: ["check", "", "what is wrong first"],
      rows: (checks ?? []).map { check in
        [
          check.name, check.checked.map { NumberText.grouped($0) } ?? "-", check.outcome,
          check.fault,
        ]
      })
  }
}
