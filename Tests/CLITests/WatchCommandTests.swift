import Foundation
import Testing

/// What goes on, with real services behind it.
@Suite struct WatchCommandTests {
  private let muster: RunningMuster

  init() throws {
    muster = try RunningMuster()
    for place in ["A", "B"] {
      #expect(try muster("location", "create", "Hall \(place)", "--external-id", place).code == 0)
    }
    let people = "user_id,first_name,last_name\nu1,Ada,One\nu2,Bo,Two\nu3,Cy,Three\n"
    #expect(try muster("profile", "import", "-", input: people).code == 0)
  }

  private func checkIn(_ user: String, _ place: String) throws {
    #expect(try muster("in", place, "--person", user).code == 0)
  }

  /// Waits until the gateway has this many watches.
  private func begun(_ count: Int) throws -> Bool {
    try eventually {
      try muster("stats", "gateway", "--gauges", "-o", "csv").lines.contains(
        "muster_watches,\(count)")
    }
  }

  private func names(_ object: [String: Any]?) -> [String] {
    let people = object?["people"] as? [[String: Any]] ?? []
    return people.compactMap { $0["first_name"] as? String }
  }

  @Test("G1: in a pipe a watch is a line of JSON for what is now, nobody too, and each change")
  func current() throws {
    let watch = try LiveCommand(muster, ["watch", "A"])
    #expect(try eventually { try watch.objects().count == 1 })
    #expect(names(try watch.objects()[0]) == [])
    try checkIn("u2", "A")
    #expect(try eventually { names(try watch.objects().last) == ["Bo"] })
    try checkIn("u1", "A")
    #expect(try eventually { names(try watch.objects().last) == ["Bo", "Ada"] })
    try checkIn("u2", "B")
    #expect(try eventually { names(try watch.objects().last) == ["Ada"] })
    let last = try #require(try watch.objects().last)
    #expect(last["count"] as? Int == 1)
    #expect(last["event"] as? String == "now")
    #expect(last["stale_since_ms"] as? Int == 0)
    #expect(try watch.interrupt() == 2)
    #expect(try watch.said == "")
  }

  @Test("G1: --mode events tells only what happens from now on, with the way people came and went")
  func events() throws {
    try checkIn("u1", "A")
    let watch = try LiveCommand(muster, ["watch", "A", "--mode", "events"])
    #expect(try begun(1))
    try checkIn("u2", "A")
    try checkIn("u1", "B")
    #expect(try eventually { try watch.objects().count == 2 })
    let objects = try watch.objects()
    #expect(objects.map { $0["event"] as? String } == ["arrived", "left"])
    #expect((objects[0]["person"] as? [String: Any])?["first_name"] as? String == "Bo")
    #expect(objects[1]["other_location_id"] as? String != "")
    #expect(try watch.interrupt() == 2)
  }

