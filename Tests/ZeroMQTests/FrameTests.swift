import Testing
import ZeroMQ

@Suite struct FrameTests {
  /// Around 33 bytes libzmq changes from holding the content in place to an allocation.
  static let sizes = [0, 1, 32, 33, 34, 255, 256, 1 << 20]

  @Test("A frame holds what it was given, of any size", arguments: sizes)
  func holds(size: Int) {
    let content = (0..<size).map { UInt8(truncatingIfNeeded: $0) }
    let frame = Frame(content)
    #expect(Array(frame.bytes) == content)
    #expect(frame.count == size && frame.isEmpty == (size == 0) && !frame.hasMore)
    let room = frame.allocate(size)
    #expect(room.count == size)
    for index in room.indices { room[index] = 7 }
    #expect(Array(frame.bytes) == [UInt8](repeating: 7, count: size))
    frame.clear()
    #expect(frame.isEmpty)
  }

  @Test("A moved frame leaves nothing behind", arguments: sizes)
  func moves(size: Int) {
    let content = [UInt8](repeating: 5, count: size)
    let from = Frame(content)
    let to = Frame(Array("old".utf8))
    to.move(from: from)
    #expect(Array(to.bytes) == content && from.isEmpty)
  }

  @Test("A shared frame is in both, and outlives either", arguments: sizes)
  func shares(size: Int) {
    let content = [UInt8](repeating: 5, count: size)
    let to = Frame()
    do {
      let from = Frame(content)
      to.share(from: from)
      #expect(Array(from.bytes) == content)
      if size > 33 { #expect(to.bytes.baseAddress == from.bytes.baseAddress, "it was copied") }
    }
    #expect(Array(to.bytes) == content)
  }

  @Test("One frame goes to many sockets without being copied by us")
  func sharedAmongSockets() throws {
    let bench = try Bench()
    let content = [UInt8](repeating: 42, count: 100_000)
    let original = Frame(content)
    let copy = Frame()
    var receivers: [Socket] = []
    for number in 0..<20 {
      let sender = try bench.socket(.pair)
      try sender.bind("inproc://pair-\(number)")
      let receiver = try bench.socket(.pair)
      try receiver.connect("inproc://pair-\(number)")
      receivers.append(receiver)
      copy.share(from: original)
      #expect(try sender.send(copy) == .sent)
      #expect(copy.isEmpty)
    }
    for receiver in receivers { #expect(try bench.receive(receiver) == [content]) }
    #expect(Array(original.bytes) == content)
  }
}
