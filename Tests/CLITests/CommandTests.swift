import Foundation
import Testing

/// The commands, with real services behind them.
@Suite struct CommandTests {
  private let muster: RunningMuster

  init() throws {
    muster = try RunningMuster()
  }

  /// Writes a file beside the data, and gives its path.
  private func file(_ name: String, _ text: String) throws -> String {
    let file = muster.data.appending(path: name)
    try Data(text.utf8).write(to: file)
    return file.path
  }

  @Test("A2: a user without a profile is told how to make one, and that is no error")
  func me() throws {
    let before = try muster("me")
    #expect(before.code == 0)
    #expect(before.lines.first == "user   ada")
    #expect(before.errors.contains("'muster profile create NAME'"))
    #expect(try muster("me", "-o", "json").json()["profile"] is NSNull)

    #expect(try muster("in", "X").code == 5)
    #expect(try muster("location", "create", "Hall", "--external-id", "H").code == 0)
    let refused = try muster("in", "H")
    #expect(refused.code == 6)
    #expect(refused.errors.contains("'muster profile create NAME'"))
    #expect(refused.errors.split(separator: "\n").count == 1)

    #expect(try muster("profile", "create", "Ada King Lovelace", "--company", "B").code == 0)
    let profile = try muster("profile", "get", "-o", "csv", "--fields", "first_name,last_name")
    #expect(profile.output == "first_name,last_name\nAda King,Lovelace\n")
    let second = try muster("profile", "create", "Eve", "-o", "json")
    #expect(second.code == 6)
    #expect(second.errors.contains("\"reason\":\"PROFILE_EXISTS\""))
    #expect(second.errors.contains("Ada King Lovelace"))
  }

  @Test("C4: check-in, check-out and status say what is now true")
  func checkIn() throws {
    for place in ["A", "B"] {
      #expect(try muster("location", "create", "Hall \(place)", "--external-id", place).code == 0)
    }
    #expect(try muster("profile", "create", "Ada").code == 0)
    #expect(try muster("status").output == "You are not checked in anywhere.\n")
    let first = try muster("in", "A", "--ttl", "2h").output
    #expect(first.hasPrefix("You are checked in at Hall A (A) since "))
    #expect(first.contains(#/, until (\S+ )?\d\d:\d\d\.\n$/#))
    // A stay of a minute would end in the one it began in, as it seems, without the seconds.
    let short = try muster("in", "A", "--ttl", "90s").output
    #expect(short.contains(#/ since \S*\d\d:\d\d:\d\d, until (\S+ )?\d\d:\d\d:\d\d\.\n$/#))
    #expect(try muster("in", "A", "--ttl", "never").output.contains(#/ since \d\d:\d\d\.\n$/#))
    #expect(try muster("in", "A").output.hasPrefix("You are already checked in at Hall A (A)"))
    #expect(try muster("in", "Hall B").output.hasSuffix(" Before that: Hall A (A).\n"))

    let stale = try muster("in", "A", "--expect", "A")
    #expect(stale.code == 6)
    #expect(stale.errors.contains("nothing was done, for you are checked in at Hall B (B)"))
    #expect(try muster("out", "--expect", "B").output == "You are checked out of Hall B (B).\n")
    #expect(try muster("out").output == "You are not checked in anywhere.\n")
    let json = try muster("out", "-o", "json").json()
    #expect(json["changed"] as? Bool == false)

    let history = try muster("history", "-o", "csv", "--fields", "reason,acting_user")
    #expect(history.lines.count == 4)
    #expect(history.lines.dropFirst().allSatisfy { $0 == "requested,ada" })
    #expect(try muster("history", "B", "--since", "1h", "-o", "ndjson").lines.count == 2)
    #expect(try muster("history", "--since", "2026-01-01T00:00Z").code == 0)
    #expect(try muster("history", "--all", "--limit", "3").errors.contains("say two things"))
    let elsewhere = try muster("out", "--expect", "B", "--person", "ada")
    #expect(elsewhere.errors.contains("muster status ada"), "\(elsewhere.errors)")
    #expect(try muster("profile", "create", "--user", "", "X").errors.contains("--user is empty"))
    #expect(try muster("status", "--person", "").code == 64)
    let board = try muster("board", "--name", "nowhere")
    #expect(board.output == "" && board.errors.hasPrefix("No such place. "))
    let unnamed = try muster("location", "update", "B", "--name", "")
    #expect(unnamed.errors == "muster: --name: The name may not be blank\n")
    #expect(try muster("me", "--as", "u\u{1B}").errors.hasPrefix("muster: --as: "))
    let backwards = try muster("history", "--since", "2026-02-01", "--until", "2026-01-31")
    #expect(backwards.errors == "muster: --until: Is before --since\n")
  }

