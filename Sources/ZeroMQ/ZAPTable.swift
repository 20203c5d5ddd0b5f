/// Who may shake hands, by domain: the one thing that the `ZAPHandler`'s thread looks at.
package struct ZAPTable: Equatable, Sendable {
  /// Domains whose sockets take anybody without a key (mechanism NULL).
  package var trustedDomains: Set<String>
  /// Domains with CURVE, and the public keys (32 bytes each) that each of them knows.
  package var keys: [String: Set<[UInt8]>]

  package init(trustedDomains: Set<String> = [], keys: [String: Set<[UInt8]>] = [:]) {
    self.trustedDomains = trustedDomains
    self.keys = keys
  }

  /// The user id for a connection that may be made (empty where there is no key, otherwise the key
  /// in hexadecimal digits), or nil for one that is refused. Everything not listed is refused.
  func userID(domain: String, mechanism: String, credentials: [[UInt8]]) -> String? {
    switch mechanism {
    case "NULL": trustedDomains.contains(domain) ? "" : nil
    case "CURVE":
      if let key = credentials.first, credentials.count == 1, keys[domain]?.contains(key) == true {
        hexadecimal(key)
      } else {
        nil
      }
    default: nil
    }
  }

  private func hexadecimal(_ bytes: [UInt8]) -> String {
    let digits = Array("0123456789abcdef".utf8)
    return String(unsafeUninitializedCapacity: bytes.count * 2) { text in
      for (index, byte) in bytes.enumerated() {
        text[index * 2] = digits[Int(byte >> 4)]
        text[index * 2 + 1] = digits[Int(byte & 0xF)]
      }
      return bytes.count * 2
    }
  }
}
