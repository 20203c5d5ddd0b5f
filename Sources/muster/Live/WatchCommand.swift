import Client
import Foundation
import Model
import Terminal
import Wire

/// What of what happens a watch shows.
enum LiveMode: String, CaseIterable {
  /// What is now, again and again.
  case current
  /// Only what happens from now on, one by one.
  case events
  /// What was at each moment, one below the other (rule G2).
  case history
}

/// `watch`: who comes and goes, or how many are where, until it is interrupted.
enum WatchCommand {
  static let table = Command<Action>(
    "watch", "See people come and go at a place, or all counts change, until Ctrl-C",
    details: "On a terminal the picture is drawn anew in its place. In a pipe, and with -o json, "
      + "it is one JSON object a line, with \"event\", \"time_ms\", \"as_of\" and "
      + "\"stale_since_ms\": not 0 while the gateway cannot be heard, since when what is shown may "
      + "be wrong.\n"
      + "With --mode events, only what happens from now on, one line each. With --mode history, "
      + "every change adds a numbered section with the whole list as it then was.",
    arguments: [
      Argument("PLACE", optional: true, "Its id, external id, or name where that is unique")
    ],
    options: [
      Option("counts", "How many are at each place, instead of who is at one"),
      Option(
        "mode", value: "MODE", choices: LiveMode.allCases.map(\.rawValue),
        "What to show; current by default"),
    ],
    examples: [
      "muster watch SJC", "muster watch --counts", "muster watch SJC --mode history",
      "muster watch SJC --mode events | jq .person.first_name",
    ],
    action: run)

  private static let run: Action = { session, typed in
    let mode = typed.option("mode").flatMap(LiveMode.init) ?? .current
    guard let name = typed.argument("PLACE") else {
      guard typed.flag("counts") else {
        throw UsageError("'muster watch' needs PLACE", hint: "or say --counts, for all of them")
      }
      return try watchCounts(session, mode)
    }
    guard !typed.flag("counts") else { throw UsageError("give PLACE or --counts, not both") }
    try watchPeople(session, at: session.placeToFollow(name), mode, limit: .all)
  }

  /// Follows who is at a place.
  static func watchPeople(
    _ session: Session, at place: Location, _ mode: LiveMode, limit: ListLimit
  ) throws {
    guard let id = place.id else { throw Failure(.serverError, "the place has no id") }
    var view = try PeopleView(session, place, mode, limit)
    try session.follow {
      $0.watchPeople(
        at: id, mode: mode == .events ? .passThrough : .unspecified,
        heartbeatMs: Session.heartbeatMs, listener: $1)
    } show: {
      try view.show($0)
    }
  }

  private static func watchCounts(_ session: Session, _ mode: LiveMode) throws {
    var view = try CountsView(session, mode)
    try session.follow {
      $0.watchCounts(
        mode: mode == .events ? .passThrough : .unspecified, heartbeatMs: Session.heartbeatMs,
        listener: $1)
    } show: {
      try view.show($0)
    }
  }
}
