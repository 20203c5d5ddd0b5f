import Client
import Foundation
import Model
import Terminal
import Wire

/// `location`: the places that people can check in at.
enum LocationCommands {
  private static let place = Argument("PLACE", "Its id, external id, or name where that is unique")

  private static let textOptions = [
    Option("description", value: "TEXT", "What it is; may have line breaks"),
    Option("address", value: "TEXT", "Where it is; may have line breaks"),
    Option("at", value: "LAT,LON", "Its position in degrees; 'none' for unknown"),
    Option("website", value: "URL", "An http or https URL"),
    Option("phone", value: "NUMBER", "A phone number"),
    Option("capacity", value: "N", "How many people fit; 0 for any number"),
    Option("external-id", value: "KEY", "The key that you know it by, for example SJC"),
  ]

  static let table = Command<Action>(
    "location", "Places: where people can check in",
    subcommands: [
      Command(
        "create", "Make a place", arguments: [Argument("NAME", "Its name")], options: textOptions,
        examples: ["muster location create \"Room 4\" --capacity 12 --at 37.36,-121.93"],
        action: create),
      Command("get", "Show a place", arguments: [place], action: get),
      Command(
        "list", "List the places, by name or nearest first",
        options: [
          Option("name", value: "TEXT", "Only those whose name has this in it"),
          Option("near", value: "LAT,LON", "Only those near this position, nearest first"),
          CommonOptions.radius,
          CommonOptions.all, CommonOptions.limit,
        ],
        examples: ["muster location list --near 37.36,-121.93 --radius 80km"], action: list),
      Command(
        "update", "Change a place; what is not named stays", arguments: [place],
        options: [Option("name", value: "TEXT", "Its name")] + textOptions
          + [CommonOptions.revision],
        examples: ["muster location update SJC --capacity 500"], action: update),
      Command(
        "delete", "Delete a place",
        details: "With people there, it is refused, unless --check-out-everyone is given.",
        arguments: [place],
        options: [
          Option("check-out-everyone", "Check out whoever is there"), CommonOptions.yes,
          CommonOptions.revision,
        ], action: delete),
      Command(
        "image", "Set, save or remove a picture", details: "PNG, JPEG or WebP, at most 512 KiB.",
        arguments: [
          place, Argument("FILE", optional: true, file: true, "The picture to set"),
        ],
        options: [
          Option("banner", "The wide picture instead of the square one"),
          Option("save", value: "FILE", "Write the picture to this file"),
          Option("remove", "Take the picture away"),
        ],
        examples: ["muster location image SJC gate.png --banner"], action: image),
      ImportCommands.locationImport, ImportCommands.locationExport,
    ])

  private static let create: Action = { session, typed in
    try session.checkFields(of: Columns.location())
    var location = Location(name: typed.argument("NAME") ?? "")
    _ = try apply(typed, to: &location)
    let made = try session.call(CreateLocationRequest(location: location))
    try show(session, made.location, made)
  }

  private static let get: Action = { session, typed in
    let found = try session.place(typed.argument("PLACE") ?? "")
    try show(session, found, GetLocationResponse(location: found))
  }

  private static let list: Action = { session, typed in
    let near = try typed.point("near")
    let radius = try typed.radius(around: near)
    let pages = try session.pages(ListLimit(typed)) { size, token in
      ListLocationsRequest(
        pageSize: size, pageToken: token, nameContains: typed.option("name") ?? "", near: near,
        radiusM: radius)
    } more: {
      ($0.results.count, $0.nextPageToken)
    }
    var whole = pages.responses.last ?? ListLocationsResponse()
    whole.results = pages.responses.flatMap(\.results)
    var columns = Columns.location(at: "location")
    if near != nil { columns.insert(Column("distance_m", "DISTANCE", .distance), at: 3) }
    try session.show(whole.results.map { Wire.json($0) }, columns, whole)
    if whole.results.isEmpty {
      let isAny = near == nil && typed.option("name") == nil
      session.note(
        isAny
          ? "There is no place yet: 'muster location create NAME', or 'muster location import FILE'"
          : "There is no such place.")
    }
    session.noteMore(pages.isComplete, shown: whole.results.count)
  }

