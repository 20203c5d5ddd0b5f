/// A report as one HTML page that needs nothing else: styles and plots are in it.
package struct HTMLReport {
  private let report: LoadReport

  package init(_ report: LoadReport) { self.report = report }

  /// The page.
  package func text() -> String {
    let kind = report.verdict == .passed ? "good" : "bad"
    let verdict = HTML.text(HTMLReport.sentence(report.verdict.text))
    return """
      <!DOCTYPE html>
      <html lang="en">
      <head>
      <meta charset="utf-8">
      <meta name="viewport" content="width=device-width, initial-scale=1">
      <title>muster-load: \(HTML.text(report.verdict.name))</title>
      <style>
      \(HTMLReport.style)
      </style>
      </head>
      <body>
      <header>
      <p class="brand">muster-load</p>
      <h1 class="\(kind)">\(verdict)</h1>
      <ul class="tiles">\(tiles())</ul>
      </header>
      <main>
      <section class="facts">
      \(facts("Configuration", report.configuration))
      \(facts("Machine", report.machine))
      \(facts("Load", report.loadFacts))
      </section>
      \(section(report.operationsTable))
      \(section(report.failuresTable))
      \(section(report.rulesTable))
      \(section(report.checksTable))
      <h2>Latency by percentile</h2>
      \(percentilePlot().figure())
      <h2>Over time</h2>
      \(ratePlot().figure())
      \(latencyPlot().figure())
      <h2>Seconds</h2>
      <details><summary>\(report.measured.seconds.count) seconds</summary>
      \(HTMLReport.table(report.secondsTable))
      </details>
      </main>
      </body>
      </html>

      """
  }

  private static func sentence(_ text: String) -> String {
    text.prefix(1).uppercased() + text.dropFirst()
  }

  private func tiles() -> String {
    let total = report.measured.total
    func time(_ percentile: Double) -> String {
      let response = total.response
      return response.count > 0
        ? NumberText.time(us: Double(response.us(percentile: percentile))) : "-"
    }
    let share = total.ended > 0 ? Double(total.errors) / Double(total.ended) : 0
    return [
      ("\(NumberText.short(report.measured.rate))/s", "achieved"), (time(50), "p50 response"),
      (time(99), "p99 response"), (time(99.9), "p99.9 response"),
      (NumberText.percent(share), "errors"),
      (NumberText.grouped(report.measured.dropped), "dropped"),
    ].map { "<li><b>\(HTML.text($0))</b>\(HTML.text($1))</li>" }.joined()
  }

  private func facts(_ title: String, _ facts: [Fact]) -> String {
    let rows = facts.map { "<dt>\(HTML.text($0.name))</dt><dd>\(HTML.text($0.value))</dd>" }
    return "<div><h2>\(title)</h2><dl>\(rows.joined())</dl></div>"
  }

  private func section(_ table: ReportTable) -> String {
    table.rows.isEmpty ? "" : "<h2>\(HTML.text(table.title))</h2>\n\(HTMLReport.table(table))"
  }

  private static func table(_ table: ReportTable) -> String {
    func cells(_ cells: [String], _ tag: String) -> String {
      zip(table.columns, cells).map { column, cell in
        "<\(tag)\(column.isText ? " class=\"text\"" : "")>\(HTML.text(cell))</\(tag)>"
      }.joined()
    }
    let body = table.rows.map { "<tr>\(cells($0, "td"))</tr>\n" }.joined()
    return "<div class=\"wide\"><table><thead><tr>\(cells(table.columns.map(\.name), "th"))"
      + "</tr></thead>\n<tbody>\(body)</tbody></table></div>\n"
  }
}

// MARK: - Plots

