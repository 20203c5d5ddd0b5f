/// Who may shake hands, by domain: the one thing that the `ZAPHandler`'s thread looks at.
package struct ZAPTable: Equatable, Sendable {
  /// Domains whose sockets take anybody without a key (mechanism NULL).
  package var trustedDomains: Set<String>
  /// Domains with CURVE, and the public keys that each of them knows.
  package var keys: [String: Set<PublicKey>]
  /// The user id of a connection without a key. Not empty: where libzmq loses a user id, whoever
  /// it was is nobody, and not somebody who is trusted.
  static let plainUserID = "-"

  package init(trustedDomains: Set<String> = [], keys: [String: Set<PublicKey>] = [:]) {
    self.trustedDomains = trustedDomains
    self.keys = keys
  }

  /// The user id for a connection that may be made (where there is a key, its text form), or nil
  /// for one that is refused. Everything not listed is refused.
  func userID(domain: String, mechanism: String, credentials: [[UInt8]]) -> String? {
    switch mechanism {
    case "NULL": trustedDomains.contains(domain) ? ZAPTable.plainUserID : nil
    case "CURVE":
      if let bytes = credentials.first, credentials.count == 1, let key = PublicKey(bytes),
        keys[domain]?.contains(key) == true
      {
        key.description
      } else {
        nil
      }
    default: nil
    }
  }
}
