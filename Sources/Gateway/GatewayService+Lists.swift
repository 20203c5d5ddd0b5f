import Model
import ServiceKit
import Wire

/// Who is here, and who is where. A page is taken from the view at one revision; names that are not
/// known are then asked for, and the page is shown as it was taken.
extension GatewayService {
  /// Somebody on a page, as the view had it.
  struct Member {
    var id: ID
    var sinceMs: Int64
  }

  func registerLists(_ handlers: inout Handlers) {
    handlers.readLater(
      .listPeopleHere, of: .all,
      check: { (request: ListPeopleHereRequest, form) in
        form.needed("location_id", request.locationID)
        _ = try Self.position(request)
      }, listPeopleHere)
    handlers.readLater(
      .listPeopleEverywhere, of: .all,
      check: { (request: ListPeopleEverywhereRequest, _) in _ = try Self.position(request) },
      listPeopleEverywhere)
  }

  // MARK: - Here

  private static func question(_ request: ListPeopleHereRequest) -> Question {
    var question = Question(.listPeopleHere)
    question.add(request.locationID)
    return question
  }

  private static func position(_ request: ListPeopleHereRequest) throws(Refusal) -> Member? {
    guard let bytes = try PageToken.read(request.pageToken, question: question(request).hash)
    else { return nil }
    var reader = PositionReader(bytes)
    let sinceMs = try reader.int64()
    let member = Member(id: try reader.id(), sinceMs: sinceMs)
    try reader.end()
    return member
  }

  private func listPeopleHere(
    _ request: ListPeopleHereRequest, _ core: ServiceCore, _ call: CallHandle,
    _ context: inout CallContext
  ) throws {
    let size = Limits.pageItems(asked: request.pageSize)
    let asOf = revisions
    let place = request.locationID.flatMap { presence.place($0) }
    let isFirstPage = request.pageToken.isEmpty
    if isFirstPage, let place, let page = kept.page(of: place, size: size) {
      return core.reply(call, sharing: page, asOf: asOf, context.now)
    }
    let (id, location) = try location(request.locationID, &context)
    let members = people(at: id)
    var first = 0
    if let place, let after = try Self.position(request) {
      first = presence.rank(after: after.sinceMs, after.id, at: place)
    }
    let page = members[first...].prefix(size).map(member)
    withNames(of: page, for: call, core, at: context.now) { [self] wereAsked, now in
      var response = ListPeopleHereResponse(location: location, count: UInt32(members.count))
      let (people, shown, isComplete) = encoded(page, wereAsked, core.encoder)
      if shown > 0, first + shown < members.count {
        response.nextPageToken = Self.token(request, page[shown - 1])
      }
      response.unreachable = unreachable(of: LogName.allCases, wereAsked)
      if request.completeOnly && !isComplete {
        return core.refuse(
          call,
          Refusal(
            .serviceUnreachable, "profiles cannot be reached, so the names are not known.",
            retryAfterMs: 1_000), now)
      }
      let body = core.takeFrame()
      core.encoder.encode(response, then: people) { body.allocate($0) }
      // Where names were asked for, the view has gone on since the page was taken.
      if let place, isFirstPage, isComplete, response.unreachable.isEmpty, asOf == revisions {
        kept.keep(body, of: place, size: size)
      }
      core.pass(call, ResponseHeader(asOf: asOf), body, now)
      core.giveBack(body)
    }
  }

  /// The people of a page, encoded: as many as it has room for, and whether all are as complete as
  /// they can be.
  private func encoded(
    _ page: [Member], _ wereAsked: Bool, _ encoder: Encoder
  ) -> (people: EncodedElements, shown: Int, isComplete: Bool) {
    var people = EncodedElements(field: 3)
    var isComplete = true
    for (index, member) in page.enumerated() {
      if isReachable(.profiles), let name = names.entry(member.id) {
        people.append(name.person, field: 6, UInt64(bitPattern: member.sinceMs))
      } else {
        let person = person(member, wereAsked)
        isComplete = isComplete && !person.profileUnavailable
        people.append(encoder.bytes(person), field: 6, 0)
      }
      if people.bytes.count > Limits.pageBytes - 2_048 { return (people, index + 1, isComplete) }
    }
    return (people, page.count, isComplete)
  }

  /// The place of a request. Where it is not known here, its owner is asked first.
  func location(
    _ id: ID?, _ context: inout CallContext
  ) throws -> (id: ID, location: Location) {
    try needState(of: [.locations, .checkIns])
    if let id, let location = try places.location(id) { return (id, location) }
    if context.canAsk(.locations) { throw CatchUp(.locations) }
    if context.unreachable.contains(.locations) {
      throw Refusal(
        .serviceUnreachable, "locations cannot be asked now whether this place exists.",
        retryAfterMs: 1_000)
    }
    throw Refusal(.locationNotFound, "There is no such place.")
  }

  /// Those who are at a place, in the order they came.
  func people(at id: ID) -> [Presence.Slot] {
    presence.place(id).map { presence.members(ofPlace: $0) } ?? []
  }

  private static func token(_ request: ListPeopleHereRequest, _ last: Member) -> String {
    var writer = PositionWriter()
    writer.write(last.sinceMs)
    writer.write(last.id)
    return PageToken.make(question: question(request).hash, position: writer.bytes)
  }