  @Test("G2: --mode history keeps a numbered section for each change; an empty beginning is none")
  func history() throws {
    let watch = try LiveCommand(muster, ["watch", "A", "--mode", "history"])
    #expect(try begun(1))
    for user in ["u1", "u2", "u3"] { try checkIn(user, "A") }
    try checkIn("u1", "B")
    #expect(try muster("profile", "update", "u2", "--first-name", "Bob").code == 0)
    #expect(try eventually { try watch.objects().count == 5 })
    let sections = try watch.objects()
    #expect(sections.map { $0["section"] as? Int } == [1, 2, 3, 4, 5])
    #expect(
      sections.map(names) == [
        ["Ada"], ["Ada", "Bo"], ["Ada", "Bo", "Cy"], ["Bo", "Cy"], ["Bob", "Cy"],
      ])
    #expect(
      sections.map { $0["event"] as? String } == [
        "arrived", "arrived", "arrived", "left", "updated",
      ])
    #expect(try watch.interrupt() == 2)
    let text = try LiveCommand(muster, ["watch", "A", "--mode", "history", "-o", "table"])
    #expect(eventually { text.written.contains("Cy Three") })
    #expect(text.lines[0].hasPrefix("1. "))
    #expect(text.lines[0].hasSuffix("what was there. 2 people are at Hall A (A)."))
  }

  @Test("E5, E2: counts follow by themselves, for all places at once, and board and everywhere too")
  func counts() throws {
    let watch = try LiveCommand(muster, ["watch", "--counts"])
    let board = try LiveCommand(muster, ["board", "--watch", "--occupied"])
    let everywhere = try LiveCommand(muster, ["everywhere", "--watch"])
    func counts() throws -> [Int] {
      let counts = try watch.objects().last?["counts"] as? [[String: Any]] ?? []
      return counts.compactMap { $0["count"] as? Int }.sorted()
    }
    #expect(try eventually { try watch.objects().count == 1 })
    #expect(try counts() == [])
    for (user, place) in [("u1", "A"), ("u2", "A"), ("u3", "B")] { try checkIn(user, place) }
    #expect(try eventually { try counts() == [1, 2] })
    #expect(try watch.objects().last?["total"] as? Int == 3)
    #expect(
      try eventually { (try board.objects().last?["rows"] as? [[String: Any]])?.count == 2 })
    #expect(
      try eventually {
        (try everywhere.objects().last?["locations"] as? [[String: Any]])?.count == 2
      })
    #expect(try muster("empty", "A").code == 0)
    #expect(try eventually { try counts() == [1] })
    #expect(
      try eventually { (try board.objects().last?["rows"] as? [[String: Any]])?.count == 1 })
    for command in [watch, board, everywhere] { #expect(try command.interrupt() == 2) }
  }

  @Test("C10: a place that is deleted ends its watch, with everybody out and the reason")
  func deleted() throws {
    try checkIn("u1", "A")
    let watch = try LiveCommand(muster, ["watch", "A"])
    #expect(try eventually { names(try watch.objects().last) == ["Ada"] })
    #expect(try muster("location", "delete", "A", "--yes", "--check-out-everyone").code == 0)
    #expect(watch.end() == 5)
    #expect(names(try watch.objects().last) == [])
    #expect(try watch.said.contains("'muster location list' shows what there is"))
  }

  @Test("G3: a gateway that is killed makes a watch stale, and it is right again with the next one")
  func killed() throws {
    try checkIn("u1", "A")
    let watch = try LiveCommand(muster, ["here", "A", "--watch"])
    #expect(try eventually { names(try watch.objects().last) == ["Ada"] })
    kill(try muster.processID("gateway"), SIGKILL)
    #expect(try eventually { try watch.objects().last?["stale_since_ms"] as? Int != 0 })
    #expect(names(try watch.objects().last) == ["Ada"])
    #expect(try eventually { try muster("in", "A", "--person", "u2").code == 0 })
    #expect(
      try eventually {
        let last = try watch.objects().last
        return names(last) == ["Ada", "Bo"] && last?["stale_since_ms"] as? Int == 0
      })
    #expect(try watch.interrupt() == 2)
  }

  @Test("On a terminal the picture is drawn anew in its place; messages do not disturb it")
  func terminal() throws {
    let watch = try LiveCommand(muster, ["watch", "A"], onTerminal: true)
    #expect(eventually { watch.written.contains("Nobody is at Hall A (A).") })
    try checkIn("u1", "A")
    #expect(eventually { watch.written.contains("1 person is at Hall A (A).") })
    #expect(watch.written.contains("\u{1B}[1A\r\u{1B}[J"))
    #expect(watch.written.contains("Ada One"))
    #expect(try watch.interrupt() == 2)
    let counts = try LiveCommand(muster, ["watch", "--counts"], onTerminal: true)
    #expect(eventually { counts.written.contains("Hall A (A)") })
    #expect(counts.written.contains("1 person checked in at 1 place."))
  }

  @Test("What cannot be watched is said before anything is")
  func usage() throws {
    for words in [
      ["watch"], ["watch", "A", "--counts"], ["watch", "A", "-o", "csv"],
      ["watch", "A", "--mode", "past"], ["here", "A", "--watch", "--complete"],
      ["watch", "A", "-o", "json", "--fields", "name"],
    ] {
      let said = try LiveCommand(muster, words)
      #expect(said.end() == 64, "\(words)")
    }
    #expect(try LiveCommand(muster, ["watch", "X"]).end() == 5)
  }

  @Test("G3: a watch whose gateway says nothing any more is right again by another one")
  func otherGateway() throws {
    try checkIn("u1", "A")
    let endpoints = "\(muster.endpoint),ipc://\(muster.data.path)/run/gateway-2.sock"
    let watch = try LiveCommand(muster, ["watch", "A"], endpoints: endpoints)
    // It has begun by the only one that there is.
    #expect(try eventually { names(try watch.objects().last) == ["Ada"] })
    let other = try OtherGateway(muster)
    let asked = ["MUSTER_ENDPOINT": other.endpoint]
    #expect(try eventually { try muster("health", environment: asked).code == 0 })
    let frozen = try muster.processID("gateway")
    kill(frozen, SIGSTOP)
    defer { kill(frozen, SIGCONT) }
    #expect(try muster("in", "A", "--person", "u2", environment: asked).code == 0)
    #expect(try eventually { names(try watch.objects().last) == ["Ada", "Bo"] })
    #expect(try watch.objects().contains { $0["stale_since_ms"] as? Int != 0 })
    #expect(try watch.objects().last?["stale_since_ms"] as? Int == 0)
    #expect(try watch.interrupt() == 2)
    // Calls find the one that answers, too, in whatever order they are named.
    let said = try muster("here", "A", "-o", "ndjson", environment: ["MUSTER_ENDPOINT": endpoints])
    #expect(said.lines.count == 2)
  }
}
