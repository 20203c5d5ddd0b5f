import Client
import Model

/// The names of places, each asked for once. Where they cannot be asked now, their ids stand for
/// them.
struct PlaceNames {
  private var names: [ID: String] = [:]
  private var askMs = 0

  private static let againMs = 5_000

  /// Asks for those that are not known yet.
  mutating func learn(_ ids: some Sequence<ID>, _ session: Session) throws {
    let unknown = ids.filter { names[$0] == nil }
    guard !unknown.isEmpty, ClientLoop.nowMs >= askMs else { return }
    do {
      let found = try session.placeNames(unknown)
      for id in unknown { names[id] = found[id] ?? id.description }
    } catch let error as CallError where error.isPassing {
      askMs = ClientLoop.nowMs + Self.againMs
    }
  }

  /// A place's name; its id where that is not known.
  subscript(id: ID) -> String { names[id] ?? id.description }
}
