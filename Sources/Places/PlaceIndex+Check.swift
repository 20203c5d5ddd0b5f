import Model
package import SQLite
import Wire

extension PlaceIndex {
  /// What the indexes say that the places themselves do not; empty: nothing.
  package func faults() throws(SQLiteError) -> [String] {
    var faults: [String] = []
    var numbers: Set<Int64> = []
    var located: Set<Int64> = []
    var stale = 0
    try database.prepare(
      "SELECT number, id, name, external_id, folded_name, latitude, longitude, body FROM place"
    ).forEach { row throws(SQLiteError) in
      let location = try location(in: row, 7)
      numbers.insert(row.int64(0))
      if location.point != nil { located.insert(row.int64(0)) }
      let isSame =
        row.id(1) == location.id && row.text(2) == location.name
        && row.text(3) == location.externalID && row.text(4) == Text.folded(location.name)
        && row.isNull(5) == (location.point == nil)
        && row.double(5) == location.point?.latitude ?? 0
        && row.double(6) == location.point?.longitude ?? 0
      if !isSame { stale += 1 }
      return true
    }
    if stale > 0 { faults.append("\(stale) places are found by what they are not any more") }
    if try numbersIn("SELECT number FROM place_position") != located {
      faults.append("places are found near where they are not, or are not found by where they are")
    }
    if try numbersIn("SELECT DISTINCT doc FROM place_trigram") != numbers {
      faults.append("places are not found by a part of their name, or others are")
    }
    return faults
  }

  /// Makes all indexes anew from the places. Inside a transaction.
  package func rebuild() throws(SQLiteError) {
    let all = try locations(after: nil, limit: .max)
    try removeAll()
    for location in all { try put(location) }
  }

  private func numbersIn(_ sql: String) throws(SQLiteError) -> Set<Int64> {
    var numbers: Set<Int64> = []
    try database.prepare(sql).forEach { row in
      numbers.insert(row.int64(0))
      return true
    }
    return numbers
  }
}
