import CMessages
import Model

/// Memory for the C structs of one message: handed out by moving a pointer, given back all at once.
///
/// It keeps what a usual message needs, so that once warm nothing is allocated per call.
package final class Arena {
  /// What is kept from message to message at most.
  private static let keptBytes = 1_048_576
  private static let firstChunkBytes = 16_384

  /// How much one message may take; beyond it there is no more.
  private let budgetBytes: Int
  // Nobody holds on to these while another touches them, and the check would cost more than they
  // do.
  @exclusivity(unchecked) private var usedBytes = 0
  @exclusivity(unchecked) private var next: UnsafeMutableRawPointer
  @exclusivity(unchecked) private var end: UnsafeMutableRawPointer
  private var chunk: UnsafeMutableRawBufferPointer
  /// Chunks that were full before `chunk` was begun.
  private var full: [UnsafeMutableRawBufferPointer] = []
  /// What protobuf-c allocates by while it unpacks: from this arena, freeing nothing.
  let allocator: UnsafeMutablePointer<ProtobufCAllocator>

  init(budgetBytes: Int) {
    self.budgetBytes = budgetBytes
    chunk = .allocate(byteCount: Arena.firstChunkBytes, alignment: 16)
    (next, end) = Arena.bounds(of: chunk)
    allocator = .allocate(capacity: 1)
    allocator.initialize(
      to: ProtobufCAllocator(
        alloc: { arena, count in
          guard let arena else { return nil }
          return Unmanaged<Arena>.fromOpaque(arena).takeUnretainedValue().allocate(count)
        },
        free: { _, _ in },
        allocator_data: nil))
    allocator.pointee.allocator_data = Unmanaged.passUnretained(self).toOpaque()
  }

  deinit {
    reset()
    chunk.deallocate()
    allocator.deallocate()
  }

  /// Uninitialised memory, valid until `reset`; nil where the budget is spent.
  func allocate(_ count: Int, alignment: Int = 16) -> UnsafeMutableRawPointer? {
    guard count >= 0, count <= budgetBytes - usedBytes else { return nil }
    var start = next.alignedUp(toMultipleOf: alignment)
    if start > end || count > end - start {
      grow(by: count)
      start = next
    }
    usedBytes += count
    next = start + count
    return start
  }

  /// As `allocate`, for a message of our own, which has no budget.
  func room(_ count: Int, alignment: Int = 16) -> UnsafeMutableRawPointer {
    guard let room = allocate(count, alignment: alignment) else {
      preconditionFailure("a message of our own is written to an arena without a budget")
    }
    return room
  }

  private func grow(by count: Int) {
    full.append(chunk)
    let size = max(count, min(2 * chunk.count, Arena.keptBytes))
    chunk = .allocate(byteCount: size, alignment: 16)
    (next, end) = Arena.bounds(of: chunk)
  }

  /// Gives everything back. The largest chunk stays, within what may be kept.
  func reset() {
    usedBytes = 0
    if !full.isEmpty || chunk.count > Arena.keptBytes {
      for other in full { other.deallocate() }
      full.removeAll(keepingCapacity: true)
      if chunk.count > Arena.keptBytes {
        chunk.deallocate()
        chunk = .allocate(byteCount: Arena.keptBytes, alignment: 16)
      }
    }
    (next, end) = Arena.bounds(of: chunk)
  }

  private static func bounds(
    of chunk: UnsafeMutableRawBufferPointer
  ) -> (UnsafeMutableRawPointer, UnsafeMutableRawPointer) {
    guard let start = chunk.baseAddress else {
      preconditionFailure("a chunk is never empty")
    }
    return (start, start + chunk.count)
  }
}

// What generated code writes with.
extension Arena {
  /// Room for one C struct, uninitialised.
  func make<C>(_ type: C.Type) -> UnsafeMutablePointer<C> {
    room(MemoryLayout<C>.size).bindMemory(to: C.self, capacity: 1)
  }

  func bytes(_ bytes: [UInt8]) -> ProtobufCBinaryData {
    bytes.withUnsafeBytes { copy($0) }
  }

  func text(_ text: String) -> ProtobufCBinaryData {
    if text.isEmpty { return ProtobufCBinaryData() }
    if let data = text.utf8.withContiguousStorageIfAvailable({ copy(UnsafeRawBufferPointer($0)) }) {
      return data
    }
    return bytes(Array(text.utf8))
  }

  func id(_ id: ID?) -> ProtobufCBinaryData {
    id?.withBytes { copy($0) } ?? ProtobufCBinaryData()
  }

  func texts(_ texts: [String]) -> UnsafeMutablePointer<ProtobufCBinaryData>? {
    list(texts) { text($0) }
  }

  func ids(_ ids: [ID]) -> UnsafeMutablePointer<ProtobufCBinaryData>? {
    list(ids) { id($0) }
  }

  func message<M: Message, C>(_ message: M?) -> UnsafeMutablePointer<C>? {
    message?.write(into: self).assumingMemoryBound(to: C.self)
  }

  func messages<M: Message, C>(
    _ messages: [M]
  ) -> UnsafeMutablePointer<UnsafeMutablePointer<C>?>? {
    list(messages) { $0.write(into: self).assumingMemoryBound(to: C.self) }
  }

  private func list<V, C>(_ values: [V], _ write: (V) -> C) -> UnsafeMutablePointer<C>? {
    if values.isEmpty { return nil }
    let list = room(values.count * MemoryLayout<C>.stride)
      .bindMemory(to: C.self, capacity: values.count)
    for (index, value) in values.enumerated() { (list + index).initialize(to: write(value)) }
    return list
  }

  private func copy(_ bytes: UnsafeRawBufferPointer) -> ProtobufCBinaryData {
    guard let from = bytes.baseAddress, !bytes.isEmpty else { return ProtobufCBinaryData() }
    let to = room(bytes.count, alignment: 1)
    to.copyMemory(from: from, byteCount: bytes.count)
    return ProtobufCBinaryData(
      len: bytes.count, data: to.bindMemory(to: UInt8.self, capacity: bytes.count))
  }
}
