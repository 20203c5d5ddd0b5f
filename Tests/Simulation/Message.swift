import Wire
import ZeroMQ

/// Two frames on their way.
struct Parcel {
  var header: [UInt8]
  var body: [UInt8]

  init(header: [UInt8], body: [UInt8]) {
    self.header = header
    self.body = body
  }

  /// Contents are taken, as a socket does.
  init(_ header: Frame, _ body: Frame) {
    self.header = Array(header.bytes)
    self.body = Array(body.bytes)
    header.clear()
    body.clear()
  }
}

/// Reads and writes messages that are right: what is wrong in them is our own mistake.
final class Codec {
  private let encoder = Encoder()
  private let decoder = Decoder()

  func bytes<M: Message>(_ message: M) -> [UInt8] { encoder.bytes(message) }

  func read<M: Message>(_: M.Type, _ bytes: [UInt8]) -> M {
    var violations: [FieldViolation] = []
    do {
      let message = try bytes.withUnsafeBytes {
        try decoder.decode(M.self, from: $0, violations: &violations)
      }
      precondition(violations.isEmpty, "\(M.name) was sent with \(violations)")
      return message
    } catch {
      preconditionFailure("\(M.name) was sent malformed: \(error)")
    }
  }
}
