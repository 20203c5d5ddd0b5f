import Glibc
import Testing
import ZeroMQ

@Suite struct EndpointLockTests {
  let bench: Bench

  init() throws { bench = try Bench() }

  @Test("Without a lock a second bind silently takes the endpoint over: why there is one")
  func stealing() throws {
    let first = try bench.socket(.router)
    try first.bind(bench.ipc)
    let second = try bench.socket(.router)
    try second.bind(bench.ipc)
    let dealer = try bench.socket(.dealer)
    try dealer.connect(bench.ipc)
    try bench.send(dealer, [1])
    #expect(try bench.receive(second).last == [1])
    #expect(try first.receive(into: Frame()) == false)
  }

  @Test("A held endpoint is refused, with who holds it, until it is let go")
  func held() throws {
    var lock = try EndpointLock(bench.ipc)
    #expect(lock != nil)
    let error = try #require(throws: EndpointLockError.self) { _ = try EndpointLock(bench.ipc) }
    #expect(error == .inUse(endpoint: bench.ipc, processID: getpid()))
    #expect(error.description == "\(bench.ipc) is in use by process \(getpid())")
    lock = nil
    lock = try EndpointLock(bench.ipc)
    #expect(lock != nil)
  }

  @Test("Another process is refused, too; one that was killed holds nothing")
  func amongProcesses() async throws {
    let endpoint = bench.ipc
    await #expect(processExitsWith: .signal(SIGKILL)) { [endpoint = endpoint as String] in
      let lock = try EndpointLock(endpoint)
      withExtendedLifetime(lock) { _ = kill(getpid(), SIGKILL) }
    }
    let lock = try EndpointLock(endpoint)
    let owner = getpid()
    await #expect(processExitsWith: .success) {
      [endpoint = endpoint as String, owner = owner as Int32] in
      let error = try #require(throws: EndpointLockError.self) { _ = try EndpointLock(endpoint) }
      #expect(error == .inUse(endpoint: endpoint, processID: owner))
    }
    withExtendedLifetime(lock) {}
  }

  @Test(
    "Where a second bind fails by itself there is nothing to hold",
    arguments: ["tcp://127.0.0.1:5555", "inproc://a", "ipc://@abstract", "ipc://*"])
  func nothingToHold(endpoint: String) throws {
    #expect(try EndpointLock(endpoint) == nil)
  }

  @Test("A folder that is not there is told")
  func noFolder() throws {
    #expect(throws: EndpointLockError.failed(path: "/no/such/a.sock.lock", number: ENOENT)) {
      _ = try EndpointLock("ipc:///no/such/a.sock")
    }
  }
}
