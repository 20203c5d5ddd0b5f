import Model
import ServiceKit
import Wire

/// What a customer wants next, and what has to hold of the answers.
final class Workload {
  unowned let customer: Customer
  var world: World { customer.world }
  var truth: Truth { world.truth }
  var chance: Chance { customer.chance }
  var judge: Judge { Judge(world) }

  init(_ customer: Customer) { self.customer = customer }

  /// Another wish, chosen by chance.
  func another() -> Operation {
    let people = livingPeople.count
    let places = livingPlaces.count
    if places < 3 { return chance.one(in: 3) ? createProfile() : createLocation() }
    if people < 4 { return createProfile() }
    if truth.profiles.ids.count < world.crowd { return crowd() }
    if world.crowd > 0, chance.one(in: 40) { return crowdIn() }
    switch chance.below(1_000) {
    case ..<(people < 25 ? 90 : 25): return createProfile()
    case ..<130: return updateProfile()
    case ..<160: return deleteProfile()
    case ..<(places < 9 ? 190 : 170): return createLocation()
    case ..<210: return updateLocation()
    case ..<225: return deleteLocation()
    case ..<520: return checkIn()
    case ..<620: return checkOut()
    case ..<650: return batch()
    case ..<660: return everyoneOut()
    default: return aRead()
    }
  }

  private func aRead() -> Operation {
    switch chance.below(100) {
    case ..<25: listHere()
    case ..<35: listEverywhere()
    case ..<48: counts()
    case ..<62: status()
    case ..<72: board()
    case ..<80: history()
    case ..<85: listCheckedIn()
    case ..<90: getProfile()
    case ..<93: listProfiles()
    case ..<96: batchGetProfiles()
    case ..<98: getMe()
    default: listLocations()
    }
  }

  // MARK: - Whom and where

  var livingPeople: [ID] {
    truth.profiles.ids.suffix(60).filter(truth.profiles.living.contains)
  }
  var livingPlaces: [ID] { Self.livingPlaces(truth) }

  static func livingPlaces(_ truth: Truth) -> [ID] {
    truth.locations.ids.suffix(30).filter(truth.locations.living.contains)
  }

  /// Somebody, now and then somebody who is gone, or never was.
  func person() -> ID {
    if chance.one(in: 60) { return chance.id() }
    if chance.one(in: 30), let id = chance.any(truth.profiles.ids) { return id }
    return chance.any(livingPeople) ?? chance.id()
  }

  func place() -> ID {
    if chance.one(in: 60) { return chance.id() }
    if chance.one(in: 30), let id = chance.any(truth.locations.ids) { return id }
    return chance.any(livingPlaces) ?? chance.id()
  }

  // MARK: - Calls

  /// A call whose answers are read as what its method gives.
  func call<Q: Request>(
    _ request: Q, number: Int, key: ID? = nil,
    refused: @escaping (Answer) -> Void = { _ in },
    check: @escaping (Q.Response, Answer) -> Void
  ) -> Operation {
    let codec = world.codec
    return Operation(
      number, customer, Q.method, codec.bytes(request), key: key,
      check: { check(codec.read(Q.Response.self, $0.body), $0) }, refused: refused)
  }

  /// Each call has a number of its own, which what it writes carries.
  var nextNumber: Int { world.nextOperation() }
}
