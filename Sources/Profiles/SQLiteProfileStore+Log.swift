import Model
import SQLite
import ServiceKit
package import Wire

/// What those who follow the log of profiles read.
extension SQLiteProfileStore: ChangeLogReading {
  package var lastRevision: UInt64 { changeLog.lastRevision }

  /// Also after a restore: that moves where the log stands, and the next change is one more.
  package func revision(before revision: UInt64) -> UInt64 { revision - 1 }

  package func changes(after revision: UInt64, limit: Int) throws -> ListChangesResponse {
    try changeLog.changes(after: revision, limit: limit)
  }

  /// Everybody, by id, as of the revision at which the first page was read. Whoever has changed
  /// since is told as the log says they were then; whoever has come since is not told, and whoever
  /// has gone since is left out, since nothing may tell of them any more. The changes that follow
  /// the revision bring both.
  package func snapshot(_ request: GetSnapshotRequest) throws -> GetSnapshotResponse {
    let question = Question(.getSnapshot).hash
    let position = try PageToken.read(request.pageToken, question: question)
      .map(SnapshotPosition.init)
    let revision = position?.revision ?? lastRevision
    guard changeLog.bounds.reaches(back: revision, last: lastRevision) else {
      throw PageToken.invalid
    }
    let limit =
      request.pageSize == 0
      ? Limits.defaultPageItems : min(Int(request.pageSize), Limits.pageItems)
    var rows: [Profile] = []
    try statements.afterID.forEach(position?.id.bytes ?? []) { row in
      rows.append(Profile(row))
      return rows.count <= limit
    }
    let hasMore = rows.count > limit
    if hasMore { rows.removeLast() }
    var response = GetSnapshotResponse(revision: revision)
    var size = 0
    var told = 0
    for row in rows {
      let entry = try entry(row, at: revision)
      // What somebody was then may be longer than what they are now. 30 bytes for the change around
      // it: revision, time, tags and lengths.
      if case .profilePut(let profile) = entry?.what { size += profile.wireBytesAtMost + 30 }
      if size > Limits.pageBytes, told > 0 { break }
      if let entry { response.entries.append(entry) }
      told += 1
    }
    if hasMore || told < rows.count, let id = rows[told - 1].id {
      response.nextPageToken = PageToken.make(
        question: question, position: SnapshotPosition(revision: revision, id: id).bytes)
    }
    return response
  }

  private func entry(_ profile: Profile, at revision: UInt64) throws -> Change? {
    guard let id = profile.id else { return nil }
    if profile.revision <= revision {
      return Change(
        revision: profile.revision, timeMs: profile.updateTimeMs, what: .profilePut(profile))
    }
    return try changeLog.version(of: id, at: revision)
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
