import CSodium
package import Model
package import Wire

/// What is kept of an idempotency key, of its user and of a request: enough to know them again, and
/// nothing that tells what they were.
///
/// SipHash-2-4 with 128 bits of output, keyed with 16 secret random bytes that each database keeps
/// to itself, so that nobody can choose two requests with one fingerprint.
package enum Fingerprint {
  /// How long a secret is.
  package static let secretBytes = Int(crypto_shorthash_siphashx24_KEYBYTES)

  /// A secret for a new database. The system's generator does for this; a simulator brings its own.
  package static func makeSecret(using random: inout some RandomNumberGenerator) -> [UInt8] {
    (0..<secretBytes).map { _ in UInt8.random(in: .min ... .max, using: &random) }
  }

  /// Of a user and that user's key. A user's text has no NUL, so nobody can be two people's.
  package static func key(user: String, key: ID, secret: [UInt8]) -> ID {
    withUnsafeTemporaryAllocation(byteCount: user.utf8.count + 17, alignment: 1) { bytes in
      bytes.copyBytes(from: user.utf8)
      bytes[user.utf8.count] = 0
      copy(key, to: bytes)
      return hash(UnsafeRawBufferPointer(bytes), secret)
    }
  }

  /// Of a method and the bytes of its request. The method goes in by name: its number may be
  /// another one after an upgrade. The body is hashed by itself first, so that it need not be
  /// copied.
  package static func request(
    method: Method, body: UnsafeRawBufferPointer, secret: [UInt8]
  ) -> UInt64 {
    let body = hash(body, secret)
    let name = method.fullName.utf8
    let both = withUnsafeTemporaryAllocation(byteCount: name.count + 16, alignment: 1) { bytes in
      bytes.copyBytes(from: name)
      copy(body, to: bytes)
      return hash(UnsafeRawBufferPointer(bytes), secret)
    }
    return both.high
  }

  /// To the last 16 bytes.
  private static func copy(_ id: ID, to bytes: UnsafeMutableRawBufferPointer) {
    id.withBytes { UnsafeMutableRawBufferPointer(rebasing: bytes.suffix(16)).copyMemory(from: $0) }
  }

  private static func hash(_ bytes: UnsafeRawBufferPointer, _ secret: [UInt8]) -> ID {
    precondition(secret.count == secretBytes, "a fingerprint's secret has \(secretBytes) bytes")
    var output: (UInt64, UInt64) = (0, 0)
    withUnsafeMutableBytes(of: &output) { output in
      guard let start = output.baseAddress?.assumingMemoryBound(to: UInt8.self) else { return }
      let input = bytes.assumingMemoryBound(to: UInt8.self).baseAddress
      // It cannot fail; the result is always 0.
      _ = crypto_shorthash_siphashx24(start, input, UInt64(bytes.count), secret)
    }
    return ID(high: UInt64(bigEndian: output.0), low: UInt64(bigEndian: output.1))
  }
}
