package import Model
package import Wire

/// Which places are asked for. Everything that is set must hold.
package struct PlaceFilter {
  /// A part of the name, as `Text.folded` gives it; empty: any name.
  let foldedPart: String
  let circle: PlaceCircle?
  let subset: PlaceSubset?

  package init(
    nameContains: String = "", within circle: PlaceCircle? = nil, subset: PlaceSubset? = nil
  ) {
    foldedPart = Text.folded(nameContains)
    self.circle = circle
    self.subset = subset
  }
}

/// All points up to a distance from a point, those at that distance too.
package struct PlaceCircle: Equatable, Sendable {
  package var center: GeoPoint
  package var radiusM: Double

  package init(center: GeoPoint, radiusM: Double) {
    self.center = center
    self.radiusM = radiusM
  }
}

/// Some places, known by their ids: those where somebody is, say.
package enum PlaceSubset {
  /// Only these. `contains` says the same as `ids`, and quickly.
  case only(_ ids: any Collection<ID>, contains: (ID) -> Bool)
  /// All but those.
  case except(contains: (ID) -> Bool)

  func contains(_ id: ID) -> Bool {
    switch self {
    case .only(_, let contains): contains(id)
    case .except(let contains): !contains(id)
    }
  }
}

/// How places are put in a row.
package enum PlaceOrder: Sendable {
  /// By name, by code points, then by id.
  case name
  /// Nearest first, then by id; asks for a circle.
  case distance
}

/// Where in a row one place stands. A page goes on after one of these, whatever has come and gone
/// since: so whoever was there throughout is on exactly one page.
package struct PlaceKey: Equatable, Sendable {
  package var id: ID
  package var name: String
  /// From the middle of the circle; 0 where there is none.
  package var distanceM: Double

  package init(id: ID, name: String = "", distanceM: Double = 0) {
    self.id = id
    self.name = name
    self.distanceM = distanceM
  }

  /// Whether this one stands before the other.
  package func precedes(_ other: PlaceKey, in order: PlaceOrder) -> Bool {
    switch order {
    case .name:
      switch compareBytes(name, other.name) {
      case 0: id < other.id
      case let difference: difference < 0
      }
    case .distance:
      distanceM != other.distanceM ? distanceM < other.distanceM : id < other.id
    }
  }

  /// Bytes of UTF-8 are ordered as code points are. Swift's own `<` looks at what a text means.
  private func compareBytes(_ a: String, _ b: String) -> Int {
    var (a, b) = (a, b)
    return a.withUTF8 { a in
      b.withUTF8 { b in
        for index in 0..<min(a.count, b.count) where a[index] != b[index] {
          return a[index] < b[index] ? -1 : 1
        }
        return a.count - b.count
      }
    }
  }
}

/// A part of a row of places.
package struct PlacePage: Sendable {
  package struct Row: Equatable, Sendable {
    package var location: Location
    /// From the middle of the circle; 0 where there is none.
    package var distanceM: Double
  }

  package var rows: [Row] = []
  /// Where the next page goes on; nil: there is nothing more.
  package var next: PlaceKey?
}
