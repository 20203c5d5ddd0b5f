import Foundation
import Testing

/// What commands do while a service cannot be asked.
@Suite struct OutageTests {
  private let muster: RunningMuster
  private let place: String
  private let person: String

  init() throws {
    muster = try RunningMuster()
    #expect(try muster("profile", "create", "Ada One").code == 0)
    let made = try muster("location", "create", "Hall A", "--external-id", "A", "-o", "json")
    let location = try #require(try made.json()["location"] as? [String: Any])
    place = try #require(location["id"] as? String)
    let profile = try #require(
      try muster("profile", "get", "-o", "json").json()["profile"] as? [String: Any])
    person = try #require(profile["id"] as? String)
    #expect(try muster("in", "A").code == 0)
  }

  /// Has a service stand still while something is done.
  private func without(_ services: String..., body: () throws -> Void) throws {
    let processes = try services.map(muster.processID)
    for process in processes { kill(process, SIGSTOP) }
    defer { for process in processes { kill(process, SIGCONT) } }
    try body()
  }

  @Test("C4, D6: who and what is named by its id is found without the services that own the names")
  func named() throws {
    try without("profiles", "locations") {
      let here = try muster("here", place)
      #expect(here.code == 0)
      #expect(here.errors.hasPrefix("1 person is at Hall A (A).\n"))
      #expect(try muster("status").output.hasPrefix("You are checked in at Hall A (A) since "))
      let status = try muster("status", person)
      #expect(status.output.hasPrefix("\(person) is checked in at Hall A (A) since "))
      let out = try muster("out", "-p", person, "--expect", place)
      #expect(out.output == "\(person) is checked out of Hall A (A).\n", "\(out.errors)")
      #expect(try muster("in", place).output.hasPrefix("You are checked in at Hall A (A) since "))
      let history = try muster("history", place, "--timeout", "1s")
      #expect(history.lines.count == 4)
      #expect(history.errors.contains("incomplete, for locations and profiles could not be asked"))
      let everywhere = try muster("everywhere", "--timeout", "2s")
      #expect(everywhere.lines.count == 2)
      #expect(everywhere.lines[1].hasPrefix(place))
      #expect(everywhere.errors.contains("incomplete, for locations"))
    }
    // An id that nobody has is none, whether its owner can be asked or not.
    let nobody = UUID().uuidString.lowercased()
    #expect(try muster("here", nobody).code == 5)
    #expect(try muster("in", nobody).code == 5)
    #expect(try muster("status", nobody).code == 5)
    try without("profiles") {
      let said = try muster("status", nobody, "--timeout", "500ms")
      #expect(said.code != 0)
    }
  }

  @Test("G3: a watch waits for what cannot be asked yet, says so, and begins")
  func waiting() throws {
    let elsewhere = "ipc://\(muster.data.path)/run/none.sock"
    let commands = [
      ["watch", "A"], ["watch", "--counts"], ["here", place, "--watch"], ["board", "--watch"],
    ]
    for words in commands {
      let watch = try LiveCommand(muster, words + ["--timeout", "200ms"], endpoints: elsewhere)
      #expect(try eventually { try watch.said.hasPrefix("muster: waiting: ") }, "\(words)")
      #expect(watch.isRunning)
      #expect(try watch.interrupt() == 2)
      #expect(try watch.said.split(separator: "\n").count == 1)
    }
    let process = try muster.processID("locations")
    kill(process, SIGSTOP)
    let named = try LiveCommand(muster, ["watch", "A", "--timeout", "200ms"])
    #expect(try eventually { try named.said.hasPrefix("muster: waiting: ") })
    // What is named by its id is there at once.
    let known = try LiveCommand(muster, ["watch", place])
    #expect(try eventually { try known.objects().first?["count"] as? Int == 1 })
    #expect(try known.said == "")
    #expect(try named.objects().count == 0)
    kill(process, SIGCONT)
    #expect(try eventually { try named.objects().first?["count"] as? Int == 1 })
    for watch in [named, known] { #expect(try watch.interrupt() == 2) }
  }

  @Test("G2: every line of a history has how many there are, also those of an outage")
  func historyCounts() throws {
    let watch = try LiveCommand(muster, ["watch", "A", "--mode", "history"])
    let counts = try LiveCommand(muster, ["watch", "--counts", "--mode", "history"])
    for command in [watch, counts] {
      #expect(try eventually { try command.objects().count == 1 })
    }
    kill(try muster.processID("gateway"), SIGKILL)
    for (command, field) in [(watch, "count"), (counts, "total")] {
      func events() throws -> [String?] { try command.objects().map { $0["event"] as? String } }
      #expect(try eventually { try events().contains("current") })
      #expect(try events().contains("stale"))
      let objects = try command.objects()
      #expect(objects.map { $0[field] as? Int } == objects.map { _ in 1 })
      #expect(try command.interrupt() == 2)
    }
  }

  @Test("A3: health ends with 69 while anything is down, and says what, as monitoring is told")
  func health() throws {
    #expect(try muster("health").code == 0)
    #expect(try muster("health", "--format", "nagios").code == 0)
    try without("profiles") {
      let isTold = try eventually { try muster("health").code == 69 }
      #expect(isTold)
      let said = try muster("health")
      #expect(said.lines.count == 5)
      #expect(said.errors.contains("muster: profiles is not serving (connected, but silent): "))
      #expect(try muster("health", "-o", "json").code == 69)
      let line = try muster("health", "--format", "nagios")
      #expect(line.code == 1)
      #expect(line.output.hasPrefix("MUSTER WARNING - profiles is not serving"))
    }
  }
}
