/// Something that wants to be called at a time.
protocol Timed: AnyObject {
  /// Whether it no longer wants to be.
  var isOver: Bool { get }
  /// The time has come.
  func wake(nowMs: Int)
}

/// Who wants to be called when, the earliest first: a binary heap. Entries of what is over
/// meanwhile are passed over, and swept out before they are the greater part.
struct TimerQueue {
  private var heap: [(timeMs: Int, owner: any Timed)] = []
  private var sweepAt = 64

  /// When the earliest one is due; nil: there is none.
  var nextMs: Int? { heap.first?.timeMs }

  mutating func add(_ owner: any Timed, atMs timeMs: Int) {
    if heap.count >= sweepAt { sweep() }
    heap.append((timeMs, owner))
    var index = heap.count - 1
    while index > 0, heap[index].timeMs < heap[(index - 1) / 2].timeMs {
      heap.swapAt(index, (index - 1) / 2)
      index = (index - 1) / 2
    }
  }

  /// Takes out the earliest one that is due and not over; nil: there is none.
  mutating func popDue(nowMs: Int) -> (any Timed)? {
    while let first = heap.first, first.timeMs <= nowMs {
      heap.swapAt(0, heap.count - 1)
      heap.removeLast()
      sink(0)
      if !first.owner.isOver { return first.owner }
    }
    return nil
  }

  private mutating func sink(_ start: Int) {
    var index = start
    while true {
      var least = index
      for child in (2 * index + 1)...(2 * index + 2)
      where child < heap.count && heap[child].timeMs < heap[least].timeMs {
        least = child
      }
      if least == index { return }
      heap.swapAt(index, least)
      index = least
    }
  }

  /// A call is over long before its deadline, so most entries are of calls that are.
  private mutating func sweep() {
    heap.removeAll { $0.owner.isOver }
    for index in stride(from: heap.count / 2, through: 0, by: -1) { sink(index) }
    sweepAt = max(64, 2 * heap.count)
  }
}
