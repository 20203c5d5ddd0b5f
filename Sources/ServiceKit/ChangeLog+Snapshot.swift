package import Model
package import Wire

/// Snapshots of a log whose entries are puts and deletes of whole things.
extension ChangeLog {
  /// Something that is there now, as a snapshot tells it.
  package struct Row {
    package var id: ID
    /// Its put: the change that made it what it is.
    package var change: Change

    package init(id: ID, change: Change) {
      self.id = id
      self.change = change
    }
  }

  /// Everything there is, by id, as of the revision at which the first page was read. What has
  /// changed since is told as the log says it was then; what has come since is not told, and what
  /// has gone since is left out, since nothing may tell of it any more. The changes that follow the
  /// revision bring both.
  ///
  /// - Parameters:
  ///   - rows: gives up to so many of what is there now, after an id, by id.
  ///   - bytes: at least what a change takes on the wire.
  /// - Throws: `PAGE_TOKEN_INVALID`, also where the log no longer reaches back; `SQLiteError`.
  package func snapshot(
    _ request: GetSnapshotRequest, rows: (_ after: ID?, _ limit: Int) throws -> [Row],
    bytes: (Change) -> Int
  ) throws -> GetSnapshotResponse {
    let question = Question(.getSnapshot).hash
    let position = try PageToken.read(request.pageToken, question: question)
      .map(SnapshotPosition.init)
    let revision = position?.revision ?? lastRevision
    guard bounds.reaches(back: revision, last: lastRevision) else { throw PageToken.invalid }
    let limit = Limits.pageItems(asked: request.pageSize)
    let found = try rows(position?.id, limit + 1)
    var response = GetSnapshotResponse(revision: revision)
    var size = 0
    var told = 0
    for row in found.prefix(limit) {
      let entry =
        row.change.revision <= revision ? row.change : try version(of: row.id, at: revision)
      if let entry { size += bytes(entry) }
      if size > Limits.pageBytes, told > 0 { break }
      if let entry { response.entries.append(entry) }
      told += 1
    }
    if told < found.count {
      let position = SnapshotPosition(revision: revision, id: found[told - 1].id)
      response.nextPageToken = PageToken.make(question: question, position: position.bytes)
    }
    return response
  }
}

/// Where a page of a snapshot has ended, and of which state it is.
private struct SnapshotPosition {
  var revision: UInt64
  var id: ID

  init(revision: UInt64, id: ID) {
    self.revision = revision
    self.id = id
  }

  init(_ bytes: [UInt8]) throws(Refusal) {
    var reader = PositionReader(bytes)
    revision = try reader.uint64()
    id = try reader.id()
    try reader.end()
  }

  var bytes: [UInt8] {
    var writer = PositionWriter()
    writer.write(revision)
    writer.write(id)
    return writer.bytes
  }
}
