// Made by tools/generate from proto/muster/v1/rpc.proto. Do not edit.

import CMessages
import Model

extension Revisions: Message {
  package static var name: String { "muster.v1.Revisions" }

  package static var descriptor: UnsafeRawPointer {
    UnsafeRawPointer(muster_revisions_descriptor())
  }

  package init(reading raw: UnsafeRawPointer, _ reader: Reader) {
    let c = raw.assumingMemoryBound(to: Muster__V1__Revisions.self)
    self.init(
      profiles: c.pointee.profiles,
      locations: c.pointee.locations,
      checkIns: c.pointee.check_ins
    )
  }

  package func write(into arena: Arena) -> UnsafeMutableRawPointer {
    let c = arena.make(Muster__V1__Revisions.self)
    muster__v1__revisions__init(c)
    c.pointee.profiles = profiles
    c.pointee.locations = locations
    c.pointee.check_ins = checkIns
    return UnsafeMutableRawPointer(c)
  }
}

extension Status: Message {
  package static var name: String { "muster.v1.Status" }

  package static var descriptor: UnsafeRawPointer {
    UnsafeRawPointer(muster_status_descriptor())
  }

  package init(reading raw: UnsafeRawPointer, _ reader: Reader) {
    let c = raw.assumingMemoryBound(to: Muster__V1__Status.self)
    self.init(
      code: reader.enumeration(c.pointee.code.rawValue, "code") ?? .unknown,
      message: reader.text(c.pointee.message, "message"),
      reason: reader.text(c.pointee.reason, "reason"),
      fieldViolations: reader.messages(
        c.pointee.n_field_violations, c.pointee.field_violations, "field_violations"),
      retryAfterMs: c.pointee.retry_after_ms
    )
  }

  package func write(into arena: Arena) -> UnsafeMutableRawPointer {
    let c = arena.make(Muster__V1__Status.self)
    muster__v1__status__init(c)
    c.pointee.code = .init(rawValue: UInt32(bitPattern: code.rawValue))
    c.pointee.message = arena.text(message)
    c.pointee.reason = arena.text(reason)
    c.pointee.n_field_violations = fieldViolations.count
    c.pointee.field_violations = arena.messages(fieldViolations)
    c.pointee.retry_after_ms = retryAfterMs
    return UnsafeMutableRawPointer(c)
  }
}

extension FieldViolation: Message {
  package static var name: String { "muster.v1.FieldViolation" }

  package static var descriptor: UnsafeRawPointer {
    UnsafeRawPointer(muster_field_violation_descriptor())
  }

  package init(reading raw: UnsafeRawPointer, _ reader: Reader) {
    let c = raw.assumingMemoryBound(to: Muster__V1__FieldViolation.self)
    self.init(
      field: reader.text(c.pointee.field, "field"),
      description: reader.text(c.pointee.description, "description")
    )
  }

  package func write(into arena: Arena) -> UnsafeMutableRawPointer {
    let c = arena.make(Muster__V1__FieldViolation.self)
    muster__v1__field_violation__init(c)
    c.pointee.field = arena.text(field)
    c.pointee.description = arena.text(description)
    return UnsafeMutableRawPointer(c)
  }
}
