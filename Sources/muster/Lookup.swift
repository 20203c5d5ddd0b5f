import Client
import Model
import Terminal
import Wire

/// Finds what people mean by the names that they type.
extension Session {
  /// The place of this id, external id, or exact name where only one has it.
  func place(_ name: String) throws -> Location {
    guard !name.isEmpty else {
      throw UsageError("it is empty which place is meant", hint: "say its id, code or name")
    }
    if let id = ID(name), let found = try location(GetLocationRequest(id: id)) { return found }
    if name.utf8.count <= TextRule.externalID.maxBytes,
      let found = try location(GetLocationRequest(externalID: name))
    {
      return found
    }
    let similar = try similarPlaces(name)
    let wanted = Text.nfc(name)
    let same = similar.filter { $0.name == wanted }
    if let only = same.first, same.count == 1 { return only }
    guard same.isEmpty else {
      let list = same.prefix(5).map { "\($0.id?.description ?? "") (\($0.whereabouts))" }
      throw Failure(
        .conflict, "\(same.count) places are named '\(name)'",
        hint: "say which by its id: \(list.joined(separator: ", "))")
    }
    throw Failure(
      .notFound, "there is no place '\(name)'", hint: try suggestPlaces(name, similar),
      status: Status(.locationNotFound, "There is no place '\(name)'."))
  }

  /// The place of this name, for what the gateway and the check-in service do by themselves: of one
  /// that is named by its id the gateway knows, and its owner need not be there.
  func placeHere(_ name: String) throws -> Location {
    if let id = ID(name), let found = try placeInView(id) { return found }
    return try place(name)
  }

  /// A place as the gateway has it; nil where there is none, or it may not be asked.
  private func placeInView(_ id: ID) throws -> Location? {
    do {
      return try call(ListPeopleHereRequest(locationID: id, pageSize: 1)).location
    } catch let error as CallError
      where error.reason == .locationNotFound || error.reason == .notAllowed
    {
      return nil
    }
  }

  /// The person of this id, or of this user.
  func person(_ name: String) throws -> Profile {
    if let id = ID(name), let found = try profile(GetProfileRequest(id: id)) { return found }
    if let found = try profile(GetProfileRequest(userID: name)) { return found }
    throw Failure(
      .notFound, "there is no person '\(name)'",
      hint: "people are named by their id or user; 'muster profile list' shows both",
      status: Status(.profileNotFound, "There is no person '\(name)'."))
  }

  /// The person named by an option or argument; nil where it is not given: the caller.
  func person(in typed: Invocation, _ name: String = "person") throws -> Profile? {
    try personName(in: typed, name).map(person)
  }

  private func personName(in typed: Invocation, _ name: String = "person") throws -> String? {
    let (option, argument) = (typed.option(name), typed.argument("PERSON"))
    guard option == nil || argument == nil else {
      throw Failure(.usage, "Both PERSON and --\(name) say who", hint: "give one of them")
    }
    guard let said = option ?? argument else { return nil }
    guard !said.isEmpty else {
      throw UsageError("it is empty who is meant", hint: "say an id or a user, or leave it out")
    }
    return said
  }

  /// The same for what is done without the profile service: where that cannot be asked now, an id
  /// is taken at its word, and stands for the name.
  func personThere(in typed: Invocation) throws -> Profile? {
    guard let name = try personName(in: typed) else { return nil }
    guard let id = ID(name) else { return try person(name) }
    do {
      if let found = try profile(GetProfileRequest(id: id), timeoutMs: Self.courtesyMs) {
        return found
      }
    } catch let error as CallError where error.isPassing {
      return Profile(id: id, firstName: id.description)
    }
    return try person(name)
  }

  /// For so long a name is waited for where it is not needed.
  private static let courtesyMs = 1_000

  /// The names of places by id, as lists show them. Those that are gone are left out.
  func placeNames(_ ids: some Sequence<ID>) throws -> [ID: String] {
    var names: [ID: String] = [:]
    try inBatches(ids) { batch in
      let found = try call(BatchGetLocationsRequest(ids: batch))
      for place in found.locations { place.id.map { names[$0] = place.title } }
      return found.unread
    }
    return names
  }

  /// The same for a list that is true without them: where they cannot be asked for now there are
  /// none, and it is noted who is unreachable.
  func placeNames(
    _ ids: some Sequence<ID>, orUnreachable unreachable: inout [String]
  ) throws -> [ID: String] {
    try names(of: "locations", &unreachable) { try placeNames(ids) }
  }

