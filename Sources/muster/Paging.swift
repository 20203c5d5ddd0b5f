import Model
import Terminal
import Wire

/// How much of a list is wanted.
enum ListLimit: Equatable {
  case all
  case first(Int)

  /// What --all and --limit say; a hundred where they say nothing.
  init(_ typed: Invocation) throws {
    if typed.flag("all") {
      guard typed.option("limit") == nil else {
        throw UsageError("--all and --limit say two things", hint: "give one of them")
      }
      self = .all
    } else {
      self = .first(try typed.count("limit") ?? Limits.defaultPageItems)
    }
  }
}

extension Session {
  /// Reads pages until the list ends or enough is there. `more` says how many entries a response
  /// has and its page token. The last response is asked to be no longer than what is still wanted.
  func pages<R: Request>(
    _ limit: ListLimit, _ request: (UInt32, String) -> R,
    more: (R.Response) -> (count: Int, token: String)
  ) throws -> (responses: [R.Response], isComplete: Bool) {
    var responses: [R.Response] = []
    var count = 0
    var token = ""
    while true {
      var size = Limits.pageItems
      if case .first(let wanted) = limit { size = min(size, wanted - count) }
      let response = try call(request(UInt32(size), token))
      responses.append(response)
      let page = more(response)
      count += page.count
      token = page.token
      if token.isEmpty { return (responses, true) }
      if case .first(let wanted) = limit, count >= wanted { return (responses, false) }
    }
  }

  /// Says on standard error that a list goes on.
  func noteMore(_ isComplete: Bool, shown: Int) {
    for text in Session.moreText(isComplete, shown: shown) { console.message(text) }
  }

  /// That a list goes on; nothing where it does not.
  static func moreText(_ isComplete: Bool, shown: Int) -> [String] {
    isComplete ? [] : ["\(shown) shown, and there are more: --all shows them"]
  }

  /// That an answer is not complete, and why; nothing where it is.
  static func incompleteText(_ unreachable: [String]) -> [String] {
    unreachable.isEmpty
      ? []
      : [
        "muster: incomplete, for \(unreachable.joined(separator: " and ")) could not be asked: "
          + "'muster health' shows more"
      ]
  }
}

extension Invocation {
  /// An option that is a number above 0.
  func count(_ name: String) throws(UsageError) -> Int? {
    guard let text = option(name) else { return nil }
    guard let number = Int(text), number > 0, number <= 1_000_000_000 else {
      throw UsageError("--\(name) is '\(text)', and has to be a number above 0")
    }
    return number
  }

  /// An option that is a position.
  func point(_ name: String) throws(UsageError) -> GeoPoint? {
    guard let text = option(name) else { return nil }
    guard let place = Coordinates(text) else {
      throw UsageError(
        "--\(name) is '\(text)', which is no position",
        hint: "write LAT,LON in degrees, for example 37.36,-121.93")
    }
    return GeoPoint(latitude: place.latitude, longitude: place.longitude)
  }

  /// How near things have to be, in metres: a number with "m", "km" or nothing behind.
  func radius(around near: GeoPoint?) throws(UsageError) -> Double {
    guard let text = option("radius") else { return near == nil ? 0 : 50_000 }
    guard near != nil else {
      throw UsageError("--radius needs a position", hint: "say --near LAT,LON")
    }
    let (digits, factor) =
      text.hasSuffix("km")
      ? (text.dropLast(2), 1000.0)
      : text.hasSuffix("m") ? (text.dropLast(1), 1.0) : (text[...], 1.0)
    guard let number = Double(digits), number.isFinite, number > 0 else {
      throw UsageError("--radius is '\(text)', which is no distance", hint: "write 500m or 80km")
    }
    return number * factor
  }
}
