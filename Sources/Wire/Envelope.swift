import CMessages
package import Model

/// What a caller may do, as a set.
package struct Roles: OptionSet, Sendable, Hashable {
  package let rawValue: UInt8

  package init(rawValue: UInt8) { self.rawValue = rawValue }

  package static let display = Roles(rawValue: 1)
  package static let user = Roles(rawValue: 2)
  package static let staff = Roles(rawValue: 4)
  package static let admin = Roles(rawValue: 8)
  package static let all: Roles = [.display, .user, .staff, .admin]

  private static let named: [(name: String, role: Roles)] = [
    ("display", .display), ("user", .user), ("staff", .staff), ("admin", .admin),
  ]

  /// The role of this name; nil where there is none.
  package init?(name: String) {
    guard let known = Roles.named.first(where: { $0.name == name }) else { return nil }
    self = known.role
  }

  /// Their names on the wire.
  package var names: [String] { Roles.namesOfSets[Int(rawValue & Roles.all.rawValue)] }

  /// Made once for each of the 16 sets, so that writing a header makes none.
  private static let namesOfSets: [[String]] = (0...all.rawValue).map { set in
    named.filter { Roles(rawValue: set).contains($0.role) }.map(\.name)
  }
}

/// The header frame of a request.
package struct RequestHeader: Equatable, Sendable {
  /// The caller's number for the call.
  package var id: UInt64
  /// nil: no method of the contract; `methodName` says what was asked for.
  package var method: Method?
  /// Empty where `method` is known.
  package var methodName: String
  /// 0: the server's default.
  package var timeoutMs: UInt32
  package var idempotencyKey: ID?
  package var atLeast: Revisions
  package var actingUser: String
  /// Empty: none given.
  package var actingRoles: Roles
  package var traceID: ID?

  package init(
    id: UInt64 = 0, method: Method? = nil, methodName: String = "", timeoutMs: UInt32 = 0,
    idempotencyKey: ID? = nil, atLeast: Revisions = Revisions(), actingUser: String = "",
    actingRoles: Roles = [], traceID: ID? = nil
  ) {
    self.id = id
    self.method = method
    self.methodName = methodName
    self.timeoutMs = timeoutMs
    self.idempotencyKey = idempotencyKey
    self.atLeast = atLeast
    self.actingUser = actingUser
    self.actingRoles = actingRoles
    self.traceID = traceID
  }
}

/// The header frame of a response.
package struct ResponseHeader: Equatable, Sendable {
  /// The request's id.
  package var id: UInt64
  /// nil: it succeeded.
  package var status: Status?
  /// The state that the body was answered from, or that the write made.
  package var asOf: Revisions
  /// A stored response, for a repeated idempotency key.
  package var replayed: Bool
  /// Another response of the same stream follows.
  package var more: Bool

  package init(
    id: UInt64 = 0, status: Status? = nil, asOf: Revisions = Revisions(), replayed: Bool = false,
    more: Bool = false
  ) {
    self.id = id
    self.status = status
    self.asOf = asOf
    self.replayed = replayed
    self.more = more
  }
}

/// Reads and writes nothing on the heap for a usual header: its method is found by its bytes, its
/// roles become a set, and a short user id is stored in line.
extension RequestHeader: Message {
  package static var name: String { "muster.v1.RequestHeader" }

  package static var descriptor: UnsafeRawPointer {
    UnsafeRawPointer(muster_request_header_descriptor())
  }

  /// The paths of its violations begin with "header".
  package init(reading raw: UnsafeRawPointer, _ reader: Reader) {
    let c = raw.assumingMemoryBound(to: Muster__V1__RequestHeader.self)
    self = reader.inside("header") { RequestHeader(c, reader) }
  }