  /// Likewise of people.
  func personNames(
    _ ids: some Sequence<ID>, orUnreachable unreachable: inout [String]
  ) throws -> [ID: String] {
    try names(of: "profiles", &unreachable) { try personNames(ids) }
  }

  private func names(
    of service: String, _ unreachable: inout [String], _ ask: () throws -> [ID: String]
  ) throws -> [ID: String] {
    guard !unreachable.contains(service) else { return [:] }
    do { return try ask() } catch let error as CallError where error.isPassing {
      unreachable = (unreachable + [service]).sorted()
      return [:]
    }
  }

  /// The names of people by profile id. Those that are gone are left out.
  func personNames(_ ids: some Sequence<ID>) throws -> [ID: String] {
    var names: [ID: String] = [:]
    try inBatches(ids) { batch in
      let found = try call(BatchGetProfilesRequest(ids: batch))
      for person in found.profiles { person.id.map { names[$0] = person.fullName } }
      return found.unread
    }
    return names
  }

  /// The name of one place for a sentence; its id where it is gone, or where its name cannot be
  /// had: what the sentence tells is true all the same.
  func placeName(_ id: ID) throws -> String {
    do { return try placeInView(id)?.title ?? id.description } catch is CallError {
      return id.description
    }
  }

  private func inBatches(_ ids: some Sequence<ID>, _ ask: ([ID]) throws -> [ID]) throws {
    var rest = Array(Set(ids)).sorted()
    while !rest.isEmpty {
      let batch = Array(rest.prefix(Limits.batchItems))
      rest = try ask(batch) + rest.dropFirst(batch.count)
    }
  }

  private func location(_ request: GetLocationRequest) throws -> Location? {
    do {
      return try call(request).location
    } catch let error as CallError where error.reason == .locationNotFound {
      return nil
    }
  }

  private func profile(
    _ request: GetProfileRequest, timeoutMs: Int? = nil
  ) throws -> Profile? {
    do {
      let timeoutMs = timeoutMs.map { min($0, self.timeoutMs) }
      let call = try client().start(request, timeoutMs: timeoutMs)
      return try client().finish(call, as: GetProfileResponse.self).profile
    } catch let error as CallError where error.reason == .profileNotFound {
      return nil
    }
  }

  private func similarPlaces(_ name: String) throws -> [Location] {
    guard TextRule.nameContains.check(name) == nil, !TextRule.isBlank(name) else { return [] }
    let pages = try pages(.all) { size, token in
      ListLocationsRequest(pageSize: size, pageToken: token, nameContains: name)
    } more: {
      ($0.results.count, $0.nextPageToken)
    }
    return pages.responses.flatMap(\.results).compactMap(\.location)
  }

  /// Up to three names that are near: those that contain it, else those that are spelled like it.
  private func suggestPlaces(_ name: String, _ similar: [Location]) throws -> String {
    var names = similar.prefix(3).map(\.title)
    if names.isEmpty {
      let pages = try pages(.first(20_000)) { size, token in
        ListLocationsRequest(pageSize: size, pageToken: token)
      } more: {
        ($0.results.count, $0.nextPageToken)
      }
      let places = pages.responses.flatMap(\.results).compactMap(\.location)
      let folded = Text.folded(name)
      names = places.filter { Text.folded($0.externalID) == folded }.map(\.title)
      if names.isEmpty {
        names = Suggestion.nearest(to: name, among: places.map(\.name), limit: 3)
      }
    }
    guard !names.isEmpty else { return "'muster location list' shows what there is" }
    return "did you mean \(names.map { "'\($0)'" }.joined(separator: " or "))?"
  }
}

extension Location {
  /// As sentences and lists name it: "San Jose International (SJC)".
  var title: String { externalID.isEmpty ? name : "\(name) (\(externalID))" }

  fileprivate var whereabouts: String {
    !externalID.isEmpty ? externalID : !address.isEmpty ? address : "no address"
  }
}

extension Profile {
  /// First and last name.
  var fullName: String { lastName.isEmpty ? firstName : "\(firstName) \(lastName)" }
}

extension Person {
  /// First and last name, or what is known where they are not.
  var fullName: String {
    if profileUnavailable { return profileID?.description ?? "" }
    return lastName.isEmpty ? firstName : "\(firstName) \(lastName)"
  }
}
