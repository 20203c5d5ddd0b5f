import Model
import Places
import ServiceKit
import Wire

/// The board: places with how many are there.
extension GatewayService {
  func registerBoard(_ handlers: inout Handlers) {
    handlers.read(.getBoard, of: [.locations, .checkIns], check: Self.checkBoard, board)
  }

  private static func checkBoard(_ request: GetBoardRequest, _ form: inout Form) throws {
    form.search(nameContains: request.nameContains, near: request.near, radiusM: request.radiusM)
    if request.order == .distance && request.near == nil {
      form.refuse("near", "The order by distance needs a point.")
    }
    _ = try BoardPosition(request)
  }

  private func board(
    _ request: GetBoardRequest, _ context: inout CallContext
  ) throws -> GetBoardResponse {
    try needState(of: [.locations, .checkIns])
    let size = Limits.pageItems(asked: request.pageSize)
    let position = try BoardPosition(request)
    var response = GetBoardResponse(
      total: UInt64(presence.total), unreachable: unreachable(of: [.locations, .checkIns]))
    var next: BoardPosition?
    if request.order == .count {
      next = try addByCount(&response, request, position, size)
    } else {
      let page = try places.list(
        filter(request, request.occupiedOnly ? occupiedPlaces : nil),
        by: request.order == .distance ? .distance : .name, after: position?.key, limit: size,
        budgetBytes: Limits.pageBytes * 3 / 4)
      for row in page.rows { response.rows.append(boardRow(row)) }
      next = page.next.map { BoardPosition(key: $0, count: 0) }
    }
    response.nextPageToken = next?.token(request) ?? ""
    return response
  }

  private func filter(_ request: GetBoardRequest, _ subset: PlaceSubset?) -> PlaceFilter {
    PlaceFilter(
      nameContains: request.nameContains,
      within: request.near.map { PlaceCircle(center: $0, radiusM: request.radiusM) },
      subset: subset)
  }

  private var occupiedPlaces: PlaceSubset {
    .only(presence.occupied.map { presence.id(ofPlace: $0) }, contains: isOccupied)
  }

  private func isOccupied(_ id: ID) -> Bool { count(at: id) > 0 }

  private func count(at id: ID) -> Int { presence.place(id).map { presence.count($0) } ?? 0 }

  private func boardRow(_ row: PlacePage.Row) -> BoardRow {
    BoardRow(
      location: row.location, count: UInt32(row.location.id.map { count(at: $0) } ?? 0),
      distanceM: row.distanceM)
  }

  // MARK: - Busiest first

  /// Those where somebody is, by count, then by name; then the others, by name. Places with as many
  /// people are found and put in order together, and only those that the page comes to.
  private func addByCount(
    _ response: inout GetBoardResponse, _ request: GetBoardRequest, _ position: BoardPosition?,
    _ size: Int
  ) throws -> BoardPosition? {
    var byteCount = 0
    for (count, subset) in placesByCount(atMost: position?.count, request.occupiedOnly) {
      guard response.rows.count < size, byteCount < Limits.pageBytes * 3 / 4 else {
        // Full; whether anybody follows is seen on the next page.
        return response.rows.last.map(BoardPosition.init)
      }
      let page = try places.list(
        filter(request, subset), by: .name, after: position?.count == count ? position?.key : nil,
        limit: size - response.rows.count, budgetBytes: Limits.pageBytes * 3 / 4 - byteCount)
      for row in page.rows {
        byteCount += row.location.roughByteCount
        response.rows.append(boardRow(row))
      }
      if let next = page.next { return BoardPosition(key: next, count: count) }
    }
    return nil
  }

  /// The places in groups of those with as many people, busiest first; the last group is that of
  /// those where nobody is.
  private func placesByCount(
    atMost most: UInt64?, _ occupiedOnly: Bool
  ) -> [(count: UInt64, PlaceSubset)] {
    var groups: [Int: [ID]] = [:]
    presence.forEachOccupied { id, count in
      if most.map({ count <= $0 }) ?? true { groups[count, default: []].append(id) }
    }
    var sorted = groups.sorted { $0.key > $1.key }.map { count, ids in
      (UInt64(count), PlaceSubset.only(ids) { [unowned self] in self.count(at: $0) == count })
    }
    if !occupiedOnly { sorted.append((0, .except(contains: isOccupied))) }
    return sorted
  }
}

/// Where a row of the board stands.
struct BoardPosition {
  var key: PlaceKey
  /// Of the order by count; 0 in the others.
  var count: UInt64

  init(key: PlaceKey, count: UInt64) {
    self.key = key
    self.count = count
  }

  init(_ row: BoardRow) {
    key = PlaceKey(
      id: row.location?.id ?? ID(high: 0, low: 0), name: row.location?.name ?? "",
      distanceM: row.distanceM)
    count = UInt64(row.count)
  }

  /// From a page token; nil: from the beginning.
  init?(_ request: GetBoardRequest) throws(Refusal) {
    guard
      let bytes = try PageToken.read(request.pageToken, question: Self.question(request).hash)
    else { return nil }
    var reader = PositionReader(bytes)
    count = try reader.uint64()
    key = PlaceKey(id: try reader.id(), name: try reader.text(), distanceM: try reader.double())
    try reader.end()
  }

  func token(_ request: GetBoardRequest) -> String {
    var writer = PositionWriter()
    writer.write(count)
    writer.write(key.id)
    writer.write(key.name)
    writer.write(key.distanceM)
    return PageToken.make(question: Self.question(request).hash, position: writer.bytes)
  }

  /// Busiest first, then by name.
  func precedes(_ other: BoardPosition) -> Bool {
    count != other.count ? count > other.count : key.precedes(other.key, in: .name)
  }

  private static func question(_ request: GetBoardRequest) -> Question {
    var question = Question(.getBoard)
    question.add(UInt64(request.order.rawValue))
    question.add(request.nameContains)
    question.add(request.near)
    question.add(request.radiusM)
    question.add(request.occupiedOnly)
    return question
  }
}

extension Location {
  /// About what it takes on the wire.
  var roughByteCount: Int {
    name.utf8.count + description.utf8.count + address.utf8.count + websiteURL.utf8.count + 200
  }
}
