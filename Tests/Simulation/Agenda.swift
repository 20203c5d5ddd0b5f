/// What happens when, in virtual time: events in the order of their times, and of one time in the
/// order in which they were planned.
struct Agenda {
  private struct Event {
    var atUs: Int64
    var order: Int
    var run: () -> Void

    func precedes(_ other: Event) -> Bool {
      atUs != other.atUs ? atUs < other.atUs : order < other.order
    }
  }

  private var heap: [Event] = []
  private var planned = 0

  /// When the next one is; nil: nothing is planned.
  var nextUs: Int64? { heap.first?.atUs }

  mutating func add(atUs: Int64, _ run: @escaping () -> Void) {
    planned += 1
    heap.append(Event(atUs: atUs, order: planned, run: run))
    var child = heap.count - 1
    while child > 0, heap[child].precedes(heap[(child - 1) / 2]) {
      heap.swapAt(child, (child - 1) / 2)
      child = (child - 1) / 2
    }
  }

  mutating func removeFirst() -> () -> Void {
    let first = heap[0].run
    heap.swapAt(0, heap.count - 1)
    heap.removeLast()
    var parent = 0
    while true {
      var least = parent
      for child in [2 * parent + 1, 2 * parent + 2]
      where child < heap.count && heap[child].precedes(heap[least]) {
        least = child
      }
      guard least != parent else { return first }
      heap.swapAt(parent, least)
      parent = least
    }
  }
}
