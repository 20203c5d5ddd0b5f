import Model
package import SQLite
import Wire

// Two ways lead to a page. One walks through all places in their order, and leaves out those that
// are not asked for: quick where most are. The other gathers those that can be meant at all, by
// what the filter says, and sorts them: quick where few are. Of `n` places a walk that finds a page
// of `p` among `c` that match goes through some `n * p / c`. Gathering costs `c`, and was measured
// to take sixteen times as long for each. So up to a quarter of the square root of `n * p` are
// gathered: there both ways cost the same, and it is the worst that either of them has to do.
extension PlaceIndex {
  /// A page of the places that match.
  ///
  /// - Parameters:
  ///   - after: the `next` of the page before; nil: from the beginning.
  ///   - limit: how many places at most; over 0.
  ///   - budgetBytes: where the encoded places reach this, the page ends; it has at least one.
  package func list(
    _ filter: PlaceFilter, by order: PlaceOrder, after: PlaceKey? = nil, limit: Int,
    budgetBytes: Int = .max
  ) throws(SQLiteError) -> PlacePage {
    precondition(limit > 0 && (order == .name || filter.circle != nil))
    var page = PlacePage()
    var bytes = 0
    let found = try find(filter, order, after, limit + 1)
    for place in found {
      guard page.rows.count < limit, bytes < budgetBytes else {
        page.next = page.rows.indices.last.map { found[$0].key }
        break
      }
      try statements.bodyByNumber.forEach(place.number) { row throws(SQLiteError) in
        bytes += row.withBlob(0) { $0.count }
        page.rows.append(
          PlacePage.Row(location: try location(in: row, 0), distanceM: place.key.distanceM))
        return true
      }
    }
    return page
  }

  // MARK: - The two ways

  struct Found {
    var number: Int64
    var key: PlaceKey
  }

  /// The first `limit` that match after a position.
  private func find(
    _ filter: PlaceFilter, _ order: PlaceOrder, _ after: PlaceKey?, _ limit: Int
  ) throws(SQLiteError) -> [Found] {
    let most = max(100, Int((Double(count) * Double(limit)).squareRoot() / 4))
    if let found = try gather(filter, order, most) {
      return page(of: found, order, after, limit)
    }
    // Whether one or two code points are rare is not known before some places have been looked at.
    let isShort = filter.foldedPart.unicodeScalars.count < 3
    guard isShort && !filter.foldedPart.isEmpty else {
      return try walk(filter, order, after, limit, atMost: .max) ?? []
    }
    if let found = try walk(filter, order, after, limit, atMost: 8 * most) { return found }
    if let numbers = try numbersByShortPart(filter.foldedPart, atMost: 2 * most) {
      return page(of: try look(up: numbers, filter), order, after, limit)
    }
    return try walk(filter, order, after, limit, atMost: .max) ?? []
  }

  private func page(
    of found: [Found], _ order: PlaceOrder, _ after: PlaceKey?, _ limit: Int
  ) -> [Found] {
    let rest = after.map { after in found.filter { after.precedes($0.key, in: order) } } ?? found
    return Array(rest.sorted { $0.key.precedes($1.key, in: order) }.prefix(limit))
  }

  /// Those that match, in no order; nil where they may be more than `most`.
  private func gather(
    _ filter: PlaceFilter, _ order: PlaceOrder, _ most: Int
  ) throws(SQLiteError) -> [Found]? {
    if case .only(let ids, _) = filter.subset, ids.count <= most {
      var found: [Found] = []
      for id in ids {
        try statements.rowByID.forEach(filter.foldedPart, id) { row in
          if let match = match(row, filter) { found.append(match) }
          return true
        }
      }
      return found
    }
    if let numbers = try numbersByPart(filter.foldedPart, atMost: most) {
      return try look(up: numbers, filter)
    }
    // A walk by distance is within the circle anyway.
    if order == .name, let circle = filter.circle,
      let numbers = try numbers(within: circle, atMost: most)
    {
      return try look(up: numbers, filter)
    }
    return nil
  }

  private func look(
    up numbers: [Int64], _ filter: PlaceFilter
  ) throws(SQLiteError) -> [Found] {
    var found: [Found] = []
    for number in numbers {
      try statements.rowByNumber.forEach(filter.foldedPart, number) { row in
        if let match = match(row, filter) { found.append(match) }
        return true
      }
    }
    return found
  }

  /// Goes through places in their order until `limit` match; nil where that takes more than `most`.
  private func walk(
    _ filter: PlaceFilter, _ order: PlaceOrder, _ after: PlaceKey?, _ limit: Int, atMost most: Int
  ) throws(SQLiteError) -> [Found]? {
    switch order {
    case .name: try walkByName(filter, after, limit, atMost: most)
    case .distance: try walkByDistance(filter, after, limit, atMost: most)
    }
  }

