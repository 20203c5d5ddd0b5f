/// What is asked next: an operation, whose, and where. The same seed gives the same sequence.
package struct Workload: Sendable {
  /// Somebody at a place, both by their number.
  package struct Visit: Equatable, Sendable {
    package var profile: Int
    package var location: Int
  }

  /// One request to be made.
  package struct Request: Equatable, Sendable {
    package var operation: Operation
    package var visit: Visit
    /// What else a batch has.
    package var more: [Visit] = []
  }

  package let profiles: Int
  package let locations: Int
  private let mix: Mix
  private let batchItems: Int
  private let places: KeyPicker
  private var random: RandomSource

  /// People are picked evenly, places as `keys` says.
  package init(
    mix: Mix, batchItems: Int, profiles: Int, locations: Int, keys: KeyDistribution, seed: UInt64
  ) {
    self.mix = mix
    self.batchItems = batchItems
    self.profiles = profiles
    self.locations = locations
    places = KeyPicker(keys, count: locations)
    random = RandomSource(seed: seed)
  }

  package mutating func next() -> Request {
    var request = Request(operation: mix.next(&random), visit: nextVisit())
    if request.operation == .batch {
      request.more = (1..<max(1, batchItems)).map { _ in nextVisit() }
    }
    return request
  }

  /// Somebody, and where they are to go.
  package mutating func nextVisit() -> Visit {
    Visit(profile: random.below(profiles), location: places.next(&random))
  }
}
