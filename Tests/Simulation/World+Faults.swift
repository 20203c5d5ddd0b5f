import ServiceKit

extension World {
  /// Something goes wrong now.
  func strike(_ fault: Fault) {
    let service = services[chance.pick(LogName.allCases)]
    let node = chance.pick(nodes)
    note(.fault, UInt64(Fault.allCases.firstIndex(of: fault) ?? 0)) {
      "fault \(fault.rawValue) (\(service?.name ?? ""), \(node.name))"
    }
    switch fault {
    case .cut:
      guard let connection = chance.any(allConnections.filter(\.isUp)) else { return }
      connection.cut()
    case .partition:
      let untilUs = nowUs + chance.between(50_000, 6_000_000)
      for connection in allConnections
      where connection.server === node || connection.caller === node {
        connection.stall(untilUs: untilUs)
      }
      node.troubledUs = max(node.troubledUs, untilUs)
    case .deaf:
      guard let watcher = chance.any(watchers) else { return }
      watcher.stopReading(untilUs: nowUs + chance.between(50_000, 6_000_000))
    case .stop:
      guard node.isThere else { return }
      node.drain()
    case .kill:
      guard node.isThere else { return }
      node.crash(losesPower: false)
    case .powerCut:
      guard let service, service.isThere else { return }
      service.crash(losesPower: true)
    case .blackout:
      for log in LogName.allCases { services[log]?.crash(losesPower: true) }
    case .freeze:
      node.freeze(untilUs: nowUs + chance.between(20_000, 5_000_000))
    case .clockJump:
      node.jump(ms: chance.between(-7_200_000, 7_200_000))
    case .crashInWrite, .writeError, .syncError, .diskFull, .slowDisk:
      strikeDisk(of: service, fault)
      return
    case .feedDrop, .double, .lateRepeat, .giveUp:
      preconditionFailure("\(fault.rawValue) happens along the way")
    }
    count(fault)
  }

  /// Counted where it shows.
  private func strikeDisk(of service: Node?, _ fault: Fault) {
    guard let service, let disk = service.disk else { return }
    switch fault {
    case .crashInWrite: disk.diesAfter = chance.below(12)
    case .writeError: disk.failingWrites = 1
    case .syncError: disk.failingSyncs = 1
    case .diskFull:
      let untilUs = nowUs + chance.between(100_000, 3_000_000)
      disk.isFull = true
      service.troubledUs = max(service.troubledUs, untilUs)
      at(untilUs) { disk.isFull = false }
    default:
      service.slowUntilUs = nowUs + chance.between(100_000, 2_000_000)
      count(fault)
    }
  }
}