  private static let update: Action = { session, typed in
    try session.checkFields(of: Columns.location())
    var location = Location()
    var mask = try apply(typed, to: &location)
    if let name = typed.option("name") {
      location.name = name
      mask.append("name")
    }
    guard !mask.isEmpty else {
      throw UsageError("nothing to change", hint: "see 'muster location update --help'")
    }
    location.id = try session.place(typed.argument("PLACE") ?? "").id
    let request = UpdateLocationRequest(
      location: location, updateMask: mask, expectedRevision: try typed.revision())
    let changed = try session.call(request)
    try show(session, changed.location, changed)
  }

  private static let delete: Action = { session, typed in
    try session.checkFields(of: Columns.checkedOut)
    let place = try session.place(typed.argument("PLACE") ?? "")
    let everyone = typed.flag("check-out-everyone")
    let question = everyone ? ", and check out whoever is there?" : "?"
    try session.confirm("Delete the place \(place.title)\(question)", typed)
    let response = try session.call(
      DeleteLocationRequest(
        id: place.id, expectedRevision: try typed.revision(), checkOutEveryone: everyone))
    if session.isForPeople {
      session.say("\(place.title) is deleted; \(response.checkedOut) checked out.")
    } else {
      try session.show(one: Wire.json(response), Columns.checkedOut, response)
    }
  }

  private static let image: Action = { session, typed in
    try session.checkFields(of: Columns.location())
    let file = typed.argument("FILE")
    let save = typed.option("save")
    guard [file != nil, save != nil, typed.flag("remove")].filter({ $0 }).count == 1 else {
      throw UsageError("give a FILE to set, --save FILE or --remove")
    }
    let place = try session.place(typed.argument("PLACE") ?? "")
    let isBanner = typed.flag("banner")
    if let save {
      let id = isBanner ? place.bannerImageID : place.squareImageID
      guard !id.isEmpty else { throw Failure(.notFound, "\(place.title) has no such picture") }
      let found = try session.call(GetLocationImageRequest(imageID: id))
      return try Files.write(found.image, to: save, session)
    }
    let changed = try session.call(
      SetLocationImageRequest(
        locationID: place.id, which: isBanner ? .banner : .square,
        image: try file.map { try Files.image($0) } ?? []))
    try show(session, changed.location, changed)
  }

  private static func show<M: Message>(
    _ session: Session, _ location: Location?, _ response: M
  ) throws {
    guard let location else { throw Failure(.serverError, "the answer has no place in it") }
    try session.show(one: Wire.json(location), Columns.location(), response)
  }

  /// Takes what was typed; gives the fields' names for an update mask.
  private static func apply(
    _ typed: Invocation, to location: inout Location
  ) throws(UsageError) -> [String] {
    let texts: [(String, String, WritableKeyPath<Location, String>)] = [
      ("description", "description", \.description), ("address", "address", \.address),
      ("website", "website_url", \.websiteURL), ("phone", "phone_number", \.phoneNumber),
      ("external-id", "external_id", \.externalID),
    ]
    var mask: [String] = []
    for (option, field, path) in texts {
      guard let text = typed.option(option) else { continue }
      location[keyPath: path] = text
      mask.append(field)
    }
    if typed.option("at") != nil {
      location.point = typed.option("at") == "none" ? nil : try typed.point("at")
      mask.append("point")
    }
    if let text = typed.option("capacity") {
      guard let capacity = UInt32(text) else {
        throw UsageError("--capacity is '\(text)', and has to be a number")
      }
      location.capacity = capacity
      mask.append("capacity")
    }
    return mask
  }
}
