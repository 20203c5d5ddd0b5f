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
  /// in its text form), or nil for one that is refused. Everything not listed is refused.
  func userID(domain: String, mechanism: String, credentials: [[UInt8]]) -> String? {
    switch mechanism {
    case "NULL": trustedDomains.contains(domain) ? "" : nil
    case "CURVE":
      if let key = credentials.first, credentials.count == 1, key.count == 32,
        keys[domain]?.contains(key) == true
      {
        CurveKeyPair.text(of: key)
      } else {
        nil
      }
    default: nil
    }
  }
}
