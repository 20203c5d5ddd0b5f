import Wire

/// The part of the unit sphere between two distances from a point, measured along straight lines
/// through the sphere (chords): they rise with the distance on the surface, and are cheap to bound
/// for a box.
struct Ring {
  let center: (x: Double, y: Double, z: Double)
  let innerChord: Double
  let outerChord: Double

  /// How much chords may be wrong. The tree's boxes are rounded to 32 bits, by up to 2.4e-7 a side;
  /// the rest of the arithmetic is right to 1e-15. On the ground this is 6 metres.
  static let chordError = 1e-6

  init(around center: GeoPoint, fromM: Double, toM: Double) {
    self.center = Sphere.vector(center)
    innerChord = Sphere.chord(distanceM: fromM) - Self.chordError
    outerChord = Sphere.chord(distanceM: toM) + Self.chordError
  }

  /// As it comes back from a statement: middle, inner and outer chord.
  init?(parameters: UnsafeBufferPointer<Double>) {
    guard parameters.count == 5 else { return nil }
    center = (parameters[0], parameters[1], parameters[2])
    innerChord = parameters[3]
    outerChord = parameters[4]
  }

  /// The square of the chord to the nearest point of a box; nil where the whole box is outside.
  func score(box: UnsafeBufferPointer<Double>) -> Double? {
    let x = Self.reach(center.x, box[0], box[1])
    let y = Self.reach(center.y, box[2], box[3])
    let z = Self.reach(center.z, box[4], box[5])
    let nearest = x.near * x.near + y.near * y.near + z.near * z.near
    if nearest > outerChord * outerChord { return nil }
    let farthest = x.far * x.far + y.far * y.far + z.far * z.far
    return innerChord > 0 && farthest < innerChord * innerChord ? nil : nearest
  }

  /// How far a number is from the nearest and from the farthest number of a range.
  private static func reach(
    _ value: Double, _ low: Double, _ high: Double
  ) -> (near: Double, far: Double) {
    (max(0, low - value, value - high), max(value - low, high - value))
  }
}
