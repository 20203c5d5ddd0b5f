import Client
import Model
import Terminal
import Wire

/// `here`, `everywhere` and `board`: who is here, who is where, and how many.
enum PresenceCommands {
  static let here = Command<Action>(
    "here", "Who is at a place, in the order they came",
    arguments: [Argument("PLACE", "Its id, external id, or name where that is unique")],
    options: [
      Option("complete", "Fail rather than show people whose names cannot be had now"),
      CommonOptions.all, CommonOptions.limit, CommonOptions.watch,
    ],
    examples: ["muster here SJC", "muster here SJC --all -o csv", "muster here SJC --watch"],
    action: showHere)

  static let everywhere = Command<Action>(
    "everywhere", "Who is where: every place where somebody is, with its first people",
    options: [
      Option("people", value: "N", "At most this many people of each place; 4 by default"),
      CommonOptions.all, CommonOptions.limit, CommonOptions.watch,
    ], action: showEverywhere)

  static let board = Command<Action>(
    "board", "The places with how many are there",
    details: "By name; nearest first with --near; the busiest with --top.",
    options: [
      Option("near", value: "LAT,LON", "Only places near this position, nearest first"),
      CommonOptions.radius,
      Option("top", value: "N", "The N busiest places where somebody is"),
      Option("name", value: "TEXT", "Only places whose name has this in it"),
      Option(
        "order", value: "ORDER", choices: ["name", "count", "distance"], "What comes first"),
      Option("occupied", "Leave out the places where nobody is"), CommonOptions.all,
      CommonOptions.limit, CommonOptions.watch,
    ],
    examples: [
      "muster board --top 5", "muster board --top 5 --watch",
      "muster board --near 37.36,-121.93 --radius 80km",
    ],
    action: showBoard)

  private static let showHere: Action = { session, typed in
    let name = typed.argument("PLACE") ?? ""
    if typed.flag("watch") {
      if typed.flag("complete") {
        throw UsageError("--complete is for a list that ends", hint: "leave it, or --watch, out")
      }
      let limit = typed.option("limit") == nil ? .all : try ListLimit(typed)
      let place = try session.placeToFollow(name)
      return try WatchCommand.watchPeople(session, at: place, .current, limit: limit)
    }
    let place = try session.placeHere(name)
    let pages = try session.pages(ListLimit(typed)) { size, token in
      ListPeopleHereRequest(
        locationID: place.id, pageSize: size, pageToken: token,
        completeOnly: typed.flag("complete"))
    } more: {
      ($0.people.count, $0.nextPageToken)
    }
    var whole = pages.responses.last ?? ListPeopleHereResponse()
    whole.people = pages.responses.flatMap(\.people)
    whole.unreachable = Set(pages.responses.flatMap(\.unreachable)).sorted()
    let count =
      whole.count == 0
      ? "Nobody is" : whole.count == 1 ? "1 person is" : "\(whole.count) people are"
    try session.show(
      Picture(
        rows: whole.people.map { Wire.json($0) }, columns: Columns.person,
        document: Wire.json(whole), title: "\(count) at \(whole.location?.title ?? place.title).",
        warnings: Session.incompleteText(whole.unreachable)
          + Session.moreText(pages.isComplete, shown: whole.people.count)))
  }

  private static let showEverywhere: Action = { session, typed in
    guard typed.flag("watch") else { return try session.show(everywhere(session, typed)) }
    try session.follow { try everywhere(session, typed) }
  }

