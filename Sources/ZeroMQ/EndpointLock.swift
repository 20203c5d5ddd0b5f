import Glibc

/// Why an endpoint may not be bound.
package enum EndpointLockError: Error, Equatable, Sendable, CustomStringConvertible {
  /// Another process holds it; its id, where it could be read.
  case inUse(endpoint: String, processID: Int32?)
  /// The lock file could not be opened or written; errno.
  case failed(path: String, number: Int32)

  package var description: String {
    switch self {
    case .inUse(let endpoint, let processID?):
      "\(endpoint) is in use by process \(processID)"
    case .inUse(let endpoint, nil):
      "\(endpoint) is in use by another process"
    case .failed(let path, let number):
      "\(path): \(String(cString: strerror(number)))"
    }
  }
}

/// Holds an ipc endpoint for this process, by a lock on a file beside it, for as long as it lives.
///
/// A second bind to an ipc path removes the first one's socket without a word, so the lock is taken
/// before binding. The file stays behind: to remove it would let two processes each hold one of it.
package final class EndpointLock {
  private let descriptor: Int32

  /// Takes the lock. Nil for an endpoint where a second bind fails by itself: TCP, inproc, and ipc
  /// without a path.
  package init?(_ endpoint: String) throws(EndpointLockError) {
    guard endpoint.hasPrefix("ipc://") else { return nil }
    let socketPath = endpoint.dropFirst("ipc://".count)
    guard let first = socketPath.first, first != "@", first != "*" else { return nil }
    let path = socketPath + ".lock"
    let descriptor = Glibc.open(String(path), O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { throw .failed(path: String(path), number: errno) }
    self.descriptor = descriptor
    while flock(descriptor, LOCK_EX | LOCK_NB) == -1 {
      if errno == EINTR { continue }
      if errno == EWOULDBLOCK {
        throw .inUse(endpoint: endpoint, processID: Self.readProcessID(descriptor))
      }
      throw .failed(path: String(path), number: errno)
    }
    let text = "\(getpid())\n"
    guard ftruncate(descriptor, 0) == 0, pwrite(descriptor, text, text.utf8.count, 0) > 0 else {
      throw .failed(path: String(path), number: errno)
    }
  }

  deinit { close(descriptor) }

  private static func readProcessID(_ descriptor: Int32) -> Int32? {
    withUnsafeTemporaryAllocation(byteCount: 16, alignment: 1) { buffer in
      let count = pread(descriptor, buffer.baseAddress, buffer.count, 0)
      guard count > 0 else { return nil }
      return Int32(String(decoding: buffer[..<count].prefix { $0 != 10 }, as: UTF8.self))
    }
  }
}
