import CZeroMQ

/// Who somebody is on an encrypted connection: 32 bytes that may be known, and 32 that may not.
package struct CurveKeyPair: Sendable, CustomStringConvertible {
  package let publicKey: PublicKey
  private let secretKey: [UInt8]

  /// A new one, by chance.
  package init() throws(ZeroMQError) {
    var texts = ([CChar](repeating: 0, count: 41), [CChar](repeating: 0, count: 41))
    try attempt("zmq_curve_keypair") { zmq_curve_keypair(&texts.0, &texts.1) }
    let secret = String(decoding: texts.1.prefix(40).map(UInt8.init(bitPattern:)), as: UTF8.self)
    guard let publicKey = PublicKey(characters: texts.0), let secretKey = Z85.bytes(secret) else {
      preconditionFailure("libzmq made a key that it cannot read")
    }
    self.publicKey = publicKey
    self.secretKey = secretKey
  }

  /// The pair that a kept secret key belongs to, in its text form; nil if it is none.
  package init?(secretText: String) {
    guard let secretKey = Z85.bytes(secretText) else { return nil }
    var text = [CChar](repeating: 0, count: 41)
    guard zmq_curve_public(&text, secretText) == 0, let publicKey = PublicKey(characters: text)
    else { return nil }
    self.publicKey = publicKey
    self.secretKey = secretKey
  }

  /// What CURVE puts around a frame: a name, a number, and a box with a byte of flags (RFC 26).
  static let envelopeBytes = 33

  /// The secret key in its text form, for the file that keeps it and for nothing else.
  package var secretText: String { Z85.text(secretKey) }

  /// What may be shown of it.
  package var description: String { "the pair of \(publicKey)" }

  fileprivate func give(to socket: Socket) throws(ZeroMQError) {
    try socket.set(.curveSecretKey, secretKey)
  }
}

/// How a client is to shake hands: by which pair, and whom it takes for the server.
package struct CurveClient: Sendable {
  package let pair: CurveKeyPair
  /// The keys that the server may have. Mostly one; while a server changes its key, the one that it
  /// had and the one that it gets.
  package let serverKeys: [PublicKey]

  /// - Parameter serverKeys: at least one.
  package init(pair: CurveKeyPair, serverKeys: [PublicKey]) {
    precondition(!serverKeys.isEmpty, "a client knows its server's key")
    self.pair = pair
    self.serverKeys = serverKeys
  }
}

extension Socket {
  /// Encrypts what comes in, and lets in whom the `ZAPHandler`'s table knows. It holds for what is
  /// bound afterwards, and not for what was bound before.
  package func serve(with keys: CurveKeyPair) throws(ZeroMQError) {
    try set(.curveServer, 1)
    try keys.give(to: self)
    try makeRoom(CurveKeyPair.envelopeBytes)
  }

  /// Takes back a `serve`, for what is bound afterwards.
  package func serveWithoutKeys() throws(ZeroMQError) {
    try set(.curveServer, 0)
    try makeRoom(-CurveKeyPair.envelopeBytes)
    let mechanism = try get(.mechanism)
    precondition(mechanism == 0, "a socket goes on to ask for keys")
  }

  /// Encrypts, says who is calling, and makes sure of the server's key. Before `connect`.
  package func call(
    as keys: CurveKeyPair, serverKey: PublicKey
  ) throws(ZeroMQError) {
    try set(.curveServerKey, serverKey.bytes)
    try set(.curvePublicKey, keys.publicKey.bytes)
    try keys.give(to: self)
    try makeRoom(CurveKeyPair.envelopeBytes)
  }

  /// Moves the size of the largest frame, where there is one. What CURVE puts around a frame counts
  /// in it: without this, one that a plain socket lets in could not be passed on to a socket with
  /// keys, which would drop the connection that it comes by.
  private func makeRoom(_ byteCount: Int) throws(ZeroMQError) {
    let size = try get(.maxMessageSize)
    if size >= 0 { try set(.maxMessageSize, size + Int64(byteCount)) }
  }
}