  /// Who could not be asked, or did not answer when asked for names.
  private func unreachable(of logs: [LogName], _ wereProfilesAsked: Bool) -> [String] {
    logs.filter { !isReachable($0) || $0 == .profiles && !wereProfilesAsked }.map(\.text)
  }

  // MARK: - Everywhere

  private static func question(_ request: ListPeopleEverywhereRequest) -> Question {
    var question = Question(.listPeopleEverywhere)
    question.add(UInt64(request.peoplePerLocation))
    return question
  }

  private static func position(_ request: ListPeopleEverywhereRequest) throws(Refusal) -> ID? {
    guard let bytes = try PageToken.read(request.pageToken, question: question(request).hash)
    else { return nil }
    var reader = PositionReader(bytes)
    let id = try reader.id()
    try reader.end()
    return id
  }

  private func listPeopleEverywhere(
    _ request: ListPeopleEverywhereRequest, _ core: ServiceCore, _ call: CallHandle,
    _ context: inout CallContext
  ) throws {
    try needState(of: [.checkIns])
    let each =
      request.peoplePerLocation == 0
      ? Limits.defaultPeoplePerLocation
      : min(Int(request.peoplePerLocation), Limits.peoplePerLocation)
    var first = 0
    if let after = try Self.position(request) {
      first = presence.occupied.partitioningIndex { presence.id(ofPlace: $0) > after }
    }
    var taken: [(id: ID, count: Int, people: [Member])] = []
    var people = 0
    for slot in presence.occupied[first...] {
      let members = presence.members(ofPlace: slot)
      let shown = min(each, members.count)
      // Names are asked for in one batch, so a page has no more people than that.
      guard taken.count < Limits.pageItems(asked: request.pageSize),
        people + shown <= Limits.batchItems
      else { break }
      people += shown
      taken.append((presence.id(ofPlace: slot), members.count, members.prefix(each).map(member)))
    }
    let isLast = first + taken.count == presence.occupied.count
    let asOf = revisions
    withNames(of: taken.flatMap(\.people), for: call, core, at: context.now) {
      [self] wereAsked, now in
      var response = ListPeopleEverywhereResponse()
      var byteCount = 1_024
      for place in taken {
        let shown = place.people.map { person($0, wereAsked) }
        byteCount += shown.reduce(40) { $0 + $1.roughByteCount }
        guard byteCount < Limits.pageBytes || response.locations.isEmpty else { break }
        response.locations.append(
          PeopleAtLocation(locationID: place.id, count: UInt32(place.count), people: shown))
      }
      if let last = response.locations.last?.locationID,
        !isLast || response.locations.count < taken.count
      {
        var writer = PositionWriter()
        writer.write(last)
        response.nextPageToken = PageToken.make(
          question: Self.question(request).hash, position: writer.bytes)
      }
      response.unreachable = unreachable(of: [.profiles, .checkIns], wereAsked)
      core.reply(call, response, asOf: asOf, now)
    }
  }

  // MARK: - Names

  func member(_ slot: Presence.Slot) -> Member {
    let person = presence[person: slot]
    return Member(id: person.id, sinceMs: person.sinceMs)
  }

  func person(_ member: Member, _ wereAsked: Bool) -> Person {
    guard let name = names.entry(member.id) else {
      // Nobody knows a name of somebody who has just been deleted, though all could be asked.
      return Person(
        profileID: member.id, sinceMs: member.sinceMs,
        profileUnavailable: !wereAsked || !isReachable(.profiles))
    }
    var person = names.person(name)
    person.sinceMs = member.sinceMs
    // The names are those last known, then.
    person.profileUnavailable = !isReachable(.profiles)
    return person
  }

  /// Calls `body` when the names of these people are known as far as they can be, and says whether
  /// the profile service could be asked. (Who is not known to it either has just been deleted.)
  private func withNames(
    of members: [Member], for call: CallHandle, _ core: ServiceCore, at now: Moment,
    _ body: @escaping (_ wereAsked: Bool, Moment) -> Void
  ) {
    let missing = members.map(\.id).filter { names.entry($0) == nil }.prefix(Limits.batchItems)
    guard !missing.isEmpty else { return body(true, now) }
    // A service that is silent is waited for, but not for so long that the caller has gone.
    let timeoutMs = min(Limits.namesTimeoutMs, core.timeLeftMs(of: call, at: now) * 3 / 4)
    guard isReachable(.profiles), timeoutMs > 0 else { return body(false, now) }
    let question = names.beganToAsk()
    core.ask(
      .profiles, .batchGetProfiles, BatchGetProfilesRequest(ids: Array(missing)),
      timeoutMs: timeoutMs, at: now
    ) { [self] response in
      let read = response.flatMap { core.decode(BatchGetProfilesResponse.self, $0) }
      let isGood = names.answered(read?.profiles ?? [], to: question)
      guard let read else { return body(false, core.now) }
      // The answer was full, and each round brings some names, so this ends.
      let hasMore = !read.unread.isEmpty && !read.profiles.isEmpty
      guard isGood && !hasMore else {
        return withNames(of: members, for: call, core, at: core.now, body)
      }
      body(true, core.now)
    }
  }
}

extension Person {
  /// At least what it takes on the wire: names, two ids, and what stands before each.
  var roughByteCount: Int {
    firstName.utf8.count + lastName.utf8.count + companyName.utf8.count + avatarID.count + 64
  }
}
