import Glibc
import Locations
import SQLite
import ServiceKit

let settings = [
  Setting("data", .text("DIR"), isNeeded: true, help: "Where locations.db is kept."),
  Setting("rpc", .endpoints, isNeeded: true, help: "Where calls are answered."),
  Setting("feed", .endpoint, isNeeded: true, help: "Where changes are published."),
  Setting(
    "log-days", .number(1...36_500, unit: "days"), byDefault: "30",
    help: "How far back single changes are told to those who follow."),
  Setting(
    "restored", .flag,
    help: "The data comes from a backup: its log goes on above every number it ever gave out."),
]

let program = Program(
  name: "muster-locations", summary: "Answers what places there are.", version: "0.1.0")

let status = ServiceMain.run(program, settings: settings) { configuration, _ in
  let database = try Database(
    path: configuration.text("data") + "/locations.db", settings: .ofService)
  let store = try LocationStore(
    database,
    historyMs: Int64(configuration.number("log-days")) * 86_400_000,
    random: SystemRandomNumberGenerator())
  if configuration.flag("restored") { try store.restore(at: SystemClock.waitForNextSecond()) }
  return ServiceMain.Parts(
    service: LocationService(store: store),
    store: ServiceCore.Store(
      keptResponses: store.keptResponses, changeLog: store, secret: store.secret,
      copy: StoreCopy(database)),
    rpc: configuration.endpoints("rpc"), feed: configuration.endpoints("feed").first)
}
exit(status)
