package import Client
package import Model
import Wire

/// The people and places that the driver works with: its own, so that it disturbs nobody else's.
package struct Population: Sendable {
  /// By their number.
  package let profiles: [ID]
  package let locations: [ID]
  /// The numbers of the ids.
  let profileNumbers: [ID: Int]
  let locationNumbers: [ID: Int]

  init(profiles: [ID], locations: [ID]) {
    self.profiles = profiles
    self.locations = locations
    profileNumbers = Dictionary(zip(profiles, 0...)) { first, _ in first }
    locationNumbers = Dictionary(zip(locations, 0...)) { first, _ in first }
  }

  /// What names one of ours; the number follows, from 1.
  private static let prefix = "load-"
  private static let batchTimeoutMs = 60_000
  /// Calls on their way at a time: one is written while the next is made.
  private static let window = 4

  /// Where somebody is, by numbers; -2: at a place that is none of ours.
  func whereabouts(_ status: CheckInStatus) -> Whereabouts {
    let location = status.locationID.map { locationNumbers[$0] ?? -2 }
    return Whereabouts(location: location, revision: status.revision)
  }
}

// MARK: - There and gone

extension Population {
  /// Makes so many people and places, where they are not there yet, and checks everybody in.
  /// - Parameter progress: is told what is made, and how many of how many.
  package static func prepare(
    _ plan: LoadPlan, _ client: Client, progress: (String, Int, Int) throws(CallError) -> Void
  ) throws(CallError) -> Population {
    let locations = try inBatches("places", 0..<plan.locations, client, progress) { numbers in
      BatchCreateLocationsRequest(locations: numbers.map(location))
    } ids: { (response: BatchCreateLocationsResponse) in
      response.ids
    }
    let profiles = try inBatches("people", 0..<plan.profiles, client, progress) { numbers in
      BatchCreateProfilesRequest(profiles: numbers.map(profile))
    } ids: { (response: BatchCreateProfilesResponse) in
      response.ids
    }
    var random = RandomSource(seed: plan.course.seed)
    let picker = KeyPicker(plan.keys, count: locations.count)
    let visits = profiles.map { ($0, locations[picker.next(&random)]) }
    _ = try inBatches("check-ins", 0..<visits.count, client, progress) { numbers in
      BatchCheckInRequest(
        items: numbers.map { number in
          BatchCheckInItem(
            profileID: visits[number].0, locationID: visits[number].1, ttlS: plan.ttlS)
        })
    } ids: { (response: BatchCheckInResponse) throws(CallError) in
      if let refusal = response.outcomes.lazy.compactMap(\.error).first {
        throw CallError(refusal)
      }
      return []
    }
    return Population(profiles: profiles, locations: locations)
  }

  /// Finds so many people and places that were made before.
  /// - Throws: `LoadFailure` where there are fewer.
  package static func find(_ plan: LoadPlan, _ client: Client) throws -> Population {
    var locations = [ID?](repeating: nil, count: plan.locations)
    var locationsPage = ListLocationsRequest(pageSize: UInt32(Limits.pageItems))
    repeat {
      let response = try client.call(locationsPage)
      for location in response.results.compactMap(\.location) {
        note(location.id, location.externalID, in: &locations)
      }
      locationsPage.pageToken = response.nextPageToken
    } while !locationsPage.pageToken.isEmpty && locations.contains(nil)
    var profiles = [ID?](repeating: nil, count: plan.profiles)
    var profilesPage = ListProfilesRequest(pageSize: UInt32(Limits.pageItems))
    repeat {
      let response = try client.call(profilesPage)
      for profile in response.profiles { note(profile.id, profile.userID, in: &profiles) }
      profilesPage.pageToken = response.nextPageToken
    } while !profilesPage.pageToken.isEmpty && profiles.contains(nil)
    for (name, found) in [("places", locations), ("people", profiles)] where found.contains(nil) {
      let there = found.count { $0 != nil }
      throw LoadFailure(
        "of \(found.count) \(name) for the load only \(there) are there", hint: "say --prepare")
    }
    return Population(
      profiles: profiles.compactMap { $0 }, locations: locations.compactMap { $0 })
  }

  /// Takes all of them away again.
  package func cleanUp(_ client: Client, progress: (String, Int, Int) throws(CallError) -> Void)
    throws(CallError)
  {
    var pending: [PendingCall] = []
    var done = 0
    func settle(_ most: Int) throws(CallError) {
      while pending.count > most {
        do throws(CallError) {
          _ = try client.finish(pending.removeFirst())
        } catch  where error.status.code == .notFound {
          // Somebody else was quicker.
        }
        done += 1
        try progress("clean-up", done, profiles.count + locations.count)
      }
    }
    for id in profiles {
      try pending.append(
        client.start(DeleteProfileRequest(id: id), timeoutMs: Population.batchTimeoutMs))
      try settle(64)
    }
    try settle(0)
    for id in locations {
      try pending.append(
        client.start(
          DeleteLocationRequest(id: id, checkOutEveryone: true),
          timeoutMs: Population.batchTimeoutMs))
      try settle(64)
    }
    try settle(0)
  }

  private static func note(_ id: ID?, _ name: String, in found: inout [ID?]) {
    guard name.hasPrefix(prefix), let number = Int(name.dropFirst(prefix.count)),
      found.indices.contains(number - 1)
    else { return }
    found[number - 1] = id
  }

  private static func inBatches<R: Request>(
    _ what: String, _ numbers: Range<Int>, _ client: Client,
    _ progress: (String, Int, Int) throws(CallError) -> Void, _ request: (Range<Int>) -> R,
    ids: (R.Response) throws(CallError) -> [ID]
  ) throws(CallError) -> [ID] {
    var made: [ID] = []
    var pending: [PendingCall] = []
    var next = numbers.lowerBound
    while next < numbers.upperBound || !pending.isEmpty {
      if next < numbers.upperBound, pending.count < window {
        let batch = next..<min(next + Limits.batchItems, numbers.upperBound)
        next = batch.upperBound
        try pending.append(client.start(request(batch), timeoutMs: batchTimeoutMs))
      } else {
        made += try ids(client.finish(pending.removeFirst(), as: R.Response.self))
        try progress(what, next, numbers.upperBound)
      }
    }
    return made
  }

  private static func location(_ number: Int) -> Location {
    Location(name: "Place \(number + 1)", externalID: "\(prefix)\(number + 1)")
  }

  private static func profile(_ number: Int) -> Profile {
    let first = ["Ada", "Bela", "Chidi", "Dagny", "Emre", "Farah", "Gwen", "Hiro"]
    let last = [
      "Almeida", "Brandt", "Castillo", "Dvorak", "Eriksen", "Fournier", "Greco", "Huang",
    ]
    return Profile(
      userID: "\(prefix)\(number + 1)", firstName: "\(first[number % 8])\(number % 997)",
      lastName: "\(last[number / 8 % 8])\(number % 89)")
  }
}
