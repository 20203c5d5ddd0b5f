import Model
import ServiceKit
import Wire
import ZeroMQ

/// Answers that many ask for, encoded, until something changes that they tell of: the first pages
/// of who's here, and the counts of all places.
struct KeptPages {
  private struct Page {
    var size: Int
    var body: Frame
  }

  private var pages: [Presence.Slot: [Page]] = [:]
  private var byteCount = 0
  /// The counts of all places; nil: they have changed.
  private(set) var counts: Frame?

  /// What they may take together.
  private static let mostBytes = 33_554_432
  /// Longer pages are rare, and are made anew each time.
  private static let longestPageBytes = 65_536

  /// The first page of a place, of this size.
  func page(of place: Presence.Slot, size: Int) -> Frame? {
    pages[place]?.first { $0.size == size }?.body
  }

  mutating func keep(_ body: Frame, of place: Presence.Slot, size: Int) {
    guard body.count <= Self.longestPageBytes else { return }
    if byteCount + body.count > Self.mostBytes { removePages() }
    let kept = Frame()
    kept.share(from: body)
    pages[place, default: []].append(Page(size: size, body: kept))
    byteCount += body.count
  }

  mutating func keepCounts(_ body: Frame) { counts = body }

  /// Something has changed at a place that its list tells of.
  mutating func changed(_ place: Presence.Slot) {
    guard !pages.isEmpty, let old = pages.removeValue(forKey: place) else { return }
    for page in old { byteCount -= page.body.count }
  }

  mutating func countsChanged() { counts = nil }

  private mutating func removePages() {
    pages = [:]
    byteCount = 0
  }

  mutating func removeAll() {
    removePages()
    counts = nil
  }
}

extension GatewayService {
  /// The list of the place of somebody whose profile has changed is another one now.
  func listChanged(ofPerson id: ID) {
    guard let person = presence.person(id), let place = presence[person: person].place else {
      return
    }
    kept.changed(place)
  }
}
