import Testing
import Wire

@testable import Terminal

@Suite struct ListingTests {
  private let columns = [
    Column("name"), Column("here", nil, .badge, path: "count"),
    Column("count", nil, .number, wide: true), Column("city", path: "at.city"),
  ]

  private func row(_ name: String, _ count: Int64) -> JSONValue {
    .object([
      .init("name", .text(name)), .init("count", .integer(count)),
      .init("at", .object([.init("city", .text("a, b"))])),
    ])
  }

  @Test("E4: a badge is at most 99 and nothing for 0, in tables only; programs get the number")
  func badge() throws {
    let rows = [row("a", 0), row("b", 99), row("c", 100), row("d", 4000)]
    let listing = Listing(columns: columns, rows: rows)
    let shown = try listing.text(format: .csv, fields: ["name", "count"])
    #expect(shown == "name,count\na,0\nb,99\nc,100\nd,4000\n")
    #expect(
      try listing.table() == """
        NAME  HERE  CITY
        a           a, b
        b       99  a, b
        c      99+  a, b
        d      99+  a, b

        """)
    #expect(try listing.text(format: .ndjson, fields: ["count"]).contains("{\"count\":4000}"))
  }

  @Test("Fields are shown in the order asked for, in every format")
  func fields() throws {
    let listing = Listing(columns: columns, rows: [row("x", 1)])
    #expect(try listing.text(format: .csv, fields: ["city", "name"]) == "city,name\n\"a, b\",x\n")
    #expect(
      try listing.text(format: .json, fields: ["city"])
        == "[\n  {\n    \"city\": \"a, b\"\n  }\n]\n")
    #expect(
      try listing.text(format: .ndjson, fields: [])
        == "{\"name\":\"x\",\"count\":1,\"at\":{\"city\":\"a, b\"}}\n")
    let error = #expect(throws: UsageError.self) {
      try listing.text(format: .csv, fields: ["nmae"])
    }
    #expect(error?.hint == "did you mean 'name'?")
  }
}

extension Listing {
  /// As a plain table without a terminal.
  fileprivate func table() throws -> String {
    tableText(try chosenColumns([], .table), width: nil, color: false)
  }
}
