import Client
import Foundation
import Model
import Terminal
import Wire

/// `replay`: plays a roster, one person after the other (rules G5 and G6).
enum ReplayCommand {
  static let table = Command<Action>(
    "replay", "Play a roster: one after the other, its people check in at a place",
    details: "The file is read as 'profile import' reads it, and everything in it is checked "
      + "before anything is done. Then the first person checks in at once, each next one an "
      + "interval later. Who has no profile gets one; people are known by user_id, or else by the "
      + "roster's name and the entry's key, so that the same file played again makes no second "
      + "copies. Columns 'fightTeam' and 'record' are company and bio, where nothing else is. "
      + "Ctrl-C stops it.",
    arguments: [ImportCommands.file],
    options: [
      Option("at", value: "PLACE", "Where: its id, external id, or name where that is unique"),
      Option("interval", value: "DURATION", "From one to the next; 2s by default"),
    ] + ImportCommands.rosterOptions,
    examples: [
      "muster replay deploy/sample/fighters.json --at SJC",
      "muster replay staff.csv --at SJC --interval 500ms --map first_name=Given",
    ], action: run)

  private static let run: Action = { session, typed in
    guard let name = typed.option("at") else {
      throw UsageError("'muster replay' needs a place", hint: "say --at PLACE")
    }
    let text = typed.option("interval") ?? "2s"
    guard let intervalMs = DurationText.milliseconds(text), intervalMs <= 86_400_000 else {
      throw UsageError(
        "--interval is '\(text)', which is no length of time", hint: "write it as 2s or 500ms")
    }
    guard session.format != .csv else {
      throw UsageError("what goes on has no CSV", hint: "say -o ndjson: one JSON object a line")
    }
    let roster = try ImportCommands.people(
      session, typed, byDefault: [("company_name", "fightTeam"), ("bio", "record")])
    let place = try session.place(name)
    let client = try session.client()
    let interrupted = client.loop.poller.add(fileDescriptor: try Interruption.hold())
    defer { client.loop.poller.remove(interrupted) }
    let people = roster.entries.profiles
    let startMs = ClientLoop.nowMs
    for (index, profile) in people.enumerated() {
      // From the first one on, so that what each takes does not add up.
      let dueMs = startMs + index * Int(intervalMs)
      while ClientLoop.nowMs < dueMs, !Interruption.isAsked { try client.loop.step(untilMs: dueMs) }
      guard !Interruption.isAsked else {
        throw Failure(
          .interrupted, "interrupted; \(index) of \(people.count) people were played",
          hint: "playing the file again makes no second copies")
      }
      do {
        try play(profile, at: place, "\(index + 1)/\(people.count)", session)
      } catch {
        var failure = Failure(error)
        failure.message =
          "\(roster.file.name), \(roster.entries.places[index]): \(failure.message); "
          + "\(index) of \(people.count) people were played"
        throw failure
      }
    }
  }

  private static func play(
    _ profile: Profile, at place: Location, _ number: String, _ session: Session
  ) throws {
    var created = true
    let there: Profile?
    do {
      there = try session.call(CreateProfileRequest(profile: profile)).profile
    } catch let error as CallError where error.reason == .profileExists {
      created = false
      there = error.details(CreateProfileResponse.self)?.profile
    }
    guard let there, let id = there.id else {
      throw Failure(.serverError, "the answer has no profile in it")
    }
    let response = try session.call(CheckInRequest(profileID: id, locationID: place.id))
    if session.format == .table || session.format == .wide {
      let already = response.changed ? "" : " already"
      session.say("\(number)  \(there.fullName) is\(already) checked in at \(place.title).")
    } else {
      session.write(
        [
          .init("number", .text(number)), .init("user_id", .text(there.userID)),
          .init("created", .bool(created)), .init("check_in", Wire.json(response)),
        ])
    }
    session.console.flush()
  }
}
