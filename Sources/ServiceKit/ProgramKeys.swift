import Keys
import ZeroMQ

/// What a program needs to be reached, and to reach others, by TCP: its own key, and whose keys it
/// allows.
package struct ProgramKeys {
  var own: CurveKeyPair?
  var allowed: AllowedKeysFile?

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

  /// Reads both files, where they are named.
  /// - Throws: what is wrong with one of them.
  init(_ configuration: Configuration) throws(KeyFileError) {
    let secret = configuration.text("secret-key")
    if !secret.isEmpty { own = try SecretKeyFile.read(secret) }
    let list = configuration.text("allowed-keys")
    if !list.isEmpty { allowed = try AllowedKeysFile(list) }
  }

  /// How to shake hands at an endpoint of a service behind; nil: without keys.
  func client(for endpoint: Endpoint, _ serverKeys: [PublicKey]) -> CurveClient? {
    guard endpoint.isTCP, let own, !serverKeys.isEmpty else { return nil }
    return CurveClient(pair: own, serverKeys: serverKeys)
  }

  /// That nothing goes over TCP without keys, but for a trusting gateway's own machine.
  /// - Throws: each endpoint that would, and what it takes.
  func check(_ parts: ServiceMain.Parts) throws(ConfigurationError) {
    var problems: [String] = []
    let mayBePlain = parts.feed == nil && parts.trustsClients && own == nil
    for endpoint in parts.rpc + (parts.feed.map { [$0] } ?? []) where endpoint.isTCP {
      if mayBePlain && endpoint.isLoopback { continue }
      if own == nil {
        let orElse = parts.feed == nil ? ", or for a loopback address --trust-clients alone" : ""
        problems.append(
          "\(endpoint) would be open to anybody: give secret-key and allowed-keys, or use ipc"
            + orElse)
      } else if allowed == nil {
        problems.append("\(endpoint) would be open to nobody: give allowed-keys")
      }
    }
    for backend in parts.backends.values.sorted(by: { $0.description < $1.description })
    where backend.rpc.isTCP || backend.feed.isTCP {
      if own == nil { problems.append("\(backend.rpc) is reached by TCP: give secret-key") }
      if backend.serverKeys.isEmpty {
        problems.append("\(backend.rpc) could be anybody: write RPC,FEED,KEY with its public key")
      }
    }
    if !problems.isEmpty { throw ConfigurationError(problems: problems) }
  }
}
