import Model
package import ServiceKit
package import Wire

/// A service behind the one under test: a log in memory, that answers its followers.
package final class Owner {
  package let log: LogName
  package private(set) var changes: [Change] = []
  package private(set) var lastRevision: UInt64 = 0
  private var toldRevision: UInt64 = 0
  /// Nothing up to here is in the log any more.
  package var compactedThrough: UInt64 = 0
  /// What a restore has skipped.
  private var lost: Range<UInt64> = 0..<0
  /// Whether it answers at all.
  package var answers = true
  /// How many entries a page of its snapshot has.
  package var snapshotPageItems = 1_000
  /// Answers what is no question of a follower; nil: nothing comes.
  package var other: (Harness.Asked) -> Harness.Response? = { _ in nil }
  private let encoder = Encoder()
  private let decoder = Decoder()

  package init(_ log: LogName) { self.log = log }

  /// Appends a change; the revision and the time are put in.
  @discardableResult
  package func append(_ what: Change.What, timeMs: Int64 = 0) -> UInt64 {
    lastRevision += 1
    changes.append(Change(revision: lastRevision, timeMs: timeMs, what: numbered(what)))
    return lastRevision
  }

  private func numbered(_ what: Change.What) -> Change.What {
    switch what {
    case .profilePut(var profile):
      profile.revision = lastRevision
      return .profilePut(profile)
    case .locationPut(var location):
      location.revision = lastRevision
      return .locationPut(location)
    case .checkIn(var change):
      change.revision = lastRevision
      return .checkIn(change)
    case .profileDeleted, .locationDeleted:
      return what
    }
  }

  /// The log was restored: it stands higher, and what came after a revision is lost.
  package func restore(to revision: UInt64, base: UInt64) {
    changes.removeAll { $0.revision > revision }
    lost = (revision + 1)..<base
    lastRevision = base
    toldRevision = base
  }

  /// What the feed would tell now.
  func publication() -> ChangesPublished? {
    guard answers else { return nil }
    defer { toldRevision = lastRevision }
    return ChangesPublished(
      previousRevision: toldRevision, lastRevision: lastRevision,
      changes: changes.filter { $0.revision > toldRevision })
  }

  /// What it says to a question; nil: nothing comes.
  package func answer(_ asked: Harness.Asked) -> Harness.Response? {
    guard answers else { return nil }
    switch asked.header.method {
    case .listChanges: return listChanges(decode(asked.body))
    case .getSnapshot: return snapshot(decode(asked.body))
    case .attendDeletes:
      return Harness.Response(header: ResponseHeader(more: true), body: [])
    case .answerDelete: return Harness.Response(header: ResponseHeader(), body: [])
    default: return other(asked)
    }
  }

  /// Answers BatchGetProfiles, as the profile service does.
  /// - Parameter limit: so many names at most.
  package func names(_ asked: Harness.Asked, limit: Int = 1_000) -> Harness.Response? {
    guard asked.header.method == .batchGetProfiles else { return nil }
    let request: BatchGetProfilesRequest = decode(asked.body)
    var known: [ID: Profile] = [:]
    for change in changes {
      switch change.what {
      case .profilePut(let profile): if let id = profile.id { known[id] = profile }
      case .profileDeleted(let id): known[id] = nil
      default: break
      }
    }
    let taken = request.ids.prefix(limit)
    return response(
      BatchGetProfilesResponse(
        profiles: taken.compactMap { known[$0] }, missing: taken.filter { known[$0] == nil },
        unread: Array(request.ids.dropFirst(limit))))
  }

  private func listChanges(_ request: ListChangesRequest) -> Harness.Response {
    guard request.afterRevision >= compactedThrough else {
      return refusal(.logCompacted)
    }
    guard request.afterRevision <= lastRevision, !lost.contains(request.afterRevision) else {
      return refusal(.logRestored)
    }
    let limit = request.limit == 0 ? 1_000 : Int(request.limit)
    let found = changes.filter { $0.revision > request.afterRevision }.prefix(limit)
    return response(ListChangesResponse(changes: Array(found), lastRevision: lastRevision))
  }

  private func snapshot(_ request: GetSnapshotRequest) -> Harness.Response {
    let all = state()
    let first = Int(request.pageToken) ?? 0
    let page = all[min(first, all.count)...].prefix(min(snapshotPageItems, Int(request.pageSize)))
    return response(
      GetSnapshotResponse(
        revision: lastRevision, entries: Array(page),
        nextPageToken: page.endIndex < all.count ? "\(page.endIndex)" : ""))
  }

  /// Everything there is, as a snapshot tells it.
  private func state() -> [Change] {
    var entries: [ID: Change] = [:]
    for change in changes {
      switch change.what {
      case .profilePut(let profile): if let id = profile.id { entries[id] = change }
      case .locationPut(let location): if let id = location.id { entries[id] = change }
      case .profileDeleted(let id), .locationDeleted(let id): entries[id] = nil
      case .checkIn(let entry):
        guard let id = entry.profileID else { break }
        if entry.reason == .renewed, var known = entries[id] {
          guard case .checkIn(var arrival) = known.what else { break }
          arrival.expireTimeMs = entry.expireTimeMs
          known.what = .checkIn(arrival)
          entries[id] = known
        } else {
          entries[id] = arrival(entry)
        }
      case nil: break
      }
    }
    return entries.values.sorted { $0.revision < $1.revision }
  }

  /// As a check-in from nowhere; nil: nowhere.
  private func arrival(_ entry: CheckInChange) -> Change? {
    guard entry.toLocationID != nil else { return nil }
    var entry = entry
    entry.fromLocationID = nil
    return Change(revision: entry.revision, timeMs: entry.timeMs, what: .checkIn(entry))
  }

  /// A success.
  package func response<M: Message>(_ message: M) -> Harness.Response {
    Harness.Response(header: ResponseHeader(), body: encoder.bytes(message))
  }

  package func refusal(_ reason: Reason) -> Harness.Response {
    Harness.Response(header: ResponseHeader(status: Status(reason, "No.")), body: [])
  }

  package func decode<M: Message>(_ bytes: [UInt8]) -> M {
    var violations: [FieldViolation] = []
    do {
      return try bytes.withUnsafeBytes {
        try decoder.decode(M.self, from: $0, violations: &violations)
      }
    } catch {
      preconditionFailure("\(M.name) was asked malformed: \(error)")
    }
  }
}
