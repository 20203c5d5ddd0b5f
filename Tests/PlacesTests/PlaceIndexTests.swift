import Model
import SQLite
import Testing
import Wire

@testable import Places

func makeIndex() throws -> PlaceIndex {
  let database = try Database(path: ":memory:")
  try database.execute(PlaceIndex.schema)
  return try PlaceIndex(database)
}

func id(_ number: Int) -> ID { ID(high: 7, low: UInt64(number)) }

func place(_ number: Int, _ name: String, _ point: GeoPoint? = nil) -> Location {
  Location(id: id(number), name: name, point: point, revision: UInt64(number))
}

extension PlaceIndex {
  /// The numbers of all that match, read in pages.
  func numbers(
    _ filter: PlaceFilter, by order: PlaceOrder = .name, limit: Int = 2
  ) throws -> [Int] {
    var numbers: [Int] = []
    var after: PlaceKey?
    repeat {
      let page = try list(filter, by: order, after: after, limit: limit)
      numbers += page.rows.compactMap { $0.location.id.map { Int($0.low) } }
      after = page.next
    } while after != nil
    return numbers
  }
}

@Suite("The place index")
struct PlaceIndexTests {
  @Test("A place is found by its id and by its external id, as it was put")
  func find() throws {
    let index = try makeIndex()
    var location = place(1, "Zürich", GeoPoint(latitude: 47.46, longitude: 8.55))
    location.externalID = "ZRH"
    location.description = "Two\nlines"
    try index.put(location)
    #expect(try index.location(id(1)) == location)
    #expect(try index.location(externalID: "ZRH") == location)
    #expect(try index.location(externalID: "") == nil)
    #expect(try index.location(id(2)) == nil)
    #expect(try index.contains(id(1)))
    #expect(try !index.contains(id(2)))
    #expect(index.count == 1)
  }

  @Test("A change is found under what it says now, and under nothing that it said before")
  func change() throws {
    let index = try makeIndex()
    let here = PlaceCircle(center: GeoPoint(latitude: 10, longitude: 10), radiusM: 1_000)
    try index.put(place(1, "Harbour", here.center))
    try index.put(place(1, "Library", GeoPoint(latitude: -10, longitude: 10)))
    #expect(index.count == 1)
    #expect(try index.numbers(PlaceFilter(nameContains: "harb")) == [])
    #expect(try index.numbers(PlaceFilter(nameContains: "ry")) == [1])
    #expect(try index.numbers(PlaceFilter(within: here), by: .distance) == [])
    try index.put(place(1, "Library"))
    let everywhere = PlaceCircle(center: here.center, radiusM: 1e9)
    #expect(try index.numbers(PlaceFilter(within: everywhere), by: .distance) == [])
    try index.remove(id(1))
    try index.remove(id(1))
    #expect(index.count == 0)
    #expect(try index.numbers(PlaceFilter(nameContains: "library")) == [])
    #expect(try index.location(id(1)) == nil)
  }

  @Test("All places can be taken out at once")
  func removeAll() throws {
    let index = try makeIndex()
    for number in 1...5 {
      try index.put(place(number, "Gate", GeoPoint(latitude: 1, longitude: 1)))
    }
    try index.removeAll()
    #expect(index.count == 0)
    #expect(try index.numbers(PlaceFilter()) == [])
    #expect(try index.numbers(PlaceFilter(nameContains: "gate")) == [])
    try index.put(place(9, "Gate", GeoPoint(latitude: 1, longitude: 1)))
    let near = PlaceCircle(center: GeoPoint(latitude: 1, longitude: 1), radiusM: 1)
    #expect(try index.numbers(PlaceFilter(nameContains: "gat", within: near)) == [9])
  }

  @Test("F2: names are ordered by code points, not as a language has it, then by id")
  func order() throws {
    let index = try makeIndex()
    let names = ["b", "B", "é", "z", "\u{10000}", "\u{FFFD}", "a", "b"]
    for (number, name) in names.enumerated() { try index.put(place(number, name)) }
    #expect(try index.numbers(PlaceFilter()) == [1, 6, 0, 7, 3, 2, 5, 4])
  }

  @Test("A page ends where its bytes reach the budget, and has at least one place")
  func budget() throws {
    let index = try makeIndex()
    for number in 0..<4 { try index.put(place(number, "A name of some length")) }
    let all = PlaceFilter()
    let one = try index.list(all, by: .name, limit: 4, budgetBytes: 1)
    #expect(one.rows.count == 1)
    let two = try index.list(all, by: .name, after: one.next, limit: 4, budgetBytes: 60)
    #expect(two.rows.map(\.location.id) == [id(1), id(2)])
    let rest = try index.list(all, by: .name, after: two.next, limit: 4, budgetBytes: 60)
    #expect(rest.rows.map(\.location.id) == [id(3)])
    #expect(rest.next == nil)
  }

  @Test("Whoever was there throughout is on one page, also while others come and go")
  func pagesWhileChanging() throws {
    let index = try makeIndex()
    let middle = GeoPoint(latitude: 0, longitude: 0)
    let circle = PlaceCircle(center: middle, radiusM: 1e6)
    func point(_ number: Int) -> GeoPoint {
      GeoPoint(latitude: 0, longitude: Double(number % 97) / 100)
    }
    for order in [PlaceOrder.name, .distance] {
      try index.removeAll()
      for number in 0..<200 { try index.put(place(number * 10, "n\(number % 31)", point(number))) }
      var seen: [Int] = []
      var after: PlaceKey?
      var step = 0
      repeat {
        let page = try index.list(
          PlaceFilter(within: circle), by: order, after: after, limit: 7)
        seen += page.rows.compactMap { $0.location.id.map { Int($0.low) } }
        after = page.next
        step += 1
        // One comes just before the page's end, one just behind it; the page's last one goes.
        try index.put(place(step * 10 + 1, "n\(step % 31)", point(step)))
        try index.put(place(step * 10 + 2, "n\((step + 15) % 31)", point(step + 48)))
        if let last = after { try index.remove(last.id) }
      } while after != nil
      let steady = seen.filter { $0 % 10 == 0 }
      #expect(steady.count == 200, "\(order)")
      #expect(Set(seen).count == seen.count, "\(order)")
    }
  }

  @Test("Ids after one, in their order")
  func afterID() throws {
    let index = try makeIndex()
    for number in [3, 1, 2] { try index.put(place(number, "x")) }
    #expect(try index.locations(after: nil, limit: 2).map(\.id) == [id(1), id(2)])
    #expect(try index.locations(after: id(2), limit: 2).map(\.id) == [id(3)])
  }

  @Test("F3: only the places of a subset, and all but those")
  func subset() throws {
    let index = try makeIndex()
    for number in 0..<9 { try index.put(place(number, number < 5 ? "Hall" : "Pier")) }
    let occupied: Set<ID> = [id(1), id(4), id(6), id(99)]
    let only = PlaceSubset.only(occupied, contains: occupied.contains)
    let except = PlaceSubset.except(contains: occupied.contains)
    #expect(try index.numbers(PlaceFilter(subset: only)) == [1, 4, 6])
    #expect(try index.numbers(PlaceFilter(nameContains: "l", subset: only)) == [1, 4])
    #expect(try index.numbers(PlaceFilter(subset: except)) == [0, 2, 3, 5, 7, 8])
  }
}