extension HTMLReport {
  private func percentilePlot() -> Plot {
    var series: [Plot.Series] = []
    for operation in report.operations {
      let latencies = report.measured.operations[operation.rawValue]
      for (name, histogram, isDashed) in [
        ("\(operation.name), response", latencies.response, false),
        ("\(operation.name), service", latencies.service, true),
      ] {
        // The last point is at 100 %, which is infinitely far away on this scale.
        let points = histogram.spectrum(steps: 8).dropLast().map { ($0.percentile, Double($0.us)) }
        series.append(
          Plot.Series(
            name: name, color: operation.rawValue, isDashed: isDashed, points: Array(points)))
      }
    }
    return Plot(
      title: "How long so many percent took at most", xLabel: "percentile", xScale: .percentile,
      yScale: .logarithmic, series: series, xText: { "\(NumberText.plain($0)) %" },
      yText: { NumberText.time(us: $0) })
  }

  private func overTime(_ value: (SecondLine) -> Double?) -> [(x: Double, y: Double)] {
    report.measured.seconds.compactMap { second in
      value(second).map { (Double(second.startNs + second.lengthNs) / 1e9, $0) }
    }
  }

  private func timePlot(
    _ title: String, _ series: [Plot.Series], _ yText: @escaping (Double) -> String
  ) -> Plot {
    let measured = report.measured
    return Plot(
      title: title, xLabel: "seconds", series: series,
      marks: report.events.map { (Double($0.atNs) / 1e9, $0.text) },
      shade: measured.startNs > 0 ? 0...Double(measured.startNs) / 1e9 : nil,
      xText: { NumberText.plain(($0 * 1_000).rounded() / 1_000) }, yText: yText)
  }

  private func ratePlot() -> Plot {
    func rate(_ count: Int, _ second: SecondLine) -> Double? {
      // What is left of a second says nothing about a rate.
      second.lengthNs >= 200_000_000 ? Double(count) * 1e9 / Double(second.lengthNs) : nil
    }
    var series = [
      Plot.Series(name: "sent", color: 1, isDashed: true, points: overTime { rate($0.sent, $0) }),
      Plot.Series(name: "succeeded", color: 0, points: overTime { rate($0.succeeded, $0) }),
    ]
    if report.measured.total.errors > 0 {
      let errors = overTime { rate($0.failed + $0.timedOut, $0) }
      series.append(Plot.Series(name: "failed or timed out", color: 3, points: errors))
    }
    if report.measured.dropped > 0 {
      series.append(
        Plot.Series(name: "dropped", color: 4, points: overTime { rate($0.dropped, $0) }))
    }
    return timePlot("Requests a second", series) { NumberText.grouped(Int($0)) }
  }

  private func latencyPlot() -> Plot {
    func some(_ us: UInt64) -> Double? { us > 0 ? Double(us) : nil }
    var plot = timePlot(
      "Response time of what ended in each second",
      [
        Plot.Series(name: "p50", color: 0, points: overTime { some($0.p50Us) }),
        Plot.Series(name: "p99", color: 2, points: overTime { some($0.p99Us) }),
        Plot.Series(name: "max", color: 3, isDashed: true, points: overTime { some($0.maxUs) }),
      ]
    ) { NumberText.time(us: $0) }
    plot.yScale = .logarithmic
    return plot
  }

