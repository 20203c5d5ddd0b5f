import Model
import ServiceKit
import Testing
import Wire

@Suite("Digests and fingerprints")
struct FingerprintTests {
  @Test(
    "SHA-256 is that of FIPS 180-4",
    arguments: [
      ("", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
      ("abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
      (
        "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
        "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"
      ),
    ])
  func sha256(_ text: String, _ digest: String) {
    let hex = SHA256.digest(Array(text.utf8)).map { byte in
      (byte < 16 ? "0" : "") + String(byte, radix: 16)
    }
    #expect(hex.joined() == digest)
  }

  private let secret = [UInt8](0..<16)
  private let key = ID(high: 1, low: 2)

  private func request(_ method: Method, _ body: [UInt8], _ secret: [UInt8]? = nil) -> UInt64 {
    body.withUnsafeBytes {
      Fingerprint.request(method: method, body: $0, secret: secret ?? self.secret)
    }
  }

  @Test("the same key of the same user has the same fingerprint")
  func stable() {
    #expect(
      Fingerprint.key(user: "ada", key: key, secret: secret)
        == Fingerprint.key(user: "ada", key: key, secret: secret))
    #expect(request(.checkIn, [1, 2]) == request(.checkIn, [1, 2]))
  }

  @Test("another user, key, method, body or secret has another one")
  func different() {
    let other = ID(high: 1, low: 3)
    let keys = [
      Fingerprint.key(user: "ada", key: key, secret: secret),
      Fingerprint.key(user: "ad", key: key, secret: secret),
      Fingerprint.key(user: "", key: key, secret: secret),
      Fingerprint.key(user: "ada", key: other, secret: secret),
      Fingerprint.key(user: "ada", key: key, secret: Array(secret.reversed())),
    ]
    #expect(Set(keys).count == keys.count)
    let requests = [
      request(.checkIn, []), request(.checkOut, []), request(.checkIn, [0]),
      request(.checkIn, [0, 0]), request(.checkIn, [], Array(secret.reversed())),
    ]
    #expect(Set(requests).count == requests.count)
  }

  @Test("two databases have two secrets")
  func secrets() {
    var random = SystemRandomNumberGenerator()
    let one = Fingerprint.makeSecret(using: &random)
    #expect(one.count == Fingerprint.secretBytes)
    #expect(one != Fingerprint.makeSecret(using: &random))
  }
}
