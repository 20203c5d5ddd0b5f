package import ServiceKit
import Model
package import Wire

/// The check-in log, for those who follow it.
extension CheckInService: ChangeLogReading {
  package func changes(after revision: UInt64, limit: Int) throws -> ListChangesResponse {
    try store.bounds.check(after: revision, last: lastRevision)
    var response = ListChangesResponse(lastRevision: lastRevision)
    var byteCount = 0
    try store.entries(after: revision, limit: limit) { entry in
      let change = told(entry)
      byteCount += change.roughByteCount
      // Never none, or whoever follows would not get on.
      guard byteCount <= Limits.pageBytes || response.changes.isEmpty else { return false }
      response.changes.append(change)
      return true
    }
    return response
  }

  /// Those who are checked in, by slot. Who has changed since the snapshot's revision is looked up
  /// in the log.
  package func snapshot(_ request: GetSnapshotRequest) throws -> GetSnapshotResponse {
    let question = Question(.getSnapshot).hash
    var revision = lastRevision
    var first = 0
    if let bytes = try PageToken.read(request.pageToken, question: question) {
      var reader = PositionReader(bytes)
      revision = try reader.uint64()
      first = Int(clamping: try reader.uint64())
      try reader.end()
      guard store.bounds.reaches(back: revision, last: lastRevision), first <= presence.people.count
      else { throw PageToken.invalid }
    }
    var response = GetSnapshotResponse(revision: revision)
    let size = Limits.pageItems(asked: request.pageSize)
    var next = first
    while next < presence.people.count, response.entries.count < size {
      if let entry = try entry(of: Presence.Slot(next), at: revision) {
        response.entries.append(entry)
      }
      next += 1
    }
    if next < presence.people.count {
      var writer = PositionWriter()
      writer.write(revision)
      writer.write(UInt64(next))
      response.nextPageToken = PageToken.make(question: question, position: writer.bytes)
    }
    return response
  }

  /// Where somebody was at a revision, as a check-in from nowhere; nil: nowhere, or deleted since.
  /// - Throws: `PAGE_TOKEN_INVALID`, where the log does not tell any more when a stay began that
  ///   has ended since.
  private func entry(of person: Presence.Slot, at revision: UInt64) throws -> Change? {
    guard userOfPerson[Int(person)] != nil else { return nil }
    var stay = presence.stay(of: person)
    if stay.revision > revision {
      var found: LogEntry?
      var wasSomewhere = false
      try store.history.follow(.person(person), from: lastEntries[person: person]) { entry in
        guard entry.revision <= revision else {
          wasSomewhere = entry.from != nil
          return true
        }
        found =
          found.map { later in
            var arrival = entry
            arrival.expireMs = later.expireMs
            return arrival
          } ?? entry
        return entry.reason == .renewed
      }
      guard let found, found.reason != .renewed else {
        if wasSomewhere { throw PageToken.invalid }
        return nil
      }
      stay = Presence.Stay(
        place: found.to, sinceMs: found.timeMs, revision: found.revision, expireMs: found.expireMs)
    }
    guard let place = stay.place else { return nil }
    let change = CheckInChange(
      revision: stay.revision, timeMs: stay.sinceMs, profileID: presence[person: person].id,
      toLocationID: presence.id(ofPlace: place), reason: .requested, expireTimeMs: stay.expireMs)
    return Change(revision: stay.revision, timeMs: stay.sinceMs, what: .checkIn(change))
  }

  /// The snapshot moves forward, and what is older than the operator wants goes; a piece of each at
  /// a time.
  package func workBehind(at now: Moment) throws -> Bool {
    // Far behind, it moves on as fast as the log grows: a round ends, however much is written.
    let grown = isFarBehind ? lastRevision - min(lastRevision, lastSavingRevision) : 0
    lastSavingRevision = lastRevision
    let slots = unsaved.take(max(Limits.savedTogether, Int(grown)), at: lastRevision)
    if !slots.people.isEmpty || !slots.places.isEmpty { noteWiderChange() }
    for slot in slots.people {
      try store.save(presence.stay(of: slot), lastEntry: lastEntries[person: slot], of: slot)
    }
    for slot in slots.places { try store.save(lastEntry: lastEntries[place: slot], of: slot) }
    if let revision = unsaved.finishRound() {
      try store.setSnapshotRevision(revision)
      savedRevision = revision
    }
    let compacted = try store.compact(
      olderThanMs: now.wallMs - settings.historyMs,
      through: savedRevision, entries: 500)
    let removed = try store.removeUnchanged(
      olderThanMs: now.wallMs - Limits.idempotencyMs, limit: 500)
    return unsaved.count > 0 || compacted || removed
  }

  package var isFarBehind: Bool {
    lastRevision - min(lastRevision, savedRevision) > mostTailEntries && unsaved.count > 0
  }

  /// For the first start on a file that comes from a backup: the log goes on above every number
  /// that it can have given out since.
  /// - Throws: `RestoreRefusal`, `SQLiteError`.
  package func restore(at now: Moment) throws {
    try begin()
    do {
      let base = try store.bounds.restore(now: now, last: lastRevision, lastTimeMs: lastTimeMs)
      try commit()
      stand(at: base)
    } catch {
      rollBack()
      throw error
    }
  }
}

extension Change {
  /// At most what an entry of the check-in log takes on the wire: three ids of 18 bytes, seven
  /// numbers of 2 to 11, lengths, and the user.
  fileprivate var roughByteCount: Int {
    guard case .checkIn(let change) = what else { return 0 }
    return 140 + change.actingUser.utf8.count
  }
}
