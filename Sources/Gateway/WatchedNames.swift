import Model
import ServiceKit
import Wire

/// The names that watches wait for: one question is under way at a time, and what comes up
/// meanwhile is asked next.
struct WatchedNames {
  /// What is to be asked, and for whom.
  var wanted: Set<ID> = []
  var waiting: [WatchedPlace] = []
  var isAsking = false
  /// Those who have no profile any more: there is nothing to be asked.
  var nameless: Set<ID> = []
  /// No answer came: names are not asked for before.
  var pausedUntilUs = Int64.min
  /// People who were shown without a name are to be shown anew, as soon as names can be asked for.
  var mustTellAgain = false

  static let mostNameless = 10_000
}

extension GatewayService {
  /// Whether the profile service can be asked, and has answered lately.
  func canAskForNames(_ now: Moment) -> Bool {
    isReachable(.profiles) && watchedNames.pausedUntilUs <= now.monotonicUs
  }

  /// Whether names are known as far as they can be. Otherwise they are asked for.
  func needNames<IDs: Sequence<ID>>(of ids: IDs, _ now: Moment) -> Bool {
    guard canAskForNames(now) else { return true }
    var isComplete = true
    for id in ids where isNameWanted(id) {
      watchedNames.wanted.insert(id)
      isComplete = false
    }
    return isComplete
  }

  /// Whether the profile service may know a name that is not here.
  func isNameWanted(_ id: ID) -> Bool {
    names.entry(id) == nil && !watchedNames.nameless.contains(id)
  }

  /// The same for all who are at a place: it is not looked again before an answer has come.
  func hasNames<IDs: Sequence<ID>>(of ids: IDs, for place: WatchedPlace, _ now: Moment) -> Bool {
    guard !place.waitsForNames else { return false }
    guard !needNames(of: ids, now) else { return true }
    place.waitsForNames = true
    watchedNames.waiting.append(place)
    return false
  }

  func askForNames(_ core: ServiceCore, _ now: Moment) {
    guard !watchedNames.isAsking, !watchedNames.wanted.isEmpty else { return }
    // The answer before may have brought some of them.
    let asked = Array(watchedNames.wanted.lazy.filter(isNameWanted).prefix(Limits.batchItems))
    watchedNames.wanted = []
    let places = watchedNames.waiting
    watchedNames.waiting = []
    guard !asked.isEmpty else {
      for place in places { place.waitsForNames = false }
      return watches.isDue(at: now.monotonicUs)
    }
    watchedNames.isAsking = true
    let question = names.beganToAsk()
    core.ask(
      .profiles, .batchGetProfiles, BatchGetProfilesRequest(ids: asked),
      timeoutMs: Limits.watchedNamesTimeoutMs, at: now
    ) { [self] response in
      let read = response.flatMap { core.decode(BatchGetProfilesResponse.self, $0) }
      let isGood = names.answered(read?.profiles ?? [], to: question)
      watchedNames.isAsking = false
      // Whoever still misses one asks again.
      for place in places { place.waitsForNames = false }
      guard let read else {
        watchedNames.pausedUntilUs = core.now.monotonicUs + Limits.namesPauseMs * 1_000
        watchedNames.mustTellAgain = true
        return
      }
      guard isGood else { return }
      if watchedNames.nameless.count > WatchedNames.mostNameless { watchedNames.nameless = [] }
      watchedNames.nameless.formUnion(read.missing)
    }
  }

  /// Those who were shown without a name, or with one that may have been old, are shown anew.
  func tellNamesAgain(_ now: Moment) {
    guard watchedNames.mustTellAgain, canAskForNames(now) else { return }
    watchedNames.mustTellAgain = false
    for place in watches.places.values where !place.unnamed.isEmpty {
      let slot = presence.place(place.id)
      for id in place.unnamed {
        guard let person = presence.person(id), presence[person: person].place == slot,
          let event = update(of: id)
        else {
          place.unnamed.remove(id)
          continue
        }
        _ = append(event, at: place, behind: nil, before: revisions)
      }
    }
  }
}
