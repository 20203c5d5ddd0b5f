import Keys
import ZeroMQ

/// What a program needs to be reached, and to reach others, by TCP: its own key, and whose keys it
/// allows.
package struct ProgramKeys {
  var own: CurveKeyPair?
  var allowed: AllowedKeysFile?
  /// The key that `own` replaces, and where it is served to those who know no other yet. libzmq
  /// takes one key for each endpoint that is bound.
  var old: Old?

  /// A key that is on its way out.
  struct Old {
    let pair: CurveKeyPair
    let rpc: [Endpoint]
  }

  /// None: then there is ipc alone, and for a trusting gateway loopback.
  package init() {}

  static let settings = [
    Setting(
      "secret-key", .text("FILE"),
      help: "Its own secret key, from 'muster key new'; needed for TCP. A name without a folder is "
        + "one of systemd's credentials."),
    Setting(
      "allowed-keys", .text("FILE"),
      help: "Whose keys may connect by TCP: a line each, from 'muster key allow'. Read again when "
        + "it changes, and on SIGHUP."),
  ]

  /// For a program whose clients may be able to hold one server key only.
  package static let oldKeySettings = [
    Setting(
      "old-secret-key", .text("FILE"),
      help: "While its key changes: the one that secret-key replaces, served at old-rpc."),
    Setting(
      "old-rpc", .endpoints,
      help: "Where clients connect who know the old key alone: an address of its own, by TCP."),
  ]

  /// Reads the files that are named.
  /// - Throws: `KeyFileError`, what is wrong with one of them.
  init(_ configuration: Configuration) throws(KeyFileError) {
    let secret = configuration.text("secret-key")
    if !secret.isEmpty { own = try SecretKeyFile.read(secret) }
    let list = configuration.text("allowed-keys")
    if !list.isEmpty { allowed = try AllowedKeysFile(list) }
    guard configuration.knows("old-rpc") else { return }
    let rpc = configuration.endpoints("old-rpc")
    if rpc.isEmpty { return }
    old = Old(pair: try SecretKeyFile.read(configuration.text("old-secret-key")), rpc: rpc)
  }

  /// How to shake hands at an endpoint of a service behind; nil: without keys.
  func client(for endpoint: Endpoint, _ serverKeys: [PublicKey]) -> CurveClient? {
    guard endpoint.isTCP, let own, !serverKeys.isEmpty else { return nil }
    return CurveClient(pair: own, serverKeys: serverKeys)
  }
}
