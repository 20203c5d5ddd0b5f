import Terminal
import Wire

/// The health of a Muster as monitoring programs read it: one line, and an exit code of their own.
/// https://nagios-plugins.org/doc/guidelines.html
struct NagiosCheck {
  enum State: Int32 {
    case ok = 0
    case warning = 1
    case critical = 2
    case unknown = 3
  }

  let state: State
  /// "MUSTER OK - …", and behind a bar what can be drawn.
  let line: String

  /// Asks the gateway.
  init(of session: Session) {
    let began = ContinuousClock.now
    do {
      let health = try session.call(CheckHealthRequest())
      let took = ContinuousClock.now - began
      self.init(health, responseMs: Int64(took / .milliseconds(1)))
    } catch {
      let failure = Failure(error)
      let isSilent = failure.exit == .unavailable || failure.exit == .tryAgain
      self.init(isSilent ? .critical : .unknown, failure.message, [])
    }
  }

  /// - Parameter responseMs: how long the gateway took to answer.
  init(_ health: CheckHealthResponse, responseMs: Int64) {
    let ill = health.services.filter { service in
      service.service != "gateway" && (service.state != .serving || !service.detail.isEmpty)
    }
    let said = ill.map { service in
      let detail = service.detail.isEmpty ? "" : " (\(service.detail))"
      return "\(service.service) is \(ControlCommands.state(Wire.json(service)))\(detail)"
    }
    let figures =
      ["response=\(responseMs)ms"]
      + health.services.filter { $0.revision > 0 }.flatMap { service in
        [
          "\(service.service)_revision=\(service.revision)c",
          "\(service.service)_silent=\(service.silentMs)ms",
        ]
      }
    switch health.state {
    case .serving: self.init(.ok, "all services are serving", figures)
    case .degraded: self.init(.warning, said.joined(separator: ", "), figures)
    case .draining: self.init(.warning, "the gateway is draining", figures)
    default: self.init(.critical, "the gateway is not serving", figures)
    }
  }

  private init(_ state: State, _ text: String, _ figures: [String]) {
    self.state = state
    // A bar begins the figures.
    let text = TerminalText.visible(text).replacing("|", with: "/")
    let word = "\(state)".uppercased()
    line =
      (["MUSTER \(word) - \(text)"] + (figures.isEmpty ? [] : [figures.joined(separator: " ")]))
      .joined(separator: " | ")
  }
}