  @Test("Fields that there are not are refused before anything is done")
  func wrongFields() throws {
    #expect(try muster("location", "create", "Hall", "--external-id", "H").code == 0)
    #expect(try muster("profile", "create", "Ada").code == 0)
    #expect(try muster("in", "H").code == 0)
    let status = try muster("status", "-o", "json").output
    let profile = try muster("profile", "get", "-o", "json").output
    let places = try muster("location", "list", "-o", "json").output
    let picture = "/dev/null"
    for words in [
      ["in", "H", "--ttl", "1h"], ["out"], ["empty", "H"],
      ["profile", "create", "--user", "x", "X"],
      ["profile", "update", "--bio", "b"], ["profile", "delete", "--yes"],
      ["profile", "avatar", picture], ["profile", "import", "-"], ["location", "create", "I"],
      ["location", "update", "H", "--capacity", "3"], ["location", "image", "H", picture],
      ["location", "delete", "H", "--yes", "--check-out-everyone"], ["location", "import", "-"],
      ["batch", "-"],
    ] {
      let isOfPeople = words.first == "profile"
      let input =
        words.first == "batch"
        ? "{\"person\": \"ada\"}"
        : isOfPeople ? "user_id,name\nz,Z\n" : "external_id,name\nZ,Z\n"
      let said = try muster.run(words + ["--fields", "nope"], input: input)
      #expect(said.code == 64 && said.output == "", "\(words)")
      #expect(said.errors.contains("'nope'") || said.errors.contains("--fields"), "\(words)")
    }
    #expect(try muster("status", "-o", "json").output == status)
    #expect(try muster("profile", "get", "-o", "json").output == profile)
    #expect(try muster("profile", "list", "-o", "ndjson").lines.count == 1)
    #expect(try muster("location", "list", "-o", "json").output == places)
  }

