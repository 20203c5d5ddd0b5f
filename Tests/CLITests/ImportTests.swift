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

  @Test("G7: no file, no JSON and an entry that lacks a field are three messages; two say where")
  func threeMessages() throws {
    let missing = #expect(throws: Failure.self) { try ImportFile(path: "/no/such/file.json") }
    #expect(missing?.message == "cannot read /no/such/file.json: No such file or directory")

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
    #expect(problems.map(\.place.line) == [3, 4, 5])
    #expect(problems.map(\.field) == ["first_name", "first_name", "bio"])
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
    #expect(throws: Failure.self) { try people("[1]", path: "x.json") }
    #expect(throws: Failure.self) { try people("", path: "x.json") }
  }

  @Test("Places have a position, or none, and never half of one")
  func positions() throws {
    let text = """
      external_id,name,latitude,longitude,capacity,website_url
      A,Ay,37.5,-121.25,12,https://a.example/x
      B,Bee,,,,
      C,Sea,37.5,,,
      D,Dee,91,0,many,ftp://d
      """
    let entries = try places(text)
    #expect(entries.locations[0].point == GeoPoint(latitude: 37.5, longitude: -121.25))
    #expect(entries.locations[0].capacity == 12)
    #expect(entries.locations[1].point == nil)
    #expect(entries.problems.map(\.place.line) == [4, 5, 5, 5])
    #expect(
      entries.problems.map(\.field) == ["longitude", "latitude", "capacity", "website_url"])
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
