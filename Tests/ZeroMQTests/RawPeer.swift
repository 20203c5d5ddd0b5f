import Glibc
import Testing

/// A peer without libzmq: what it writes are the bytes of https://rfc.zeromq.org/spec/23.
final class RawPeer {
  private var descriptor: Int32

  /// Connected to an ipc endpoint's path.
  init(path: String) throws {
    descriptor = Glibc.socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
    let size = socklen_t(MemoryLayout<sockaddr_un>.size)
    let connected = withUnsafePointer(to: address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { connect(descriptor, $0, size) }
    }
    try #require(connected == 0)
  }

  /// Connected to a TCP port of this machine.
  init(port: UInt16) throws {
    descriptor = Glibc.socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = port.bigEndian
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    let size = socklen_t(MemoryLayout<sockaddr_in>.size)
    let connected = withUnsafePointer(to: address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { connect(descriptor, $0, size) }
    }
    try #require(connected == 0)
  }

  deinit { close() }

  /// ZMTP 3.0's greeting: signature, version, mechanism NULL, no server, filler.
  static let greeting: [UInt8] =
    [0xFF, 0, 0, 0, 0, 0, 0, 0, 1, 0x7F, 3, 0] + Array("NULL".utf8)
    + [UInt8](repeating: 0, count: 16 + 1 + 31)

  /// Exchanges greetings and says that this is a DEALER.
  func shakeHands() throws {
    try write(Self.greeting)
    var greeting = [UInt8](repeating: 0, count: 64)
    try #require(recv(descriptor, &greeting, 64, Int32(MSG_WAITALL)) == 64)
    let ready = [5] + Array("READY".utf8) + [11] + Array("Socket-Type".utf8) + [0, 0, 0, 6]
    let command = ready + Array("DEALER".utf8)
    try write([4, UInt8(command.count)] + command)
  }

  func write(_ bytes: [UInt8]) throws {
    try #require(Glibc.write(descriptor, bytes, bytes.count) == bytes.count)
  }

  /// Writes no more, but stays.
  func endWriting() { shutdown(descriptor, Int32(SHUT_WR)) }

  func close() {
    if descriptor >= 0 { Glibc.close(descriptor) }
    descriptor = -1
  }
}
