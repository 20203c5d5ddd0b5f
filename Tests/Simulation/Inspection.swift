import Model
import ServiceKit
import Wire

/// When everything has healed and is quiet: every gateway tells the same, and it is the truth;
/// nothing is in flight anywhere.
final class Inspection {
  private let world: World
  private let inspector: Customer
  private let workload: Workload
  private var waiting = 0
  private var isAsked = false
  private var whenDone: () -> Void = {}

  init(_ world: World) {
    self.world = world
    inspector = Customer(0, in: world)
    workload = Workload(inspector)
  }

  func begin(_ whenDone: @escaping () -> Void) {
    self.whenDone = whenDone
    for connection in inspector.connections { connection.open() }
    world.after(300_000) { self.askHowTheyAre() }
  }

  private func askHowTheyAre() {
    for (index, gateway) in world.gateways.enumerated() {
      for log in LogName.allCases { look(GetStatsRequest(service: log.text), index, judgeStats) }
      look(GetStatsRequest(), index, judgeStats)
      look(CheckHealthRequest(), index) { [world] response, _ in
        if response.state != .serving { world.fail("\(gateway.name) is \(response)") }
      }
    }
  }

  private func askWhatTheyKnow() {
    isAsked = true
    for index in world.gateways.indices {
      for place in workload.livingPlaces { look(workload.everybody(at: place), index) }
      look(workload.counts(of: []), index)
      look(workload.board(isByCount: false, occupiedOnly: false), index)
    }
  }

  private func look<Q: Request>(
    _ request: Q, _ gateway: Int, _ check: @escaping (Q.Response, Answer) -> Void
  ) {
    look(workload.call(request, number: world.nextOperation(), check: check), gateway)
  }

  private func look(_ operation: Operation, _ gateway: Int) {
    waiting += 1
    let name = world.gateways[gateway].name
    operation.next = { [self] answer in
      if let answer, answer.code == .ok {
        judgeFresh(answer, name)
      } else {
        world.fail("\(name) does not answer \(operation.method) in peace")
      }
      waiting -= 1
      guard waiting == 0 else { return }
      if isAsked { whenDone() } else { askWhatTheyKnow() }
    }
    inspector.inspect(operation, through: gateway)
  }

  /// In peace everybody is where the logs are.
  private func judgeFresh(_ answer: Answer, _ name: String) {
    for log in LogName.allCases where answer.header.asOf[log] != 0 {
      if answer.header.asOf[log] != world.truth.lastRevision(log) {
        world.fail(
          "\(name) stays at \(log.text) \(answer.header.asOf[log]) of "
            + "\(world.truth.lastRevision(log))")
      }
    }
  }

  /// What is in flight is our own questions, and the streams of questions about deletes.
  private func judgeStats(_ stats: GetStatsResponse, _ answer: Answer) {
    let limits = [
      "muster_requests_in_flight": 8.0 + Double(world.plan.watchers),
      "muster_calls_to_others_in_flight": 8,
      "muster_malformed_requests_total": 0, "muster_malformed_responses_total": 0,
      "muster_dropped_responses_total": 0,
    ]
    for gauge in stats.gauges {
      if let limit = limits[gauge.name], gauge.value > limit {
        world.fail("\(answer.attempt.gateway.name): \(gauge.name) is \(gauge.value)")
      }
    }
  }
}
