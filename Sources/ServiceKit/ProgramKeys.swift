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
  /// - Throws: `KeyFileError`, what is wrong with one of them; `ConfigurationError`.
  init(_ configuration: Configuration) throws {
    let secret = configuration.text("secret-key")
    if !secret.isEmpty { own = try SecretKeyFile.read(secret) }
    let list = configuration.text("allowed-keys")
    if !list.isEmpty { allowed = try AllowedKeysFile(list) }
    guard configuration.knows("old-rpc") else { return }
    let rpc = configuration.endpoints("old-rpc")
    let oldSecret = configuration.text("old-secret-key")
    guard rpc.isEmpty == oldSecret.isEmpty, rpc.isEmpty || own != nil, rpc.allSatisfy(\.isTCP)
    else {
      throw ConfigurationError(problems: [
        "an old key is served by TCP beside a new one: give secret-key, old-secret-key and old-rpc"
      ])
    }
    if !rpc.isEmpty { old = Old(pair: try SecretKeyFile.read(oldSecret), rpc: rpc) }
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
    let bound = parts.rpc + (old?.rpc ?? []) + (parts.feed.map { [$0] } ?? [])
    for endpoint in bound where endpoint.isTCP {
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