  private static func everywhere(_ session: Session, _ typed: Invocation) throws -> Picture {
    let people = UInt32(clamping: try typed.count("people") ?? 0)
    let pages = try session.pages(ListLimit(typed)) { size, token in
      ListPeopleEverywhereRequest(
        peoplePerLocation: people, pageSize: size, pageToken: token)
    } more: {
      ($0.locations.count, $0.nextPageToken)
    }
    var whole = pages.responses.last ?? ListPeopleEverywhereResponse()
    whole.locations = pages.responses.flatMap(\.locations)
    whole.unreachable = Set(pages.responses.flatMap(\.unreachable)).sorted()
    let names: [ID: String] =
      session.format == .json && session.fields.isEmpty
      ? [:]
      : try session.placeNames(
        whole.locations.compactMap(\.locationID), orUnreachable: &whole.unreachable)
    let persons = Dictionary(whole.locations.map(shownPeople), uniquingKeysWith: { $1 })
    let columns = [
      Column("place", cuttable: true) { .text(names[id(in: $0)] ?? id(in: $0).description) },
      Column("count", "HERE", .number),
      Column("people", cuttable: true) { .text(persons[id(in: $0)] ?? "") },
      Column("location_id", wide: true),
    ]
    let shown = whole.locations.count == 1 ? "1 place" : "\(whole.locations.count) places"
    let places = pages.isComplete ? shown : "more than \(shown)"
    return Picture(
      rows: whole.locations.map { Wire.json($0) }, columns: columns, document: Wire.json(whole),
      title: whole.locations.isEmpty
        ? "Nobody is checked in anywhere." : "Somebody is at \(places).",
      warnings: Session.incompleteText(whole.unreachable)
        + Session.moreText(pages.isComplete, shown: whole.locations.count))
  }

  private static let showBoard: Action = { session, typed in
    guard typed.flag("watch") else { return try session.show(board(session, typed)) }
    try session.follow { try board(session, typed) }
  }

  private static func board(_ session: Session, _ typed: Invocation) throws -> Picture {
    let near = try typed.point("near")
    let radius = try typed.radius(around: near)
    let top = try typed.count("top")
    let order = try order(typed, top: top, near: near)
    let limit = try top.map { ListLimit.first($0) } ?? ListLimit(typed)
    let pages = try session.pages(limit) { size, token in
      GetBoardRequest(
        pageSize: size, pageToken: token, order: order,
        nameContains: typed.option("name") ?? "", near: near, radiusM: radius,
        occupiedOnly: typed.flag("occupied") || top != nil)
    } more: {
      ($0.rows.count, $0.nextPageToken)
    }
    var whole = pages.responses.last ?? GetBoardResponse()
    whole.rows = pages.responses.flatMap(\.rows)
    whole.unreachable = Set(pages.responses.flatMap(\.unreachable)).sorted()
    var columns = [
      Column("here", nil, .badge, path: "count"), Column("count", nil, .number, wide: true),
    ]
    columns += Columns.location(at: "location").map { column in
      var column = column
      column.isWide = column.isWide || column.key == "id"
      return column
    }
    if near != nil { columns.insert(Column("distance_m", "DISTANCE", .distance), at: 2) }
    // For programs a badge is no value: they have the count.
    if session.format != .table && session.format != .wide { columns.removeFirst() }
    return Picture(
      rows: whole.rows.map { Wire.json($0) }, columns: columns, document: Wire.json(whole),
      title: title(of: whole, typed),
      warnings: Session.incompleteText(whole.unreachable)
        + (top == nil ? Session.moreText(pages.isComplete, shown: whole.rows.count) : []))
  }

  /// How many are anywhere, which is not how many are at the places that are shown.
  private static func title(of board: GetBoardResponse, _ typed: Invocation) -> String {
    let total = "\(CheckInCommands.people(board.total)) checked in"
    let isPart = ["near", "name", "top"].contains { typed.option($0) != nil }
    let nothing = board.rows.isEmpty && isPart ? "No such place. " : ""
    return isPart ? "\(nothing)\(total) at all places together." : "\(total)."
  }

  private static func order(
    _ typed: Invocation, top: Int?, near: GeoPoint?
  ) throws(UsageError) -> BoardOrder {
    let order: BoardOrder =
      switch typed.option("order") {
      case "count": .count
      case "distance": .distance
      case "name": .unspecified
      default: top != nil ? .count : near != nil ? .distance : .unspecified
      }
    if order == .distance, near == nil {
      throw UsageError("--order distance needs a position", hint: "say --near LAT,LON")
    }
    return order
  }

  private static func id(in row: JSONValue) -> ID {
    // The contract's ids are never empty here; an empty one is looked up in vain.
    ID(row["location_id"]?.plainText ?? "") ?? ID(high: 0, low: 0)
  }

  /// The first people of a place, and how many there are besides.
  private static func shownPeople(_ place: PeopleAtLocation) -> (ID, String) {
    let names = place.people.map(\.fullName).joined(separator: ", ")
    let others = Int(place.count) - place.people.count
    let id = place.locationID ?? ID(high: 0, low: 0)
    return (id, others > 0 ? "\(names) and \(others) more" : names)
  }
}
