import Model
import Testing
import ZeroMQ

@testable import ServiceKit

struct ConnectionsTests {
  private func find(_ connections: Connections, _ name: UInt32) -> Int {
    withUnsafeBytes(of: name) { connections.find($0) }
  }

  @Test("nobody is given the index of a peer for whom a response is about to be sent")
  func leavingIsNotIdle() {
    let connections = Connections(sweepAbove: 8)
    let first = find(connections, 0)
    connections.noteLeaving(first)
    let others = (1...40).map { find(connections, $0) }
    #expect(!others.contains(first))
    #expect(connections.routingID(first) == [0, 0, 0, 0])
    #expect(Set(others).count < others.count, "those that are idle are forgotten")
    connections.noteLeft(first)
    #expect((41...200).contains { find(connections, $0) == first })
  }

  @Test("a peer that takes nothing is tried less and less often, and one that takes at once")
  func backsOff() {
    let connections = Connections()
    let peer = find(connections, 1)
    connections.hold(peer, hasDelimiter: false, header: Frame(), body: Frame([1]))
    var now = Moment(wallMs: 0, monotonicUs: 0)
    func pauseMs(hasTaken: Bool) -> Int64 {
      connections.tried(peer, hasTaken: hasTaken, at: now)
      let beganUs = now.monotonicUs
      while !connections.dueForSending(at: now).contains(peer) { now.monotonicUs += 1_000 }
      return (now.monotonicUs - beganUs) / 1_000
    }
    let eager = (0..<Limits.eagerTries).map { _ in pauseMs(hasTaken: false) }
    #expect(eager.allSatisfy { $0 == 0 })
    let patient = (0..<100).map { _ in pauseMs(hasTaken: false) }
    #expect(patient == [1, 2, 4, 8, 16, 32] + Array(repeating: Limits.sendAgainMs, count: 94))
    #expect(pauseMs(hasTaken: true) == 0)
  }
}
