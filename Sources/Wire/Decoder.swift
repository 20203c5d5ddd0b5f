import CMessages
import Model

/// Turns bytes from the wire into messages. Not for more than one thread.
package final class Decoder {
  /// Enough for any message of a megabyte that means something: its C structs take a few times its
  /// size. What takes more is made to, for example of half a million empty submessages.
  package static let defaultBudgetBytes = 16_777_216

  private let arena: Arena
  private let reader = Reader()

  /// `budgetBytes`: the memory that protobuf-c may take for one message.
  package init(budgetBytes: Int = Decoder.defaultBudgetBytes) {
    arena = Arena(budgetBytes: budgetBytes)
  }

  /// Reads one message. Texts come in NFC.
  ///
  /// What is wrong with the form of a field is added to `violations` (20 at most, each with the
  /// path of its field), and the field is left empty: a message with violations is only good for
  /// saying so. Throws where the bytes do not parse, or need more memory than the budget.
  package func decode<M: Message>(
    _ type: M.Type, from bytes: UnsafeRawBufferPointer, violations: inout [FieldViolation]
  ) throws(MalformedMessage) -> M {
    defer { arena.reset() }
    let descriptor = M.descriptor.assumingMemoryBound(to: ProtobufCMessageDescriptor.self)
    let start = bytes.assumingMemoryBound(to: UInt8.self).baseAddress
    guard
      let raw = protobuf_c_message_unpack(descriptor, arena.allocator, bytes.count, start)
    else { throw MalformedMessage(name: M.name) }
    let message = M(reading: UnsafeRawPointer(raw), reader)
    let found = reader.takeViolations()
    if !found.isEmpty { violations.append(contentsOf: found.prefix(room(in: violations))) }
    return message
  }

  private func room(in violations: [FieldViolation]) -> Int {
    max(0, Limits.violations - violations.count)
  }
}
