import CMessages
import Model

/// What is wrong with JSON that was to become a message.
package struct JSONFault: Error, Equatable, CustomStringConvertible {
  /// The path of the value, for example "profiles[3].bio"; empty for the whole.
  package let path: String
  /// For example "a number where a text is expected".
  package let problem: String
  /// A name that is not known here; empty where that is not the problem.
  package let unknownName: String
  /// The names that are.
  package let knownNames: [String]

  init(_ path: String, _ problem: String, unknown: String = "", known: [String] = []) {
    self.path = path
    self.problem = problem
    unknownName = unknown
    knownNames = known
  }

  package var description: String { path.isEmpty ? problem : "\(path): \(problem)" }
}

/// The bytes of the message of this full name from JSON, which is written as `json` writes it; what
/// is left out or null is empty. Throws with the path of what does not fit.
package func bytes(_ messageName: String, _ value: JSONValue) throws(JSONFault) -> [UInt8] {
  guard let descriptor = Descriptor(named: messageName) else {
    throw JSONFault("", "there is no message \(messageName)")
  }
  let builder = MessageBuilder()
  return builder.pack(try builder.message(value, descriptor, path: ""))
}

/// Builds protobuf-c's structs from JSON in an arena, by the descriptors.
private struct MessageBuilder {
  private let arena = Arena(budgetBytes: .max)
  private let cache = FieldCache()

  func pack(_ message: UnsafeMutableRawPointer) -> [UInt8] {
    let message = UnsafePointer(message.assumingMemoryBound(to: ProtobufCMessage.self))
    let size = protobuf_c_message_get_packed_size(message)
    return withExtendedLifetime(arena) {
      [UInt8](unsafeUninitializedCapacity: size) { room, count in
        if let start = room.baseAddress, size > 0 {
          count = protobuf_c_message_pack(message, start)
        }
      }
    }
  }

  func message(
    _ value: JSONValue, _ descriptor: Descriptor, path: String
  ) throws(JSONFault) -> UnsafeMutableRawPointer {
    guard case .object(let members) = value else {
      throw JSONFault(path, "\(value.kind) where an object is expected")
    }
    let message = arena.room(descriptor.raw.pointee.sizeof_message)
    descriptor.raw.pointee.message_init(message.assumingMemoryBound(to: ProtobufCMessage.self))
    let fields = cache.fields(of: descriptor)
    var seen: Set<String> = []
    for member in members {
      let memberPath = path.isEmpty ? member.name : "\(path).\(member.name)"
      guard let field = fields.first(where: { $0.name == member.name }) else {
        throw JSONFault(
          memberPath, "there is no such field", unknown: member.name, known: fields.map(\.name))
      }
      guard seen.insert(member.name).inserted else {
        throw JSONFault(memberPath, "the field is there twice")
      }
      if member.value != .null { try set(field, of: message, to: member.value, path: memberPath) }
    }
    return message
  }

  private func set(
    _ field: Field, of message: UnsafeMutableRawPointer, to value: JSONValue, path: String
  ) throws(JSONFault) {
    let place = message + Int(field.raw.offset)
    let quantifier = message + Int(field.raw.quantifier_offset)
    if field.isRepeated {
      guard case .array(let values) = value else {
        throw JSONFault(path, "\(value.kind) where a list is expected")
      }
      let stride = field.elementBytes
      let list = arena.room(values.count * stride)
      for (index, value) in values.enumerated() {
        try setOne(field, at: list + index * stride, to: value, path: "\(path)[\(index)]")
      }
      quantifier.storeBytes(of: values.count, as: Int.self)
      place.storeBytes(of: list, as: UnsafeMutableRawPointer?.self)
      return
    }
    if field.isChoice {
      guard quantifier.load(as: UInt32.self) == 0 else {
        throw JSONFault(path, "another of the fields that exclude it is there too")
      }
      quantifier.storeBytes(of: field.raw.id, as: UInt32.self)
    }
    try setOne(field, at: place, to: value, path: path)
  }

  private func setOne(
    _ field: Field, at place: UnsafeMutableRawPointer, to value: JSONValue, path: String
  ) throws(JSONFault) {
    switch field.raw.type {
    case PROTOBUF_C_TYPE_BOOL:
      guard case .bool(let flag) = value else {
        throw JSONFault(path, "\(value.kind) where true or false is expected")
      }
      place.storeBytes(of: flag ? 1 : 0, as: protobuf_c_boolean.self)
    case PROTOBUF_C_TYPE_UINT32:
      place.storeBytes(of: try whole(value, path), as: UInt32.self)
    case PROTOBUF_C_TYPE_UINT64:
      place.storeBytes(of: try whole(value, path), as: UInt64.self)
    case PROTOBUF_C_TYPE_INT64:
      place.storeBytes(of: try whole(value, path), as: Int64.self)
    case PROTOBUF_C_TYPE_DOUBLE:
      place.storeBytes(of: try number(value, path), as: Double.self)
    case PROTOBUF_C_TYPE_ENUM:
      place.storeBytes(of: try enumeration(value, field, path), as: Int32.self)
    case PROTOBUF_C_TYPE_BYTES:
      place.storeBytes(of: try data(value, field, path), as: ProtobufCBinaryData.self)
    case PROTOBUF_C_TYPE_MESSAGE:
      let message = try message(value, field.content, path: path)
      place.storeBytes(of: message, as: UnsafeMutableRawPointer?.self)
    default: preconditionFailure("the generator knows no other types")
    }
  }

  private func whole<I: FixedWidthInteger>(
    _ value: JSONValue, _ path: String
  ) throws(JSONFault) -> I {
    let number: I?
    switch value {
    case .integer(let value): number = I(exactly: value)
    case .large(let value): number = I(exactly: value)
    case .double(let value): number = I(exactly: value)
    default: throw JSONFault(path, "\(value.kind) where a number is expected")
    }
    if let number { return number }
    throw JSONFault(path, "not a whole number from \(I.min) to \(I.max)")
  }

  private func number(_ value: JSONValue, _ path: String) throws(JSONFault) -> Double {
    switch value {
    case .integer(let value): return Double(value)
    case .large(let value): return Double(value)
    case .double(let value): return value
    default: throw JSONFault(path, "\(value.kind) where a number is expected")
    }
  }

  private func enumeration(
    _ value: JSONValue, _ field: Field, _ path: String
  ) throws(JSONFault) -> Int32 {
    guard case .text(let name) = value else {
      throw JSONFault(path, "\(value.kind) where a name is expected")
    }
    let values = field.values
    if let known = values.first(where: { $0.name == name }) { return known.number }
    throw JSONFault(path, "there is no such value", unknown: name, known: values.map(\.name))
  }

  private func data(
    _ value: JSONValue, _ field: Field, _ path: String
  ) throws(JSONFault) -> ProtobufCBinaryData {
    guard case .text(let text) = value else {
      let expected = field.isText ? "a text" : field.isID ? "a UUID" : "base64"
      throw JSONFault(path, "\(value.kind) where \(expected) is expected")
    }
    if field.isText { return arena.text(text) }
    if field.isID {
      if text.isEmpty { return ProtobufCBinaryData() }
      guard let id = ID(text) else { throw JSONFault(path, "not a UUID") }
      return arena.id(id)
    }
    guard let bytes = Base64.bytes(text) else { throw JSONFault(path, "not base64") }
    return arena.bytes(bytes)
  }
}
