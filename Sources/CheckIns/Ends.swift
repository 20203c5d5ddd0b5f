import Model

/// When stays end: a heap by time. An end that has been moved, or whose stay is over, is passed
/// over when its turn comes.
struct Ends {
  struct End {
    /// By the monotonic clock, so that a wall clock that jumps ends nobody's stay early.
    var dueUs: Int64
    var person: Presence.Slot
    /// As the stay has it: tells whether this end is still the one.
    var expireMs: Int64
  }

  private var heap: [End] = []

  var nextDueUs: Int64? { heap.first?.dueUs }

  mutating func add(_ end: End) {
    heap.append(end)
    var child = heap.count - 1
    while child > 0, heap[child].dueUs < heap[(child - 1) / 2].dueUs {
      heap.swapAt(child, (child - 1) / 2)
      child = (child - 1) / 2
    }
  }

  /// Takes the first one, if it is due.
  mutating func takeDue(atUs nowUs: Int64) -> End? {
    guard let first = heap.first, first.dueUs <= nowUs else { return nil }
    heap.swapAt(0, heap.count - 1)
    heap.removeLast()
    var parent = 0
    while true {
      var least = parent
      for child in [2 * parent + 1, 2 * parent + 2]
      where child < heap.count && heap[child].dueUs < heap[least].dueUs {
        least = child
      }
      guard least != parent else { return first }
      heap.swapAt(parent, least)
      parent = least
    }
  }
}
