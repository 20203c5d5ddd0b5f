import Testing
import Wire

@testable import Places

/// A quarter of the circumference.
private let quarterM = Sphere.radiusM * .pi / 2

@Suite("Searching by distance")
struct NearTests {
  struct Case: Sendable, CustomTestStringConvertible {
    var testDescription: String
    var center: (Double, Double)
    var radiusM: Double
    /// Latitude, longitude, and whether it is found.
    var places: [(Double, Double, Bool)]
  }

  static let cases = [
    Case(
      testDescription: "across the antimeridian", center: (0, 179.9), radiusM: 30_000,
      places: [(0, -179.9, true), (0, 179.8, true), (0, -179.7, false), (0, 179.5, false)]),
    Case(
      testDescription: "180 east is 180 west", center: (10, 180), radiusM: 0.001,
      places: [(10, -180, true), (10, 180, true)]),
    Case(
      testDescription: "around the north pole", center: (89.9, 0), radiusM: 25_000,
      places: [(89.9, 180, true), (89.95, 90, true), (89.9, 45, true), (89.5, 180, false)]),
    Case(
      testDescription: "the pole is one point", center: (90, 0), radiusM: 0.001,
      places: [(90, 123, true), (90, -180, true), (89.999, 0, false)]),
    Case(
      testDescription: "the south pole", center: (-90, 7), radiusM: 12_000,
      places: [(-89.9, -100, true), (-89.8, 7, false), (90, 7, false)]),
    Case(
      testDescription: "half the globe", center: (0, 0), radiusM: quarterM + 1,
      places: [(0, 90, true), (90, 0, true), (-45, -89.9, true), (0, 91, false), (0, 180, false)]),
    Case(
      testDescription: "nearly everything", center: (10, 20), radiusM: 2 * quarterM - 1_000,
      places: [(-10, -160, false), (-10, -160.02, true), (10, 20, true), (-90, 0, true)]),
    Case(
      testDescription: "everything", center: (10, 20), radiusM: 2 * quarterM,
      places: [(-10, -160, true), (10, 20, true), (90, 0, true)]),
    Case(
      testDescription: "more than everything", center: (10, 20), radiusM: 1e300,
      places: [(-10, -160, true), (10, 20, true), (90, 0, true)]),
    Case(
      testDescription: "the very point", center: (47.46, 8.55), radiusM: 1e-300,
      places: [(47.46, 8.55, true), (47.46, 8.550001, false)]),
    Case(
      testDescription: "centimetres", center: (47.46, 8.55), radiusM: 0.05,
      places: [(47.4600004, 8.55, true), (47.4600005, 8.55, false), (47.46, 8.5500006, true)]),
  ]

  @Test("F2: what is within the radius, and nothing else, is found", arguments: cases)
  func within(_ test: Case) throws {
    let index = try makeIndex()
    let center = GeoPoint(latitude: test.center.0, longitude: test.center.1)
    for (number, found) in test.places.enumerated() {
      try index.put(place(number, "x", GeoPoint(latitude: found.0, longitude: found.1)))
    }
    try index.put(place(99, "x"))
    let filter = PlaceFilter(within: PlaceCircle(center: center, radiusM: test.radiusM))
    let expected = Set(test.places.indices.filter { test.places[$0].2 })
    #expect(Set(try index.numbers(filter, by: .distance)) == expected)
    #expect(Set(try index.numbers(filter, by: .name)) == expected)
  }

  @Test("F2: distances are those of the sphere of 6 371 008.8 m")
  func distances() throws {
    let paris = GeoPoint(latitude: 48.8566, longitude: 2.3522)
    let sydney = GeoPoint(latitude: -33.8688, longitude: 151.2093)
    let zero = GeoPoint(latitude: 0, longitude: 0)
    // Reckoned with 50 digits by the spherical law of cosines.
    #expect(abs(Sphere.distanceM(paris, sydney) - 16_960_520.803) < 0.001)
    #expect(Sphere.distanceM(paris, paris) == 0)
    let degree = Sphere.distanceM(zero, GeoPoint(latitude: 1, longitude: 0))
    #expect(abs(degree - 111_195.080) < 0.001)
    let opposite = Sphere.distanceM(zero, GeoPoint(latitude: 0, longitude: 180))
    #expect(abs(opposite - 20_015_114.442) < 0.001)
  }

  @Test("F2: nearest first; at one distance by id; the radius itself belongs to it")
  func ties() throws {
    let index = try makeIndex()
    let center = GeoPoint(latitude: 0, longitude: 0)
    let points = [(0.5, 0.0), (-0.5, 0), (0, 0.5), (0, -0.5), (0.1, 0), (0, 0), (0.5, 0)]
    for (number, point) in points.enumerated() {
      try index.put(
        place(10 - number, "x", GeoPoint(latitude: point.0, longitude: point.1)))
    }
    let radiusM = Sphere.distanceM(center, GeoPoint(latitude: 0.5, longitude: 0))
    let circle = PlaceCircle(center: center, radiusM: radiusM)
    for limit in [1, 2, 3, 100] {
      let numbers = try index.numbers(PlaceFilter(within: circle), by: .distance, limit: limit)
      #expect(numbers == [5, 6, 4, 7, 8, 9, 10])
    }
    let smaller = PlaceCircle(center: center, radiusM: radiusM.nextDown)
    #expect(try index.numbers(PlaceFilter(within: smaller), by: .distance) == [5, 6])
  }

  @Test("Pages by distance hold everybody once and in order, close together and far apart")
  func pages() throws {
    var random = SplitMix(state: 20_260_418)
    let index = try makeIndex()
    try index.database.begin()
    for number in 0..<3_000 {
      // A third within centimetres of one another, where the tree cannot tell them apart.
      let scale = [1e-7, 0.01, 1][number % 3]
      let point = GeoPoint(
        latitude: scale * random.double(in: -90...90),
        longitude: scale * random.double(in: -180...180))
      try index.put(place(number, "x", point))
    }
    try index.database.commit()
    let circle = PlaceCircle(center: GeoPoint(latitude: 0, longitude: 0), radiusM: 1e9)
    var keys: [PlaceKey] = []
    var after: PlaceKey?
    repeat {
      let page = try index.list(
        PlaceFilter(within: circle), by: .distance, after: after, limit: 37)
      keys += page.rows.compactMap { row in
        row.location.id.map { PlaceKey(id: $0, name: "x", distanceM: row.distanceM) }
      }
      after = page.next
    } while after != nil
    #expect(keys.count == 3_000)
    #expect(zip(keys, keys.dropFirst()).allSatisfy { $0.precedes($1, in: .distance) })
  }
}

/// The same numbers in every run: S. Vigna's splitmix64, https://prng.di.unimi.it/splitmix64.c
private struct SplitMix {
  var state: UInt64

  mutating func double(in range: ClosedRange<Double>) -> Double {
    state &+= 0x9E37_79B9_7F4A_7C15
    var value = state
    value = (value ^ (value >> 30)) &* 0xBF58_476D_1CE4_E5B9
    value = (value ^ (value >> 27)) &* 0x94D0_49BB_1331_11EB
    value ^= value >> 31
    let unit = Double(value >> 11) / 9_007_199_254_740_992
    return range.lowerBound + unit * (range.upperBound - range.lowerBound)
  }
}