  private static let style = """
    :root {
      color-scheme: light dark;
      --paper: #fbfaf7; --card: #ffffff; --ink: #1d2430; --soft: #667085; --rule: #e4e2dc;
      --good: #1a7f4b; --bad: #b42318;
      --c0: #2463b0; --c1: #8a94a6; --c2: #d9730d; --c3: #c0362c; --c4: #7a4fb5; --c5: #16877a;
      --c6: #b0477f; --c7: #6b7f1f;
    }
    @media (prefers-color-scheme: dark) {
      :root {
        --paper: #14171c; --card: #1c2027; --ink: #e8eaee; --soft: #98a1b0; --rule: #30353f;
        --good: #4cc38a; --bad: #ff8278;
        --c0: #6aa6f0; --c1: #8a94a6; --c2: #f2a04e; --c3: #f0766c; --c4: #b08ee8; --c5: #4cc2b3;
        --c6: #e085b4; --c7: #b5c95a;
      }
    }
    * { box-sizing: border-box; }
    body {
      margin: 0 auto; padding: 2.5rem 1.5rem 4rem; max-width: 62rem; background: var(--paper);
      color: var(--ink); font: 15px/1.5 system-ui, "Segoe UI", "DejaVu Sans", sans-serif;
    }
    h1 { margin: 0 0 1.25rem; font-size: 1.9rem; line-height: 1.2; letter-spacing: -0.01em; }
    h1.good { color: var(--good); } h1.bad { color: var(--bad); }
    h2 { margin: 2.25rem 0 0.6rem; font-size: 1.05rem; }
    .brand { margin: 0; color: var(--soft); font-weight: 600; letter-spacing: 0.02em; }
    .tiles {
      display: grid; grid-template-columns: repeat(auto-fit, minmax(8.5rem, 1fr)); gap: 0.75rem;
      margin: 0; padding: 0; list-style: none;
    }
    .tiles li {
      padding: 0.8rem 1rem; background: var(--card); border: 1px solid var(--rule);
      border-radius: 10px; color: var(--soft); font-size: 0.85rem;
    }
    .tiles b {
      display: block; color: var(--ink); font-size: 1.35rem; line-height: 1.3;
      font-variant-numeric: tabular-nums;
    }
    .facts { display: grid; gap: 0 2rem;
      grid-template-columns: repeat(auto-fit, minmax(18rem, 1fr)); }
    dl { display: grid; grid-template-columns: max-content 1fr; gap: 0.15rem 1rem; margin: 0; }
    dt { color: var(--soft); } dd { margin: 0; overflow-wrap: anywhere; }
    .wide { overflow-x: auto; background: var(--card); border: 1px solid var(--rule);
      border-radius: 10px; }
    table { border-collapse: collapse; width: 100%; font-size: 0.85rem;
      font-variant-numeric: tabular-nums; }
    th, td { padding: 0.4rem 0.7rem; text-align: right; white-space: nowrap; }
    th { color: var(--soft); font-weight: 600; border-bottom: 1px solid var(--rule); }
    td.text, th.text { text-align: left; }
    tbody tr + tr td { border-top: 1px solid var(--rule); }
    figure { margin: 0 0 1.25rem; padding: 1rem 1.1rem; background: var(--card);
      border: 1px solid var(--rule); border-radius: 10px; }
    figcaption { color: var(--soft); margin-bottom: 0.5rem; }
    svg { display: block; width: 100%; height: auto; font-size: 11.5px; }
    svg text { fill: var(--soft); font-variant-numeric: tabular-nums; }
    svg text.y { text-anchor: end; } svg text.x { text-anchor: middle; }
    svg text.mark { fill: var(--bad); }
    .grid { stroke: var(--rule); stroke-width: 1; }
    .shade { fill: var(--soft); opacity: 0.12; }
    line.mark { stroke: var(--bad); stroke-width: 1; stroke-dasharray: 3 3; }
    polyline { fill: none; stroke-width: 1.8; stroke-linejoin: round; }
    polyline.dashed { stroke-dasharray: 5 4; stroke-width: 1.3; }
    .legend { display: flex; flex-wrap: wrap; gap: 0.3rem 1.2rem; margin: 0.6rem 0 0; padding: 0;
      list-style: none; font-size: 0.85rem; color: var(--soft); }
    .legend i { display: inline-block; width: 1.4rem; margin-right: 0.4rem; vertical-align: middle;
      border-top: 3px solid currentColor; }
    .legend .dashed i { border-top-style: dashed; border-top-width: 2px; }
    details summary { cursor: pointer; color: var(--soft); margin-bottom: 0.6rem; }
    @media print { body { max-width: none; padding: 0; } details { display: none; } }

    """
    + (0..<8).map { color in
      """
      polyline.c\(color) { stroke: var(--c\(color)); }
      circle.c\(color) { fill: var(--c\(color)); }
      .legend .c\(color) { color: var(--c\(color)); }
      """
    }.joined(separator: "\n")
}
