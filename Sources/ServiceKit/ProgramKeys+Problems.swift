import Keys

/// What makes no sense together, or is not safe, of what a program was told of keys and of TCP.
extension ProgramKeys {
  /// Each a sentence that names the settings.
  static func problems(_ configuration: Configuration) -> [String] {
    openEndpoints(configuration) + unknownBackends(configuration) + oldKey(configuration)
  }

  /// Nothing goes over TCP without keys, but for a trusting gateway's own machine.
  private static func openEndpoints(_ configuration: Configuration) -> [String] {
    let isGateway = !configuration.knows("feed")
    let hasKey = !configuration.text("secret-key").isEmpty
    let hasList = !configuration.text("allowed-keys").isEmpty
    let mayBePlain = isGateway && configuration.flag("trust-clients") && !hasKey
    var problems: [String] = []
    let names = ["rpc", "old-rpc", "feed"].filter(configuration.knows)
    for endpoint in names.flatMap(configuration.endpoints) where endpoint.isTCP {
      if mayBePlain && endpoint.isLoopback { continue }
      if !hasKey {
        let orElse = isGateway ? ", or for a loopback address --trust-clients alone" : ""
        problems.append(
          "\(endpoint) would be open to anybody: give secret-key and allowed-keys, or use ipc"
            + orElse)
      } else if !hasList {
        problems.append("\(endpoint) would be open to nobody: give allowed-keys")
      }
    }
    return problems
  }

  private static func unknownBackends(_ configuration: Configuration) -> [String] {
    var problems: [String] = []
    for setting in configuration.settings {
      guard let backend = configuration.backend(of: setting) else { continue }
      guard backend.rpc.isTCP || backend.feed.isTCP else { continue }
      if configuration.text("secret-key").isEmpty {
        problems.append("\(backend.rpc) is reached by TCP: give secret-key")
      }
      if backend.serverKeys.isEmpty {
        problems.append("\(backend.rpc) could be anybody: write RPC,FEED,KEY with its public key")
      }
    }
    return problems
  }

  /// A key that goes is served beside the one that comes, at an address of its own.
  private static func oldKey(_ configuration: Configuration) -> [String] {
    guard configuration.knows("old-rpc") else { return [] }
    let rpc = configuration.endpoints("old-rpc")
    let (new, old) = (configuration.text("secret-key"), configuration.text("old-secret-key"))
    if rpc.isEmpty && old.isEmpty { return [] }
    var problems: [String] = []
    if rpc.isEmpty {
      problems.append(
        "old-secret-key is given without old-rpc: say in old-rpc where clients connect who know "
          + "the old key alone, or leave both out")
    }
    if old.isEmpty {
      problems.append(
        "old-rpc is given without old-secret-key: say in old-secret-key which key is served there, "
          + "or leave both out")
    }
    if new.isEmpty {
      problems.append(
        "old-secret-key and old-rpc are given without secret-key: say in secret-key which key "
          + "takes the place of the old one, or leave both out")
    }
    if !new.isEmpty, !old.isEmpty, new == old || isSameKey(new, old) {
      problems.append(
        "secret-key and old-secret-key are the same key: name the new one and the old one")
    }
    for endpoint in rpc where !endpoint.isTCP {
      problems.append("old-rpc \(endpoint) asks for no key: an old key is served by TCP")
    }
    for endpoint in rpc {
      for other in configuration.endpoints("rpc") where endpoint.meets(other) {
        problems.append(
          "old-rpc \(endpoint) and rpc \(other) are one address, and each has one key: give "
            + "old-rpc an address of its own")
      }
    }
    return problems
  }

  /// Whoever checks settings need not be the user who may read the keys: what is wrong with a file
  /// is told where it is needed, at the start.
  private static func isSameKey(_ name: String, _ other: String) -> Bool {
    guard let one = try? SecretKeyFile.read(name), let two = try? SecretKeyFile.read(other) else {
      return false
    }
    return one.publicKey == two.publicKey
  }
}

extension Endpoint {
  /// Whether both cannot be bound.
  func meets(_ other: Endpoint) -> Bool {
    guard case .tcp(let host, let port) = address, case .tcp(let otherHost, port) = other.address,
      port != 0
    else { return self == other }
    let anywhere = ["*", "0.0.0.0", "::"]
    return host == otherHost || anywhere.contains(host) || anywhere.contains(otherHost)
  }
}
