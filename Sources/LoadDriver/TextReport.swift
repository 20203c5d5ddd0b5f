package import Terminal

/// A report for a terminal.
package struct TextReport {
  private let report: LoadReport
  private let console: Console

  package init(_ report: LoadReport, console: Console) {
    self.report = report
    self.console = console
  }

  /// All of it, in the order in which one wants to know: what came of it, of what, and then the
  /// figures from the coarse to the fine.
  package func text() -> String {
    let parts = [
      verdict(), facts("Configuration", report.configuration), facts("Machine", report.machine),
      facts("Load", report.loadFacts), table(report.operationsTable), table(report.failuresTable),
      table(report.secondsTable), table(report.spectrumTable), table(report.rulesTable),
      table(report.checksTable),
    ]
    return parts.filter { !$0.isEmpty }.joined(separator: "\n")
  }

  private func heading(_ text: String) -> String {
    console.hasColor ? "\u{1B}[1m\(text)\u{1B}[0m\n" : "\(text)\n"
  }

  private func table(_ table: ReportTable) -> String {
    guard !table.rows.isEmpty else { return "" }
    var shown = Table(columns: table.columns.map { Table.Column($0.name, right: !$0.isText) })
    shown.rows = table.rows
    return heading(table.title) + shown.text(width: nil, color: console.hasColor)
  }

  private func verdict() -> String {
    let color = report.verdict == .passed ? 32 : 31
    let text = "Verdict: \(report.verdict.text)"
    return console.hasColor ? "\u{1B}[1;\(color)m\(text)\u{1B}[0m\n" : "\(text)\n"
  }

  private func facts(_ title: String, _ facts: [Fact]) -> String {
    let width = facts.map(\.name.count).max() ?? 0
    let lines = facts.map { fact in
      let gap = String(repeating: " ", count: width - fact.name.count + 2)
      return "  \(fact.name)\(gap)\(TerminalText.visible(fact.value))\n"
    }
    return facts.isEmpty ? "" : heading(title) + lines.joined()
  }
}

extension CheckResult {
  /// In a word or two.
  var outcome: String {
    if checked == nil { return "not checked" }
    return holds ? "holds" : "\(NumberText.grouped(faults)) WRONG"
  }
}

extension LoadReport {
  /// Offered, achieved and dropped, and what the driver had to do with it.
  var loadFacts: [Fact] {
    let total = measured.total
    let seconds = measured.lengthSeconds
    func rate(_ count: Int) -> String {
      seconds > 0 ? "\(NumberText.short(Double(count) / seconds))/s" : "-"
    }
    var facts: [Fact] = []
    if measured.offered > 0 {
      facts.append(
        Fact("offered", "\(NumberText.grouped(measured.offered)), \(rate(measured.offered))"))
    }
    facts += [
      Fact("sent", "\(NumberText.grouped(measured.sent)), \(rate(measured.sent))"),
      Fact(
        "achieved",
        "\(NumberText.grouped(measured.succeededInTime)) in "
          + "\(NumberText.decimal(seconds, digits: 2)) s, \(NumberText.short(measured.rate))/s"),
      Fact("errors", NumberText.grouped(total.failed.count)),
      Fact("timed out", NumberText.grouped(total.timedOut.count)),
      Fact("dropped", NumberText.grouped(measured.dropped)),
      Fact("most in flight", NumberText.grouped(measured.mostInFlight)),
    ]
    if total.response.overRange + total.failed.overRange > 0 {
      let count = total.response.overRange + total.failed.overRange
      facts.append(Fact("over an hour", NumberText.grouped(count)))
    }
    let cores = [cost.threadCores, cost.processCores].map { NumberText.decimal($0, digits: 2) }
    facts.append(
      Fact("driver's CPU", "\(cores[0]) cores in its thread, \(cores[1]) in all"))
    facts.append(
      Fact("machine's CPU", "\(NumberText.decimal(cost.machineCores, digits: 2)) cores in use"))
    if measured.lag.count > 0 {
      let lag = [50, 99, 100].map { NumberText.time(us: Double(measured.lag.us(percentile: $0))) }
      facts.append(Fact("driver's lag", "p50 \(lag[0]), p99 \(lag[1]), max \(lag[2])"))
    }
    return facts
  }

  /// What is to be said of a second.
  func remark(_ second: SecondLine) -> String {
    let end = second.startNs + second.lengthNs
    var remarks = events.filter { (second.startNs..<end).contains($0.atNs) }.map(\.text)
    if end <= measured.startNs { remarks.append("warm-up") }
    if second.startNs >= measured.endNs { remarks.append("waiting for what was sent") }
    return remarks.joined(separator: ", ")
  }
}
