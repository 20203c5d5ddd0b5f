import Client
import Model
import Wire

/// Watches of places that are open all the time, and how long it takes until they show a check-in
/// that the driver makes: from when it was sent.
final class Watchers {
  /// Of what was seen.
  private(set) var seen = Histogram()
  /// How often one had to begin anew, or ended.
  private(set) var interruptions = 0
  private let population: Population
  private let places: [Int]
  private var watches: [Watch<PeopleHere>] = []
  private var current = 0
  /// Where people were sent last and when, by the number of the person.
  private var sent: [(location: Int, ns: Int)]

  /// As many as the plan says, at places picked as the load picks them.
  init(_ plan: LoadPlan, _ population: Population) {
    self.population = population
    var random = RandomSource(seed: plan.course.seed &+ 2)
    let picker = KeyPicker(plan.keys, count: population.locations.count)
    places = (0..<plan.watchers).map { _ in picker.next(&random) }
    sent = Array(repeating: (-1, 0), count: population.profiles.count)
  }

  /// Opens all of them and waits until each shows what is true.
  /// - Throws: `CallError` of the connection, `LoadFailure` where they do not all come.
  func begin(_ clients: [Client], _ loop: ClientLoop) throws {
    for (index, place) in places.enumerated() {
      // One caller may have only so many.
      let user = "load-watcher-\(index / Limits.watchesPerCaller + 1)"
      let client = clients[index % clients.count]
      watches.append(
        client.watchPeople(at: population.locations[place], user: user) { [weak self] watch, news in
          self?.note(watch, news, place)
        })
    }
    let endMs = ClientLoop.nowMs + 30_000
    while current < watches.count {
      guard ClientLoop.nowMs < endMs else {
        throw LoadFailure("only \(current) of \(watches.count) watches have come up in 30 s")
      }
      try loop.step(untilMs: min(endMs, ClientLoop.nowMs + 100))
    }
  }

  /// A check-in is sent.
  func expect(_ visit: Workload.Visit, sentNs: Int) {
    sent[visit.profile] = (visit.location, sentNs)
  }

  private func note(_ watch: Watch<PeopleHere>, _ news: WatchNews, _ place: Int) {
    switch news {
    case .whole: current += 1
    case .missed, .stale, .ended: interruptions += 1
    case .current: break
    case .changed:
      let now = Clock.nowNs
      for change in watch.changes where change.kind == .arrived {
        guard let id = change.person?.profileID, let profile = population.profileNumbers[id],
          sent[profile].location == place
        else { continue }
        seen.record(ns: now - sent[profile].ns)
      }
    }
  }

  /// What each shows at the end: the numbers of the people there, by the number of the place.
  var shown: [(place: Int, people: Set<Int>)] {
    zip(places, watches).map { place, watch in
      let people = watch.content.people.compactMap { person in
        person.profileID.flatMap { population.profileNumbers[$0] }
      }
      return (place, Set(people))
    }
  }
}
