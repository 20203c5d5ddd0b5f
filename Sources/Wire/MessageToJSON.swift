import CMessages
import Model

/// The message of this full name as JSON, after the contract's section on it: fields as in the
/// `.proto` file and all of them, ids as UUIDs, other bytes in base64, enums by name; an absent
/// message and an unset choice are null. Throws where the bytes are no such message.
package func json(
  _ messageName: String, _ bytes: UnsafeRawBufferPointer
) throws(MalformedMessage) -> JSONValue {
  guard let descriptor = Descriptor(named: messageName) else {
    throw MalformedMessage(name: messageName)
  }
  let arena = Arena(budgetBytes: Decoder.defaultBudgetBytes)
  let start = bytes.assumingMemoryBound(to: UInt8.self).baseAddress
  guard
    let raw = protobuf_c_message_unpack(descriptor.raw, arena.allocator, bytes.count, start)
  else { throw MalformedMessage(name: messageName) }
  return withExtendedLifetime(arena) {
    JSONValue(UnsafeRawPointer(raw), descriptor, FieldCache())
  }
}

/// The message as JSON, after the contract's section on it.
package func json<M: Message>(_ message: M) -> JSONValue {
  let arena = Arena(budgetBytes: .max)
  let raw = message.write(into: arena)
  return withExtendedLifetime(arena) {
    JSONValue(UnsafeRawPointer(raw), Descriptor(of: M.self), FieldCache())
  }
}

extension JSONValue {
  /// From protobuf-c's struct of the message.
  fileprivate init(_ message: UnsafeRawPointer, _ descriptor: Descriptor, _ cache: FieldCache) {
    self = .object(
      cache.fields(of: descriptor).map { Member($0.name, JSONValue($0, of: message, cache)) })
  }

  private init(_ field: Field, of message: UnsafeRawPointer, _ cache: FieldCache) {
    let place = message + Int(field.raw.offset)
    let quantifier = message + Int(field.raw.quantifier_offset)
    if field.isRepeated {
      let count = quantifier.load(as: Int.self)
      guard count > 0, let list = place.load(as: UnsafeRawPointer?.self) else {
        self = .array([])
        return
      }
      let stride = field.elementBytes
      self = .array((0..<count).map { JSONValue(one: field, at: list + $0 * stride, cache) })
    } else if field.isChoice, quantifier.load(as: UInt32.self) != field.raw.id {
      self = .null
    } else {
      self = JSONValue(one: field, at: place, cache)
    }
  }

  private init(one field: Field, at place: UnsafeRawPointer, _ cache: FieldCache) {
    switch field.raw.type {
    case PROTOBUF_C_TYPE_BOOL: self = .bool(place.load(as: protobuf_c_boolean.self) != 0)
    case PROTOBUF_C_TYPE_UINT32: self = .number(UInt64(place.load(as: UInt32.self)))
    case PROTOBUF_C_TYPE_UINT64: self = .number(place.load(as: UInt64.self))
    case PROTOBUF_C_TYPE_INT64: self = .integer(place.load(as: Int64.self))
    case PROTOBUF_C_TYPE_DOUBLE: self = .double(place.load(as: Double.self))
    case PROTOBUF_C_TYPE_ENUM:
      let number = place.load(as: Int32.self)
      let known = field.values.first { $0.number == number }
      self = known.map { .text($0.name) } ?? .integer(Int64(number))
    case PROTOBUF_C_TYPE_BYTES:
      let data = place.load(as: ProtobufCBinaryData.self)
      self = .text(field.shown(UnsafeBufferPointer(start: data.data, count: data.len)))
    case PROTOBUF_C_TYPE_MESSAGE:
      let message = place.load(as: UnsafeRawPointer?.self)
      self = message.map { JSONValue($0, field.content, cache) } ?? .null
    default: preconditionFailure("the generator knows no other types")
    }
  }
}

extension Field {
  /// The size of one element of a repeated field.
  var elementBytes: Int {
    switch raw.type {
    case PROTOBUF_C_TYPE_BYTES: MemoryLayout<ProtobufCBinaryData>.stride
    case PROTOBUF_C_TYPE_MESSAGE: MemoryLayout<UnsafeRawPointer>.stride
    default: preconditionFailure("the generator refuses repeated scalars")
    }
  }

  /// An id of a wrong length is shown in base64, so that nothing is hidden.
  fileprivate func shown(_ bytes: UnsafeBufferPointer<UInt8>) -> String {
    if isText { return String(decoding: bytes, as: UTF8.self) }
    if isID, let id = ID(bytes: UnsafeRawBufferPointer(bytes)) { return id.description }
    return Base64.text(bytes)
  }
}
