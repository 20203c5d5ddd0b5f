import Foundation
import Testing

@testable import LoadDriver

@Suite("The machine's own limits")
struct MachineLimitsTests {
  private let folder = FileManager.default.temporaryDirectory.path(percentEncoded: false)

  @Test("Every sync of a while is in the histogram, and its file is gone afterwards")
  func sync() throws {
    let row = try SyncLimit.measure(folder: folder, seconds: 0.05)
    #expect(row.histogram.count > 0 && row.seconds >= 0.05)
    #expect(row.rate * row.seconds - Double(row.histogram.count) < 1)
    let left = try FileManager.default.contentsOfDirectory(atPath: folder)
    #expect(!left.contains { $0.hasSuffix("\(getpid()).sync") })
  }

  @Test("An echo comes back direct and through a proxy, as often as there are messages")
  func echo() throws {
    let echo = EchoLimit(folder: folder)
    let ended = DispatchSemaphore(value: 0)
    for work in [echo.serve, echo.passOn] {
      Thread {
        do { try work() } catch { Issue.record("\(error)") }
        ended.signal()
      }.start()
    }
    for byProxy in [false, true] {
      let row = try echo.measure(byProxy: byProxy, outstanding: 8, seconds: 0.2)
      #expect(row.histogram.count > 8, "\(row.name)")
      #expect(row.outstanding == 8)
    }
    echo.stop()
    ended.wait()
    ended.wait()
  }
}
