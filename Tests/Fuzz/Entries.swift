import Wire

/// What bytes from outside are fed to: a group of messages that are decoded, written and decoded
/// again, or the walk that makes JSON of them. The first byte of an input picks the message.
struct Entry: Sendable {
  let name: String
  let messages: [any Message.Type]
  let feed: @Sendable (any Message.Type, UnsafeRawBufferPointer) -> Bool

  static let all: [Entry] = {
    let services = ServiceName.allCases.map { service in
      Entry(
        name: service.rawValue.split(separator: ".").last.map(String.init) ?? service.rawValue,
        messages: Method.allCases.filter { $0.service == service }
          .flatMap { [$0.types.request, $0.types.response] }, feed: decodes)
    }
    let frames: [any Message.Type] = [
      RequestHeader.self, ResponseHeader.self, ChangesPublished.self,
    ]
    let others = Entry(name: "frames", messages: frames, feed: decodes)
    let everything = (services + [others]).flatMap(\.messages)
    return services + [
      others, Entry(name: "JSON", messages: everything, feed: becomesJSON),
      Entry(name: "text", messages: [GetProfileRequest.self], feed: folds),
    ]
  }()
}

/// Whether the bytes are such a message. What is read is written and read as the same, with no more
/// wrong with it than before.
@Sendable private func decodes(_ type: any Message.Type, _ bytes: UnsafeRawBufferPointer) -> Bool {
  func open<M: Message>(_ type: M.Type) -> Bool {
    guard let (message, violations) = decoded(type, bytes) else { return false }
    precondition(violations.count <= 20, "20 violations at most")
    let again = Encoder().bytes(message)
    guard let (second, more) = again.withUnsafeBytes({ decoded(type, $0) }) else {
      preconditionFailure("what is written can be read")
    }
    precondition(more.isEmpty || !violations.isEmpty, "what is written has no faults of its own")
    precondition(Encoder().bytes(second) == again, "what is read twice is the same")
    return true
  }
  return open(type)
}

private func decoded<M: Message>(
  _ type: M.Type, _ bytes: UnsafeRawBufferPointer
) -> (M, [FieldViolation])? {
  var violations: [FieldViolation] = []
  do throws(MalformedMessage) {
    return (try Decoder().decode(type, from: bytes, violations: &violations), violations)
  } catch {
    return nil
  }
}

/// Whether the bytes are such a message; its JSON is written, and read where its ids are ids.
@Sendable private func becomesJSON(
  _ type: any Message.Type, _ bytes: UnsafeRawBufferPointer
) -> Bool {
  let value: JSONValue
  do throws(MalformedMessage) { value = try json(type.name, bytes) } catch { return false }
  precondition(!value.write(pretty: true).isEmpty, "JSON is never empty")
  do throws(JSONFault) {
    _ = try Wire.bytes(type.name, value)
  } catch {
    precondition(!error.path.isEmpty, "a fault of a message says where it is")
  }
  return true
}

/// Whether the bytes are a text; NFC and folding leave nothing to do for a second time.
@Sendable private func folds(_ type: any Message.Type, _ bytes: UnsafeRawBufferPointer) -> Bool {
  guard let text = String(validating: bytes, as: UTF8.self) else { return false }
  let composed = Text.nfc(text)
  precondition(Text.nfc(composed).utf8.elementsEqual(composed.utf8), "NFC is stable")
  _ = Text.folded(text)
  return true
}
