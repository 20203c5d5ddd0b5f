import CheckIns
import Gateway
import Locations
import Profiles
import SQLite
import ServiceKit

/// Puts a program together as its `main.swift` does, on a simulated disk.
struct Program {
  struct Parts {
    var service: any Service
    var store: ServiceCore.Store?
    var database: Database?
  }

  private let node: Node

  init(_ node: Node) { self.node = node }

  /// - Throws: what the disk says.
  func build() throws -> Parts {
    guard let log = node.log else {
      return Parts(service: Witness(try GatewayService(), node), store: nil, database: nil)
    }
    var settings = DatabaseSettings()
    // Soon enough that a run has many of them.
    settings.walAutocheckpointPages = 60
    let database = try Database(
      path: "/\(log.text)/\(log.text).db", vfs: FileSystem.name, settings: settings)
    do {
      try node.forgetKeys(database)
      return try build(log, database)
    } catch {
      database.close()
      throw error
    }
  }

  private func build(_ log: LogName, _ database: Database) throws -> Parts {
    let service: any Service
    let store: ServiceCore.Store
    switch log {
    case .profiles:
      let kept = try SQLiteProfileStore(
        database, historyMs: node.world.historyMs, random: node.chance)
      service = ProfileService(store: kept, random: node.chance.fork())
      store = ServiceCore.Store(
        keptResponses: kept.keptResponses, changeLog: kept, secret: kept.secret)
    case .locations:
      let kept = try LocationStore(database, historyMs: node.world.historyMs, random: node.chance)
      service = LocationService(store: kept, random: node.chance.fork())
      store = ServiceCore.Store(
        keptResponses: kept.keptResponses, changeLog: kept, secret: kept.secret)
    case .checkIns:
      let kept = try CheckInStore(database, random: node.chance)
      let checkIns = try CheckInService(
        store: kept, settings: CheckInService.Settings(), now: node.now)
      service = checkIns
      store = ServiceCore.Store(
        keptResponses: kept.keptResponses, changeLog: checkIns, secret: kept.secret)
    }
    let witness = Witness(service, node)
    try node.world.truth.recovered(log, store.changeLog, node)
    return Parts(service: witness, store: store, database: database)
  }
}
