import Gateway
import Glibc
import ServiceKit

let settings = [
  Setting("rpc", .endpoints, isNeeded: true, help: "Where clients connect."),
  Setting(
    "profiles", .backend, isNeeded: true, help: "Where the profile service answers and publishes."),
  Setting(
    "locations", .backend, isNeeded: true, help: "Where the location service answers and publishes."
  ),
  Setting(
    "check-ins", .backend, isNeeded: true, help: "Where the check-in service answers and publishes."
  ),
  Setting(
    "trust-clients", .flag,
    help: "Believes those who come by ipc, or without secret-key by a loopback address, who they "
      + "are. Anybody who can connect can be anybody."),
  Setting(
    "calls-per-s", .number(0...1_000_000, unit: "calls a second"), byDefault: "1000",
    help: "How many calls a user who comes with a key may make; 0: any number. Each 4 KiB of a "
      + "request or a response count as one more."),
  Setting(
    "calls-burst", .number(1...1_000_000, unit: "calls"), byDefault: "10000",
    help: "How many of them at once, after a pause."),
  Setting(
    "watches-per-s", .number(0...100_000, unit: "watches a second"), byDefault: "50",
    help: "How many watches a user who comes with a key may begin; 0: any number."),
  Setting(
    "watches-burst", .number(1...100_000, unit: "watches"), byDefault: "1000",
    help: "How many of them at once, after a pause."),
]

let program = Program(
  name: "muster-gateway", summary: "Answers who is here, and how many are where.",
  version: "0.1.0")

let allSettings = settings + ProgramKeys.oldKeySettings

let status = ServiceMain.run(program, settings: allSettings) { configuration, log in
  let isTrusting = configuration.flag("trust-clients")
  if !isTrusting && configuration.endpoints("rpc").contains(where: { !$0.isTCP }) {
    log.warning("without --trust-clients every call by ipc is refused: nobody is known there")
  }
  var backends: [LogName: BackendEndpoints] = [:]
  backends[.profiles] = configuration.backend("profiles")
  backends[.locations] = configuration.backend("locations")
  backends[.checkIns] = configuration.backend("check-ins")
  let rate = { (what: String) in
    Rate(
      perSecond: configuration.number("\(what)-per-s"),
      burst: configuration.number("\(what)-burst"))
  }
  return ServiceMain.Parts(
    service: try GatewayService(), store: nil, rpc: configuration.endpoints("rpc"), feed: nil,
    backends: backends, trustsClients: isTrusting,
    callRate: rate("calls"), watchRate: rate("watches"))
}
exit(status)
