import CZeroMQ

/// Who somebody is on an encrypted connection: 32 bytes that may be known, and 32 that may not.
package struct CurveKeyPair: Sendable {
  package let publicKey: [UInt8]
  package let secretKey: [UInt8]

  /// A new one, by chance.
  package init() throws(ZeroMQError) {
    var texts = ([CChar](repeating: 0, count: 41), [CChar](repeating: 0, count: 41))
    try attempt("zmq_curve_keypair") { zmq_curve_keypair(&texts.0, &texts.1) }
    guard let publicKey = Self.key(Self.text(texts.0)), let secretKey = Self.key(Self.text(texts.1))
    else { preconditionFailure("libzmq made a key that it cannot read") }
    self.publicKey = publicKey
    self.secretKey = secretKey
  }

  /// The pair that a kept secret key belongs to, in its text form; nil if it is none.
  package init?(secretText: String) {
    guard let secretKey = Self.key(secretText) else { return nil }
    var text = [CChar](repeating: 0, count: 41)
    guard zmq_curve_public(&text, secretText) == 0, let publicKey = Self.key(Self.text(text)) else {
      return nil
    }
    self.publicKey = publicKey
    self.secretKey = secretKey
  }

  /// A key from its text form: 40 characters of Z85 (https://rfc.zeromq.org/spec/32).
  package static func key(_ text: String) -> [UInt8]? {
    guard text.utf8.count == 40 else { return nil }
    var key = [UInt8](repeating: 0, count: 32)
    return zmq_z85_decode(&key, text) == nil ? nil : key
  }

  /// The text form of a key of 32 bytes.
  package static func text(of key: [UInt8]) -> String {
    precondition(key.count == 32)
    var text = [CChar](repeating: 0, count: 41)
    zmq_z85_encode(&text, key, key.count)
    return Self.text(text)
  }

  private static func text(_ characters: [CChar]) -> String {
    String(decoding: characters.prefix(40).map(UInt8.init(bitPattern:)), as: UTF8.self)
  }
}

extension Socket {
  /// Encrypts what comes in, and lets in whom the `ZAPHandler`'s table knows. Before `bind`.
  package func serve(with keys: CurveKeyPair) throws(ZeroMQError) {
    try set(.curveServer, 1)
    try set(.curveSecretKey, keys.secretKey)
  }

  /// Encrypts, says who is calling, and makes sure of the server's key. Before `connect`.
  package func call(
    as keys: CurveKeyPair, serverKey: [UInt8]
  ) throws(ZeroMQError) {
    try set(.curveServerKey, serverKey)
    try set(.curvePublicKey, keys.publicKey)
    try set(.curveSecretKey, keys.secretKey)
  }
}
