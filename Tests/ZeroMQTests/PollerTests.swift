import Glibc
import Synchronization
import Testing
import ZeroMQ

@Suite struct PollerTests {
  let bench: Bench

  init() throws { bench = try Bench() }

  @Test("A wait lasts as long as it says, in milliseconds", arguments: [0, 1, 20])
  func duration(timeoutMs: Int) throws {
    let poller = Poller()
    _ = poller.add(try bench.socket(.dealer))
    let start = monotonicMs()
    try poller.wait(timeoutMs: timeoutMs)
    let waited = monotonicMs() - start
    // The clock is cut to milliseconds, and another process may have the processor for a while.
    #expect(waited >= timeoutMs - 1 && waited < timeoutMs + 500)
  }

  @Test("A wait over nothing lasts as long as it says, too")
  func nothing() throws {
    let start = monotonicMs()
    try Poller().wait(timeoutMs: 10)
    #expect(monotonicMs() - start >= 9)
  }

  @Test("Sockets and descriptors are told apart, and wake a wait that has no end")
  func readable() throws {
    var pipe: [Int32] = [0, 0]
    try #require(Glibc.pipe(&pipe) == 0)
    let poller = Poller()
    let receiver = try bench.socket(.pair)
    try receiver.bind("inproc://poll")
    let sender = try bench.socket(.pair)
    try sender.connect("inproc://poll")
    let socketIndex = poller.add(receiver)
    let pipeIndex = poller.add(fileDescriptor: pipe[0])

    try bench.send(sender, [1])
    try poller.wait(timeoutMs: -1)
    #expect(poller.isReadable(socketIndex) && !poller.isReadable(pipeIndex))
    _ = try bench.receive(receiver)

    #expect(write(pipe[1], "x", 1) == 1)
    try poller.wait(timeoutMs: -1)
    #expect(!poller.isReadable(socketIndex) && poller.isReadable(pipeIndex))
    var byte: UInt8 = 0
    #expect(read(pipe[0], &byte, 1) == 1)

    close(pipe[1])
    try poller.wait(timeoutMs: -1)
    #expect(poller.isReadable(pipeIndex), "the end of a pipe is something to read")
    close(pipe[0])
  }

  @Test("A removed place is watched no more, and the others keep their index")
  func remove() throws {
    let poller = Poller()
    var pairs: [(index: Int, sender: Socket, receiver: Socket)] = []
    for number in 0..<3 {
      let receiver = try bench.socket(.pair)
      try receiver.bind("inproc://poll-\(number)")
      let sender = try bench.socket(.pair)
      try sender.connect("inproc://poll-\(number)")
      pairs.append((poller.add(receiver), sender, receiver))
      try bench.send(sender, [1])
    }
    poller.remove(pairs[1].index)
    pairs[1].receiver.close()
    try poller.wait(timeoutMs: 0)
    #expect(pairs.map { poller.isReadable($0.index) } == [true, false, true])
    let again = poller.add(try bench.socket(.dealer))
    #expect(again == pairs[1].index)
    try poller.wait(timeoutMs: 0)
    #expect(pairs.map { poller.isReadable($0.index) } == [true, false, true])
  }

  @Test("A message is told of although its news was taken note of by something else")
  func takenNote() throws {
    let receiver = try bench.socket(.router)
    try receiver.bind("inproc://poll-news")
    let sender = try bench.socket(.dealer)
    try sender.connect("inproc://poll-news")
    let poller = Poller()
    let index = poller.add(receiver)
    for number in 0..<3 as Range<UInt8> {
      while try receiver.receive(into: Frame()) {}
      try poller.wait(timeoutMs: 0)
      #expect(!poller.isReadable(index))
      try bench.send(sender, [number])
      // Binding looks at all that has happened; after it the descriptor tells nothing any more.
      try receiver.bind("inproc://poll-news-\(number)")
      try poller.wait(timeoutMs: -1)
      #expect(poller.isReadable(index))
      #expect(try bench.receive(receiver).last == [number])
    }
  }

  @Test("A signal does not end a wait")
  func signals() throws {
    signal(SIGUSR1) { _ in }
    // Another thread interrupts this one again and again, until this one has waited to the end.
    let interrupted = Interrupted()
    var interrupter = pthread_t()
    let result = pthread_create(
      &interrupter, nil,
      { argument in
        guard let argument else { return nil }
        let interrupted = Unmanaged<Interrupted>.fromOpaque(argument).takeUnretainedValue()
        while !interrupted.isOver.load(ordering: .acquiring) {
          pthread_kill(interrupted.thread, SIGUSR1)
          sched_yield()
        }
        return nil
      }, Unmanaged.passUnretained(interrupted).toOpaque())
    try #require(result == 0)
    let poller = Poller()
    _ = poller.add(try bench.socket(.dealer))
    let start = monotonicMs()
    try poller.wait(timeoutMs: 50)
    #expect(monotonicMs() - start >= 49)
    interrupted.isOver.store(true, ordering: .releasing)
    pthread_join(interrupter, nil)
  }
}

/// A thread that another one interrupts.
private final class Interrupted: Sendable {
  let thread = pthread_self()
  let isOver = Atomic(false)
}
