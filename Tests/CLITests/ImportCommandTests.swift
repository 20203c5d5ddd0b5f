import Foundation
import Testing

/// Imports and exports, with real services behind them.
@Suite struct ImportCommandTests {
  private let muster: RunningMuster

  init() throws {
    muster = try RunningMuster()
  }

  private func file(_ name: String, _ text: String) throws -> String {
    let file = muster.data.appending(path: name)
    try Data(text.utf8).write(to: file)
    return file.path
  }

  @Test("G6: a roster imported twice makes no second copies")
  func roster() throws {
    let path = try file(
      "fighters.json",
      "{\"fighters\": [{\"name\": \"Jon Jones\", \"fightTeam\": \"JW\", \"age\": 36},"
        + "{\"name\": \"Cyborg\", \"fightTeam\": \"\"}]}")
    let map = ["--map", "company_name=fightTeam"]
    let first = try muster("profile", "import", path, map[0], map[1])
    #expect(first.output == "2 people: 2 new, 0 updated, 0 as they were.\n")
    #expect(first.errors == "Not imported: age; --map FIELD=COLUMN takes one in.\n")
    let second = try muster("profile", "import", path, map[0], map[1], "-o", "json").json()
    #expect(second["created"] as? Int == 0)
    #expect(second["unchanged"] as? Int == 2)
    let listed = try muster("profile", "get", "fighters/Jon Jones", "-o", "csv", "--fields", "name")
    #expect(listed.output == "name\nJon Jones\n")
    #expect(try muster("profile", "list", "-o", "ndjson").lines.count == 2)
  }

  @Test("What an entry does not have stays as it is; what it has as nothing is taken away")
  func absent() throws {
    let whole = "external_id,name,address,latitude,longitude,capacity\nH,Hall,Street 5,1,2,30\n"
    #expect(try muster("location", "import", "-", input: whole).code == 0)
    let short = "external_id,name,address,capacity\nH,Hall 2\nI,Inn,Road 1,\n"
    // A pipe by its name is read as well.
    let said = try muster("location", "import", "/dev/stdin", input: short)
    #expect(said.output == "2 places: 1 new, 1 updated, 0 as they were.\n")
    func shown(_ place: String, _ fields: String) throws -> String {
      try muster("location", "get", place, "-o", "csv", "--fields", fields).lines.last ?? ""
    }
    #expect(try shown("H", "name,address,latitude,longitude,capacity") == "Hall 2,Street 5,1,2,30")
    let emptied = "external_id,name,address\nH,Hall 2,\n"
    #expect(
      try muster("location", "import", "-", input: emptied).output
        == "1 place: 0 new, 1 updated, 0 as they were.\n")
    #expect(try shown("H", "address,capacity") == ",30")

