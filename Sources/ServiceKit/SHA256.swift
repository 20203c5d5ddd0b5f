import CSodium

/// SHA-256 (FIPS 180-4): what images are named by, and backups are known by.
package enum SHA256 {
  /// The 32 bytes of the digest.
  package static func digest(_ bytes: UnsafeRawBufferPointer) -> [UInt8] {
    [UInt8](unsafeUninitializedCapacity: Int(crypto_hash_sha256_BYTES)) { digest, count in
      guard let start = digest.baseAddress else { return }
      let input = bytes.assumingMemoryBound(to: UInt8.self)
      // It cannot fail; the result is always 0.
      _ = crypto_hash_sha256(start, input.baseAddress, UInt64(input.count))
      count = Int(crypto_hash_sha256_BYTES)
    }
  }

  /// The 32 bytes of the digest of all pieces that `next` gives, up to an empty one.
  package static func digest(ofPieces next: () throws -> ArraySlice<UInt8>) rethrows -> [UInt8] {
    var state = crypto_hash_sha256_state()
    _ = crypto_hash_sha256_init(&state)
    while true {
      let piece = try next()
      if piece.isEmpty { break }
      piece.withUnsafeBufferPointer {
        _ = crypto_hash_sha256_update(&state, $0.baseAddress, UInt64($0.count))
      }
    }
    var digest = [UInt8](repeating: 0, count: Int(crypto_hash_sha256_BYTES))
    _ = crypto_hash_sha256_final(&state, &digest)
    return digest
  }

  /// The 32 bytes of the digest.
  package static func digest(_ bytes: [UInt8]) -> [UInt8] {
    bytes.withUnsafeBytes { digest($0) }
  }
}