  @Test("D1, D2: here lists people in the order they came, and nobody is an answer")
  func here() throws {
    let people = (1...3).map {
      "{\"user_id\": \"u\($0)\", \"name\": \"김 사람\($0) 👩‍🚀\"}\n"
    }
    #expect(try muster("profile", "import", try file("p.ndjson", people.joined())).code == 0)
    #expect(try muster("location", "create", "Hall", "--external-id", "H").code == 0)
    let empty = try muster("here", "H")
    #expect(empty.code == 0)
    #expect(empty.output == "")
    #expect(empty.errors == "Nobody is at Hall (H).\n")
    for user in ["u2", "u3", "u1"] { #expect(try muster("in", "H", "--person", user).code == 0) }
    let names = try muster("here", "H", "--fields", "last_name", "-o", "csv").lines
    #expect(names == ["last_name", "👩‍🚀", "👩‍🚀", "👩‍🚀"])
    let first = try muster("here", "H", "--fields", "first_name", "-o", "csv").lines
    #expect(first == ["first_name", "김 사람2", "김 사람3", "김 사람1"])
    #expect(try muster("here", "H").errors == "3 people are at Hall (H).\n")
    #expect(try muster("location", "create", "Yard", "--external-id", "Y").code == 0)
    #expect(try muster("in", "Y", "--person", "u1").code == 0)
    #expect(try muster("everywhere").errors == "Somebody is at 2 places.\n")
    let some = try muster("everywhere", "--limit", "1").errors
    #expect(some.hasPrefix("Somebody is at more than 1 place.\n"))
    let twice = try muster("status", "u1", "--person", "u2")
    #expect(twice.code == 64)
    #expect(twice.errors == "muster: Both PERSON and --person say who: give one of them\n")
    #expect(try muster("in", "H", "--person", "u1").code == 0)
    let everywhere = try muster("everywhere").lines
    #expect(everywhere[1].contains("김 사람2 👩‍🚀, 김 사람3 👩‍🚀"))
    #expect(try muster("empty", "H").output == "3 people checked out of Hall (H).\n")
    #expect(try muster("everywhere").output == "")
  }

  @Test("D3, E4: a thousand and one people are a thousand and one rows, and a badge of 99+")
  func many() throws {
    let people = (0...1000).map { "u\($0),Person,\($0)\n" }
    let csv = "user_id,first_name,last_name\n" + people.joined()
    #expect(
      try muster("profile", "import", "-", input: csv).output
        == "1001 people: 1001 new, 0 updated, 0 as they were.\n")
    for place in ["A", "B", "C"] {
      #expect(try muster("location", "create", "Hall \(place)", "--external-id", place).code == 0)
    }
    let arrivals = (0...1000).map { "{\"person\": \"u\($0)\", \"place\": \"A\"}\n" }
    let batch = try muster(
      "batch", "-", input: arrivals.joined() + "{\"person\":\"u0\",\"place\":\"B\"}")
    #expect(batch.code == 0, "\(batch.errors)")
    #expect(batch.lines.count == 1002)
    #expect(try muster("in", "A", "--person", "u0").code == 0)
    #expect(try muster("here", "A", "--all", "-o", "ndjson").lines.count == 1001)
    let some = try muster("here", "A", "--limit", "7", "-o", "ndjson")
    #expect(some.lines.count == 7)
    #expect(some.errors.contains("--all shows them"))

    let board = try muster("board", "--fields", "here,name")
    #expect(board.lines == ["HERE  NAME", " 99+  Hall A", "      Hall B", "      Hall C"])
    #expect(board.errors.contains("1001 people checked in."))
    let json = try muster("board", "-o", "json").json()
    let rows = try #require(json["rows"] as? [[String: Any]])
    #expect(rows.map { $0["count"] as? Int } == [1001, 0, 0])
    #expect(try muster("board", "--top", "5", "-o", "ndjson").lines.count == 1)
  }

