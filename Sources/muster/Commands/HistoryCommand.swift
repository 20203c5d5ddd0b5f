import Foundation
import Model
import Terminal
import Wire

/// `history`: what happened, newest first.
enum HistoryCommand {
  static let table = Command<Action>(
    "history", "Check-ins and check-outs of a person or a place, newest first",
    details: "Without a place and a person: your own.",
    arguments: [Argument("PLACE", optional: true, "Only what happened at this place")],
    options: [
      CommonOptions.person,
      Option("since", value: "TIME", "From then on: 2h (ago), 2026-11-30, or 2026-11-30T08:35"),
      Option("until", value: "TIME", "Before then"),
      CommonOptions.all, CommonOptions.limit,
    ],
    examples: ["muster history", "muster history SJC --since 2h", "muster history -p anna --all"],
    action: show)

  private static let show: Action = { session, typed in
    let now = Int64(Date().timeIntervalSince1970 * 1000)
    let start = try typed.option("since").map { try time($0, "since", nowMs: now) } ?? 0
    let end = try typed.option("until").map { try time($0, "until", nowMs: now) } ?? 0
    let place = try typed.argument("PLACE").map(session.placeHere)
    var person = try session.personThere(in: typed)
    if place == nil, person == nil { person = try session.ownProfile() }
    let pages = try session.pages(ListLimit(typed)) { size, token in
      ListHistoryRequest(
        profileID: person?.id, locationID: place?.id, startTimeMs: start, endTimeMs: end,
        pageSize: size, pageToken: token)
    } more: {
      ($0.changes.count, $0.nextPageToken)
    }
    var whole = pages.responses.last ?? ListHistoryResponse()
    whole.changes = pages.responses.flatMap(\.changes)
    let needsNames = session.format == .table || session.format == .wide
    let changes = needsNames ? whole.changes : []
    var unreachable: [String] = []
    let people = try session.personNames(
      changes.compactMap(\.profileID), orUnreachable: &unreachable)
    let places = try session.placeNames(
      changes.flatMap { [$0.fromLocationID, $0.toLocationID] }.compactMap { $0 },
      orUnreachable: &unreachable)
    try session.show(
      whole.changes.map { Wire.json($0) }, columns(people: people, places: places), whole)
    if whole.changes.isEmpty { session.note("Nothing happened.") }
    session.noteMore(pages.isComplete, shown: whole.changes.count)
    for text in Session.incompleteText(unreachable) { session.console.message(text) }
  }

  private static func columns(people: [ID: String], places: [ID: String]) -> [Column] {
    func named(_ field: String, _ names: [ID: String]) -> @Sendable (JSONValue) -> JSONValue {
      { row in
        let text = row[field]?.plainText ?? ""
        return .text(ID(text).flatMap { names[$0] } ?? text)
      }
    }
    return [
      Column("time_ms", "TIME", .time),
      Column("profile_id", "PERSON", cuttable: true, value: named("profile_id", people)),
      Column("from_location_id", "FROM", cuttable: true, value: named("from_location_id", places)),
      Column("to_location_id", "TO", cuttable: true, value: named("to_location_id", places)),
      Column("reason") { row in
        let name = row["reason"]?.plainText ?? ""
        let prefix = "CHANGE_REASON_"
        guard name.hasPrefix(prefix) else { return .text(name) }
        return .text(name.dropFirst(prefix.count).lowercased().replacing("_", with: " "))
      },
      Column("acting_user", "BY"),
      Column("expire_time_ms", "UNTIL", .time, wide: true),
      Column("revision", wide: true),
    ]
  }

  /// A time as people type it: how long ago, or a date with or without a time of day.
  static func time(_ text: String, _ option: String, nowMs: Int64) throws(UsageError) -> Int64 {
    if let ago = DurationText.milliseconds(text) { return nowMs - ago }
    let minutes = "yyyy-MM-dd'T'HH:mm"
    // With a zone behind it as logs write it, Z or +02:00, or in the zone of this machine.
    for format in [
      "yyyy-MM-dd", minutes, "yyyy-MM-dd HH:mm", minutes + ":ss", minutes + "XXXXX",
      minutes + ":ssXXXXX", minutes + ":ss.SSSXXXXX",
    ] {
      let formatter = DateFormatter()
      formatter.locale = Locale(identifier: "en_US_POSIX")
      formatter.dateFormat = format
      if let date = formatter.date(from: text) { return Int64(date.timeIntervalSince1970 * 1000) }
    }
    throw UsageError(
      "--\(option) is '\(text)', which is no time", hint: "write 2h (ago), or 2026-11-30T08:35")
  }
}
