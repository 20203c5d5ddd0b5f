import SQLite
import Testing

@Suite struct NearestFirstTests {
  /// A tree of intervals, so many that it has nodes in nodes.
  private func makeTree(_ count: Int) throws -> Database {
    let database = try Database(path: ":memory:")
    try database.execute("CREATE VIRTUAL TABLE span USING rtree(number, low, high)")
    let insert = try database.prepare("INSERT INTO span VALUES (?, ?, ?)")
    for number in 0..<count {
      // Far from sorted: 7 919 is a prime.
      let place = number * 7_919 % count
      try insert.run(place, Double(place), Double(place))
    }
    return database
  }

  @Test("Entries come by rising score, and those without one not at all")
  func order() throws {
    let database = try makeTree(2_000)
    var scored = 0
    try database.addNearestFirst("near") { parameters, box in
      scored += 1
      let distance = max(box[0] - parameters[0], parameters[0] - box[1], 0)
      return distance <= parameters[1] ? distance : nil
    }
    var found: [Int] = []
    try database.prepare("SELECT number FROM span WHERE number MATCH near(?, ?)").forEach(
      700.25, 3.5
    ) { row in
      found.append(row.int(0))
      return true
    }
    #expect(found == [700, 701, 699, 702, 698, 703, 697])
    #expect(scored < 1_000)
  }

  @Test("A database with virtual tables closes, and takes what it holds with it")
  func close() throws {
    let database = try makeTree(10)
    try database.execute("CREATE VIRTUAL TABLE word USING fts5(text)")
    try database.execute("INSERT INTO word VALUES ('here')")
    let witness = Witness()
    try database.addNearestFirst("near") { [witness] _, _ in witness.score }
    let statement = try database.prepare("SELECT text FROM word WHERE word MATCH 'here'")
    #expect(try statement.first { row in row.text(0) } == "here")
    weak let released = witness
    _ = consume witness
    #expect(released != nil)
    database.close()
    #expect(released == nil)
  }

  private final class Witness {
    let score = 0.0
  }
}
