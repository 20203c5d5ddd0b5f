import Client
import Foundation
import Model
import Terminal
import Wire

/// Shows how many are where while that changes.
struct CountsView {
  private let session: Session
  private let mode: LiveMode
  private let writesObjects: Bool
  private var picture: LivePicture
  private var names = PlaceNames()
  private var sections = 0
  private var shown = Counts()

  init(_ session: Session, _ mode: LiveMode) throws {
    self.session = session
    self.mode = mode
    writesObjects = try session.writesObjects()
    picture = LivePicture(session)
  }

  mutating func show(_ told: [Told<Counts>]) throws {
    switch mode {
    case .current: try showCurrent(told)
    case .events: for one in told { try showEvents(one) }
    case .history: for one in told { try showSection(one) }
    }
  }

  private mutating func showCurrent(_ told: [Told<Counts>]) throws {
    for one in told { picture.note(one.news) }
    guard let last = told.last else { return }
    guard last.asOf != nil else { return session.tell(last, [], writesObjects) }
    if writesObjects { return session.write(last.members("now") + members(of: last.content)) }
    try picture.draw(
      Picture(
        rows: try rows(of: last.content), columns: Self.columns, document: .null,
        title: title(last.content)), staleSinceMs: last.staleSinceMs)
  }

  private mutating func showEvents(_ told: Told<Counts>) throws {
    if writesObjects {
      for change in told.changes {
        session.write(
          told.members("count") + [
            .init("location_id", .text(change.locationID?.description ?? "")),
            .init("count", .integer(Int64(change.count))),
          ])
      }
      return session.tell(told, [], writesObjects)
    }
    session.tell(told, [], writesObjects)
    let clock = LocalTime.clock(milliseconds: told.timeMs)
    try names.learn(told.changes.compactMap(\.locationID), session)
    for change in told.changes {
      guard let place = change.locationID else { continue }
      let text = "\(CheckInCommands.people(change.count)) at \(names[place])"
      session.console.write("\(clock)  \(TerminalText.visible(text))\n")
    }
  }

  private mutating func showSection(_ told: Told<Counts>) throws {
    session.tell(told, told.asOf == nil ? [] : [total(of: told.content)], writesObjects)
    guard told.news == .whole || told.news == .changed, told.content != shown else { return }
    shown = told.content
    sections += 1
    if writesObjects {
      return session.write(
        [.init("section", .integer(Int64(sections)))] + told.members("now")
          + members(of: told.content))
    }
    let clock = LocalTime.clock(milliseconds: told.timeMs)
    let table = try Listing(columns: Self.columns, rows: try rows(of: told.content)).table(
      format: session.format, fields: session.fields, width: session.console.size?.columns,
      color: session.console.hasColor)
    session.console.write("\(sections). \(clock)  \(title(told.content))\n\(table)\n")
  }

  private func title(_ counts: Counts) -> String {
    let places = counts.byPlace.count == 1 ? "1 place" : "\(counts.byPlace.count) places"
    return counts.total == 0
      ? "Nobody is checked in anywhere."
      : "\(CheckInCommands.people(counts.total)) checked in at \(places)."
  }

  private func members(of counts: Counts) -> [JSONValue.Member] {
    let places = counts.byPlace.sorted { $0.key < $1.key }.map { place, count in
      Wire.json(LocationCount(locationID: place, count: count))
    }
    return [total(of: counts), .init("counts", .array(places))]
  }

  private func total(of counts: Counts) -> JSONValue.Member {
    .init("total", .integer(Int64(counts.total)))
  }

  /// The busiest first.
  private mutating func rows(of counts: Counts) throws -> [JSONValue] {
    try names.learn(counts.byPlace.keys, session)
    return counts.byPlace.map { (name: names[$0.key], id: $0.key, count: $0.value) }
      .sorted { ($1.count, $0.name, $0.id) < ($0.count, $1.name, $1.id) }
      .map { place in
        .object([
          .init("count", .integer(Int64(place.count))), .init("place", .text(place.name)),
          .init("location_id", .text(place.id.description)),
        ])
      }
  }

  private static let columns = [
    Column("here", nil, .badge, path: "count"), Column("count", nil, .number, wide: true),
    Column("place", cuttable: true), Column("location_id", wide: true),
  ]
}
