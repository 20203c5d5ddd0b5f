package import ZeroMQ

/// Where a socket is bound or connects to: `ipc://PATH` or `tcp://HOST:PORT`.
package struct Endpoint: Hashable, Sendable, CustomStringConvertible {
  package enum Address: Hashable, Sendable {
    case ipc(path: String)
    /// The host without brackets; the port 0 where the text says `*`: any free one.
    case tcp(host: String, port: UInt16)
  }

  package let address: Address
  /// As it was written, and as ZeroMQ takes it.
  package let description: String

  /// The longest path of a socket in the file system: `sun_path` of unix(7) holds 108 bytes, the
  /// last of them NUL. ZeroMQ cuts nothing off; it refuses to bind.
  package static let longestPathBytes = 107

  /// - Throws: `EndpointError`, whose text says what would be right.
  package init(_ text: String) throws(EndpointError) {
    let isPlain = text.unicodeScalars.allSatisfy { $0.value > 0x20 && $0.value != 0x7F }
    guard isPlain, !text.contains(",") else {
      throw EndpointError(text, "has white space or a comma in it")
    }
    if text.hasPrefix("ipc://") {
      address = try Self.ipc(text)
    } else if text.hasPrefix("tcp://") {
      address = try Self.tcp(text)
    } else {
      throw EndpointError(text, "is neither ipc://PATH nor tcp://HOST:PORT")
    }
    description = text
  }

  package var isTCP: Bool { if case .tcp = address { true } else { false } }

  /// Whether only this machine reaches it: a socket in the file system, or a loopback address
  /// (RFC 5735, section 3; RFC 4291, section 2.5.3).
  package var isLoopback: Bool {
    switch address {
    case .ipc: return true
    case .tcp(let host, _):
      if host == "localhost" || host == "::1" { return true }
      let parts = host.split(separator: ".", omittingEmptySubsequences: false)
      return parts.count == 4 && parts[0] == "127" && parts.allSatisfy { UInt8($0) != nil }
    }
  }

  private static func ipc(_ text: String) throws(EndpointError) -> Address {
    let path = text.dropFirst("ipc://".count)
    guard !path.isEmpty else { throw EndpointError(text, "has no path") }
    guard path.utf8.count <= longestPathBytes else {
      throw EndpointError(text, "has a path of more than \(longestPathBytes) bytes")
    }
    return .ipc(path: String(path))
  }

  private static func tcp(_ text: String) throws(EndpointError) -> Address {
    let rest = text.dropFirst("tcp://".count)
    guard let colon = rest.lastIndex(of: ":") else { throw EndpointError(text, "has no port") }
    var host = rest[..<colon]
    let digits = rest[rest.index(after: colon)...]
    let isNumber = digits.utf8.allSatisfy { (0x30...0x39).contains($0) }
    guard let port = digits == "*" ? 0 : isNumber ? UInt16(digits) : nil else {
      throw EndpointError(text, "has no port from 1 to 65535, nor * for any free one")
    }
    if host.hasPrefix("["), host.hasSuffix("]") {
      host = host.dropFirst().dropLast()
    } else if host.contains(":") {
      throw EndpointError(text, "has an IPv6 address without [ ] around it")
    }
    guard !host.isEmpty, !host.contains(where: { "/[]".contains($0) }) else {
      throw EndpointError(text, "has no host")
    }
    return .tcp(host: String(host), port: port)
  }
}

/// Where a service answers and where it publishes its changes.
package struct BackendEndpoints: Hashable, Sendable, CustomStringConvertible {
  package var rpc: Endpoint
  package var feed: Endpoint
  /// The public keys that the service may have where it is reached by TCP: its own, and while that
  /// is changed, the one that comes.
  package var serverKeys: [PublicKey]

  package init(rpc: Endpoint, feed: Endpoint, serverKeys: [PublicKey] = []) {
    self.rpc = rpc
    self.feed = feed
    self.serverKeys = serverKeys
  }

  /// From `RPC,FEED`, or `RPC,FEED,KEY`, or with two keys.
  package init(_ text: String) throws(EndpointError) {
    let parts = text.split(separator: ",", omittingEmptySubsequences: false)
    guard (2...4).contains(parts.count) else {
      throw EndpointError(text, "is not two endpoints, RPC,FEED")
    }
    rpc = try Endpoint(String(parts[0]))
    feed = try Endpoint(String(parts[1]))
    serverKeys = []
    for part in parts[2...] {
      guard let key = PublicKey(text: String(part)) else {
        throw EndpointError(text, "has a key that is not 40 characters of Z85")
      }
      serverKeys.append(key)
    }
  }

  package var description: String {
    ([rpc.description, feed.description] + serverKeys.map(\.description)).joined(separator: ",")
  }
}

/// Why a text is no endpoint.
package struct EndpointError: Error, Equatable, CustomStringConvertible {
  package let description: String

  init(_ text: String, _ problem: String) {
    description = "\"\(text)\" \(problem)"
  }
}