  private init(_ c: UnsafePointer<Muster__V1__RequestHeader>, _ reader: Reader) {
    let name = c.pointee.method
    let method = Method(fullName: UnsafeRawBufferPointer(start: name.data, count: name.len))
    self.init(
      id: c.pointee.id,
      method: method,
      methodName: method == nil ? reader.text(name, "method") : "",
      timeoutMs: c.pointee.timeout_ms,
      idempotencyKey: reader.id(c.pointee.idempotency_key, "idempotency_key"),
      atLeast: reader.message(c.pointee.at_least, "at_least") ?? Revisions(),
      actingUser: reader.text(c.pointee.acting_user, "acting_user"),
      actingRoles: reader.roles(c.pointee.n_acting_roles, c.pointee.acting_roles, "acting_roles"),
      traceID: reader.id(c.pointee.trace_id, "trace_id"))
    if timeoutMs > Limits.timeoutMs {
      reader.violate("timeout_ms", "A time-out is at most \(Limits.timeoutMs) milliseconds.")
    }
    if let fault = TextRule.userID.check(actingUser) { reader.violate("acting_user", fault) }
  }

  package func write(into arena: Arena) -> UnsafeMutableRawPointer {
    let c = arena.make(Muster__V1__RequestHeader.self)
    muster__v1__request_header__init(c)
    c.pointee.id = id
    c.pointee.method = arena.text(method?.fullName ?? methodName)
    c.pointee.timeout_ms = timeoutMs
    c.pointee.idempotency_key = arena.id(idempotencyKey)
    c.pointee.at_least = arena.message(atLeast.orNil)
    c.pointee.acting_user = arena.text(actingUser)
    if !actingRoles.isEmpty {
      let names = actingRoles.names
      c.pointee.n_acting_roles = names.count
      c.pointee.acting_roles = arena.texts(names)
    }
    c.pointee.trace_id = arena.id(traceID)
    return UnsafeMutableRawPointer(c)
  }
}

extension ResponseHeader: Message {
  package static var name: String { "muster.v1.ResponseHeader" }

  package static var descriptor: UnsafeRawPointer {
    UnsafeRawPointer(muster_response_header_descriptor())
  }

  /// The paths of its violations begin with "header".
  package init(reading raw: UnsafeRawPointer, _ reader: Reader) {
    let c = raw.assumingMemoryBound(to: Muster__V1__ResponseHeader.self)
    self = reader.inside("header") {
      ResponseHeader(
        id: c.pointee.id,
        status: reader.message(c.pointee.status, "status"),
        asOf: reader.message(c.pointee.as_of, "as_of") ?? Revisions(),
        replayed: c.pointee.replayed != 0,
        more: c.pointee.more != 0)
    }
  }

  package func write(into arena: Arena) -> UnsafeMutableRawPointer {
    let c = arena.make(Muster__V1__ResponseHeader.self)
    muster__v1__response_header__init(c)
    c.pointee.id = id
    c.pointee.status = arena.message(status)
    c.pointee.as_of = arena.message(asOf.orNil)
    c.pointee.replayed = replayed ? 1 : 0
    c.pointee.more = more ? 1 : 0
    return UnsafeMutableRawPointer(c)
  }
}

extension Revisions {
  /// nil where it says nothing, which is not sent.
  fileprivate var orNil: Revisions? {
    profiles == 0 && locations == 0 && checkIns == 0 ? nil : self
  }
}

extension Reader {
  /// Known roles, compared as bytes; each other one is a violation.
  fileprivate func roles(
    _ count: Int, _ list: UnsafeMutablePointer<ProtobufCBinaryData>?, _ field: StaticString
  ) -> Roles {
    var roles: Roles = []
    for (index, data) in UnsafeBufferPointer(start: list, count: count).enumerated() {
      let bytes = UnsafeBufferPointer(start: data.data, count: data.len)
      if let role = Roles(name: String(decoding: bytes, as: UTF8.self)) {
        roles.formUnion(role)
      } else {
        violate(field, index: index, "There is no such role.")
      }
    }
    return roles
  }
}
