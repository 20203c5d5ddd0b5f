import CMessages

/// Turns messages into bytes for the wire. Not for more than one thread.
package final class Encoder {
  private let arena = Arena(budgetBytes: .max)

  package init() {}

  /// Writes the message into the room that `allocate` gives for exactly its size in bytes.
  package func encode<M: Message>(
    _ message: M, into allocate: (Int) -> UnsafeMutableRawBufferPointer
  ) {
    withStruct(of: message) { raw, size in
      let room = allocate(size)
      precondition(room.count == size, "a message is written into room of its own size")
      guard let start = room.baseAddress, size > 0 else { return }
      let written = protobuf_c_message_pack(raw, start.assumingMemoryBound(to: UInt8.self))
      precondition(written == size, "protobuf-c writes as much as it announced")
    }
  }

  /// As `encode`, with the elements of a field that the message has left empty.
  package func encode<M: Message>(
    _ message: M, then elements: EncodedElements,
    into allocate: (Int) -> UnsafeMutableRawBufferPointer
  ) {
    encode(message) { size in
      let room = allocate(size + elements.bytes.count)
      elements.bytes.withUnsafeBytes {
        UnsafeMutableRawBufferPointer(rebasing: room[size...]).copyMemory(from: $0)
      }
      return UnsafeMutableRawBufferPointer(rebasing: room[..<size])
    }
  }

  /// The message's bytes.
  package func bytes<M: Message>(_ message: M) -> [UInt8] {
    withStruct(of: message) { raw, size in
      [UInt8](unsafeUninitializedCapacity: size) { room, count in
        if let start = room.baseAddress, size > 0 { count = protobuf_c_message_pack(raw, start) }
      }
    }
  }

  /// How many bytes the message has on the wire.
  package func size<M: Message>(of message: M) -> Int {
    withStruct(of: message) { _, size in size }
  }

  private func withStruct<M: Message, R>(
    of message: M, _ body: (UnsafePointer<ProtobufCMessage>, Int) -> R
  ) -> R {
    defer { arena.reset() }
    let raw = UnsafePointer(
      message.write(into: arena).assumingMemoryBound(to: ProtobufCMessage.self))
    return body(raw, protobuf_c_message_get_packed_size(raw))
  }
}
