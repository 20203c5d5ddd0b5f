import Foundation
import Testing

@testable import Wire

/// A message as Google's protobuf writes it, and its JSON: one line of Tests/Vectors/messages.tsv.
struct Vector: CustomTestStringConvertible, Sendable {
  let name: String
  let bytes: [UInt8]
  let json: String

  var testDescription: String { "\(name), \(bytes.count) bytes" }

  static let all: [Vector] = {
    let path = URL(filePath: #filePath).deletingLastPathComponent()
      .appending(path: "../Vectors/messages.tsv")
    guard let text = try? String(contentsOf: path, encoding: .utf8) else {
      preconditionFailure("Tests/Vectors/messages.tsv is part of the sources")
    }
    return text.split(separator: "\n").filter { !$0.hasPrefix("#") }.map { line in
      let parts = line.split(separator: "\t", maxSplits: 2, omittingEmptySubsequences: false)
      guard parts.count == 3, let bytes = Base64.bytes(String(parts[1])) else {
        preconditionFailure("a line of messages.tsv has a name, bytes and JSON")
      }
      return Vector(name: String(parts[0]), bytes: bytes, json: String(parts[2]))
    }
  }()
}

/// Every type that stands alone in a frame: bodies, headers, and what a feed publishes.
let frameTypes: [any Message.Type] =
  Method.allCases.flatMap { [$0.types.request, $0.types.response] }
  + [RequestHeader.self, ResponseHeader.self, ChangesPublished.self]

/// Those types and what is inside them, for which there is a vector too.
func messageType(_ name: String) -> (any Message.Type)? {
  frameTypes.first { $0.name == name } ?? innerTypes.first { $0.name == name }
}

private let innerTypes: [any Message.Type] = [
  BatchCheckInItem.self, BatchCheckInOutcome.self, BoardRow.self, Change.self, CheckInChange.self,
  CheckInStatus.self, Expectation.self, FieldViolation.self, Gauge.self, GeoPoint.self,
  HereChange.self, Location.self, LocationCount.self, LocationResult.self, MethodStats.self,
  PeopleAtLocation.self, Person.self, Profile.self, Revisions.self, ServiceHealth.self, Status.self,
]

/// Decodes by a type known only when running: the message and its violations.
func decode(
  _ type: any Message.Type, _ bytes: [UInt8], by decoder: Decoder = Decoder()
) throws(MalformedMessage) -> (message: any Message, violations: [FieldViolation]) {
  func open<M: Message>(
    _ type: M.Type
  ) throws(MalformedMessage) -> (message: any Message, violations: [FieldViolation]) {
    var violations: [FieldViolation] = []
    // Typed throws do not pass through the closure of `withUnsafeBytes` here; a copy does.
    let copy = UnsafeMutableRawBufferPointer.allocate(byteCount: bytes.count, alignment: 1)
    defer { copy.deallocate() }
    copy.copyBytes(from: bytes)
    let message = try decoder.decode(
      type, from: UnsafeRawBufferPointer(copy), violations: &violations)
    return (message, violations)
  }
  return try open(type)
}

/// The bytes of a message whose type is known only when running.
func encode(_ message: any Message, by encoder: Encoder = Encoder()) -> [UInt8] {
  func open<M: Message>(_ message: M) -> [UInt8] { encoder.bytes(message) }
  return open(message)
}

/// The bytes of one field: a length-prefixed one, or a varint.
func field(_ number: UInt64, _ bytes: [UInt8]) -> [UInt8] {
  varint(number << 3 | 2) + varint(UInt64(bytes.count)) + bytes
}

func field(_ number: UInt64, _ value: UInt64) -> [UInt8] { varint(number << 3) + varint(value) }

func varint(_ value: UInt64) -> [UInt8] {
  var bytes: [UInt8] = []
  var rest = value
  while rest >= 0x80 {
    bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
    rest >>= 7
  }
  return bytes + [UInt8(rest)]
}