    let person = "user_id,name,bio,company_name\nu,Ann B Lee,hello,C\n"
    #expect(try muster("profile", "import", "-", input: person).code == 0)
    let json = "{\"user_id\": \"u\", \"first_name\": \"Bo\", \"bio\": \"\"}"
    #expect(try muster("profile", "import", "-", input: json).code == 0)
    let fields = "first_name,last_name,company_name,bio"
    let row = try muster("profile", "get", "u", "-o", "csv", "--fields", fields).lines.last
    #expect(row == "Bo,Lee,C,")
    #expect(try muster("profile", "import", "-", input: "user_id,name\nu,Cy\n").code == 0)
    let last = try muster("profile", "get", "u", "-o", "csv", "--fields", fields).lines.last
    #expect(last == "Cy,,C,")
  }

  @Test("G7: of a file with a fault nothing is imported, and all faults are told")
  func faults() throws {
    let path = try file("p.csv", "user_id,first_name\na,Ann\nb,\na,Bo\n")
    let said = try muster("profile", "import", path)
    #expect(said.code == 64)
    #expect(said.output == "")
    #expect(said.errors.contains("p.csv, line 3: first_name: The first name may not be blank."))
    #expect(said.errors.contains("p.csv, line 4: user_id: 'a' is there twice: line 2 and line 4"))
    #expect(said.errors.contains("2 of 3 entries of "))
    #expect(try muster("profile", "list", "-o", "ndjson").output == "")
    let json = try muster("profile", "import", path, "-o", "json").errors
    #expect(json.contains("\"field\":\"line 3: first_name\""))
    #expect(try muster("profile", "import", "/no/file.json").errors.contains("No such file"))
    #expect(
      try muster("profile", "import", "-", input: "{\"a\"").errors.contains("is no JSON: line 1"))
    #expect(try muster("health").code == 0)
  }

  @Test("G7: faults of all kinds are told in the file's order, the first twenty, and how many more")
  func manyFaults() throws {
    let rows = (0..<30).map { $0 % 2 == 0 ? "u\($0),\n" : "u\($0),A,x\n" }
    let said = try muster(
      "profile", "import", try file("p.csv", "user_id,first_name\nok,A\n" + rows.joined()))
    #expect(said.code == 64)
    let lines = said.errors.split(separator: "\n")
    #expect(lines.count == 22)
    #expect(lines[0].contains("p.csv, line 3: first_name: The first name may not be blank."))
    #expect(lines[1].contains("p.csv, line 4: there are 3 fields, for 2 columns; "))
    #expect(lines[19].contains("p.csv, line 22: "))
    #expect(lines[20] == "and 10 more")
    #expect(lines[21].contains("30 of 31 entries of "))
    #expect(try muster("profile", "list", "-o", "ndjson").output == "")
  }

  @Test(
    "What is exported is imported again exactly, as CSV and as JSON",
    arguments: ["csv", "json", "ndjson"])
  func roundTrip(format: String) throws {
    let people = """
      user_id,first_name,last_name,company_name,bio
      a," Ann, ""A"" ",Größe,"x;y",한국 👩‍🚀
      b,Bo,,,"two
      lines"
      """
    let places = """
      external_id,name,address,latitude,longitude,capacity,website_url
      X,Ex,"1, Street",-17.3526,-145.50999,3,https://x.example
      Y,Why,,,,,
      """
    #expect(try muster("profile", "import", "-", input: people).code == 0)
    #expect(try muster("location", "import", "-", input: places).code == 0)
    for noun in ["profile", "location"] {
      let path = muster.data.appending(path: "\(noun).\(format)").path
      #expect(try muster(noun, "export", path).code == 0)
      let again = try muster(noun, "import", path)
      #expect(again.code == 0, "\(again.errors)")
      #expect(again.output.hasSuffix("0 new, 0 updated, 2 as they were.\n"), "\(again.output)")
      let text = String(decoding: try Data(contentsOf: URL(filePath: path)), as: UTF8.self)
      #expect(try muster(noun, "export", "-o", format).output == text)
    }
    let other = try RunningMuster()
    let path = muster.data.appending(path: "profile.\(format)").path
    #expect(try other("profile", "import", path).code == 0)
    #expect(
      try other("profile", "export", "-o", format).output
        == muster("profile", "export", "-o", format).output)
  }

  @Test("More than one batch arrives whole, and a second time changes nothing")
  func many() throws {
    let rows = (0..<2500).map { "K\($0),Place \($0),\(Double($0) / 100),\(Double($0) / 50)\n" }
    let path = try file("p.csv", "external_id,name,latitude,longitude\n" + rows.joined())
    #expect(
      try muster("location", "import", path).output
        == "2500 places: 2500 new, 0 updated, 0 as they were.\n")
    #expect(
      try muster("location", "import", path).output
        == "2500 places: 0 new, 0 updated, 2500 as they were.\n")
    #expect(try muster("location", "list", "--all", "-o", "ndjson").lines.count == 2500)
  }

  @Test("Who gets a part of a list, or places that import does not know again, is told so")
  func incomplete() throws {
    let rows = (0..<101).map { "Place \($0)\n" }
    let names = "name\n" + rows.joined()
    #expect(try muster("location", "import", "-", "--new", input: names).code == 0)
    for format in ["csv", "ndjson", "json"] {
      let part = try muster("location", "list", "-o", format)
      #expect(part.errors == "100 shown, and there are more: --all shows them\n", "\(format)")
      #expect(try muster("location", "list", "-o", format, "--all").errors == "")
    }
    let exported = try muster("location", "export")
    #expect(exported.errors.hasPrefix("101 of them have no external_id"))
    #expect(exported.errors.contains("--new"))
    #expect(try muster("location", "import", "-", input: exported.output).code == 64)
    #expect(try muster("location", "import", "-", "--new", input: exported.output).code == 0)
  }

  @Test("G7: Ctrl-C ends an import between two batches, says how far it came, and how to go on")
  func interrupted() throws {
    // All fields, so that nothing has to be looked at before.
    let header = """
      external_id,name,address,latitude,longitude,description,website_url,phone_number,capacity

      """
    let rows = (0..<6000).map { "K\($0),Place \($0),,,,,,,\n" }
    let path = try file("p.csv", header + rows.joined())
    let service = try muster.processID("locations")
    kill(service, SIGSTOP)
    let running = try LiveCommand(muster, ["location", "import", path])
    let gauges = ["stats", "gateway", "--gauges", "-o", "csv"]
    // Four batches are on their way, and the question itself.
    #expect(
      try eventually {
        try muster(gauges[0], gauges[1], gauges[2], gauges[3], gauges[4]).lines
          .contains("muster_requests_in_flight,5")
      })
    try running.pressInterrupt()
    kill(service, SIGCONT)
    #expect(running.end() == 2)
    #expect(
      try running.said
        == "muster: interrupted; 4000 of 6000 places were imported: importing the file again "
        + "completes it\n")
    #expect(
      try muster("location", "import", path).output
        == "6000 places: 2000 new, 0 updated, 4000 as they were.\n")
  }
}