  @Test("F1, F2, F3: places are made, changed, found by name and near, and deleted")
  func places() throws {
    let made = try muster(
      "location", "create", "Café Ost", "--external-id", "OST", "--at", "37.5,-121.25",
      "--capacity", "1", "--website", "https://ost.example", "--phone", "+49 30 123",
      "--address", "Am Platz 1", "--description", "Zwei\nZeilen")
    #expect(made.code == 0, "\(made.errors)")
    #expect(made.lines.contains("description  Zwei\\nZeilen"))
    #expect(try muster("location", "create", "Café West", "--at", "37.5,-121.2").code == 0)
    #expect(try muster("location", "create", "Café West").code == 0)
    let near = try muster(
      "location", "list", "--near", "37.5,-121.25", "--radius", "5km", "-o", "csv", "--fields",
      "name,distance_m")
    #expect(near.lines.count == 3)
    #expect(near.lines[1] == "Café Ost,0")
    #expect(try muster("location", "list", "--name", "cafe", "-o", "ndjson").lines.count == 3)

    for words in [["board"], ["location", "list"]] {
      let lost = try muster(words[0], words.count > 1 ? words[1] : "--all", "--radius", "500m")
      #expect(lost.errors == "muster: --radius needs a position: say --near LAT,LON\n")
      #expect(lost.code == 64)
    }
    let far = try muster("board", "--near", "1,1", "--radius", "5 miles").errors
    #expect(far.hasSuffix("which is no distance: write 500m or 80km\n"))

    // Fields that the server names are called as they were typed.
    let long = String(repeating: "x", count: 300)
    for (words, option) in [
      (["board", "--name", long], "--name"), (["location", "list", "--name", long], "--name"),
      (["location", "update", "OST", "--website", "ftp://x"], "--website"),
      (["location", "update", "OST", "--external-id", long], "--external-id"),
      (["profile", "create", "A", "--company", long], "--company"),
    ] {
      let said = try muster.run(words)
      #expect(said.code == 64)
      #expect(said.errors.hasPrefix("muster: \(option): "), "\(said.errors)")
    }
    let program = try muster("board", "--name", long, "-o", "json").errors
    #expect(program.contains("\"field\":\"name_contains\""))

    let ambiguous = try muster("location", "get", "Café West")
    #expect(ambiguous.code == 6)
    #expect(ambiguous.errors.contains("2 places are named 'Café West': say which by its id: "))
    let unknown = try muster("here", "Cafe Ots")
    #expect(unknown.code == 5)
    #expect(unknown.errors.contains("did you mean 'Café Ost'"))

    #expect(try muster("location", "update", "OST", "--at", "none", "--capacity", "2").code == 0)
    let place = try muster("location", "get", "OST", "-o", "json").json()["location"]
    let location = try #require(place as? [String: Any])
    #expect(location["point"] is NSNull)
    #expect(location["name"] as? String == "Café Ost")
    #expect(try muster("location", "get", location["id"] as? String ?? "").code == 0)

    #expect(try muster("profile", "create", "Ada").code == 0)
    #expect(try muster("in", "OST").code == 0)
    #expect(try muster("location", "update", "OST", "--capacity", "1").code == 0)
    #expect(try muster("profile", "create", "Bo", "--user", "bo").code == 0)
    #expect(
      try muster("in", "OST", "-p", "bo").errors.hasPrefix(
        "muster: The place is full: 1 person fits: "))
    let unasked = try muster("location", "delete", "OST", "--no-input")
    #expect(unasked.code == 64)
    #expect(unasked.errors.contains("--yes"))
    #expect(try muster("location", "delete", "OST", "--yes").code == 6)
    #expect(
      try muster("location", "delete", "OST", "--yes", "--check-out-everyone").output
        == "Café Ost (OST) is deleted; 1 checked out.\n")
    #expect(try muster("status").output == "You are not checked in anywhere.\n")
  }

  @Test("Pictures are set, saved and taken away")
  func pictures() throws {
    let png = Data([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 1, 2, 3, 4])
    let source = muster.data.appending(path: "a.png")
    try png.write(to: source)
    let copy = muster.data.appending(path: "b.png")
    #expect(try muster("profile", "create", "Ada").code == 0)
    #expect(try muster("profile", "avatar", source.path).code == 0)
    #expect(try muster("profile", "avatar", "--save", copy.path).code == 0)
    #expect(try Data(contentsOf: copy) == png)
    #expect(try muster("profile", "avatar", "--remove").code == 0)
    #expect(try muster("profile", "avatar", "--save", copy.path).code == 5)

    #expect(try muster("location", "create", "Hall").code == 0)
    #expect(try muster("location", "image", "Hall", source.path, "--banner").code == 0)
    #expect(try muster("location", "image", "Hall", "--save", copy.path).code == 5)
    #expect(try muster("location", "image", "Hall", "--banner", "--save", copy.path).code == 0)
    #expect(try muster("location", "image", "Hall", try file("x", "text")).code == 64)
  }

  @Test("batch gives a line for each line, and says so where some failed")
  func batch() throws {
    #expect(try muster("location", "create", "Hall", "--external-id", "H").code == 0)
    #expect(try muster("profile", "create", "Ada").code == 0)
    let lines = """
      {"person": "ada", "place": "H", "ttl": "1h"}
      {"person": "nobody", "place": "H"}

      no JSON
      {"method": "GetMe"}
      {"person": "ada"}
      """
    let said = try muster("batch", "-", input: lines)
    #expect(said.code == 7)
    #expect(said.errors.contains("2 of 5 failed"))
    #expect(said.lines.count == 5)
    #expect(said.lines[0].contains("\"changed\":true"))
    #expect(said.lines[1].contains("PROFILE_NOT_FOUND"))
    #expect(said.lines[2].contains("standard input is no JSON: line 4, column 1"))
    #expect(said.lines[3].contains("\"user_id\":\"ada\""))
    #expect(said.lines[4].contains("CHECK_IN_STATE_CHECKED_OUT"))
    let table = try muster("batch", "-", "-o", "csv", input: lines)
    #expect(table.code == 64 && table.output == "", "nothing is done whose outcome is not shown")
    #expect(table.errors.contains("-o ndjson"))
  }

  @Test(
    "What a line of a batch may not have is told with what it may",
    arguments: [
      ("{\"person\": \"a\", \"location\": \"H\"}", "'location': did you mean 'place'?"),
      ("{\"user_id\": \"a\"}", "'user_id': did you mean 'person'?"),
      ("{\"persn\": 1}", "'persn': did you mean 'person'?"),
      ("{\"person\": \"a\", \"colour\": \"H\"}", "'colour': there are profile_id, "),
      ("{\"person\": [\"a\"]}", "person is a list, and has to be a text"),
      ("{\"person\": \"a\", \"place\": 7}", "place is a number, and has to be a text"),
      ("{\"ttl\": \"soon\"}", "ttl is 'soon', which is no length of time"),
    ])
  func batchFields(line: String, message: String) throws {
    let said = try muster("batch", "-", input: line)
    #expect(said.code == 7)
    #expect(said.output.contains(message), "\(said.output)")
  }

  @Test("call takes any method, short or whole, with JSON in and out")
  func call() throws {
    #expect(try muster("call", "GetMe").json()["user_id"] as? String == "ada")
    let long = try muster(
      "call", "muster.v1.ProfileService/CreateProfile", "{\"profile\": {\"first_name\": \"Ada\"}}")
    #expect(long.code == 0)
    let asked = try file("q.json", "{\"user_id\": \"ada\"}")
    #expect(try muster("call", "ProfileService/GetProfile", "@\(asked)").output.contains("Ada"))
    #expect(try muster("call", "GetProfile", "-", input: "{\"user_id\": \"x\"}").code == 5)
    let wrong = try muster("call", "GetProfile", "{\"usr_id\": \"x\"}")
    #expect(wrong.code == 64)
    #expect(wrong.errors.contains("did you mean 'user_id'?"))
    #expect(try muster("call", "GetProfle").errors.contains("did you mean GetProfile?"))
    #expect(try muster("health").lines.count == 5)
    for service in ["gateway", "profiles", "locations", "check-ins"] {
      #expect(try muster("info", service).lines.first == "service     \(service)")
      #expect(try muster("stats", service, "--gauges", "-o", "csv").lines.first == "name,value")
    }
  }

  @Test("On a terminal there is colour and a question; NO_COLOR and --no-input take them away")
  func terminal() throws {
    #expect(try muster("location", "create", "Hall").code == 0)
    #expect(try muster.onTerminal("board").output.contains("\u{1B}["))
    #expect(
      try !muster.onTerminal("board", environment: ["NO_COLOR": "1"]).output.contains("\u{1B}"))
    #expect(try !muster("board").output.contains("\u{1B}"))
    #expect(try muster("board", "--color", "always").output.contains("\u{1B}["))
    let asked = try muster.onTerminal("location delete Hall")
    #expect(asked.code == 2)
    #expect(asked.output.contains("Delete the place Hall? [y/N]"))
    #expect(try muster.onTerminal("location delete Hall --no-input").code == 64)
    let emptied = try muster.onTerminal("empty Hall")
    #expect(emptied.code == 2)
    #expect(emptied.output.contains("Check everybody out of Hall? [y/N]"))
    for unasked in ["--no-input", "-y"] {
      let done = try muster.onTerminal("empty Hall \(unasked)")
      #expect(done.output.contains("0 people checked out of Hall."))
    }
    #expect(try muster("location", "get", "Hall").code == 0)
  }
}
