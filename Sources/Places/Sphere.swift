import Glibc
import Wire

/// The earth as the contract has it: a sphere. Positions are points on the unit sphere, so that
/// neither the poles nor the antimeridian are anything special.
enum Sphere {
  /// The mean radius of the earth (IUGG), as the contract has it.
  static let radiusM = 6_371_008.8

  /// The great-circle distance in metres, by the haversine formula: R. W. Sinnott, "Virtues of the
  /// Haversine", Sky and Telescope 68 (1984), page 159.
  static func distanceM(_ a: GeoPoint, _ b: GeoPoint) -> Double {
    let (latitudeA, latitudeB) = (radians(a.latitude), radians(b.latitude))
    let halfLatitude = sin((latitudeB - latitudeA) / 2)
    let halfLongitude = sin((radians(b.longitude) - radians(a.longitude)) / 2)
    let haversine =
      halfLatitude * halfLatitude + cos(latitudeA) * cos(latitudeB) * halfLongitude * halfLongitude
    // Rounding can bring it over 1 for points on opposite sides.
    return 2 * radiusM * asin(min(1, haversine.squareRoot()))
  }

  /// The straight line through the unit sphere between two points that far apart on its surface.
  /// From half the circumference on it is the diameter.
  static func chord(distanceM: Double) -> Double {
    2 * sin(min(distanceM / (2 * radiusM), .pi / 2))
  }

  /// The point on the unit sphere.
  static func vector(_ point: GeoPoint) -> (x: Double, y: Double, z: Double) {
    let (latitude, longitude) = (radians(point.latitude), radians(point.longitude))
    return (cos(latitude) * cos(longitude), cos(latitude) * sin(longitude), sin(latitude))
  }

  private static func radians(_ degrees: Double) -> Double { degrees * (.pi / 180) }
}