  private func walkByName(
    _ filter: PlaceFilter, _ after: PlaceKey?, _ limit: Int, atMost most: Int
  ) throws(SQLiteError) -> [Found]? {
    var found: [Found] = []
    var seen = 0
    try statements.rowsByName.forEach(
      filter.foldedPart, after?.name ?? "", after?.id.bytes ?? []
    ) { row in
      seen += 1
      if let match = match(row, filter) { found.append(match) }
      return found.count < limit && seen <= most
    }
    return seen <= most ? found : nil
  }

  /// The tree gives places nearly by distance. So some more are read than asked for: up to the
  /// first one that is farther than the last of them by more than the tree can be wrong.
  private func walkByDistance(
    _ filter: PlaceFilter, _ after: PlaceKey?, _ limit: Int, atMost most: Int
  ) throws(SQLiteError) -> [Found]? {
    guard let circle = filter.circle else { return [] }
    let ring = Ring(around: circle.center, fromM: after?.distanceM ?? 0, toM: circle.radiusM)
    var found: [Found] = []
    var seen = 0
    var farthestM = 0.0
    var enoughChord = Double.infinity
    try statements.rowsByPosition.forEach(
      filter.foldedPart, ring.center.x, ring.center.y, ring.center.z, ring.innerChord,
      ring.outerChord
    ) { row in
      seen += 1
      if let match = match(row, filter), after?.precedes(match.key, in: .distance) ?? true {
        if Sphere.chord(distanceM: match.key.distanceM) > enoughChord { return false }
        found.append(match)
        farthestM = max(farthestM, match.key.distanceM)
        if found.count == limit {
          enoughChord = Sphere.chord(distanceM: farthestM) + 2 * Ring.chordError
        }
      }
      return seen <= most
    }
    return seen <= most ? page(of: found, .distance, nil, limit) : nil
  }

  /// Whether a row matches all that the filter says.
  private func match(_ row: Statement, _ filter: PlaceFilter) -> Found? {
    guard row.bool(5), let id = row.id(1) else { return nil }
    if let subset = filter.subset, !subset.contains(id) { return nil }
    var key = PlaceKey(id: id)
    if let circle = filter.circle {
      guard !row.isNull(3) else { return nil }
      let point = GeoPoint(latitude: row.double(3), longitude: row.double(4))
      key.distanceM = Sphere.distanceM(circle.center, point)
      guard key.distanceM <= circle.radiusM else { return nil }
    }
    key.name = row.text(2)
    return Found(number: row.int64(0), key: key)
  }
}

// Each gives the numbers of places that can match, and perhaps of some more; nil: too many.
extension PlaceIndex {
  /// By three code points or more.
  private func numbersByPart(
    _ part: String, atMost most: Int
  ) throws(SQLiteError) -> [Int64]? {
    let scalars = Array(part.unicodeScalars)
    guard scalars.count >= 3 else { return nil }
    var trigrams: [String] = []
    // A dozen leave little that the look at the name itself has to sort out.
    for start in 0...(scalars.count - 3) where trigrams.count < 12 {
      let trigram = scalars[start..<(start + 3)].map { $0 == "\"" ? "\"\"" : String($0) }.joined()
      if !trigrams.contains(trigram) { trigrams.append(trigram) }
    }
    let query = trigrams.map { "\"\($0)\"" }.joined(separator: " AND ")
    var numbers: [Int64] = []
    try statements.numbersByName.forEach(query) { row in
      numbers.append(row.int64(0))
      return numbers.count <= most
    }
    return numbers.count <= most ? numbers : nil
  }

  /// By one or two code points, which are the beginning of three: a name has two more behind it.
  private func numbersByShortPart(
    _ part: String, atMost most: Int
  ) throws(SQLiteError) -> [Int64]? {
    var numbers: Set<Int64> = []
    let end = part + "\u{10FFFF}\u{10FFFF}"
    try statements.numbersByTrigram.forEach(part, end) { row in
      numbers.insert(row.int64(0))
      return numbers.count <= most
    }
    return numbers.count <= most ? Array(numbers) : nil
  }

  private func numbers(
    within circle: PlaceCircle, atMost most: Int
  ) throws(SQLiteError) -> [Int64]? {
    let ring = Ring(around: circle.center, fromM: 0, toM: circle.radiusM)
    var numbers: [Int64] = []
    try statements.numbersByPosition.forEach(
      ring.center.x, ring.center.y, ring.center.z, ring.innerChord, ring.outerChord
    ) { row in
      numbers.append(row.int64(0))
      return numbers.count <= most
    }
    return numbers.count <= most ? numbers : nil
  }
}
