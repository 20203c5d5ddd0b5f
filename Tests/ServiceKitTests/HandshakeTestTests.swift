import Testing
import ZeroMQ

@testable import ServiceKit

/// The test that a process makes of itself has to fail where it should.
@Suite("The test of handshakes")
struct HandshakeTestTests {
  /// What is wrong with a socket.
  enum Fault: CaseIterable, Sendable {
    case none, noHandler, otherDomain, noEncryption, deafHandler
  }

  /// What is then found; nil: nothing.
  private func expected(_ fault: Fault, _ kind: SocketKind) -> String? {
    switch fault {
    case .none: nil
    case .noHandler where kind == .router: "who is let in is not known by its key"
    case .noHandler: "a key that nobody knows is let in"
    case .otherDomain, .deafHandler: "a known key is not served"
    case .noEncryption: "a handshake fails by itself"
    }
  }

  @Test(
    "A socket is opened only where a known key is served and no other one",
    arguments: Fault.allCases, [SocketKind.router, .pub])
  func faults(fault: Fault, kind: SocketKind) throws {
    let context = try Context()
    let handler = fault == .noHandler ? nil : try ZAPHandler(context, ZAPTable())
    let pair = try CurveKeyPair()
    let socket = try Socket(context, kind)
    try socket.set(.zapDomain, fault == .otherDomain ? "other" : "keys")
    if fault != .noEncryption { try socket.serve(with: pair) }
    var problem: String?
    do {
      try HandshakeTest(socket, pair.publicKey).run { key in
        guard fault != .deafHandler else { return }
        handler?.replace(ZAPTable(keys: ["keys": key.map { [$0] } ?? []]))
      }
    } catch let failed as HandshakeTestFailed {
      problem = failed.what
    }
    #expect(problem == expected(fault, kind))
    socket.close()
    try handler?.stop()
    context.close()
  }
}
