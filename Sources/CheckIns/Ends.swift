import Model

/// When stays end, by the monotonic clock: a wall clock that jumps ends nobody's stay early.
///
/// A heap by time beside a table of what holds: an end that moves to later leaves its place in the
/// heap as it is and is put back when its turn comes, so that whoever renews a stay every second
/// takes no more room than anybody else.
struct Ends {
  private struct Entry {
    var dueUs: Int64
    var person: Presence.Slot
  }

  private var heap: [Entry] = []
  private var dueUs: [Presence.Slot: Int64] = [:]
  /// The earliest entry of each person in the heap.
  private var queuedUs: [Presence.Slot: Int64] = [:]

  /// When to look next; there may be nothing to do yet.
  var nextDueUs: Int64? { heap.first?.dueUs }

  /// How many entries the heap has.
  var roomTaken: Int { heap.count }

  /// When a person's stay ends; nil: not by itself.
  func due(of person: Presence.Slot) -> Int64? { dueUs[person] }

  mutating func set(_ person: Presence.Slot, dueUs due: Int64?) {
    guard let due else {
      if !dueUs.isEmpty { dueUs[person] = nil }
      return
    }
    dueUs[person] = due
    if let queued = queuedUs[person], queued <= due { return }
    push(Entry(dueUs: due, person: person))
  }

  /// Somebody whose stay is over; until that is made true, the same one again.
  mutating func firstDue(atUs nowUs: Int64) -> Presence.Slot? {
    while let first = heap.first, first.dueUs <= nowUs {
      // What was put in for another end than the one that holds is passed over, or put back.
      if queuedUs[first.person] == first.dueUs, let due = dueUs[first.person] {
        if due <= nowUs { return first.person }
        pop()
        push(Entry(dueUs: due, person: first.person))
      } else {
        pop()
      }
    }
    return nil
  }

  private mutating func push(_ entry: Entry) {
    queuedUs[entry.person] = entry.dueUs
    heap.append(entry)
    var child = heap.count - 1
    while child > 0, heap[child].dueUs < heap[(child - 1) / 2].dueUs {
      heap.swapAt(child, (child - 1) / 2)
      child = (child - 1) / 2
    }
  }

  private mutating func pop() {
    let first = heap[0]
    if queuedUs[first.person] == first.dueUs { queuedUs[first.person] = nil }
    heap.swapAt(0, heap.count - 1)
    heap.removeLast()
    var parent = 0
    while true {
      var least = parent
      for child in [2 * parent + 1, 2 * parent + 2]
      where child < heap.count && heap[child].dueUs < heap[least].dueUs {
        least = child
      }
      guard least != parent else { return }
      heap.swapAt(parent, least)
      parent = least
    }
  }
}
