/// A message of the contract as a Swift value.
///
/// What is generated for each is in `Generated`; the two headers are in `Envelope`. C's structs do
/// not leave this module: they go through it as raw pointers.
package protocol Message: Equatable, Sendable {
  /// Its full name, for example "muster.v1.Profile".
  static var name: String { get }
  /// protobuf-c's `ProtobufCMessageDescriptor` of it.
  static var descriptor: UnsafeRawPointer { get }
  /// Copies protobuf-c's struct of this message, and tells the reader what is wrong with its form.
  init(reading raw: UnsafeRawPointer, _ reader: Reader)
  /// Builds protobuf-c's struct of this message in the arena.
  func write(into arena: Arena) -> UnsafeMutableRawPointer
}

/// The body of a request: it knows its method, and what comes back.
package protocol Request: Message {
  associatedtype Response: Message
  static var method: Method { get }
}

/// Bytes that are no message of the type asked for, or that would take too much memory as one.
package struct MalformedMessage: Error, Equatable, CustomStringConvertible {
  /// The full name of the message that was expected.
  package let name: String

  package var description: String { "The bytes are not a \(name)." }
}
