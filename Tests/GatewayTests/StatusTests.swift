import Harness
import Model
import Testing
import Wire

@testable import Gateway

@Suite("Status")
struct StatusTests {
  /// Where the profile log begins anew, nobody tells who was deleted meanwhile.
  @Test(
    "C7: who may have been lost with a restored log of profiles is asked for, once out",
    arguments: [true, false])
  func doubtful(isOutBefore: Bool) throws {
    let hub = try Hub(people: 4)
    for person in 0..<4 { hub.move(person, to: person % 2) }
    if isOutBefore { hub.move(3, to: nil) }
    hub.tell()
    hub.profiles.restore(to: 2, base: 100)
    hub.tell()
    if !isOutBefore {
      #expect(hub.forward(GetStatusRequest(profileID: Hub.person(3))).asked == nil)
      hub.move(3, to: nil, .locationDeleted)
      hub.tell()
    }
    let status = GetStatusRequest(profileID: Hub.person(3))
    #expect(hub.forward(status).asked?.log == .checkIns)
    // Who is somewhere is known, and who comes again is too.
    #expect(hub.forward(GetStatusRequest(profileID: Hub.person(1))).asked == nil)
    hub.move(3, to: 1)
    hub.move(3, to: nil)
    hub.tell()
    #expect(hub.forward(status).asked == nil)
  }

  @Test("D6: a service that no longer allows the gateway's key counts as one that says nothing")
  func revoked() throws {
    let hub = try Hub()
    hub.checkIns.answers = false
    for _ in 0..<5 {
      hub.harness.pass(ms: 1_000)
      let asked = hub.harness.asked.filter { $0.log == .checkIns }
      hub.harness.asked.removeAll { $0.log == .checkIns }
      for question in asked {
        hub.harness.respond(to: question, hub.checkIns.refusal(.keyRevoked))
      }
    }
    let call = hub.harness.send(CheckHealthRequest())
    hub.harness.pass(ms: Int64(Limits.healthTimeoutMs) + 500)
    let health = try #require(hub.harness.take(CheckHealthRequest.self, call)).response
    #expect(health.state == .degraded)
    #expect(health.services.first { $0.service == "check-ins" }?.state == .notServing)
    #expect(try hub.harness.ask(GetBoardRequest()).unreachable == ["check-ins"])
  }

  @Test("C7: health tells that the disk of a service is full, and does not wait for a silent one")
  func fullDisk() throws {
    let hub = try Hub()
    let full = ServiceHealth(service: "check-ins", state: .degraded, detail: "its disk is full")
    hub.checkIns.other = { [checkIns = hub.checkIns] asked in
      asked.header.method == .checkHealth
        ? checkIns.response(CheckHealthResponse(state: .degraded, services: [full])) : nil
    }
    let call = hub.harness.send(CheckHealthRequest())
    hub.harness.finish()
    hub.harness.pass(ms: Int64(Limits.healthTimeoutMs) + 500)
    let health = try #require(hub.harness.take(CheckHealthRequest.self, call)).response
    #expect(health.state == .degraded)
    let said = Dictionary(uniqueKeysWithValues: health.services.map { ($0.service, $0) })
    #expect(said["gateway"]?.state == .degraded && said["profiles"]?.state == .serving)
    #expect(said["check-ins"]?.state == .degraded)
    #expect(said["check-ins"]?.detail == "its disk is full")
    #expect(said["check-ins"]?.revision == hub.checkIns.lastRevision)
  }
}
