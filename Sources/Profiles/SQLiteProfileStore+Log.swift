import Model
import SQLite
import ServiceKit
package import Wire

/// What those who follow the log of profiles read.
extension SQLiteProfileStore: ChangeLogReading {
  package var lastRevision: UInt64 { changeLog.lastRevision }

  package func changes(after revision: UInt64, limit: Int) throws -> ListChangesResponse {
    try changeLog.changes(after: revision, limit: limit)
  }

  package func snapshot(_ request: GetSnapshotRequest) throws -> GetSnapshotResponse {
    try changeLog.snapshot(request) { after, limit in
      var rows: [ChangeLog.Row] = []
      try statements.afterID.forEach(after?.bytes ?? []) { row in
        let profile = Profile(row)
        guard let id = profile.id, rows.count < limit else { return false }
        rows.append(
          ChangeLog.Row(
            id: id,
            change: Change(
              revision: profile.revision, timeMs: profile.updateTimeMs, what: .profilePut(profile)))
        )
        return true
      }
      return rows
    } bytes: { change in
      if case .profilePut(let profile) = change.what { profile.wireBytesAtMost + 30 } else { 30 }
    }
  }
}
