import Glibc
package import Keys
package import ZeroMQ

/// Where and as whom somebody calls, kept under a name.
package struct SavedContext: Equatable, Sendable {
  package var name: String
  package var endpoints: [String]
  /// The keys that the server may have.
  package var serverKeys: [PublicKey]
  /// The file of one's own secret key; empty: without keys.
  package var secretKey: String
  /// Whom calls are for; empty: it is not said.
  package var user: String

  package init(
    name: String, endpoints: [String], serverKeys: [PublicKey] = [], secretKey: String = "",
    user: String = ""
  ) {
    self.name = name
    self.endpoints = endpoints
    self.serverKeys = serverKeys
    self.secretKey = secretKey
    self.user = user
  }

  /// How to shake hands; nil: without keys.
  /// - Throws: why the secret key is not taken.
  package func curve() throws(KeyFileError) -> CurveClient? {
    guard !secretKey.isEmpty, !serverKeys.isEmpty else { return nil }
    return CurveClient(pair: try SecretKeyFile.read(secretKey), serverKeys: serverKeys)
  }

  /// Its file: a line each, a word and what it is.
  var text: String {
    var lines = endpoints.map { "endpoint \($0)" } + serverKeys.map { "server-key \($0)" }
    if !secretKey.isEmpty { lines.append("secret-key \(secretKey)") }
    if !user.isEmpty { lines.append("user \(user)") }
    return lines.map { $0 + "\n" }.joined()
  }

  /// - Parameter file: how problems name it.
  init(name: String, _ text: String, file: String) throws(KeyFileError) {
    self.init(name: name, endpoints: [])
    for (index, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated()
    where !line.isEmpty && !line.hasPrefix("#") {
      let word = line.prefix { $0 != " " }
      let value = String(line.dropFirst(word.count).drop { $0 == " " })
      switch word {
      case "endpoint": endpoints.append(value)
      case "secret-key": secretKey = value
      case "user": user = value
      case "server-key":
        guard let key = PublicKey(text: value) else {
          throw KeyFileError(
            "\(file):\(index + 1): is no public key, which is 40 characters of Z85")
        }
        serverKeys.append(key)
      default:
        throw KeyFileError(
          "\(file):\(index + 1): is none of endpoint, server-key, secret-key and user")
      }
    }
    guard !endpoints.isEmpty else { throw KeyFileError("\(file): names no endpoint") }
  }
}

/// The contexts of one person, each a file of a folder.
package struct SavedContexts: Sendable {
  /// Where they are: in $XDG_CONFIG_HOME, or in .config at home.
  package let folder: String

  /// Nil where there is no home.
  package init?(environment: [String: String]) {
    func value(_ name: String) -> String? { environment[name].flatMap { $0.isEmpty ? nil : $0 } }
    guard let base = value("XDG_CONFIG_HOME") ?? value("HOME").map({ "\($0)/.config" }) else {
      return nil
    }
    folder = "\(base)/muster/contexts"
  }

  /// Whether a context can be called so.
  package static func isName(_ name: String) -> Bool {
    !name.isEmpty && name.utf8.count <= 64 && !name.hasPrefix(".") && !name.hasPrefix("-")
      && name.utf8.allSatisfy { byte in
        (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte & 0xDF)
          || Array("._-".utf8).contains(byte)
      }
  }

  /// Their names, in order.
  package var names: [String] {
    guard let directory = opendir(folder) else { return [] }
    defer { closedir(directory) }
    var names: [String] = []
    while let entry = readdir(directory) {
      let name = withUnsafePointer(to: &entry.pointee.d_name) {
        $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
      }
      if Self.isName(name) { names.append(name) }
    }
    return names.sorted()
  }

  /// Nil: there is none of this name.
  /// - Throws: why it cannot be read.
  package func read(_ name: String) throws(KeyFileError) -> SavedContext? {
    guard Self.isName(name) else { return nil }
    let path = "\(folder)/\(name)"
    guard let text = try TextFile.read(path) else { return nil }
    return try SavedContext(name: name, text, file: path)
  }

  /// Keeps it, in the place of another one of its name.
  package func write(_ context: SavedContext) throws(KeyFileError) {
    try TextFile.makeFolders(folder)
    try TextFile.write(context.text, to: "\(folder)/\(context.name)")
  }

  /// False: there was none.
  package func remove(_ name: String) throws(KeyFileError) -> Bool {
    guard Self.isName(name), unlink("\(folder)/\(name)") == 0 else { return false }
    if try current == name { unlink(currentPath) }
    return true
  }

  private var currentPath: String { "\(folder)/.current" }

  /// The one in use; nil: none.
  package var current: String? {
    get throws(KeyFileError) {
      let name = try TextFile.read(currentPath)?.prefix { $0 != "\n" }
      return name.flatMap { $0.isEmpty ? nil : String($0) }
    }
  }

  /// Uses this one from now on.
  package func use(_ name: String) throws(KeyFileError) {
    try TextFile.write(name + "\n", to: currentPath)
  }
}
