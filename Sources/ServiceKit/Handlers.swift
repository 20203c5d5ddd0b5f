package import Model
package import Wire

/// The methods that a service answers, each with how.
package struct Handlers {
  /// Runs a call; see `ServiceCore.run`.
  typealias Run = (ServiceCore, _ call: CallHandle, UnsafeRawBufferPointer, Moment) throws -> Void

  struct Entry {
    var kind: Kind
    var run: Run
  }

  /// What a method does to the state.
  package enum Kind: Sendable { case read, write, forwarded }

  private(set) var entries: [Entry?] = Array(
    repeating: nil, count: Int(Method.allCases.map(\.rawValue).max() ?? 0) + 1)

  subscript(_ method: Method) -> Entry? { entries[Int(method.rawValue)] }

  /// Every method that is answered, in the order of the protocol.
  package var methods: [Method] { Method.allCases.filter { self[$0] != nil } }

  /// A method that changes nothing; it is answered from what is on disk.
  ///
  /// - Parameters:
  ///   - logs: the logs that the answer depends on: `at_least` is waited for in these alone.
  ///   - needsUser: whether it is about the caller's own, so that it has to be known who calls.
  ///   - check: what is wrong with the request's form, page token included.
  ///   - body: the answer. Throws `Refusal`, `CatchUp`, or `SQLiteError`.
  package mutating func read<Q: Message, P: Message>(
    _ method: Method, of logs: LogSet, needsUser: @escaping (Q) -> Bool = { _ in false },
    check: @escaping (Q, inout Form) throws -> Void = { _, _ in },
    _ body: @escaping (Q, inout CallContext) throws -> P
  ) {
    add(method, .read) { core, call, bytes, now in
      let request: Q = try core.admit(
        call, bytes, logs: logs, needsUser: needsUser, check: check, now)
      var context = core.context(call, now)
      let response = try body(request, &context)
      core.reply(call, response, asOf: context.asOf ?? core.service.revisions.only(logs), now)
    }
  }

  /// A method that changes the state, inside the batch. What its body throws has to be thrown
  /// before anything has been changed. With an idempotency key the response is kept, and given
  /// again.
  /// - Parameter isVoid: whether a kept response tells of somebody who has been deleted since.
  ///   Where those who were told of have been noted (`CallContext.tellsOf`), that is known already.
  package mutating func write<Q: Message, P: Message>(
    _ method: Method, of logs: LogSet, needsUser: @escaping (Q) -> Bool = { _ in false },
    check: @escaping (Q, inout Form) throws -> Void = { _, _ in },
    isVoid: ((P) throws -> Bool)? = nil,
    _ body: @escaping (Q, inout CallContext) throws -> P
  ) {
    add(method, .write) { core, call, bytes, now in
      let request: Q = try core.admit(
        call, bytes, logs: logs, needsUser: needsUser, check: check, now)
      let key = try core.writeKey(call, bytes)
      if let kept = try core.keptResponse(key, isVoid: isVoid) {
        core.reply(call, kept, now)
        return
      }
      var context = core.context(call, now, key: key)
      let response = try body(request, &context)
      let asOf = context.asOf ?? core.service.revisions.only(logs)
      try core.keep(response, asOf, context)
      core.reply(call, response, asOf: asOf, now)
    }
  }

  /// A write that is answered when the check-in service has seen it too.
  ///
  /// - Parameters:
  ///   - place: the place that is deleted, where one is.
  ///   - settle: makes the response of what the check-in service said. Its own as_of is added.
  package mutating func delete<Q: Message, P: Message>(
    _ method: Method, of log: LogName, needsUser: @escaping (Q) -> Bool = { _ in false },
    place: @escaping (Q) -> ID?,
    settle: @escaping (AnswerDeleteRequest) -> P,
    check: @escaping (Q, inout Form) throws -> Void,
    _ body: @escaping (Q, inout CallContext) throws -> P
  ) {
    add(method, .write) { core, call, bytes, now in
      let request: Q = try core.admit(
        call, bytes, logs: log.set, needsUser: needsUser, check: check, now)
      let key = try core.writeKey(call, bytes)
      let finish = { (core: ServiceCore, asOf: Revisions, isReplay: Bool) in
        core.askWhetherSeen(call, place: place(request), asOf: asOf) { answer, now in
          let response = settle(answer)
          var both = asOf
          both.checkIns = answer.checkInsRevision
          core.reply(call, response, asOf: both, isReplay: isReplay, now)
        }
      }
      if let kept = try core.keptResponse(key, isVoid: nil as ((P) throws -> Bool)?) {
        finish(core, kept.asOf, true)
        return
      }
      var context = core.context(call, now, key: key)
      let response = try body(request, &context)
      let asOf = context.asOf ?? core.service.revisions.only(log.set)
      try core.keep(response, asOf, context)
      finish(core, asOf, false)
    }
  }

  /// A method that the owner of `log` answers: header rewritten, body untouched.
  package mutating func forward(_ method: Method, to log: LogName) {
    add(method, .forwarded) { core, call, _, now in try core.forward(call, to: log, now) }
  }

  /// A read whose answer may need to wait for another service: the body finishes the call
  /// itself, then or later, with `core.reply` or `core.refuse`.
  package mutating func readLater<Q: Message>(
    _ method: Method, of logs: LogSet, needsUser: @escaping (Q) -> Bool = { _ in false },
    check: @escaping (Q, inout Form) throws -> Void = { _, _ in },
    _ body: @escaping (Q, ServiceCore, _ call: CallHandle, inout CallContext) throws -> Void
  ) {
    add(method, .read) { core, call, bytes, now in
      let request: Q = try core.admit(
        call, bytes, logs: logs, needsUser: needsUser, check: check, now)
      var context = core.context(call, now)
      try body(request, core, call, &context)
    }
  }

  /// A method with more than one response. The body opens the call with `core.open`, answers then
  /// and later with `core.send`, and ends it with `core.refuse`.
  ///
  /// - Parameters:
  ///   - atLeast: the state that the answer begins from, besides what the header asks for.
  ///   - logs: the logs that the answer depends on, and so are waited for.
  ///   - mayCall: what the caller may beyond what the table of roles says of the method.
  package mutating func stream<Q: Message>(
    _ method: Method, of logs: @escaping (Q) -> LogSet,
    atLeast: @escaping (Q) -> Revisions,
    check: @escaping (Q, inout Form) throws -> Void,
    mayCall: @escaping (Q, Caller) throws -> Void,
    _ body: @escaping (Q, ServiceCore, _ call: CallHandle, inout CallContext) throws -> Void
  ) {
    add(method, .read) { core, call, bytes, now in
      let request: Q = try core.read(call, bytes, check: check)
      try core.identify(call, needsUser: false)
      try mayCall(request, core.caller(of: call))
      try core.checkStreams(of: call)
      let wanted = core.calls[call].header.atLeast.merged(with: atLeast(request))
      try core.needState(wanted.only(logs(request)))
      var context = core.context(call, now)
      try body(request, core, call, &context)
    }
  }

  private mutating func add(_ method: Method, _ kind: Kind, _ run: @escaping Run) {
    precondition(self[method] == nil, "\(method.fullName) is registered twice")
    entries[Int(method.rawValue)] = Entry(kind: kind, run: run)
  }
}
