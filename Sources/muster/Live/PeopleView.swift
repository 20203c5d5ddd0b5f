import Client
import Foundation
import Model
import Terminal
import Wire

/// Shows who is at a place while that changes.
struct PeopleView {
  private let session: Session
  private let place: Location
  private let mode: LiveMode
  private let limit: ListLimit
  private let writesObjects: Bool
  private var picture: LivePicture
  /// Of history: the sections so far, and the list of the last one.
  private var sections = 0
  private var list = PeopleHere()
  private var names = PlaceNames()

  init(_ session: Session, _ place: Location, _ mode: LiveMode, _ limit: ListLimit) throws {
    self.session = session
    self.place = place
    self.mode = mode
    self.limit = limit
    writesObjects = try session.writesObjects()
    picture = LivePicture(session)
  }

  mutating func show(_ told: [Told<PeopleHere>]) throws {
    switch mode {
    case .current: try showCurrent(told)
    case .events: for one in told { try showEvents(one) }
    case .history: for one in told { try showSections(one) }
    }
  }

  // MARK: - What is now

  private mutating func showCurrent(_ told: [Told<PeopleHere>]) throws {
    for one in told { picture.note(one.news) }
    guard let last = told.last else { return }
    guard last.asOf != nil else { return session.tell(last, location, writesObjects) }
    let people = shown(last.content)
    if writesObjects {
      return session.write(
        last.members("now") + here(last.content.count) + [people.member])
    }
    try picture.draw(
      Picture(
        rows: people.rows, columns: Columns.person, document: .null,
        title: title(last.content.count)), staleSinceMs: last.staleSinceMs)
  }

  private func shown(_ content: PeopleHere) -> (rows: [JSONValue], member: JSONValue.Member) {
    var people = content.people
    if case .first(let most) = limit { people = Array(people.prefix(most)) }
    let rows = people.map { Wire.json($0) }
    return (rows, .init("people", .array(rows)))
  }

  private func title(_ count: Int) -> String {
    count == 0
      ? "Nobody is at \(place.title)."
      : "\(count == 1 ? "1 person is" : "\(count) people are") at \(place.title)."
  }

  private func here(_ count: Int) -> [JSONValue.Member] {
    location + [.init("count", .integer(Int64(count)))]
  }

  private var location: [JSONValue.Member] {
    [.init("location_id", .text(place.id?.description ?? ""))]
  }

  // MARK: - What happens

  private mutating func showEvents(_ told: Told<PeopleHere>) throws {
    guard writesObjects else {
      session.tell(told, location, writesObjects)
      let clock = LocalTime.clock(milliseconds: told.timeMs)
      try names.learn(told.changes.compactMap(\.otherLocationID), session)
      for change in told.changes {
        session.console.write("\(clock)  \(TerminalText.visible(sentence(change)))\n")
      }
      return
    }
    for change in told.changes {
      session.write(told.members(Self.event(change.kind)) + location + members(of: change))
    }
    session.tell(told, location, writesObjects)
  }

  private func members(of change: HereChange) -> [JSONValue.Member] {
    ["person", "reason", "other_location_id"].map {
      .init($0, Wire.json(change)[$0] ?? .null)
    }
  }

  private func sentence(_ change: HereChange) -> String {
    let known = list.person(change.person?.profileID)
    let isNameless = change.person?.firstName.isEmpty ?? true
    let name = (isNameless ? known : change.person)?.fullName ?? ""
    let who = name.isEmpty ? change.person?.profileID?.description ?? "" : name
    let other = change.otherLocationID.map { names[$0] }
    return switch (change.kind, change.reason) {
    case (.arrived, _): "\(who) came" + (other.map { " from \($0)" } ?? "")
    case (.updated, _): "\(who) has an edited profile"
    case (.left, .expired): "\(who) left: the stay was over"
    case (.left, .everyoneOut): "\(who) left: everybody was checked out"
    case (.left, .profileDeleted): "\(who) left: the profile was deleted"
    case (.left, .locationDeleted): "\(who) left: the place was deleted"
    default: "\(who) left" + (other.map { " for \($0)" } ?? "")
    }
  }

  /// What a line of a program's calls a change.
  private static func event(_ kind: HereChangeKind) -> String {
    switch kind {
    case .arrived: "arrived"
    case .left: "left"
    case .updated: "updated"
    case .unspecified: "unknown"
    }
  }

  // MARK: - What was (rule G2)

  private mutating func showSections(_ told: Told<PeopleHere>) throws {
    switch told.news {
    case .whole:
      // An empty beginning is no section, and what was shown last is none again.
      guard sections == 0 ? told.content.count > 0 : told.content != list else { break }
      list = told.content
      try showSection("what was there", told, nil)
    case .changed:
      try names.learn(told.changes.compactMap(\.otherLocationID), session)
      for change in told.changes {
        let happened = sentence(change)
        list.apply(change)
        try showSection(happened, told, change)
      }
    case .stale, .current, .missed, .ended:
      let isKnown = told.asOf != nil
      session.tell(told, isKnown ? here(list.count) : location, writesObjects)
    }
  }

  private mutating func showSection(
    _ happened: String, _ told: Told<PeopleHere>, _ change: HereChange?
  ) throws {
    sections += 1
    let people = shown(list)
    if writesObjects {
      let event = change.map { Self.event($0.kind) } ?? "now"
      return session.write(
        [.init("section", .integer(Int64(sections)))] + told.members(event)
          + here(list.count) + (change.map(members(of:)) ?? []) + [people.member])
    }
    let clock = LocalTime.clock(milliseconds: told.timeMs)
    let table = try Listing(columns: Columns.person, rows: people.rows).table(
      format: session.format, fields: session.fields, width: session.console.size?.columns,
      color: session.console.hasColor)
    let heading = "\(sections). \(clock)  \(TerminalText.visible(happened)). \(title(list.count))"
    session.console.write("\(heading)\n\(table)\n")
  }
}
