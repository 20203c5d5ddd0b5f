import Terminal
import Wire

/// Whether a Muster is well: for people a sentence, for monitoring programs one line and an exit
/// code of their own. https://nagios-plugins.org/doc/guidelines.html
struct HealthCheck {
  enum State: Int32 {
    case ok = 0
    case warning = 1
    case critical = 2
    case unknown = 3
  }

  let state: State
  /// What is so, as one sentence without a full stop.
  let text: String
  /// What can be drawn.
  private var figures: [String] = []

  /// Asks the gateway.
  init(of session: Session) {
    let began = ContinuousClock.now
    do {
      let health = try session.call(CheckHealthRequest())
      let took = ContinuousClock.now - began
      self.init(health)
      figures.insert("response=\(Int64(took / .milliseconds(1)))ms", at: 0)
    } catch {
      let failure = Failure(error)
      let isSilent = failure.exit == .unavailable || failure.exit == .tryAgain
      self.init(isSilent ? .critical : .unknown, failure.message)
    }
  }

  init(_ health: CheckHealthResponse) {
    let ill = health.services.filter { service in
      service.service != "gateway" && (service.state != .serving || !service.detail.isEmpty)
    }
    let said = ill.map { service in
      let detail = service.detail.isEmpty ? "" : " (\(service.detail))"
      return "\(service.service) is \(ControlCommands.state(Wire.json(service)))\(detail)"
    }
    switch health.state {
    case .serving: self.init(.ok, "all services are serving")
    case .degraded:
      self.init(
        .warning, said.isEmpty ? "the gateway is degraded" : said.joined(separator: ", "))
    case .draining: self.init(.warning, "the gateway is draining")
    default: self.init(.critical, "the gateway is not serving")
    }
    // How far the logs have come is none of them: after a restore those are numbers of the clock.
    figures = health.services.filter { $0.service != "gateway" }.map {
      "\($0.service)_silent=\($0.silentMs)ms"
    }
  }

  private init(_ state: State, _ text: String) {
    self.state = state
    self.text = text
  }

  /// "MUSTER OK - …", and behind a bar the figures.
  var line: String {
    let shown = TerminalText.visible(text).replacing("|", with: "/")
    let behind = figures.isEmpty ? "" : " | \(figures.joined(separator: " "))"
    return "MUSTER \("\(state)".uppercased()) - \(shown)\(behind)"
  }
}
