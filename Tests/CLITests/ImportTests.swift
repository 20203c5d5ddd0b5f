import Model
import Testing
import Wire

@testable import muster

/// A file of people, read and checked as `profile import` does.
private func people(
  _ text: String, path: String = "staff.csv", map: [String] = [], key: String? = nil
) throws -> ProfileEntries {
  let file = try ImportFile(path: path, bytes: Array(text.utf8))
  return try ProfileEntries(
    file, map: ColumnMap(map, fields: ProfileEntries.fields, file: file), key: key,
    roster: file.rosterName)
}

private func places(
  _ text: String, path: String = "places.csv", map: [String] = [], takesNew: Bool = false
) throws -> LocationEntries {
  let file = try ImportFile(path: path, bytes: Array(text.utf8))
  return LocationEntries(
    file, map: try ColumnMap(map, fields: LocationEntries.fields, file: file), takesNew: takesNew)
}

@Suite struct ImportTests {
  @Test(
    "G6: the user id is the roster's name and the entry's key, and a lone name fills both names")
  func roster() throws {
    let text = """
      {"fighters": [
        {"id": "0191d0c5-0000-7000-8000-000000000000", "name": "Alex  Pereira", "fightTeam": "T"},
        {"name": "Jean Claude Van Damme"},
        {"name": "Cyborg", "user_id": "cris"}
      ]}
      """
    let entries = try people(text, path: "/tmp/fighters.json", map: ["company_name=fightTeam"])
    #expect(entries.problems == [])
    #expect(
      entries.profiles.map(\.userID) == [
        "fighters/Alex  Pereira", "fighters/Jean Claude Van Damme", "cris",
      ])
    #expect(entries.profiles.map(\.firstName) == ["Alex", "Jean Claude Van", "Cyborg"])
    #expect(entries.profiles.map(\.lastName) == ["Pereira", "Damme", ""])
    #expect(entries.profiles.map(\.companyName) == ["T", "", ""])
    #expect(entries.profiles.allSatisfy { $0.id == nil })
    #expect(entries.places.map(\.line) == [2, 3, 4])
  }

  @Test("G6: the same key twice in one file is an error that names both")
  func twice() throws {
    let text = "name,company_name\nAnn Lee,A\nBo,B\nAnn Lee,C\n"
    let problem = try #require(try people(text).problems.first)
    #expect(problem.place == .line(4))
    #expect(problem.description.contains("'Ann Lee' is there twice: line 2 and line 4"))
    #expect(try people(text, key: "company_name").problems == [])
    let line = "{\"all\": [{\"name\": \"É Lee\"}, {\"name\": \"Bo\"}, {\"name\": \"É Lee\"}]}"
    let inLine = try #require(try people(line, path: "f.json").problems.first)
    #expect(inLine.place == .element(3, line: 1, column: 45))
    #expect(
      inLine.description.contains(
        "'É Lee' is there twice: entry 1 (line 1, column 10) and entry 3 (line 1, column 45)"))
    #expect(try people(text, key: "company_name").profiles[0].userID == "staff/A")
  }

  @Test(
    "G6: what is there twice is named after the column that it is from, with what would help",
    arguments: [
      ("name,mail\nAnn,a\nBo,a\n", "mail", "mail", "--key mail does not tell them apart"),
      ("name,mail\nAnn,a\nAnn,b\n", nil, "name", "--key COLUMN names one that tells them apart"),
      // Who has a user_id is known by that, whatever the key is.
      ("user_id,name,mail\nu,Ann,a\nu,Bo,b\n", "mail", "user_id", "'u' is there twice"),
      ("user_id,name,mail\nu,Ann,a\nu,Bo,b\n", nil, "user_id", "'u' is there twice"),
    ])
  func twiceAdvice(text: String, key: String?, field: String, advice: String) throws {
    let problem = try #require(try people(text, key: key).problems.first)
    #expect(problem.field == field)
    #expect(problem.description.hasSuffix(advice) || field == "user_id")
    #expect(problem.description.contains(advice))
    #expect(problem.description.contains("--key") == (field != "user_id"))
  }

  @Test("JSON's values have to be what is wanted: what was found is told, and where")
  func kinds() throws {
    let text = """
      [{"user_id": "a", "first_name": "A", "bio": 36},
       {"user_id": "b", "first_name": ["x", "y"], "last_name": true},
       {"user_id": 7, "name": {"first": "C"}}, 5,
       {"name": 8}, {"user_id": "f", "name": "F", "boss": {"name": "G"}}]
      """
    let found = try people(text, path: "f.json")
    #expect(
      found.problems.map { "\($0.place.line) \($0.field): \($0.description)" } == [
        "1 bio: a number (36) where a text is wanted",
        "2 first_name: a list where a text is wanted",
        "2 last_name: true or false where a text is wanted",
        "3 name: an object where a text is wanted",
        "3 user_id: a number (7) where a text is wanted",
        "4 name: a number (8) where a text is wanted",
      ])
    // What an object has in it does not stand for what the entry has.
    #expect(found.profiles.last?.firstName == "F")
    let file = try ImportFile(path: "f.json", bytes: Array(text.utf8))
    #expect(file.problems.map(\.place) == [.element(4, line: 3, column: 42)])
    #expect(file.problems.map(\.description) == ["a number where an object with fields is wanted"])

    let hall = """
      [{"external_id": 1, "name": "H", "latitude": true, "longitude": 2, "capacity": [3]},
       {"external_id": "B", "name": "B", "latitude": "1.5", "longitude": 2, "capacity": 3}]
      """
    let halls = try places(hall, path: "p.json")
    #expect(Set(halls.problems.map(\.field)) == ["external_id", "latitude", "capacity"])
    #expect(halls.problems.count == 3)
    #expect(halls.locations[1].point == GeoPoint(latitude: 1.5, longitude: 2))
    #expect(halls.locations[1].capacity == 3)
    // What tells entries apart may be a number, as rosters have them.
    let roster = "[{\"name\": \"A\", \"no\": 7}, {\"name\": \"A\", \"no\": 8}]"
    #expect(
      try people(roster, path: "r.json", key: "no").profiles.map(\.userID) == ["r/7", "r/8"])
  }

  @Test("Lines that are no entries are told each, beside those that are")
  func noEntries() throws {
    let csv = try ImportFile(
      path: "p.csv", bytes: Array("name,bio\nA,b\nB,c,d\nC\nD,e,f,g\n".utf8))
    #expect(csv.problems.map(\.place) == [.line(3), .line(5)])
    #expect(csv.problems[1].description.hasPrefix("there are 4 fields, for 2 columns"))
    #expect(csv.entries.map(\.place) == [.line(2), .line(4)])
    let lines = try ImportFile(
      path: "p.ndjson", bytes: Array("{\"name\": \"A\"}\n{\"name\" 1}\n7\n{\"a\": }\n".utf8))
    #expect(lines.problems.map(\.place) == [.line(2), .line(4), .line(3)])
    #expect(lines.problems[0].description.hasPrefix("this is no JSON: column 9: "))
  }

  @Test("G7: no file, no JSON and an entry that lacks a field are three messages; two say where")
  func threeMessages() throws {
    let missing = #expect(throws: Failure.self) { try ImportFile(path: "/no/such/file.json") }
    #expect(missing?.message == "cannot read /no/such/file.json: No such file or directory")
    let folder = #expect(throws: Failure.self) { _ = try ImportFile(path: "/tmp") }
    #expect(folder?.message == "cannot read /tmp: Is a directory")

    let noJSON = #expect(throws: Failure.self) {
      try people("[\n  {\"name\": \"A\"},\n  {\"name\" \"B\"}\n]", path: "f.json")
    }
    #expect(noJSON?.message.contains("f.json is no JSON: line 3, column 11") == true)

    let lacking = try people("[{\"name\": \"A\"},\n{\"age\": 3}]", path: "f.json")
    #expect(lacking.problems.map(\.place.description) == ["entry 2 (line 2, column 1)"])
    #expect(lacking.problems[0].description.contains("neither first_name nor name"))
  }

  @Test("All that is wrong is found, with its line, before anything is written")
  func everythingWrong() throws {
    let long = String(repeating: "가", count: 51)
    let text = "user_id,first_name,bio\nanna,Anna,\nbo,  ,x\ncy,\(long),\nanna,Anna,\"a\tb\"\n"
    let problems = try people(text).problems
    #expect(problems.map(\.place.line) == [3, 4, 5, 5])
    #expect(problems.map(\.field) == ["first_name", "first_name", "bio", "user_id"])
    #expect(problems[0].description.contains("blank"))
    #expect(problems[1].description.contains("51 characters"))
    let hundred = String(repeating: "한", count: 100)
    #expect(try people("name,bio\nA,\(hundred)\n").problems == [])
  }

  @Test("Columns are found by their names as spreadsheets write them, and mapped where they differ")
  func columns() throws {
    let entries = try people(
      "User ID;First Name;Nachname;Firma\nanna;Anna;Süß;\"A; B\"\n",
      map: ["last_name=Nachname", "company_name=Firma"])
    #expect(entries.problems == [])
    #expect(
      entries.profiles == [
        Profile(userID: "anna", firstName: "Anna", lastName: "Süß", companyName: "A; B")
      ])
    let wrong = #expect(throws: Failure.self) { try people("a,b\n1,2\n", map: ["first_name=aa"]) }
    #expect(wrong?.message == "staff.csv has no column 'aa'")
    #expect(wrong?.hint == "did you mean 'a'?")
    #expect(throws: (any Error).self) { try people("a,b\n1,2\n", map: ["frist_name=a"]) }
  }

  @Test("A first name mapped from a whole name is split into two")
  func mappedName() throws {
    let entries = try people("name\nJon Jones\n", map: ["first_name=name"])
    #expect(entries.profiles.map(\.firstName) == ["Jon"])
    #expect(entries.profiles.map(\.lastName) == ["Jones"])
  }

  @Test("JSON comes as a list, as an object with one list, and as an object a line")
  func shapes() throws {
    let list = "[{\"name\":\"A\"},{\"name\":\"B\"}]"
    let object =
      "{\"made\": {\"by\": [1]}, \"people\":\n[{\"name\":\"A, [B]\"}\n,\n{\"name\":\"B\\\"\"}]}"
    let lines = "{\"name\":\"A\"}\n\n{\"name\":\"B\"}\n"
    #expect(try people(list, path: "x.json").places.map(\.line) == [1, 1])
    #expect(try people(object, path: "x.json").places.map(\.line) == [2, 4])
    #expect(try people(lines, path: "x.json").places.map(\.line) == [1, 3])
    #expect(try people(lines, path: "-").profiles.map(\.userID) == ["import/A", "import/B"])
    #expect(throws: Failure.self) { try people("{\"a\": [], \"b\": []}", path: "x.json") }
    #expect(throws: Failure.self) { try people("", path: "x.json") }
  }

  @Test("Places have a position, or none, and never half of one")
  func positions() throws {
    let text = """
      external_id,name,latitude,longitude,capacity,website_url
      A,Ay,37.5,-121.25,12,https://a.example/x
      B,Bee,,,,
      C,Sea,37.5,,,
      D,Dee,91,-181,many,ftp://d
      """
    let entries = try places(text)
    #expect(entries.locations[0].point == GeoPoint(latitude: 37.5, longitude: -121.25))
    #expect(entries.locations[0].capacity == 12)
    #expect(entries.locations[1].point == nil)
    #expect(entries.problems.map(\.place.line) == [4, 5, 5, 5, 5])
    #expect(
      entries.problems.map(\.field)
        == ["longitude", "latitude", "longitude", "capacity", "website_url"])
  }

  @Test("Places are known by their external id, which each needs once")
  func externalIDs() throws {
    let text = "external_id,name\nA,One\n,Two\nA,Three\n"
    #expect(try places(text).problems.map(\.place.line) == [3, 4])
    #expect(try places(text, takesNew: true).problems.map(\.place.line) == [4])
    let nested =
      "[{\"external_id\": \"A\", \"name\": \"X\", \"point\": {\"latitude\": 1, "
      + "\"longitude\": 2.5}}]"
    #expect(
      try places(nested, path: "p.json").locations[0].point
        == GeoPoint(latitude: 1, longitude: 2.5))
  }

  @Test(
    "B8: a missing text is empty", arguments: ["name,bio\nA\n", "name\nA\n", "name,bio\nA,\n"])
  func missing(text: String) throws {
    #expect(try people(text).profiles[0].bio == "")
  }
}
