import Glibc
import Profiles
import SQLite
import ServiceKit

let settings = [
  Setting("data", .text("DIR"), isNeeded: true, help: "Where profiles.db is kept."),
  Setting("rpc", .endpoints, isNeeded: true, help: "Where calls are answered."),
  Setting("feed", .endpoint, isNeeded: true, help: "Where changes are published."),
  Setting(
    "required-profile-fields", .texts(of: ProfileText.allCases.map(\.rawValue)),
    help: "Texts that may not be blank, besides first_name."),
  Setting(
    "log-days", .number(1...36_500, unit: "days"), byDefault: "30",
    help: "How far back single changes are told to those who follow."),
  Setting(
    "restored", .flag,
    help: "The data comes from a backup: its log goes on above every number it ever gave out."),
]

let program = Program(
  name: "muster-profiles", summary: "Answers who people are.", version: "0.1.0")

let status = ServiceMain.run(program, settings: settings) { configuration, _ in
  // Names and users come in any order, so a batch of 1 000 changes some 2 000 pages: they fit into
  // the cache, and are moved out of the write-ahead log after some batches and not after each.
  var databaseSettings = DatabaseSettings.ofService
  databaseSettings.cacheKiB = 32_768
  databaseSettings.walAutocheckpointPages = 4_000
  let database = try Database(
    path: configuration.text("data") + "/profiles.db", settings: databaseSettings)
  let store = try SQLiteProfileStore(
    database,
    historyMs: Int64(configuration.number("log-days")) * 86_400_000,
    random: SystemRandomNumberGenerator())
  if configuration.flag("restored") { try store.restore(now: SystemClock.waitForNextSecond()) }
  let required = configuration.texts("required-profile-fields").compactMap(ProfileText.init)
  return ServiceMain.Parts(
    service: ProfileService(store: store, rules: ProfileRules(required: Set(required))),
    store: ServiceCore.Store(
      keptResponses: store.keptResponses, changeLog: store, secret: store.secret,
      copy: StoreCopy(database)),
    rpc: configuration.endpoints("rpc"), feed: configuration.endpoints("feed").first)
}
exit(status)
