import Foundation
import Keys
import Testing
import ZeroMQ

@testable import ServiceKit

@Suite("Admission")
struct AdmissionTests {
  private let path: String
  private let (ada, gateway): (PublicKey, PublicKey)
  /// The end of 2024-02-29 is a second and a half after this.
  private var now = Moment(wallMs: 1_709_251_198_500, monotonicUs: 5_000_000)

  init() throws {
    path = FileManager.default.temporaryDirectory.appending(path: "keys-\(UUID())").path
    (ada, gateway) = (try CurveKeyPair().publicKey, try CurveKeyPair().publicKey)
    try write("\(ada) ada user 2024-02-29", "\(gateway) gateway peer")
  }

  private func write(_ lines: String...) throws {
    try Data(lines.map { $0 + "\n" }.joined().utf8).write(to: URL(filePath: path), options: .atomic)
  }

  private func admission(peers: Bool) throws -> Admission {
    Admission(try AllowedKeysFile(path), peers: peers, log: .none, at: now)
  }

  /// Asks as the loop does.
  private func changes(_ admission: inout Admission, isAsked: Bool = false) -> Bool {
    admission.hasChanged(at: now, isAsked: isAsked)
  }

  private mutating func pass(ms: Int64) {
    now.wallMs += ms
    now.monotonicUs += ms * 1_000
  }

  @Test("A gateway lets in whoever is no peer, and a service peers alone")
  func sides() throws {
    #expect(try admission(peers: false).keys.valid(atMs: now.wallMs) == [ada])
    #expect(try admission(peers: true).keys.valid(atMs: now.wallMs) == [gateway])
    #expect(Admission(nil, peers: false, log: .none, at: now).keys == AllowedKeys())
  }

  @Test("The end of a key is noticed though the file stays as it is")
  mutating func end() throws {
    var admission = try admission(peers: false)
    #expect(!changes(&admission))
    pass(ms: 1_000)
    #expect(!changes(&admission), "it has half a second left")
    pass(ms: 1_000)
    let hasEnded = changes(&admission)
    #expect(hasEnded && admission.keys.valid(atMs: now.wallMs) == [])
    pass(ms: 1_000)
    #expect(!changes(&admission), "it is told once")
  }

  @Test("A change is seen a second later, when nothing more happens to it; at once when asked")
  mutating func changes() throws {
    var admission = try admission(peers: true)
    #expect(!changes(&admission))
    try write("\(ada) other peer")
    pass(ms: 900)
    #expect(!changes(&admission), "it looks once a second at most")
    pass(ms: 100)
    #expect(!changes(&admission), "it may be written to still")
    pass(ms: 100)
    let hasChanged = changes(&admission)
    #expect(hasChanged && admission.keys.entries.map(\.user) == ["other"])
    try write("\(gateway) asked peer")
    let isRead = changes(&admission, isAsked: true)
    #expect(isRead && admission.keys.entries.map(\.user) == ["asked"])
  }

  @Test("A list that has become wrong changes nothing")
  mutating func wrong() throws {
    var admission = try admission(peers: true)
    try write("\(ada) other owner")
    #expect(!changes(&admission, isAsked: true))
    #expect(admission.keys.entries.map(\.user) == ["gateway"])
  }
}
