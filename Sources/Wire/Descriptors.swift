import CMessages

/// A serialized `google.protobuf.FileDescriptorSet` of the contract, imports included.
package let fileDescriptorSet: [UInt8] = {
  var size = 0
  let start = muster_file_descriptor_set(&size)
  return Array(UnsafeBufferPointer(start: start, count: size))
}()

/// The full names of all messages, sorted.
package let messageNames: [String] = Descriptor.all.map(\.name)

/// One field of a message, for people.
package struct FieldDescription: Equatable, Sendable {
  /// As in the `.proto` file.
  package let name: String
  /// "text", "id", "bytes", a scalar type as protobuf calls it, or the name of a message or an
  /// enum.
  package let type: String
  package let isRepeated: Bool
  /// The names of an enum's values; else empty.
  package let values: [String]
  /// What the contract says about it; empty where it says nothing.
  package let comment: String
}

/// The fields of the message of this full name, in the order of their numbers; nil where there is
/// no such message.
package func fields(of messageName: String) -> [FieldDescription]? {
  Descriptor(named: messageName).map { $0.fields.map(\.described) }
}

extension Method {
  /// What the contract says about it.
  package var comment: String { Comments.all[fullName] ?? "" }
}

/// protobuf-c's description of a message, which lives as long as the program.
struct Descriptor {
  let raw: UnsafePointer<ProtobufCMessageDescriptor>

  /// Every message of the contract, by name.
  static var all: [Descriptor] {
    (0...).lazy.map { muster_message($0) }.prefix { $0 != nil }.compactMap { raw in
      raw.map { Descriptor(raw: $0) }
    }
  }

  init(raw: UnsafePointer<ProtobufCMessageDescriptor>) { self.raw = raw }

  init(of type: any Message.Type) {
    raw = type.descriptor.assumingMemoryBound(to: ProtobufCMessageDescriptor.self)
  }

  /// By its full name; nil where there is none.
  init?(named name: String) {
    guard let index = Descriptor.indices[name], let raw = muster_message(index) else { return nil }
    self.raw = raw
  }

  private static let indices = Dictionary(
    uniqueKeysWithValues: all.enumerated().map { ($1.name, $0) })

  /// The full name.
  var name: String { String(cString: raw.pointee.name) }

  /// In the order of their numbers.
  var fields: [Field] {
    UnsafeBufferPointer(start: raw.pointee.fields, count: Int(raw.pointee.n_fields)).map {
      Field($0, of: String(cString: raw.pointee.short_name))
    }
  }
}

/// The fields of the messages met on one walk, each described once.
final class FieldCache {
  private var known: [UnsafePointer<ProtobufCMessageDescriptor>: [Field]] = [:]

  func fields(of message: Descriptor) -> [Field] {
    if let fields = known[message.raw] { return fields }
    let fields = message.fields
    known[message.raw] = fields
    return fields
  }
}

/// protobuf-c's description of a field, and what the contract says beyond it.
struct Field {
  let raw: ProtobufCFieldDescriptor
  let name: String
  /// With the short name of its message in front.
  let path: String
  let isText: Bool
  let isID: Bool
  var isRepeated: Bool { raw.label == PROTOBUF_C_LABEL_REPEATED }
  var isChoice: Bool { raw.flags & UInt32(PROTOBUF_C_FIELD_FLAG_ONEOF.rawValue) != 0 }

  init(_ raw: ProtobufCFieldDescriptor, of message: String) {
    self.raw = raw
    name = String(cString: raw.name)
    path = "\(message).\(name)"
    isText = FieldKinds.texts.contains(path)
    isID = FieldKinds.ids.contains(path)
  }

  /// Of a field that is a message.
  var content: Descriptor {
    guard raw.type == PROTOBUF_C_TYPE_MESSAGE, let descriptor = raw.descriptor else {
      preconditionFailure("only messages have a content")
    }
    return Descriptor(raw: descriptor.assumingMemoryBound(to: ProtobufCMessageDescriptor.self))
  }

  /// The values of a field that is an enum: its names and numbers.
  var values: [(name: String, number: Int32)] {
    guard raw.type == PROTOBUF_C_TYPE_ENUM, let descriptor = raw.descriptor else { return [] }
    let known = descriptor.assumingMemoryBound(to: ProtobufCEnumDescriptor.self).pointee
    return UnsafeBufferPointer(start: known.values, count: Int(known.n_values)).map {
      (String(cString: $0.name), $0.value)
    }
  }

  var described: FieldDescription {
    FieldDescription(
      name: name, type: typeName, isRepeated: isRepeated, values: values.map(\.name),
      comment: Comments.all[path] ?? "")
  }

  private var typeName: String {
    switch raw.type {
    case PROTOBUF_C_TYPE_BYTES: isText ? "text" : isID ? "id" : "bytes"
    case PROTOBUF_C_TYPE_MESSAGE: String(cString: content.raw.pointee.short_name)
    case PROTOBUF_C_TYPE_ENUM: enumName
    case PROTOBUF_C_TYPE_BOOL: "bool"
    case PROTOBUF_C_TYPE_UINT32: "uint32"
    case PROTOBUF_C_TYPE_UINT64: "uint64"
    case PROTOBUF_C_TYPE_INT64: "int64"
    case PROTOBUF_C_TYPE_DOUBLE: "double"
    default: preconditionFailure("the generator knows no other types")
    }
  }

  private var enumName: String {
    guard let descriptor = raw.descriptor else { return "" }
    let known = descriptor.assumingMemoryBound(to: ProtobufCEnumDescriptor.self)
    return String(cString: known.pointee.short_name)
  }
}
