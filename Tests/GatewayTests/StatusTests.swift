import Harness
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
}
