import Foundation
import Testing

/// `replay`, with real services behind it.
@Suite struct ReplayCommandTests {
  private let muster: RunningMuster

  init() throws {
    muster = try RunningMuster()
    for place in ["A", "B"] {
      #expect(try muster("location", "create", "Hall \(place)", "--external-id", place).code == 0)
    }
  }

  private func file(_ name: String, _ text: String) throws -> String {
    let file = muster.data.appending(path: name)
    try Data(text.utf8).write(to: file)
    return file.path
  }

  private func history(_ place: String) throws -> [String] {
    try muster("history", place, "-o", "csv", "--fields", "person,to_location_id,time_ms").lines
  }

  @Test("G5, G6: a roster is played one by one at its interval, the first at once, and it ends")
  func replay() throws {
    let path = try file(
      "fighters.json",
      """
      {"fighters": [
        {"id": "0191d0c5-0000-7000-8000-000000000000", "name": "Jon Jones", "fightTeam": "Jackson",
         "record": "28-1", "age": 36},
        {"name": "Cyborg", "fightTeam": "", "record": ""},
        {"name": "Jean Claude Van Damme", "fightTeam": "Brussels", "record": "18-1"}
      ]}
      """)
    let start = ContinuousClock.now
    let said = try muster("replay", path, "--at", "A", "--interval", "300ms")
    #expect(said.code == 0, "\(said.errors)")
    #expect(ContinuousClock.now - start >= .milliseconds(600))
    #expect(
      said.lines == [
        "1/3  Jon Jones is checked in at Hall A (A).", "2/3  Cyborg is checked in at Hall A (A).",
        "3/3  Jean Claude Van Damme is checked in at Hall A (A).",
      ])
    let here = try muster("here", "A", "-o", "csv", "--fields", "first_name,last_name,company_name")
    #expect(
      here.lines.dropFirst() == ["Jon,Jones,Jackson", "Cyborg,,", "Jean Claude Van,Damme,Brussels"])
    let profile = try muster("profile", "get", "fighters/Jon Jones", "-o", "json").json()
    let jon = try #require(profile["profile"] as? [String: Any])
    #expect(jon["bio"] as? String == "28-1")
    #expect(jon["id"] as? String != "0191d0c5-0000-7000-8000-000000000000")

    let again = try muster("replay", path, "--at", "A", "--interval", "0s", "-o", "ndjson")
    #expect(again.lines.count == 3)
    #expect(again.lines.allSatisfy { $0.contains("\"created\":false") })
    #expect(try muster("profile", "list", "-o", "ndjson").lines.count == 3)
    #expect(try muster("here", "A", "-o", "ndjson").lines.count == 3)
    let other = try muster(
      "replay", path, "--at", "B", "--interval", "0s", "--roster", "others", "--key", "record",
      "--map", "bio=age")
    #expect(other.code == 64)
    #expect(other.errors.contains("entry 2 (line 4, column 3): record: the entry has no record"))
  }

  @Test("G5: it can be stopped, says how far it came, and goes on when it is played again")
  func stopped() throws {
    let path = try file("two.json", "[{\"name\": \"Ada\"}, {\"name\": \"Bo\"}]")
    let replay = try LiveCommand(muster, ["replay", path, "--at", "A", "--interval", "1h"])
    #expect(eventually { replay.lines.count == 1 })
    #expect(try replay.interrupt() == 2)
    #expect(
      try replay.said
        == "muster: interrupted; 1 of 2 people were played: playing the file again makes no second "
        + "copies\n")
    #expect(try muster("here", "A", "-o", "ndjson").lines.count == 1)
    #expect(try muster("replay", path, "--at", "A", "--interval", "1ms").lines.count == 2)
    #expect(try muster("here", "A", "-o", "ndjson").lines.count == 2)
  }

  @Test("G5: two at a time do not mix: each place sees its own roster in its own order")
  func two() throws {
    let names = (0..<20).map { "{\"name\": \"N\($0)\"}" }.joined(separator: ", ")
    let paths = try ["x", "y"].map { try file("\($0).json", "[\(names)]") }
    let replays = try zip(paths, ["A", "B"]).map { path, place in
      try LiveCommand(muster, ["replay", path, "--at", place, "--interval", "10ms"])
    }
    for replay in replays { #expect(replay.end() == 0) }
    for (place, roster) in [("A", "x"), ("B", "y")] {
      let here = try muster("here", place, "-o", "csv", "--fields", "first_name")
      #expect(here.lines.dropFirst() == ArraySlice((0..<20).map { "N\($0)" }))
      #expect(try muster("profile", "get", "\(roster)/N0").code == 0)
    }
    #expect(try muster("profile", "list", "-o", "ndjson").lines.count == 40)
  }

  @Test("G7: no file, no JSON, an entry that lacks a field: nothing is done, all stays up")
  func faults() throws {
    let broken = try file("broken.json", "[{\"name\": \"Ada\"}, {\"name\"}]")
    let lacking = try file("lacking.json", "[{\"name\": \"Ada\"}, {\"age\": 3}]")
    let twice = try file("twice.json", "[{\"name\": \"Ada\"}, {\"name\": \"Ada\"}]")
    let place = ["--at", "A", "--interval", "0s"]
    let expected = [
      ("/no/such.json", "cannot read /no/such.json: No such file or directory"),
      (broken, "broken.json is no JSON: line 1, column 26: "),
      (lacking, "lacking.json, entry 2 (line 1, column 19): first_name: the entry has neither"),
      (twice, "'Ada' is there twice: entry 1 (line 1, column 2) and entry 2 (line 1, column 19)"),
    ]
    for (path, message) in expected {
      let said = try muster("replay", path, place[0], place[1], place[2], place[3])
      #expect(said.code == 64)
      #expect(said.errors.contains(message), "\(said.errors)")
      #expect(said.output == "")
    }
    #expect(try muster("replay", lacking, "--at", "A", "--interval", "soon").code == 64)
    #expect(try muster("replay", lacking).code == 64)
    let csv = try muster("replay", twice, "--at", "A", "-o", "csv", "--key", "age")
    #expect(csv.code == 64)
    #expect(csv.errors.contains("has no CSV"))
    #expect(try muster("profile", "list", "-o", "ndjson").output == "")
    #expect(try muster("health").code == 0)
  }
}
