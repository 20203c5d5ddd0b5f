import Foundation
import Testing

/// `muster up` with the real programs.
@Suite struct UpTests {
  private static let names = ["profiles", "locations", "check-ins", "gateway"]

  @Test("up says ready when calls are answered, and stops all on SIGTERM")
  func startAndStop() throws {
    let port = Int.random(in: 20_000..<60_000)
    let muster = try RunningMuster(["--listen", "tcp://127.0.0.1:\(port)"])
    #expect(muster.readyLine == "ready ipc://\(muster.data.path)/run/gateway.sock")
    #expect(try muster("me").code == 0)
    #expect(try muster("me", "--endpoint", "tcp://127.0.0.1:\(port)").code == 0)
    let processes = try UpTests.names.map(muster.processID)
    #expect(Set(processes).count == 4)
    #expect(processes.allSatisfy(isAlive))

    muster.process.terminate()
    muster.process.waitUntilExit()
    #expect(muster.process.terminationStatus == 0)
    #expect(!processes.contains(where: isAlive))
    #expect(throws: (any Error).self) { try muster.processID("gateway") }
  }

  @Test("A folder that is in use is not started on twice")
  func twice() throws {
    let muster = try RunningMuster()
    let second = try Programs.muster(["up", "--data", muster.data.path])
    #expect(second.code == 6)
    #expect(second.errors.contains("another 'muster up' runs on \(muster.data.path)"))
    #expect(try muster("me").code == 0)
  }

  @Test("C7: whatever is killed is started again, and what was true still is", arguments: names)
  func restarts(name: String) throws {
    let muster = try RunningMuster()
    #expect(try muster("location", "create", "Hall", "--external-id", "H").code == 0)
    #expect(try muster("profile", "create", "Ada Lovelace").code == 0)
    #expect(try muster("in", "H").code == 0)
    let before = try muster.processID(name)
    kill(before, SIGKILL)
    #expect(try eventually { try muster.processID(name) != before })
    #expect(
      try eventually {
        try muster("health", "-o", "json").json()["state"] as? String == "SERVING_STATE_SERVING"
      })
    #expect(try muster("status").output.hasPrefix("You are checked in at Hall (H) since "))
    #expect(try muster("here", "H", "-o", "json").json()["count"] as? Int == 1)
  }

  @Test("When up itself is killed, nothing of it stays behind, and it starts again")
  func killed() throws {
    let folder = RunningMuster.newFolder()
    defer { try? FileManager.default.removeItem(at: folder) }  // A temporary folder more or less.
    let muster = try RunningMuster(on: folder)
    #expect(try muster("location", "create", "Hall").code == 0)
    let processes = try UpTests.names.map(muster.processID)
    kill(muster.process.processIdentifier, SIGKILL)
    #expect(eventually { !processes.contains(where: isAlive) })
    let again = try RunningMuster(on: folder)
    #expect(try again("location", "get", "Hall").code == 0)
  }

  @Test("One that cannot start ends it all, with the reason")
  func cannotStart() throws {
    let folder = RunningMuster.newFolder()
    let service = folder.appending(path: "locations")
    try FileManager.default.createDirectory(at: service, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }  // A temporary folder more or less.
    try Data("this is no database, and never was one".utf8)
      .write(to: service.appending(path: "locations.db"))
    let said = try Programs.muster(["up", "--data", folder.path])
    #expect(said.code == 69)
    #expect(said.output == "")
    #expect(said.errors.contains("muster: locations could not start"))
  }

  @Test("A path too long for a socket, and an endpoint that is not loopback, are refused")
  func refused() throws {
    let long = try Programs.muster(["up", "--data", "/tmp/" + String(repeating: "x", count: 90)])
    #expect(long.code == 64)
    #expect(long.errors.contains("107 is the most"))
    for endpoint in ["tcp://0.0.0.0:7400", "tcp://*:7400", "tcp://127.0.0.1", "ipc:///tmp/x"] {
      let said = try Programs.muster(["up", "--data", "/tmp/x", "--listen", endpoint])
      #expect(said.code == 64, "\(endpoint)")
    }
    #expect(try Programs.muster(["up"]).code == 64)
  }
}
