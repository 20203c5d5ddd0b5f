import CheckIns
import Glibc
import SQLite
import ServiceKit

let settings = [
  Setting("data", .text("DIR"), isNeeded: true, help: "Where check-ins.db is kept."),
  Setting("rpc", .endpoints, isNeeded: true, help: "Where calls are answered."),
  Setting("feed", .endpoint, isNeeded: true, help: "Where changes are published."),
  Setting(
    "profiles", .backend, isNeeded: true, help: "Where the profile service answers and publishes."),
  Setting(
    "locations", .backend, isNeeded: true, help: "Where the location service answers and publishes."
  ),
  Setting(
    "ttl-s", .number(0...31_536_000, unit: "seconds"), byDefault: "0",
    help: "How long a check-in lasts that says nothing about it; 0: until it is ended."),
  Setting(
    "history-days", .number(1...36_500, unit: "days"), byDefault: "365",
    help: "How long it is remembered who was where."),
  Setting(
    "restored", .flag,
    help: "The data comes from a backup: its log goes on above every number it ever gave out."),
]

let program = Program(
  name: "muster-checkins", summary: "Answers who is where.", version: "0.1.0")

let status = ServiceMain.run(program, settings: settings) { configuration, _ in
  let database = try Database(
    path: configuration.text("data") + "/check-ins.db", settings: .ofService)
  let store = try CheckInStore(
    database,
    random: SystemRandomNumberGenerator())
  let now = SystemClock.now()
  let service = try CheckInService(
    store: store,
    settings: CheckInService.Settings(
      ttlS: UInt32(configuration.number("ttl-s")),
      historyMs: Int64(configuration.number("history-days")) * 86_400_000),
    now: now)
  if configuration.flag("restored") {
    try service.restore(at: SystemClock.waitForNextSecond())
  }
  var backends: [LogName: BackendEndpoints] = [:]
  backends[.profiles] = configuration.backend("profiles")
  backends[.locations] = configuration.backend("locations")
  return ServiceMain.Parts(
    service: service,
    store: ServiceCore.Store(
      keptResponses: store.keptResponses, changeLog: service, secret: store.secret,
      copy: StoreCopy(database)),
    rpc: configuration.endpoints("rpc"), feed: configuration.endpoints("feed").first,
    backends: backends)
}
exit(status)
