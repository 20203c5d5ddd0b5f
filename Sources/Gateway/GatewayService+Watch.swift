import Model
import ServiceKit
import Wire

/// Who begins to watch, and who ends it.
extension GatewayService {
  func registerWatches(_ handlers: inout Handlers) {
    handlers.stream(
      .watch, of: { (request: WatchRequest) in request.allCounts ? .checkIns : .all },
      atLeast: { $0.after ?? Revisions() }, check: Self.checkWatch,
      mayCall: { request, caller in
        // A screen on a wall shows how many, and not who.
        guard request.allCounts || caller.mayActAs(.people) else {
          throw Refusal(.notAllowed, "Only \(Roles.people.sentence) may watch a place.")
        }
      },
      { [unowned self] in try watch($0, $1, $2, &$3) })
    handlers.readLater(.cancelWatch, of: []) {
      [unowned self] (request: CancelWatchRequest, core, call, context) in
      guard let stream = core.find(.watch, id: request.callID, besides: call) else {
        throw Refusal(
          .callNotFound, "No watch with the id \(request.callID) is open on this connection.")
      }
      end(stream, Refusal(.cancelled, "The watch was cancelled."), core, context.now)
      core.reply(call, CancelWatchResponse(), asOf: Revisions(), context.now)
    }
  }

  private static func checkWatch(_ request: WatchRequest, _ form: inout Form) {
    if request.locationID == nil && !request.allCounts {
      form.refuse("location_id", "Either it is needed, or all_counts.")
    }
    if request.locationID != nil && request.allCounts {
      form.refuse("all_counts", "It goes without location_id.")
    }
    if request.heartbeatMs != 0 && !Limits.heartbeatMs.contains(request.heartbeatMs) {
      let range = Limits.heartbeatMs
      form.refuse("heartbeat_ms", "It is \(range.lowerBound) to \(range.upperBound), or 0.")
    }
  }

  private func watch(
    _ request: WatchRequest, _ core: ServiceCore, _ call: CallHandle, _ context: inout CallContext
  ) throws {
    // A watch says that what it tells is true, so it has to be known.
    try needCertainty()
    if !request.allCounts { _ = try location(request.locationID, &context) }
    let beginning: Watch.Beginning =
      if let after = request.after, after != Revisions() {
        .after(after)
      } else if request.mode == .passThrough {
        .now
      } else {
        .reset
      }
    core.open(call)
    let watch = Watch(
      call, connection: core.connection(of: call), heartbeatMs: request.heartbeatMs,
      place: request.locationID.map { watches.place($0) }, from: beginning)
    watches.add(watch, at: context.now)
  }

  /// Ends a watch with its last response.
  func end(_ call: CallHandle, _ refusal: Refusal, _ core: ServiceCore, _ now: Moment) {
    if let watch = watches.watch(of: call) { watches.remove(watch) }
    core.refuse(call, refusal, now)
  }

  /// Those who watch a place that is gone have been told of everybody's leaving, and are done.
  func endDeletedPlaces(_ core: ServiceCore, _ now: Moment) {
    for id in deletedPlaces {
      guard let place = watches.places[id] else {
        deletedPlaces.remove(id)
        continue
      }
      guard people(at: id).isEmpty && place.waitingUpdates == 0 else { continue }
      deletedPlaces.remove(id)
      for watch in place.audience.watches {
        end(watch.call, Refusal(.locationNotFound, "The place has been deleted."), core, now)
      }
    }
  }
}
