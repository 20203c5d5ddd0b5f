import Client
import Foundation
import Model
import Terminal
import Wire

/// `in`, `out`, `status` and `empty`: who is where, and changing it.
enum CheckInCommands {
  private static let place = Argument("PLACE", "Its id, external id, or name where that is unique")

  static let checkIn = Command<Action>(
    "in", "Check in at a place",
    details: "Whoever is somewhere else leaves there at the same moment. Whoever is here already "
      + "stays as long as was said before, unless --ttl says otherwise.", arguments: [place],
    options: [
      CommonOptions.person,
      Option("ttl", value: "DURATION", "End by itself after this time: 90s, 2h, 1d, or 'never'"),
      CommonOptions.expect,
    ],
    examples: [
      "muster in SJC", "muster in SJC --person anna --ttl 2h", "muster in SJC --expect out",
    ],
    action: doCheckIn)

  static let checkOut = Command<Action>(
    "out", "Check out", options: [CommonOptions.person, CommonOptions.expect],
    examples: ["muster out", "muster out --person anna --expect SJC"], action: doCheckOut)

  static let status = Command<Action>(
    "status", "Where somebody is",
    arguments: [Argument("PERSON", optional: true, "The same as --person")],
    options: [CommonOptions.person], examples: ["muster status", "muster status anna"],
    action: showStatus)

  static let empty = Command<Action>(
    "empty", "Check everybody out of a place; on a terminal it asks before", arguments: [place],
    options: [CommonOptions.yes], examples: ["muster empty SJC", "muster empty SJC --yes"],
    action: checkOutEveryone)

  private static let doCheckIn: Action = { session, typed in
    try session.checkFields(of: Columns.change)
    let ttl = try typed.option("ttl").map { try seconds($0, "--ttl") } ?? 0
    let person = try session.personThere(in: typed)
    let place = try session.placeHere(typed.argument("PLACE") ?? "")
    let request = CheckInRequest(
      profileID: person?.id, locationID: place.id, ttlS: ttl,
      expect: try session.expectation(typed))
    let response: CheckInResponse
    do {
      response = try session.call(request)
    } catch let error as CallError where error.reason == .statusChanged {
      throw try session.changed(error, error.details(CheckInResponse.self)?.status, person)
    }
    guard session.isForPeople else {
      return try session.show(one: Wire.json(response), Columns.change, response)
    }
    let status = response.status ?? CheckInStatus()
    let who = person.map { "\($0.fullName) is" } ?? "You are"
    let already = response.changed ? "" : " already"
    var text = "\(who)\(already) checked in at \(place.title)\(session.times(status))."
    if response.changed, let before = response.previousLocationID {
      text += " Before that: \(try session.placeName(before))."
    }
    session.say(text)
  }

  private static let doCheckOut: Action = { session, typed in
    try session.checkFields(of: Columns.change)
    let person = try session.personThere(in: typed)
    let request = CheckOutRequest(profileID: person?.id, expect: try session.expectation(typed))
    let response: CheckOutResponse
    do {
      response = try session.call(request)
    } catch let error as CallError where error.reason == .statusChanged {
      throw try session.changed(error, error.details(CheckOutResponse.self)?.status, person)
    }
    guard session.isForPeople else {
      return try session.show(one: Wire.json(response), Columns.change, response)
    }
    let who = person.map { "\($0.fullName) is" } ?? "You are"
    let before = try response.previousLocationID.map { " of \(try session.placeName($0))" } ?? ""
    session.say(
      response.changed ? "\(who) checked out\(before)." : "\(who) not checked in anywhere.")
  }

  private static let showStatus: Action = { session, typed in
    let person = try session.personThere(in: typed)
    let response = try session.call(GetStatusRequest(profileID: person?.id))
    guard session.isForPeople else {
      return try session.show(one: Wire.json(response), Columns.status, response)
    }
    let who = person.map { "\($0.fullName) is" } ?? "You are"
    session.say("\(who) \(try session.whereabouts(response.status ?? CheckInStatus())).")
  }

  private static let checkOutEveryone: Action = { session, typed in
    try session.checkFields(of: Columns.checkedOut)
    let place = try session.placeHere(typed.argument("PLACE") ?? "")
    // Whom nobody looks after, as a timer at closing time, means it.
    if session.mayAsk { try session.confirm("Check everybody out of \(place.title)?", typed) }
    let response = try session.call(CheckOutEveryoneRequest(locationID: place.id))
    guard session.isForPeople else {
      return try session.show(one: Wire.json(response), Columns.checkedOut, response)
    }
    session.say("\(people(response.checkedOut)) checked out of \(place.title).")
  }

  /// "1 person", "7 people".
  static func people(_ count: some BinaryInteger) -> String {
    count == 1 ? "1 person" : "\(count) people"
  }

  /// Seconds of a stay as the contract has them; "never" is its largest number. `name` is what
  /// whoever typed it calls it.
  static func seconds(_ text: String, _ name: String) throws -> UInt32 {
    if text == "never" { return Limits.endlessTtlS }
    guard let milliseconds = DurationText.milliseconds(text),
      let seconds = UInt32(exactly: (milliseconds + 999) / 1000), seconds > 0,
      seconds < Limits.endlessTtlS
    else {
      throw UsageError(
        "\(name) is '\(text)', which is no length of time",
        hint: "write it as 90s, 2h, 1d or never")
    }
    return seconds
  }
}

extension Session {
  /// What must hold for a write, as --expect says it.
  func expectation(_ typed: Invocation) throws -> Expectation? {
    guard let text = typed.option("expect") else { return nil }
    if text == "out" { return Expectation(what: .checkedOut(true)) }
    if text.hasPrefix("revision=") {
      guard let revision = UInt64(text.dropFirst("revision=".count)) else {
        throw UsageError("--expect is '\(text)', and a revision is a number")
      }
      return Expectation(what: .revision(revision))
    }
    let name = text.hasPrefix("at=") ? String(text.dropFirst(3)) : text
    guard let id = try placeHere(name).id else { return nil }
    return Expectation(what: .locationID(id))
  }

  /// "checked in at SJC since 08:35", or "not checked in anywhere".
  func whereabouts(_ status: CheckInStatus) throws -> String {
    guard let place = status.locationID else { return "not checked in anywhere" }
    return "checked in at \(try placeName(place))\(times(status))"
  }

  /// " since 08:35, until 10:35"; with seconds where the end is near.
  func times(_ status: CheckInStatus) -> String {
    let now = Int64(Date().timeIntervalSince1970 * 1000)
    let isNear = status.expireTimeMs != 0 && status.expireTimeMs - now < 3_600_000
    func shown(_ timeMs: Int64) -> String {
      LocalTime.short(milliseconds: timeMs, nowMs: now, hasSeconds: isNear)
    }
    let end = status.expireTimeMs == 0 ? "" : ", until \(shown(status.expireTimeMs))"
    return " since \(shown(status.sinceMs))\(end)"
  }

  /// The refusal of a write whose expectation does not hold, with what does.
  fileprivate func changed(
    _ error: CallError, _ status: CheckInStatus?, _ person: Profile?
  ) throws -> Failure {
    var failure = Failure(error)
    if let status {
      let who = person.map { "\($0.fullName) is" } ?? "you are"
      if let user = person?.userID, !user.isEmpty { failure.hint += " \(user)" }
      failure.message = "nothing was done, for \(who) \(try whereabouts(status))"
    }
    return failure
  }
}
