import Model
import Terminal
import Wire

/// The columns of each kind of entry, by the contract's own field names.
enum Columns {
  /// Of a Profile.
  static let profile: [Column] = [
    Column("name", cuttable: true) { fullName(of: $0) },
    Column("user_id", "USER"),
    Column("company_name", "COMPANY", cuttable: true),
    Column("bio", detail: true, cuttable: true),
    Column("id"),
    Column("first_name", wide: true), Column("last_name", wide: true),
    Column("avatar_id", wide: true),
    Column("create_time_ms", "CREATED", .time, wide: true),
    Column("update_time_ms", "UPDATED", .time, wide: true),
    Column("revision", wide: true),
  ]

  /// Of what everybody out of a place comes to.
  static let checkedOut = [Column("checked_out")]

  /// Of a Location that stands at `path` in the row; "" is the row itself.
  static func location(at path: String = "") -> [Column] {
    func column(
      _ key: String, _ title: String? = nil, _ kind: Column.Kind = .plain, wide: Bool = false,
      detail: Bool = false, cuttable: Bool = false, inside: String? = nil
    ) -> Column {
      Column(
        key, title, kind, wide: wide, detail: detail, cuttable: cuttable,
        path: [path, inside ?? "", key].filter { !$0.isEmpty }.joined(separator: "."))
    }
    return [
      column("name", cuttable: true),
      column("external_id", "CODE"),
      column("address", cuttable: true),
      column("id"),
      column("latitude", nil, .number, detail: true, inside: "point"),
      column("longitude", nil, .number, detail: true, inside: "point"),
      column("description", detail: true, cuttable: true),
      column("website_url", "WEBSITE", detail: true, cuttable: true),
      column("phone_number", "PHONE", detail: true),
      column("capacity", nil, .positive, detail: true),
      column("square_image_id", wide: true),
      column("banner_image_id", wide: true),
      column("create_time_ms", "CREATED", .time, wide: true),
      column("update_time_ms", "UPDATED", .time, wide: true),
      column("revision", wide: true),
    ]
  }

  /// Of a Person.
  static let person: [Column] = [
    Column("name", cuttable: true) { fullName(of: $0) },
    Column("company_name", "COMPANY", cuttable: true),
    Column("since_ms", "SINCE", .time),
    Column("profile_id", wide: true),
    Column("first_name", wide: true), Column("last_name", wide: true),
    Column("avatar_id", wide: true),
    Column("profile_unavailable", wide: true),
  ]

  /// Of a CheckInStatus that stands at `status` in the row.
  static let status: [Column] = [
    Column("profile_id", path: "status.profile_id"),
    Column("state") { row in
      let state = row["status"]?["state"]?.plainText ?? ""
      return .text(state == "CHECK_IN_STATE_CHECKED_IN" ? "in" : "out")
    },
    Column("location_id", path: "status.location_id"),
    Column("since_ms", "SINCE", .time, path: "status.since_ms"),
    Column("expire_time_ms", "UNTIL", .time, path: "status.expire_time_ms"),
    Column("revision", path: "status.revision"),
  ]

  /// Of the response of a check-in or check-out.
  static let change: [Column] =
    status + [Column("previous_location_id", "BEFORE"), Column("changed")]

  /// First and last name of an entry with the two.
  private static func fullName(of row: JSONValue) -> JSONValue {
    let names = ["first_name", "last_name"].compactMap { row[$0]?.plainText }
    let name = names.filter { !$0.isEmpty }.joined(separator: " ")
    return .text(name.isEmpty ? row["profile_id"]?.plainText ?? "" : name)
  }
}
